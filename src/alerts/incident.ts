import type { AlertEvent, AlertFacts } from "./alert-event.ts";
import type { AlertMoment, AlertNews } from "./alert-message.ts";
import { findAlertText } from "./alert-texts.ts";
import type { IncidentKey } from "../store/store.ts";

/** What this process knows of one incident. */
export interface Incident {
  /** Names it in the store. */
  readonly key: IncidentKey;
  readonly name: string;
  /** When this process heard of it first, milliseconds since the epoch. */
  readonly beganAtMs: number;
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
  /** Whether this process sent it. */
  told: boolean;
  /** Time until it is told again, in milliseconds. */
  windowMs: number;
  /** When there is something to do about it, in milliseconds since the epoch; never while it is being done. */
  dueAtMs: number;
}

/** More orders than that are looked up in the console. */
const MAX_ORDER_IDS = 20;

/** An incident that nobody here knew of until `beganAtMs`. */
export function toIncident(
  { name, incident, facts }: AlertEvent,
  windowMs: number,
  beganAtMs: number,
): Incident {
  const lasting = findAlertText(name)?.lasting === true;
  const dueAtMs = Number.POSITIVE_INFINITY;
  return {
    key: { tenant: facts.tenant, name: `alert:${incident}` },
    name,
    beganAtMs,
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

/** What to report about an incident now. Its count starts again from here. */
export function takeNews(incident: Incident, moment: AlertMoment, nowMs: number): AlertNews {
  const { name, facts, orderIds, total } = incident;
  const count = moment === "resolved" ? total : incident.count;
  const news = { moment, name, facts, orderIds: [...orderIds], count, nowMs };
  incident.count = 0;
  orderIds.clear();
  incident.told = true;
  return news;
}
