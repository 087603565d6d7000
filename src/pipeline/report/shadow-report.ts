import { createWorthSum, type Worth, type WorthSum } from "../../policy/money.ts";
import type { Action } from "../../order/decision.ts";
import { toPastDecision, type PastDecision } from "../../policy/replay.ts";
import { createActionSums, type Outcome } from "../../policy/replay-tally.ts";
import type { OrderPosition } from "../../store/orders/order-cursor.ts";
import type { DecidedOrder, ReceivedWindow } from "../../store/figures/replay-source.ts";
import type { OrderTrace } from "../../store/outcomes/outcomes.ts";
import type { Store } from "../../store/store.ts";
import type { RiskLevel } from "../../order/result.ts";
import { toOutcome } from "./outcome.ts";
import type { PlatformRisk } from "../../order/order-context.ts";
import type { TenantId } from "../../platform/platform.ts";
import { ORDERS_PER_PAGE } from "./replay-run.ts";

/** One order that Holdfast did something about, or would have. */
export interface ReportRow {
  readonly orderId: string;
  readonly name: string;
  readonly receivedAtMs: number;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly riskLevel: RiskLevel | null;
  readonly riskScore: number | null;
  /** What Holdfast itself decided, carried out or not. */
  readonly action: Action;
  readonly outcome: Outcome;
  /** What the platform itself made of the order's risk; null when it does not say, or was not asked yet. */
  readonly platformRisk: PlatformRisk | null;
}

/** What Holdfast decided in a window, and how it compares with what happened. */
export interface ShadowReport {
  /** Orders received. */
  readonly orders: number;
  readonly decided: number;
  readonly tagged: Worth;
  readonly held: Worth;
  readonly cancelled: Worth;
  /** Of the orders held or cancelled (`of`), those that the platform warned of too, or that others than we cancelled. */
  readonly agreed: {
    readonly orders: number;
    readonly of: number;
    /** Those of which nobody knows yet. */
    readonly pending: number;
  };
  readonly credits: { readonly spent: number; readonly saved: number };
  /** By the level of the answer, whoever gave it. */
  readonly byLevel: Readonly<Record<RiskLevel, Worth>>;
  /** Orders that were not simply allowed, newest first. */
  readonly rows: readonly ReportRow[];
}

type PageStore = Pick<Store, "listDecided" | "loadTraces" | "nextTurn">;
type ReportStore = PageStore & Pick<Store, "countReceived" | "creditsBetween">;

/** Rows of one report. */
export const MOST_REPORT_ROWS = 500;

/** Make the report of a tenant's window, page by page, so that others are served meanwhile; `signal` ends it between two. */
export async function makeReport(
  store: ReportStore,
  tenant: TenantId,
  window: ReceivedWindow,
  signal?: AbortSignal,
): Promise<ShadowReport> {
  const sums = createActionSums();
  const levels = createLevelSums();
  const agreed = { orders: 0, of: 0, pending: 0 };
  const rows: ReportRow[] = [];
  for await (const page of readReportPages(store, tenant, { ...window, signal }, (order) => {
    const { source, action } = toPastDecision(order.decision);
    if (source !== "person") sums[action].add(order.amount, order.currency);
    const { riskLevel } = order.decision;
    if (riskLevel !== null) levels[riskLevel].add(order.amount, order.currency);
  })) {
    for (const { row, isKnown, isAgreed } of page) {
      if (rows.length < MOST_REPORT_ROWS) rows.push(row);
      if (row.action === "tag") continue;
      agreed.of += 1;
      if (isAgreed) agreed.orders += 1;
      else if (!isKnown) agreed.pending += 1;
    }
  }
  const { low, medium, high, critical } = levels;
  return {
    ...(await store.countReceived(tenant, window, signal)),
    tagged: sums.tag.total(),
    held: sums.hold.total(),
    cancelled: sums.cancel.total(),
    agreed,
    credits: await store.creditsBetween(tenant, window, signal),
    byLevel: {
      low: low.total(),
      medium: medium.total(),
      high: high.total(),
      critical: critical.total(),
    },
    rows,
  };
}

/** A row, and what others made of its order. */
interface SeenRow {
  readonly row: ReportRow;
  /** Its end or the platform's opinion is known. */
  readonly isKnown: boolean;
  /** Somebody else came to the same. */
  readonly isAgreed: boolean;
}

/**
 * The rows of a report, page by page, newest first. `onOrder` hears of every decided order, those that were simply
 * allowed too. The signal ends it between two pages, which rejects then.
 */
export async function* readReportPages(
  store: PageStore,
  tenant: TenantId,
  { signal, ...window }: ReceivedWindow & { readonly signal?: AbortSignal | undefined },
  onOrder: (order: DecidedOrder) => void = () => {},
): AsyncGenerator<readonly SeenRow[]> {
  let after: OrderPosition | null = null;
  do {
    // Reading SQLite waits for nobody, so without this nobody else would have a turn.
    await store.nextTurn(tenant, signal);
    const page = { ...window, content: "none", limit: ORDERS_PER_PAGE, after } as const;
    const { orders, next }: Awaited<ReturnType<Store["listDecided"]>> = await store.listDecided(tenant, page);
    for (const order of orders) onOrder(order);
    const told = orders.filter(({ decision }) => isTold(toPastDecision(decision)));
    const ids = told.map(({ orderId }) => orderId);
    const traces = await store.loadTraces(tenant, ids);
    yield told.map((order) => toRow(order, traces.get(order.orderId)));
    after = next;
  } while (after !== null);
}

/** Whether Holdfast itself did something about it, or would have. */
function isTold({ source, action }: PastDecision): boolean {
  return source !== "person" && action !== "allow";
}

function toRow(order: DecidedOrder, trace: OrderTrace | undefined): SeenRow {
  const { orderId, name, receivedAtMs, amount, currency, decision } = order;
  const { riskLevel, riskScore } = decision;
  const outcome = toOutcome(order, trace);
  const row = {
    orderId,
    name,
    receivedAtMs,
    amount,
    currency,
    riskLevel,
    riskScore,
    action: toPastDecision(decision).action,
    outcome,
    platformRisk: trace?.observed?.platformRisk ?? null,
  };
  return { row, isKnown: isKnownEnd(outcome, trace), isAgreed: isAgreed(row, trace) };
}

function isKnownEnd(outcome: Outcome, trace: OrderTrace | undefined): boolean {
  return outcome === "approved" || outcome === "declined" || (trace?.observed ?? null) !== null;
}

/** That we cancelled an order ourselves is nobody else's opinion of it. */
function isAgreed({ outcome, platformRisk }: ReportRow, trace: OrderTrace | undefined): boolean {
  if (platformRisk === "investigate" || platformRisk === "cancel") return true;
  const isOwn = trace?.events.some(({ kind }) => kind === "cancel-done") === true;
  return outcome === "declined" || (outcome === "cancelled" && !isOwn);
}

function createLevelSums(): Readonly<Record<RiskLevel, WorthSum>> {
  return {
    low: createWorthSum(),
    medium: createWorthSum(),
    high: createWorthSum(),
    critical: createWorthSum(),
  };
}
