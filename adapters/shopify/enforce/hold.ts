import type { HoldGap, StepOutcome } from "../../../src/adapter-kit.ts";
import {
  canHold,
  findOwnHold,
  isOver,
  listOwnHolds,
  readKnown,
  canRecall,
  recall,
  toMemory,
  toGoodsMemory,
  toServiceState,
} from "./fulfillment-orders.ts";
import { HOLD_HANDLE } from "../base/fulfillment-ids.ts";
import { readUncovered } from "./goods.ts";
import { readGoods, type Goods } from "./hidden-order.ts";
import type { FulfillmentOrder } from "../operations/generated/operations.ts";
import { mutate } from "../admin/ask.ts";
import {
  CANCELED_BEFORE,
  NO_CODE,
  ORDER_HIDDEN,
  ORDER_NOT_FOUND,
  SHIPPED_BEFORE,
  toCodes,
  toCount,
  toRefusal,
  waitAgain,
  type Step,
  type StepContext,
} from "./step.ts";

/** Shopify routes an order seconds to minutes after it was created, and recommends waiting five minutes. */
const PAUSES_MS = [5_000, 15_000, 45_000, 120_000, 300_000, 600_000, 600_000, 600_000, 3_600_000];
/** How long an order without a visible fulfillment order counts as not routed yet. */
const ROUTING_MS = 5 * 60_000;
/** How long goods of an order may lack a fulfillment order while Shopify routes them again. */
const REROUTING_MS = 60 * 60_000;
const DAY_MS = 24 * 3_600_000;

/** If there are several gaps, the first of these is shown. */
const WORST_FIRST: readonly HoldGap[] = ["refused", "recalling", "open"];
/** Shipped, or already with the carrier. */
const TOO_LATE: ReadonlySet<string> = new Set(["CLOSED", "IN_PROGRESS", "INCOMPLETE"]);

/** What is held: a text for people, and the memory for a repeat. */
interface HeldNow {
  readonly detail: string;
  readonly memory: Readonly<Record<string, string>>;
}

/**
 * Keep an order from shipping: place one hold on each of its fulfillment orders, and recall those that a fulfillment
 * service already has. Done only when no goods are left that could ship.
 */
export const hold: Step = (context) => holdAll(context, true);

async function holdAll(context: StepContext, isFirst: boolean): Promise<StepOutcome> {
  const found = await readGoods(context);
  if (found === null) return ORDER_NOT_FOUND;
  // A webhook may name its goods later.
  if (found === "hidden") return waitFor(context, ORDER_HIDDEN.reason);
  if (found.cancelled) return CANCELED_BEFORE;
  const outcome = await holdFound(context, found, isFirst);
  if (outcome.outcome === "impossible" || outcome.outcome === "moot") return outcome;
  return { ...outcome, memory: { ...toGoodsMemory(found.nodes), ...outcome.memory } };
}

async function holdFound(context: StepContext, found: Goods, isFirst: boolean): Promise<StepOutcome> {
  const entries = found.nodes.filter((entry) => !isReplaced(entry));
  if (entries.length === 0) return waitForRouting(context);
  const loose = entries.filter((entry) => findOwnHold(entry) === undefined);
  // If a hold is gone from goods that are still there, somebody released it. Only a hold that starts over undoes that.
  const known = readKnown(context.target.memory);
  const released = loose.filter((entry) => known.has(entry.id) && !isOver(entry));
  if (released.length > 0 && loose.length === entries.length)
    return { outcome: "done", detail: "the hold was released", memory: toMemory(released) };
  const { left, codes } = await holdLoose(
    context,
    loose.filter((entry) => !released.includes(entry)),
  );
  const answers = [];
  // Recalled fulfillment orders aren't sent to the service again, so don't recall any before the decision.
  const recallable = context.target.undecided === true ? [] : left.filter(canRecall);
  for (const entry of recallable) answers.push(await recall(context, entry));
  // Goods that came back at once are in a new fulfillment order, which can be held now.
  if (isFirst && answers.includes("returned")) return holdAll(context, false);
  const gaps = left.map(toGap);
  if (entries.length === released.length + left.length) return concludeUnheld(context, left, codes);
  const heldNow = toHeldNow(found.nodes, { entries, released, left });
  const gap = WORST_FIRST.find((name) => gaps.includes(name));
  return gap === undefined ? holdRest(context, heldNow) : holdPart(context, gap, heldNow);
}

