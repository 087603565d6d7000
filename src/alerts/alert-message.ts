import { z } from "zod";
import type { Language } from "../texts/languages.ts";
import { createSay, findAlertText, type Say } from "../texts/say.ts";
import { alertFacts } from "./alert-event.ts";

/** One message to a person: text for people in their language, fields for programs. All of it is fixed text, ids, codes and numbers. */
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

export function toAlertMessage(
  news: AlertNews,
  id: string,
  { version, instance }: AlertSender,
  language: Language,
): AlertMessage {
  const { moment, name: alert, facts, orderIds, count, nowMs } = news;
  const { tenant } = facts;
  const about = tenant === undefined ? alert : `${alert} (${tenant})`;
  const say = createSay(language);
  const headline = `[Holdfast] ${say(`alert-${moment}`, { about })}`;
  const several = orderIds.length > 1 ? orderIds : undefined;
  return {
    id,
    subject: headline,
    text: [headline, ...toSentences(news, say, findAlertText(alert, language))].join("\n"),
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

function toSentences(
  { moment, facts, orderIds, count }: AlertNews,
  say: Say,
  text: string = say("alert-unknown"),
): readonly string[] {
  if (moment === "resolved") return [say("alert-over")];
  const { code, problem, found, orderId } = facts;
  const orders = orderIds.length > 0 ? orderIds.join(", ") : orderId;
  const details = [
    code === undefined ? [] : say("detail-code", { code }),
    problem === undefined ? [] : say("detail-problem", { problem }),
    found === undefined ? [] : say("detail-found", { found }),
    orders === undefined ? [] : say("detail-order", { orders }),
    moment === "opened" || count === 0 ? [] : say("detail-more", { count }),
  ].flat();
  return details.length === 0 ? [text] : [text, details.join(" · ")];
}
