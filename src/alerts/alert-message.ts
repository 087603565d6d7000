import { z } from "zod";
import { alertFacts } from "./alert-event.ts";
import { findAlertText } from "./alert-texts.ts";

/** One message to a person: text for people, fields for programs. All of it is fixed text, ids, codes and numbers. */
export interface AlertMessage {
  /** The same in every attempt to deliver it, also of another process. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
  readonly fields: Readonly<Record<string, string | number | readonly string[] | undefined>>;
}

export const alertNews = z.object({
  /** An incident began, it goes on, or it is over. */
  moment: z.enum(["opened", "reminder", "resolved"]),
  name: z.string(),
  facts: alertFacts,
  /** Orders affected since the last message; only some of them if there are many. */
  orderIds: z.array(z.string()).readonly(),
  /** How often the alert was raised since the last message; in the whole incident once it is over. */
  count: z.number(),
  nowMs: z.number(),
});
export type AlertNews = Readonly<z.infer<typeof alertNews>>;

export interface AlertSender {
  readonly version: string;
  /** Identifies this process among those of an installation. */
  readonly instance: string;
}

const HEADLINES = { opened: "Alert", reminder: "Still going on", resolved: "Over" } as const;
const UNKNOWN_TEXT = "This version has no text for this alert. See the log line.";

export function toAlertMessage(
  news: AlertNews,
  id: string,
  { version, instance }: AlertSender,
): AlertMessage {
  const { moment, name: alert, facts, orderIds, count, nowMs } = news;
  const { tenant } = facts;
  const about = tenant === undefined ? alert : `${alert} (${tenant})`;
  const headline = `${HEADLINES[moment]}: ${about}`;
  const several = orderIds.length > 1 ? orderIds : undefined;
  return {
    id,
    subject: `[Holdfast] ${headline}`,
    text: [`[Holdfast] ${headline}`, ...toSentences(news)].join("\n"),
    fields: {
      event: moment,
      alert,
      ...facts,
      orderIds: several,
      count,
      time: new Date(nowMs).toISOString(),
      version,
      instance,
    },
  };
}

function toSentences({ moment, name, facts, orderIds, count }: AlertNews): readonly string[] {
  if (moment === "resolved") return ["It is over; nothing more needs to be done."];
  const { code, problem, found, orderId } = facts;
  const details = [
    toDetail("code", code),
    toDetail("problem", problem),
    toDetail("found", found),
    toDetail("order", orderIds.length > 0 ? orderIds.join(", ") : orderId),
    moment === "opened" || count === 0 ? [] : `${count} more since the last message`,
  ].flat();
  const text = findAlertText(name) ?? UNKNOWN_TEXT;
  return details.length === 0 ? [text] : [text, details.join(" · ")];
}

function toDetail(label: string, value: string | number | undefined): string | readonly string[] {
  return value === undefined ? [] : `${label} ${value}`;
}
