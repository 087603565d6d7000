import type { StepOutcome } from "../../../src/index.ts";
import { findOwnHold, isOver, readFulfillmentOrders } from "./fulfillment-orders.ts";
import type { FulfillmentOrder } from "../admin/generated/operations.ts";
import { mutate } from "../admin/ask.ts";
import {
  CANCELED_BEFORE,
  NO_CODE,
  ORDER_NOT_FOUND,
  toCodes,
  waitAgain,
  type Step,
  type StepContext,
} from "./step.ts";

/** Our own hold, and the fulfillment order that it is on. */
interface OwnHold {
  readonly entryId: string;
  readonly holdId: string;
}

/** Splits and merges finish within seconds. */
const PAUSES_MS = [2_000, 10_000, 60_000, 300_000];
/** How long a refusal without a code is retried: it may be about a state that passes. */
const UNEXPLAINED_MS = 10 * 60_000;

/** Release Holdfast's own holds on an order. Holds from others stay. */
export const release: Step = async (context) => {
  const found = await readFulfillmentOrders(context.ask, context.orderGid);
  if (found === null) return ORDER_NOT_FOUND;
  if (found.cancelled) return CANCELED_BEFORE;
  const own = toOwnHolds(found.nodes);
  if (own.length === 0) return { outcome: "moot", reason: "not-held" };
  const codes: string[] = [];
  for (const hold of own) codes.push(...(await releaseOne(context, hold)));
  return confirm(context, own.length, codes);
};

/** Release one hold. Resolves to the code of the refusal, if it was refused. */
async function releaseOne(context: StepContext, { entryId, holdId }: OwnHold): Promise<readonly string[]> {
  const { userErrors } = await mutate(context.ask, "ReleaseHolds", { id: entryId, holdIds: [holdId] });
  return toCodes(userErrors).slice(0, 1);
}

/**
 * Read the holds again. A hold that moved to another fulfillment order is neither released nor refused, because `holdIds`
 * only covers holds of that fulfillment order. A hold that somebody else released is refused.
 */
async function confirm(context: StepContext, count: number, codes: readonly string[]): Promise<StepOutcome> {
  const found = await readFulfillmentOrders(context.ask, context.orderGid);
  const left = found === null ? [] : toOwnHolds(found.nodes);
  if (left.length === 0) return { outcome: "done", detail: `holds released: ${count}` };
  const refusals = [...new Set(codes)].filter((code) => code !== "FULFILLMENT_ORDER_NOT_FOUND");
  if (refusals.length === 0)
    return waitAgain(context, { pausesMs: PAUSES_MS, reason: "routing-changed", giveUp: "routing-changed" });
  const reason = `refused-${refusals.join(",")}`;
  if (refusals.some((code) => code !== NO_CODE)) return { outcome: "impossible", reason };
  return waitAgain(context, { pausesMs: PAUSES_MS, reason, giveUp: reason, longestMs: UNEXPLAINED_MS });
}

function toOwnHolds(entries: readonly FulfillmentOrder[]): readonly OwnHold[] {
  return entries.flatMap((entry) => {
    const hold = isOver(entry) ? undefined : findOwnHold(entry);
    return hold === undefined ? [] : [{ entryId: entry.id, holdId: hold.id }];
  });
}
