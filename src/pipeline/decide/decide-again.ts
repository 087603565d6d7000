import { toMachineDecision, type Decision, type UncheckedCause } from "../../order/decision.ts";
import type { MappedOrder } from "../../platform/platform.ts";
import type { DecisionBasis } from "../../screening/decide-order.ts";
import type {
  OrderChanges,
  OrderRecord,
  PendingDecision,
  TimelineEntry,
  OrderTransition,
} from "../../store/store.ts";
import { toTimelineEntry, toLessDetailEntries } from "../timeline.ts";
import { makeDecision } from "./order-decision.ts";
import { supersede, type Superseding } from "./supersede.ts";
import { toPeriods } from "../../screening/screening-task.ts";
import { TRIAL_RECHECK_MS } from "../../service/circuit.ts";
import { enrich } from "./enrichment.ts";
import type { OrderTask } from "../work/order-task.ts";

/** Why a decided order is decided again, and on what. */
export interface Cause {
  /** The order as it is to be decided. */
  readonly order: OrderRecord;
  readonly mapped: MappedOrder;
  /** Written with the new decision. */
  readonly changes: OrderChanges;
  readonly entry: TimelineEntry;
  /** Whether a decision without the service's answer counts: otherwise the former one stands. */
  readonly takesGuess: boolean;
  /** Decided on this, and nobody is asked. Default: the service is. */
  readonly kept?: DecisionBasis | undefined;
}

/** The service can be asked by now about an order that was decided without it. */
export function lateAnswer(order: OrderRecord, mapped: MappedOrder, nowMs: number): Cause {
  const entry = toTimelineEntry(nowMs, { kind: "caught-up" }, "the service has answered");
  return { order, mapped, changes: {}, entry, takesGuess: false };
}

/** The platform changed the order in a way that matters. What the service answered for the old content stays kept. */
export function materialChange(
  order: OrderRecord,
  revision: NonNullable<OrderRecord["revision"]>,
  nowMs: number,
): Cause {
  const { mapped, amount, currency, attempts } = revision;
  return {
    order: { ...order, mapped, amount, currency, attempts },
    mapped,
    changes: toContent(order, mapped, { amount, currency }),
    entry: toTimelineEntry(nowMs, { kind: "decided-again" }, "the order was changed"),
    // The former decision was about another order.
    takesGuess: true,
  };
}

/** A person asked for it. `order` has the content to ask about; what was asked about is its content from then on. */
export function recheckByPerson(
  order: OrderRecord,
  mapped: MappedOrder,
  verdict: PendingDecision,
  nowMs: number,
): Cause {
  const { revision, amount, currency } = order;
  const content = revision === null ? {} : toContent(order, mapped, { amount, currency });
  return {
    order: { ...order, verdict },
    mapped,
    changes: { ...content, verdict: null },
    entry: toTimelineEntry(nowMs, { kind: "rechecked" }, `asked for by ${verdict.actor}`),
    takesGuess: false,
  };
}

function toContent(
  { revisedAtMs }: OrderRecord,
  mapped: MappedOrder,
  value: Pick<OrderRecord, "amount" | "currency">,
): OrderChanges {
  return { mapped, ...value, enriched: true, revise: { revisedAtMs, kept: null } };
}

/** What deciding again led to. Unless it was decided, the former decision stands. */
export type DecidedAgain =
  | ({ readonly outcome: "decided" } & Superseding)
  /** The service can't be asked right now; worth waiting for. */
  | { readonly outcome: "postponed"; readonly retryAtMs: number; readonly problem: string }
  /** The service was asked and did not answer. */
  | { readonly outcome: "unanswered"; readonly problem: string; readonly askAgainAtMs?: number | undefined };

/** Decide a decided order again. The one way in which a decision of Holdfast takes another's place. */
export async function decideAgain(task: OrderTask, order: OrderRecord, cause: Cause): Promise<DecidedAgain> {
  const { decision: former } = order;
  if (former === null) throw new TypeError("an order without a decision can't be decided again");
  const decided = await makeDecision(task, cause.order, cause.mapped, task.signal, cause.kept);
  if (decided.outcome === "postponed") return decided;
  const { decision, askAgainAtMs } = decided;
  if (decision.degraded && !cause.takesGuess) {
    return { outcome: "unanswered", problem: decision.unchecked ?? "", askAgainAtMs };
  }
  const next = await supersede(task.store, order, former, decision, {
    changes: { ...decided.changes, ...cause.changes },
    entries: [...decided.entries, cause.entry],
  });
  return { outcome: "decided", ...stayHeld(order, former, next, task.now()) };
}

/** A guess does not release what an answer of the service held, and no answer what a bank asks about. */
function stayHeld(order: OrderRecord, former: Decision, next: Superseding, nowMs: number): Superseding {
  const { decision } = next;
  const isGuess = decision.degraded || decision.source === "local";
  const releases = decision.action === "allow" || decision.action === "tag";
  const isKept = decision.supersedes?.heldByAnswer === true && isGuess && releases;
  // A person decides about it, whatever else is decided: not to hold it would ship or refund it meanwhile.
  const isDisputed = former.disputed === true;
  if ((!isKept && !isDisputed) || !decision.enforce) return next;
  const held: Decision = {
    ...decision,
    ...(isDisputed ? { disputed: true, machine: toMachineDecision(decision) } : {}),
    action: "hold",
    tags: [...new Set([...former.tags, ...decision.tags])],
    reasons: ["hold-kept", ...decision.reasons],
  };
  const { holdDeadlineMs } = order;
  const entry = toTimelineEntry(
    nowMs,
    { kind: "hold-kept" },
    isDisputed ? "a bank asks about the payment" : "until the service has answered",
  );
  return {
    decision: held,
    changes: { ...next.changes, decision: held, holdDeadlineMs },
    entries: [...next.entries, entry],
  };
}

