import { createWorthSum, type Worth } from "../../policy/money.ts";
import type { Action, Decision, DeclineReason } from "../../order/decision.ts";
import { toPastDecision } from "../../policy/past-decision.ts";
import { createActionSums, type Outcome } from "../../policy/replay-tally.ts";
import type { DecidedOrder, ReceivedWindow } from "../../store/figures/replay-source.ts";
import type { OrderTrace } from "../../store/outcomes/outcomes.ts";
import type { Store } from "../../store/store.ts";
import type { RiskLevel } from "../../order/risk-level.ts";
import {
  readDecidedPages,
  type DecidedWindow,
  type PageStore,
  type TracedOrder,
  toOutcome,
} from "./outcome.ts";
import type { PlatformRisk } from "../../order/order-context.ts";
import type { Dispute, TenantId } from "../../platform/platform.ts";

/** An order that Holdfast tagged, held or canceled, or would have, or whose payment is disputed. */
export interface ReportRow {
  readonly orderId: string;
  readonly name: string;
  readonly receivedAtMs: number;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly riskLevel: RiskLevel | null;
  readonly riskScore: number | null;
  /** Holdfast's own decision, applied or not. */
  readonly action: Action;
  readonly outcome: Outcome;
  /** The platform's own risk assessment; null if it has none or wasn't asked yet. */
  readonly platformRisk: PlatformRisk | null;
  /** Whether a bank asked about the payment or took it back; null for neither. */
  readonly dispute: Dispute["kind"] | null;
}

/** Orders of a level, and how many of them turned out badly. Each counts once. */
export interface LevelResult extends Worth {
  readonly chargedBack: number;
  /** Canceled by anyone, or declined by a person. */
  readonly cancelled: number;
}

/** Holdfast's decisions in a window, compared with what happened. */
export interface DecisionReport {
  /** Orders received. */
  readonly orders: number;
  readonly decided: number;
  readonly tagged: Worth;
  readonly held: Worth;
  readonly cancelled: Worth;
  /** Of the held or canceled orders (`of`), those that the platform also warned about, or that others canceled. */
  readonly agreed: {
    readonly orders: number;
    readonly of: number;
    /** Orders whose outcome isn't known yet. */
    readonly pending: number;
  };
  readonly credits: { readonly spent: number; readonly saved: number };
  /** Orders that people declined, by reason; `none` without a reason. */
  readonly declined: Readonly<Partial<Record<DeclineReason | "none", number>>>;
  /** By the level of the answer, from the service or the local engine. */
  readonly byLevel: Readonly<Record<RiskLevel, LevelResult>>;
  /** Orders that were charged back for fraud, whatever was decided. */
  readonly passed: Worth;
  /** Orders that were tagged, held or canceled, or are disputed, newest first. */
  readonly rows: readonly ReportRow[];
}

type ReportStore = PageStore & Pick<Store, "countReceived" | "creditsBetween">;

/** The most rows in one report. */
export const MOST_REPORT_ROWS = 500;

/**
 * Make a tenant's report for a window, page by page, so that requests are served in between; `signal` stops it between two
 * pages.
 */
export async function makeReport(
  store: ReportStore,
  tenant: TenantId,
  window: ReceivedWindow,
  signal?: AbortSignal,
): Promise<DecisionReport> {
  const sums = createActionSums();
  const levels = forLevels(createLevelSum);
  const declined: Partial<Record<DeclineReason | "none", number>> = {};
  const agreed = { orders: 0, of: 0, pending: 0 };
  const passed = createWorthSum();
  const rows: ReportRow[] = [];
  for await (const page of readDecidedPages(store, tenant, { ...window, signal })) {
    for (const { order, trace } of page) {
      const { source, action } = toPastDecision(order.decision);
      const outcome = toOutcome(order, trace);
      if (source !== "person") sums[action].add(order.amount, order.currency);
      const { riskLevel } = order.decision;
      const reason = toDeclineReason(order.decision);
      if (reason !== null) declined[reason] = (declined[reason] ?? 0) + 1;
      if (riskLevel !== null) levels[riskLevel].add(order, outcome);
      if (outcome === "charged-back") passed.add(order.amount, order.currency);
    }
    for (const traced of page.filter(isReported)) {
      const row = toRow(traced);
      if (rows.length < MOST_REPORT_ROWS) rows.push(row);
      if (row.action === "hold" || row.action === "cancel") compare(agreed, row, traced.trace);
    }
  }
  return {
    ...(await store.countReceived(tenant, window, signal)),
    tagged: sums.tag.total(),
    held: sums.hold.total(),
    cancelled: sums.cancel.total(),
    agreed,
    credits: await store.creditsBetween(tenant, window, signal),
    declined,
    byLevel: forLevels((level) => levels[level].total()),
    passed: passed.total(),
    rows,
  };
}