function toHeldNow(
  nodes: readonly FulfillmentOrder[],
  { entries, released, left }: Readonly<Record<"entries" | "released" | "left", readonly FulfillmentOrder[]>>,
): HeldNow {
  const held = entries.length - released.length - left.length;
  const recalled = nodes.filter(({ requestStatus }) => requestStatus === "CANCELLATION_ACCEPTED").length;
  const detail = [
    `${held} of ${entries.length} fulfillment orders on hold`,
    ...(recalled === 0 ? [] : [`${recalled} taken back from a fulfillment service`]),
    ...(released.length === 0 ? [] : [`${released.length} released by others`]),
  ].join(", ");
  const covered = entries.filter((entry) => !left.includes(entry));
  return { detail, memory: toMemory(covered) };
}

/** Hold what can be held. Resolves to the rest, and to the codes of refusals. */
async function holdLoose(context: StepContext, loose: readonly FulfillmentOrder[]) {
  const left: FulfillmentOrder[] = [];
  const codes: string[] = [];
  for (const entry of loose) {
    const refused = canHold(entry) && !canRecall(entry) ? await holdOne(context, entry) : undefined;
    codes.push(...(refused ?? []));
    if (refused === undefined || refused.length > 0) left.push(entry);
  }
  return { left, codes };
}

/** Nothing is held. What isn't holdable now may become so, for example after Shopify's own checks. */
async function concludeUnheld(
  context: StepContext,
  left: readonly FulfillmentOrder[],
  codes: readonly string[],
): Promise<StepOutcome> {
  if (codes.length > 0) return explainRefusal(context, codes);
  const gaps = left.map(toGap);
  const open = left.filter((entry) => toGap(entry) === "open");
  if (open.length > 0 && open.every(({ status }) => status === "SCHEDULED"))
    return waitFor(context, "scheduled");
  if (open.length > 0) return waitFor(context, "not-holdable-yet");
  if (gaps.includes("recalling"))
    return context.target.undecided === true
      ? { outcome: "impossible", reason: "sent-to-service" }
      : waitFor(context, "recall-requested");
  if (gaps.includes("refused")) return { outcome: "impossible", reason: "recall-refused" };
  // All visible goods have shipped. Goods that we can't see may not have.
  const { units, seesAll } = await readUncovered(context);
  return units > 0 && !seesAll ? waitFor(context, "goods-hidden") : SHIPPED_BEFORE;
}

/** A replaced fulfillment order has no goods any more. */
function isReplaced({ status, requestStatus }: FulfillmentOrder): boolean {
  return status === "CANCELLED" || (status === "CLOSED" && requestStatus === "CANCELLATION_ACCEPTED");
}

/** Why a fulfillment order that isn't held can ship; undefined when it has shipped or is with the carrier. */
function toGap(entry: FulfillmentOrder): HoldGap | undefined {
  const state = toServiceState(entry);
  if (state === "refused" || (state === "accepted" && !canRecall(entry))) return "refused";
  if (state === "recalling" || canRecall(entry)) return "recalling";
  return TOO_LATE.has(entry.status) ? undefined : "open";
}

/** All visible goods are held. Shopify leaves out goods that we can't see, so the units are counted. */
async function holdRest(context: StepContext, heldNow: HeldNow): Promise<StepOutcome> {
  const { units, seesAll } = await readUncovered(context);
  const isOld = isPartial(context) && context.now() - sinceMs(context) >= REROUTING_MS;
  // Goods without a fulfillment order for so long don't ship. A webhook reports when they get one.
  if (units === 0 || (seesAll && isOld)) return { outcome: "done", ...heldNow };
  const detail = `${heldNow.detail}, units not on hold: ${units}`;
  return holdPart(context, seesAll ? "open" : "hidden", { ...heldNow, detail });
}

function holdPart(context: StepContext, gap: HoldGap, heldNow: HeldNow): StepOutcome {
  const { target, now } = context;
  const tries = isPartial(context) ? toCount(target.memory["tries"]) : 0;
  const pauseMs = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? 0;
  const since = isPartial(context) ? sinceMs(context) : now();
  const memory = { ...heldNow.memory, tries: String(tries + 1), sinceMs: String(since) };
  return { outcome: "partial", gap, detail: heldNow.detail, retryAtMs: now() + pauseMs, memory };
}

function isPartial({ target }: StepContext): boolean {
  return target.memory["gap"] !== undefined;
}

function sinceMs({ target, now }: StepContext): number {
  return toCount(target.memory["sinceMs"]) || now();
}