/** So long after an order came or changed, it has shipped or was looked at; its degraded decision stands. */
const WINDOW_MS = 24 * 3_600_000;
const FIRST_MS = 60_000;
const LONGEST_MS = 30 * 60_000;
/** Of orders that are due at the same time those that risk more come first, spread over this long. */
const SPREAD_MS = 20_000;
/** An order of this amount is about in the middle of the spread. */
const MIDDLE_AMOUNT = 200;

/** What asking again would not change: the service would refuse it again, or its credit was kept on purpose. */
const FINAL_CAUSES: ReadonlySet<UncheckedCause | undefined> = new Set([
  "VERIFICATION_REFUSED",
  "BURST_BRAKED",
]);

/** Whether the service should still be asked about an order that was decided without it. */
export function isToCatchUp(order: OrderRecord, nowMs: number): boolean {
  const { decision, skipReason, mapped, receivedAtMs, revisedAtMs } = order;
  if (decision?.degraded !== true || skipReason !== null || mapped?.outcome !== "screenable") return false;
  if (FINAL_CAUSES.has(decision.unchecked) || isOfSpentDay(order, nowMs)) return false;
  return nowMs < Math.max(receivedAtMs, revisedAtMs ?? 0) + WINDOW_MS;
}

/** A new day's credits are for the new day's orders, and for those that somebody still has to decide. */
function isOfSpentDay({ decision, decidedAtMs }: OrderRecord, nowMs: number): boolean {
  return (
    decision?.unchecked === "BUDGET_SPENT" &&
    decision.action !== "hold" &&
    (decidedAtMs ?? nowMs) < toPeriods(nowMs).dayStartMs
  );
}

/** When to ask again after `tries` tries, the larger amount first. */
export function toCatchUpMs({ amount }: Pick<OrderRecord, "amount">, tries: number, nowMs: number): number {
  const wait = Math.min(FIRST_MS * 2 ** Math.min(tries, 10), LONGEST_MS);
  return nowMs + wait + toSpreadMs(amount, SPREAD_MS);
}

/**
 * When to look again at an order that met another order's trial call: right after it, those of more risk first. Undefined
 * when the service can't be asked again so soon.
 */
export function toAfterTrialMs(
  { amount }: Pick<OrderRecord, "amount">,
  askAgainAtMs: number | undefined,
  nowMs: number,
): number | undefined {
  if (askAgainAtMs === undefined || askAgainAtMs > nowMs + TRIAL_RECHECK_MS) return undefined;
  // Those that met it within a second come by amount, whichever of them met it first.
  const secondMs = Math.ceil(askAgainAtMs / TRIAL_RECHECK_MS) * TRIAL_RECHECK_MS;
  return secondMs + toSpreadMs(amount, TRIAL_RECHECK_MS);
}

/** The larger the amount, the smaller the part of `withinMs`. */
function toSpreadMs(amount: number | null, withinMs: number): number {
  return Math.round(withinMs / (1 + (amount ?? 0) / MIDDLE_AMOUNT));
}

/** Whether an order is to be decided on with content that its decision, if it has one, did not know. */
export function isToRescreen({ revision, mapped, decision }: OrderRecord): boolean {
  // A person's word stands until a person takes it back.
  return revision?.rescreen === true && mapped !== null && decision?.source !== "person";
}

/** Let what the platform made of an undecided order be what is decided on. */
export function takeUpRevision(order: OrderRecord): OrderChanges {
  const { revision, revisedAtMs } = order;
  if (revision === null) return {};
  const { mapped, amount, currency } = revision;
  // The tries stay counted: however often it is changed, an order waits only so long for the service.
  return { mapped, amount, currency, enriched: false, revise: { revisedAtMs, kept: null } };
}

/**
 * Ask the platform for detail on the new content of a decided order. It is kept before anything is paid for it, so that a
 * repeat asks the very same question.
 */
export async function enrichRevision(task: OrderTask, order: OrderRecord): Promise<OrderTransition | null> {
  const { revision, revisedAtMs } = order;
  if (revision === null || revision.enriched) return null;
  const { mapped, limitations } = await enrich(order, revision.mapped, task);
  task.signal.throwIfAborted();
  const kept = { ...revision, mapped, enriched: true };
  const entries = toLessDetailEntries(task.now(), limitations);
  return { changes: { revise: { revisedAtMs, kept } }, entries, release: false };
}

/**
 * Let the platform follow the decision on what the order was like while the service cannot be asked about what it is
 * like now: nothing else would hold it meanwhile. It comes back for the service, or for the platform if that is earlier.
 */
export function followMeanwhile(
  save: OrderTask["save"],
  { retryAtMs, problem }: Extract<DecidedAgain, { readonly outcome: "postponed" }>,
): OrderTask["save"] {
  return async (order, transition) => {
    const { changes } = transition;
    if (!transition.release) return save(order, transition);
    const dueAtMs = Math.min(changes.dueAtMs ?? retryAtMs, retryAtMs);
    return save(order, {
      ...transition,
      changes: { ...changes, dueAtMs, problem: changes.problem ?? problem },
    });
  };
}