function toDeclineReason({ source, action, declineReason }: Decision): DeclineReason | "none" | null {
  return source === "person" && action === "cancel" ? (declineReason ?? "none") : null;
}

/** The rows of a report, page by page, newest first. The signal stops it between two pages. It then rejects. */
export async function* readReportPages(
  store: PageStore,
  tenant: TenantId,
  window: DecidedWindow,
): AsyncGenerator<readonly ReportRow[]> {
  for await (const page of readDecidedPages(store, tenant, window)) yield page.filter(isReported).map(toRow);
}

/** Whether Holdfast did more than allow the order, or would have, or a bank disputed it. */
function isReported({ order, trace }: TracedOrder): boolean {
  const { source, action } = toPastDecision(order.decision);
  return (source !== "person" && action !== "allow") || (trace?.disputes ?? []).length > 0;
}

function toRow({ order, trace }: TracedOrder): ReportRow {
  const { orderId, name, receivedAtMs, amount, currency, decision } = order;
  const { riskLevel, riskScore } = decision;
  return {
    orderId,
    name,
    receivedAtMs,
    amount,
    currency,
    riskLevel,
    riskScore,
    action: toPastDecision(decision).action,
    outcome: toOutcome(order, trace),
    platformRisk: trace?.observed?.platformRisk ?? null,
    dispute: trace?.disputes.at(-1)?.kind ?? null,
  };
}

/** Compare our decision with the judgment of others. */
function compare(
  agreed: { orders: number; of: number; pending: number },
  row: ReportRow,
  trace: OrderTrace | undefined,
): void {
  agreed.of += 1;
  if (isAgreed(row, trace)) agreed.orders += 1;
  else if (!isKnownEnd(row.outcome, trace)) agreed.pending += 1;
}

/** Whether the order's end or the platform's opinion is known. */
function isKnownEnd(outcome: Outcome, trace: OrderTrace | undefined): boolean {
  return ["charged-back", "approved", "declined"].includes(outcome) || (trace?.observed ?? null) !== null;
}

/** Whether somebody else came to the same result. A cancel by Holdfast itself doesn't count. */
function isAgreed({ outcome, platformRisk }: ReportRow, trace: OrderTrace | undefined): boolean {
  if (platformRisk === "investigate" || platformRisk === "cancel") return true;
  const isOwn = trace?.events.some(({ kind }) => kind === "cancel-done") === true;
  return outcome === "charged-back" || outcome === "declined" || (outcome === "cancelled" && !isOwn);
}

function forLevels<T>(make: (level: RiskLevel) => T): Record<RiskLevel, T> {
  return { low: make("low"), medium: make("medium"), high: make("high"), critical: make("critical") };
}

function createLevelSum() {
  const sum = createWorthSum();
  const ended = { chargedBack: 0, cancelled: 0 };
  return {
    add({ amount, currency }: DecidedOrder, outcome: Outcome): void {
      sum.add(amount, currency);
      if (outcome === "charged-back") ended.chargedBack += 1;
      if (outcome === "cancelled" || outcome === "declined") ended.cancelled += 1;
    },
    total: (): LevelResult => ({ ...sum.total(), ...ended }),
  };
}
