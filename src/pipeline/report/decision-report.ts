import { createWorthSum } from "../../policy/worth.ts";
import { isAgentChannel } from "../../order/agent-orders.ts";
import { isStop, type Decision, type DeclineReason } from "../../order/decision.ts";
import { toPastDecision } from "../../policy/past-decision.ts";
import { createActionSums, type Outcome } from "../../policy/replay-tally.ts";
import type { DecidedOrder } from "../../store/figures/replay-source.ts";
import type { TimeWindow } from "../../store/slices.ts";
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
import type { TenantId } from "../../platform/platform.ts";
import { countQuestions } from "./buyer-figures.ts";
import { createOutcomeTally } from "./calibration.ts";
import { createValueTally, type ValueWindow } from "./value-report.ts";

type ReportStore = PageStore & Pick<Store, "figures" | "buyerChecks">;

export const MOST_REPORT_ROWS = 500;

export interface ReportWindow extends ValueWindow {
  /** What one credit costs in the shop's currency; null if nobody said. */
  readonly creditPrice: number | null;
  /** Count agents' orders separately, which takes longer: the facts of each order are decrypted. */
  readonly countsAgents: boolean;
}

/**
 * Make a tenant's report about one period, page by page, so that requests are served in between; `signal` stops it between
 * two pages.
 */
export async function makeReport(
  store: ReportStore,
  tenant: TenantId,
  { creditPrice, countsAgents, ...asked }: ReportWindow,
  signal?: AbortSignal,
) {
  const window: TimeWindow = { sinceMs: asked.sinceMs, untilMs: asked.untilMs };
  const sums = createActionSums();
  const levels = createLevelTally(countsAgents);
  const content = countsAgents ? "facts" : "none";
  const declined: Partial<Record<DeclineReason | "none", number>> = {};
  const agreed = { orders: 0, of: 0, pending: 0 };
  const value = createValueTally(asked);
  const outcomes = createOutcomeTally();
  const rows: ReportRow[] = [];
  for await (const page of readDecidedPages(store, tenant, { ...window, content, signal })) {
    for (const traced of page) {
      const { order, trace } = traced;
      value.add(traced);
      outcomes.add(traced, window.untilMs);
      const { source, action } = toPastDecision(order.decision);
      const outcome = toOutcome(order, trace);
      if (source !== "person") sums[action].add(order.amount, order.currency);
      const reason = toDeclineReason(order.decision);
      if (reason !== null) declined[reason] = (declined[reason] ?? 0) + 1;
      levels.add(order, outcome);
    }
    for (const traced of page.filter(isReported)) {
      const row = toRow(traced);
      if (rows.length < MOST_REPORT_ROWS) rows.push(row);
      if (isStop(row.action)) compare(agreed, row, traced.trace);
    }
  }
  const credits = await store.figures.creditsBetween(tenant, window, signal);
  return {
    /** How many orders were received and decided. */
    ...(await store.figures.countReceived(tenant, window, signal)),
    tagged: sums.tag.total(),
    held: sums.hold.total(),
    cancelled: sums.cancel.total(),
    /**
     * Of the held or canceled orders (`of`), those that the platform also warned about, or that others canceled. `pending`: those
     * whose outcome isn't known yet.
     */
    agreed,
    /** `cost` in the shop's currency; null if a credit's price isn't known. */
    credits: { ...credits, cost: creditPrice === null ? null : toCents(credits.spent * creditPrice) },
    /** What that was worth. */
    value: value.total(),
    /** How orders turned out, by risk level. */
    outcomes: outcomes.total(),
    /** Orders that people declined, by reason; `none` without a reason. */
    declined,
    /** Orders whose buyers were asked in the period, whenever they were received. */
    buyers: await countQuestions(store, tenant, window, signal),
    ...levels.total(),
    /** Orders that were tagged, held or canceled, or are disputed, newest first. */
    rows,
  };
}

function toCents(amount: number): number {
  return Math.round(amount * 100) / 100;
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

export type ReportRow = Readonly<ReturnType<typeof toRow>>;

function toRow({ order, trace }: TracedOrder) {
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
    /** Holdfast's own decision, applied or not. */
    action: toPastDecision(decision).action,
    outcome: toOutcome(order, trace),
    /** The platform's own risk assessment; null if it has none or wasn't asked yet. */
    platformRisk: trace?.observed?.platformRisk ?? null,
    /** Whether a bank asked about the payment or took it back; null for neither. */
    dispute: trace?.disputes.at(-1)?.kind ?? null,
    /** What the buyer answered; `asked`: nothing yet; null: nobody asked them. */
    buyer: trace?.buyer ?? null,
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

/** Counts orders by level, and agents' orders separately if asked to. */
function createLevelTally(countsAgents: boolean) {
  const levels = forLevels(createLevelSum);
  const agents = countsAgents ? forLevels(createLevelSum) : null;
  const toTotal = (sums: typeof levels) => forLevels((level) => sums[level].total());
  return {
    add(order: DecidedOrder, outcome: Outcome): void {
      const { riskLevel } = order.decision;
      if (riskLevel === null) return;
      levels[riskLevel].add(order, outcome);
      if (isAgentChannel(order.facts?.context.channel)) agents?.[riskLevel].add(order, outcome);
    },
    total: () => ({
      /** By the level of the answer, from the service or the local engine. */
      byLevel: toTotal(levels),
      /** The same for the orders that AI agents placed; null if they weren't counted. */
      agents: agents && { byLevel: toTotal(agents) },
    }),
  };
}

/** Orders of a level, and how many of them turned out badly. Each counts once. */
function createLevelSum() {
  const sum = createWorthSum();
  // Canceled by anyone, or declined by a person.
  const ended = { chargedBack: 0, cancelled: 0 };
  return {
    add({ amount, currency }: DecidedOrder, outcome: Outcome): void {
      sum.add(amount, currency);
      if (outcome === "charged-back") ended.chargedBack += 1;
      if (outcome === "cancelled" || outcome === "declined") ended.cancelled += 1;
    },
    total: () => ({ ...sum.total(), ...ended }),
  };
}
