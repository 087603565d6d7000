import type { AlertEvent, AlertFacts } from "./alert-event.ts";
import type { AlertMoment, AlertNews } from "./alert-message.ts";
import { findAlertText } from "./alert-texts.ts";

/** What this process knows of one incident. */
export interface Incident {
  readonly name: string;
  /** It goes on until somebody says that it is over. */
  readonly lasting: boolean;
  /** Of the latest alert. */
  facts: AlertFacts;
  /** Alerts since the last message. */
  count: number;
  /** Alerts over all. */
  total: number;
  /** Orders since the last message. */
  readonly orderIds: Set<string>;
  /** Whether this process told of it. */
  told: boolean;
  /** Time until it is told again, in milliseconds. */
  windowMs: number;
  /** When there is something to do about it, in milliseconds since the epoch; never while it is being done. */
  dueAtMs: number;
}

/** More orders than that are looked up in the console. */
const MAX_ORDER_IDS = 20;

/** An incident that nobody here knew of. */
export function toIncident({ name, facts }: AlertEvent, windowMs: number): Incident {
  const lasting = findAlertText(name)?.lasting === true;
  const dueAtMs = Number.POSITIVE_INFINITY;
  return {
    name,
    lasting,
    facts,
    count: 0,
    total: 0,
    orderIds: new Set(),
    told: false,
    windowMs,
    dueAtMs,
  };
}

/** Take in one more alert of an incident. */
export function countAlert(incident: Incident, facts: AlertFacts): void {
  incident.facts = facts;
  incident.count += 1;
  incident.total += 1;
  if (facts.orderId !== undefined && incident.orderIds.size < MAX_ORDER_IDS) {
    incident.orderIds.add(facts.orderId);
  }
}

/** What is to be told of an incident now; from here on it counts afresh. */
export function takeNews(incident: Incident, moment: AlertMoment, nowMs: number): AlertNews {
  const { name, facts, orderIds, total } = incident;
  const count = moment === "resolved" ? total : incident.count;
  const news = { moment, name, facts, orderIds: [...orderIds], count, nowMs };
  incident.count = 0;
  orderIds.clear();
  incident.told = true;
  return news;
}
