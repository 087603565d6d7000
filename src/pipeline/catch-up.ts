import type { Decision } from "../policy/decision.ts";
import type { OrderChanges, OrderRecord, OrderStore, TimelineEntry } from "../store/store.ts";
import type { OrderDecision } from "./order-decision.ts";
import { toTimelineEntry } from "./timeline.ts";

/** After this an order has shipped or was looked at; its degraded decision stands. */
const WINDOW_MS = 24 * 3_600_000;
const FIRST_MS = 60_000;
const LONGEST_MS = 30 * 60_000;
/** Of orders that are due at the same time those that risk more come first, spread over this long. */
const SPREAD_MS = 20_000;
/** An order of this amount is about in the middle of the spread. */
const MIDDLE_AMOUNT = 200;

/** Whether the service should still be asked about an order that was decided without it. */
export function isToCatchUp(
  { decision, skipReason, mapped, receivedAtMs }: OrderRecord,
  nowMs: number,
): boolean {
  const degraded = decision?.degraded === true && skipReason === null;
  return degraded && mapped?.outcome === "screenable" && nowMs < receivedAtMs + WINDOW_MS;
}

/** When to ask again after `tries` tries, the larger amount first. */
export function toCatchUpMs({ amount }: Pick<OrderRecord, "amount">, tries: number, nowMs: number): number {
  const wait = Math.min(FIRST_MS * 2 ** Math.min(tries, 10), LONGEST_MS);
  return nowMs + wait + Math.round(SPREAD_MS / (1 + (amount ?? 0) / MIDDLE_AMOUNT));
}

/** A decision that takes the place of another one. */
export interface Superseding {
  readonly changes: OrderChanges;
  readonly entries: readonly TimelineEntry[];
  readonly decision: Decision;
}

/**
 * Ask the service about an order that was decided without it. Null when it does not answer yet: then the decision
 * stands.
 */
export async function catchUp(
  {
    store,
    decideOrder,
    now,
  }: { store: Pick<OrderStore, "listSteps">; decideOrder: OrderDecision; now: () => number },
  order: OrderRecord,
  signal: AbortSignal,
): Promise<Superseding | null> {
  const { decision, mapped } = order;
  if (decision === null || mapped === null) return null;
  const decided = await decideOrder(order, mapped, signal);
  if (decided.outcome === "postponed" || decided.decision.degraded) return null;
  return supersede(store, order, decision, decided.decision, {
    changes: decided.changes,
    entries: [...decided.entries, toTimelineEntry(now(), "caught-up", "the service has answered")],
  });
}

/** Let `next` take the place of `former`, remembering what the platform shows because of it. */
export async function supersede(
  store: Pick<OrderStore, "listSteps">,
  order: OrderRecord,
  former: Decision,
  next: Decision,
  { changes, entries }: Omit<Superseding, "decision">,
): Promise<Superseding> {
  const done = new Set(
    (await store.listSteps(order)).flatMap(({ step, state }) => (state === "done" ? [step] : [])),
  );
  const held = done.has("hold") && order.state === "review";
  const tags = done.has("tag") ? former.tags : [];
  const decision: Decision = { ...next, supersedes: { held, tags } };
  return { decision, changes: { ...changes, decision }, entries };
}