/**
 * No fulfillment order is visible: the order isn't routed yet, or a fulfillment service has all of it and we lack the
 * scope.
 */
async function waitForRouting(context: StepContext): Promise<StepOutcome> {
  if (context.now() - sinceMs(context) < ROUTING_MS) return waitFor(context, "not-routed-yet");
  const { units, seesAll } = await readUncovered(context);
  const reason = units > 0 && !seesAll ? "goods-hidden" : "not-routed-yet";
  // Without goods there may never be anything to hold.
  return waitFor(context, reason, units === 0 ? DAY_MS : undefined);
}

/** Resolves to the code of the refusal; empty if it's held. */
async function holdOne(context: StepContext, entry: FulfillmentOrder): Promise<readonly string[]> {
  const { userErrors } = await mutate(context.ask, "HoldFulfillmentOrder", {
    id: entry.id,
    hold: {
      reason: "HIGH_RISK_OF_FRAUD",
      reasonNotes: toNotes(context),
      notifyMerchant: false,
      handle: HOLD_HANDLE,
    },
  });
  const codes = toCodes(userErrors);
  // Our hold exists: an earlier attempt placed it but didn't get the response.
  return codes.length === 0 || codes.includes("DUPLICATE_FULFILLMENT_HOLD_HANDLE") ? [] : codes.slice(0, 1);
}

function explainRefusal(context: StepContext, codes: readonly string[]): StepOutcome {
  // It was split, merged, or moved after it was listed. The next list has its successors.
  if (codes.every((code) => code === "FULFILLMENT_ORDER_NOT_FOUND"))
    return waitFor(context, "routing-changed");
  const refusal = toRefusal(codes);
  // Shopify has no code for a state in which it can't be held, and the state can change.
  return codes.includes(NO_CODE) ? waitFor(context, refusal.reason) : refusal;
}

/** The goods can ship as soon as they can be held, which may be months away. So by default, this never gives up. */
function waitFor(context: StepContext, reason: string, longestMs: number = Number.POSITIVE_INFINITY) {
  return waitAgain(context, { pausesMs: PAUSES_MS, reason, longestMs });
}

function toNotes({ target: { decision } }: StepContext): string {
  const level = decision.riskLevel === null ? "" : `: risk level ${decision.riskLevel}`;
  return `Held by Holdfast${level}. Release the hold once the order is verified.`;
}

/** Splits and merges finish within seconds. */
const RELEASE_PAUSES_MS = [2_000, 10_000, 60_000, 300_000];
/** How long a refusal without a code is retried: it may be about a state that passes. */
const UNEXPLAINED_MS = 10 * 60_000;

/** Release Holdfast's own holds on an order. Holds from others stay. */
export const release: Step = async (context) => {
  const found = await readGoods(context);
  if (found === null) return ORDER_NOT_FOUND;
  if (found === "hidden") return ORDER_HIDDEN;
  if (found.cancelled) return CANCELED_BEFORE;
  const own = listOpenHolds(found.nodes);
  if (own.length === 0) return { outcome: "moot", reason: "not-held" };
  const codes: string[] = [];
  for (const { holdId, reference: id } of own) {
    const { userErrors } = await mutate(context.ask, "ReleaseHolds", { id, holdIds: [holdId] });
    codes.push(...toCodes(userErrors).slice(0, 1));
  }
  return confirm(context, own.length, codes);
};

/**
 * Read the holds again. A hold that moved to another fulfillment order is neither released nor refused, because `holdIds`
 * only covers holds of that fulfillment order. A hold that somebody else released is refused.
 */
async function confirm(context: StepContext, count: number, codes: readonly string[]): Promise<StepOutcome> {
  const found = await readGoods(context);
  const left = found === null || found === "hidden" ? [] : listOpenHolds(found.nodes);
  if (left.length === 0) return { outcome: "done", detail: `holds released: ${count}` };
  const refusals = codes.filter((code) => code !== "FULFILLMENT_ORDER_NOT_FOUND");
  if (refusals.length === 0)
    return waitAgain(context, { pausesMs: RELEASE_PAUSES_MS, reason: "routing-changed" });
  const refusal = toRefusal(refusals);
  if (refusals.some((code) => code !== NO_CODE)) return refusal;
  return waitAgain(context, {
    pausesMs: RELEASE_PAUSES_MS,
    reason: refusal.reason,
    longestMs: UNEXPLAINED_MS,
  });
}

function listOpenHolds(entries: readonly FulfillmentOrder[]) {
  return listOwnHolds(entries.filter((entry) => !isOver(entry)));
}
