import { randomUUID } from "node:crypto";
import type { AlertFacts } from "./alert-event.ts";
import { findAlertText } from "./alert-texts.ts";

/** What a message tells: that an incident began, that it goes on, or that it is over. */
export type AlertMoment = "opened" | "reminder" | "resolved";

/** One message to a person: text for people, fields for programs. All of it is fixed text, ids, codes and numbers. */
export interface AlertMessage {
  /** The same in every try to deliver it. */
  readonly id: string;
  /** One line without the text. */
  readonly subject: string;
  readonly text: string;
  readonly fields: Readonly<Record<string, string | number | readonly string[] | undefined>>;
}

/** What is to be told. */
export interface AlertNews {
  readonly moment: AlertMoment;
  readonly name: string;
  readonly facts: AlertFacts;
  /** Orders that it came up with since the last message, some of them if there are many. */
  readonly orderIds: readonly string[];
  /** How often it came up since the last message; over all of the incident when it is over. */
  readonly count: number;
  readonly nowMs: number;
}

/** Who tells. */
export interface AlertSender {
  readonly version: string;
  /** Names this process among those of an installation. */
  readonly instance: string;
}

const HEADLINES = { opened: "Alert", reminder: "Still going on", resolved: "Over" } as const;
const UNKNOWN_TEXT = "Something came up that this version has no text for: see the log line.";

/** Put an alert into words. */
export function toAlertMessage(news: AlertNews, { version, instance }: AlertSender): AlertMessage {
  const { moment, name: alert, facts, orderIds, count, nowMs } = news;
  const { tenant } = facts;
  const about = tenant === undefined ? alert : `${alert} (${tenant})`;
  const headline = `${HEADLINES[moment]}: ${about}`;
  const several = orderIds.length > 1 ? orderIds : undefined;
  return {
    id: randomUUID(),
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
  const text = findAlertText(name)?.text ?? UNKNOWN_TEXT;
  return details.length === 0 ? [text] : [text, details.join(" · ")];
}

function toDetail(label: string, value: string | number | undefined): string | readonly string[] {
  return value === undefined ? [] : `${label} ${value}`;
}
