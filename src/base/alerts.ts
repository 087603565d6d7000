import type { Logger } from "./logger.ts";

interface AlertTraits {
  /** It lasts until {@link resolveAlert} says that it is over. */
  readonly lasting?: true;
  /** Each `problem` is its own incident, since each needs a different action. */
  readonly perProblem?: true;
  /** Its log line is a warning; those of all others are errors. */
  readonly warning?: true;
}

/** Every alert by name, the same set as in `docs/alerts.md`. Monitors match these names: add names, don't rename them. */
export const ALERTS = {
  verification_key_refused: { lasting: true },
  verification_no_credits: { lasting: true },
  verification_unavailable: { lasting: true },
  verification_misconfigured: { lasting: true },
  verification_request_refused: {},
  ledger_unwritten: {},
  hold_expiring: {},
  hold_overdue: {},
  protection_lapsing: {},
  dispute_inquiry: { perProblem: true },
  dispute_chargeback: { perProblem: true },
  dispute_evidence_due: {},
  disputes_high: { warning: true },
  authorization_expiring: {},
  order_hidden_soon: {},
  order_hidden: {},
  hold_not_placed: {},
  held_order_fulfilled: {},
  hold_released_by_app: {},
  cancel_limit_reached: {},
  enforcement_failed: { perProblem: true },
  platform_refused: {},
  personal_data_not_granted: {},
  burst_braked: {},
  one_ip_address: { warning: true },
  order_failed: { perProblem: true },
  defect: {},
  webhooks_missed: {},
  webhooks_unauthenticated: { lasting: true },
  webhooks_refused: {},
  orders_not_kept: {},
  erasure_unconfirmed: {},
  delivery_stuck: {},
  shop_access_lost: {},
  store_unavailable: { lasting: true },
  customer_data_request: { warning: true },
  checkout_list_not_applied: { lasting: true, perProblem: true },
  coverage_low: { lasting: true },
  levels_shifted: { lasting: true, perProblem: true, warning: true },
  settings_unreadable: {},
  retention_failed: {},
  card_amount_not_released: {},
  notifier_failed: {},
} as const satisfies Readonly<Record<string, AlertTraits>>;

export type AlertName = keyof typeof ALERTS;

/** An alert about sending itself. If it were sent, it could cause itself again endlessly. */
export const NEVER_SENT: AlertName = "notifier_failed";

type With<Trait extends keyof AlertTraits> = {
  [Name in AlertName]: (typeof ALERTS)[Name] extends Record<Trait, true> ? Name : never;
}[AlertName];

/** An alert that ends. */
export type LastingAlert = With<"lasting">;

type LevelOf<Name extends AlertName> = Name extends With<"warning"> ? "warn" : "error";

/** What a log line says of an alert: ids, codes, numbers and the error. */
export type FactsOf<Name extends AlertName> = Readonly<Record<string, unknown>> &
  (Name extends With<"perProblem"> ? { readonly problem: string | null } : object);

/** The traits of an alert; undefined for one that isn't Holdfast's own. */
export function findTraits(name: string): AlertTraits | undefined {
  return Object.hasOwn(ALERTS, name) ? ALERTS[name as AlertName] : undefined;
}

/** The fields of a log line about an alert, as the notifier reads them. */
export type AlertLine = Readonly<Record<string, unknown>>;

export function toRaised<Name extends AlertName>(name: Name, facts: FactsOf<Name>): AlertLine {
  return { ...facts, alert: name };
}

export function toResolved(name: LastingAlert, facts: AlertLine): AlertLine {
  return { ...facts, resolved: name };
}

/** Raise an alert: write its log line, which the app also sends to people. */
export function raiseAlert<Name extends AlertName>(
  logger: Pick<Logger, LevelOf<Name>>,
  name: Name,
  facts: FactsOf<Name>,
  message: string,
): void {
  (logger as Partial<Logger>)[toLevel(name)]?.(toRaised(name, facts), message);
}

/** Say that an alert is over, in the same way. */
export function resolveAlert(
  logger: Pick<Logger, "info">,
  name: LastingAlert,
  facts: AlertLine,
  message: string,
): void {
  logger.info(toResolved(name, facts), message);
}

/** Write a line of {@link toRaised} or {@link toResolved}. */
export function writeAlertLine(logger: Logger, line: AlertLine, message: string): void {
  const { alert } = line;
  logger[typeof alert === "string" ? toLevel(alert) : "info"](line, message);
}

function toLevel(name: string): "warn" | "error" {
  return findTraits(name)?.warning === true ? "warn" : "error";
}
