import { requireWhole } from "../admin/admin-answer.ts";
import { THIRD_PARTY_SCOPE } from "../admin/scopes.ts";
import { toUnsentUnits } from "../base/unsent-units.ts";
import type { EntryLine, PageInfo } from "../operations/generated/operations.ts";
import type { Ask } from "../admin/ask.ts";
import { isOver } from "./fulfillment-orders.ts";
import type { StepContext } from "./step.ts";

/**
 * How many lines of each fulfillment order `OrderGoods` reads. A fulfillment order with that many is read separately.
 */
const ENTRY_LINES = 30;
const START: PageInfo = { hasNextPage: true, endCursor: null };

/**
 * The goods that an order still has to ship and that we don't see. If we see everything, it's enough that Shopify
 * reports everything as on hold. Without the scope, goods that we don't see may be on another app's hold, so the units
 * are counted.
 *
 * @returns `units` that still have to be fulfilled and that aren't in any visible fulfillment order; `seesAll`: whether
 * we see the fulfillment orders of fulfillment services too.
 */
export async function readUncovered({ ask, orderGid }: StepContext) {
  const { data } = requireWhole(await ask("OrderCoverage", { id: orderGid }));
  const seesAll = data.currentAppInstallation.accessScopes.some(isThirdParty);
  const isOnHold = data.order?.displayFulfillmentStatus === "ON_HOLD";
  return { units: isOnHold && seesAll ? 0 : await countUncovered(ask, orderGid), seesAll };
}

/** Compare what an order still has to ship with the visible fulfillment orders. One query for an ordinary order. */
async function countUncovered(ask: Ask, orderGid: string): Promise<number> {
  let units = 0;
  let lines = START;
  let entries = START;
  while (lines.hasNextPage || entries.hasNextPage) {
    // A list that was already read to its end is read from there again, which returns nothing.
    const variables = { id: orderGid, afterLine: lines.endCursor, afterEntry: entries.endCursor };
    const { data } = await ask("OrderGoods", variables);
    if (data.order === null) return 0;
    const { lineItems, fulfillmentOrders } = data.order;
    for (const line of lineItems.nodes) units += toUnsentUnits(line);
    for (const entry of fulfillmentOrders.nodes)
      if (!isOver(entry)) units -= await countRemaining(ask, entry.id, entry.lineItems.nodes);
    lines = next(lines, lineItems.pageInfo);
    entries = next(entries, fulfillmentOrders.pageInfo);
  }
  return Math.max(0, units);
}

async function countRemaining(ask: Ask, id: string, first: readonly EntryLine[]): Promise<number> {
  if (first.length < ENTRY_LINES) return toSum(first);
  let units = 0;
  let page = START;
  while (page.hasNextPage) {
    const variables = { id, after: page.endCursor };
    const { data } = await ask("FulfillmentOrderGoods", variables);
    if (data.fulfillmentOrder === null) return units;
    units += toSum(data.fulfillmentOrder.lineItems.nodes);
    page = data.fulfillmentOrder.lineItems.pageInfo;
  }
  return units;
}

function toSum(lines: readonly EntryLine[]): number {
  return lines.reduce((sum, { remainingQuantity }) => sum + remainingQuantity, 0);
}

function next(before: PageInfo, { hasNextPage, endCursor }: PageInfo): PageInfo {
  return { hasNextPage, endCursor: endCursor ?? before.endCursor };
}

function isThirdParty({ handle }: { readonly handle: string }): boolean {
  return handle === THIRD_PARTY_SCOPE || handle === THIRD_PARTY_SCOPE.replace(/^write_/, "read_");
}
