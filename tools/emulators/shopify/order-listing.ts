import { GraphQLError } from "graphql";
import type { EmulatedShop } from "./emulated-shop.ts";
import { toConnection, type GraphNode, type PageArguments } from "./graph-node.ts";
import { toOrderNode } from "./order-node.ts";

/** Arguments of the `orders` connection. */
export interface ListArguments extends PageArguments {
  readonly query?: string | null;
  readonly sortKey?: string | null;
  readonly reverse?: boolean | null;
}

const TERM = /^created_at:(>=|<=)'(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)'$/;

/** The orders in a window of time. Any other search is refused: the platform would ignore unknown terms. */
export function listOrders(shop: EmulatedShop, input: ListArguments): GraphNode {
  if (input.sortKey !== "CREATED_AT") throw new GraphQLError(`cannot sort by ${input.sortKey}`);
  const terms = (input.query ?? "").split(" ").filter((term) => term !== "");
  const limits = terms.map(toLimit);
  const found = shop
    .orders()
    .filter(
      (order) => shop.isReadable(order) && limits.every((isInside) => isInside(Date.parse(order.createdAt))),
    )
    .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
  for (const { id, payload } of found) {
    if (Object.keys(payload).length === 0) throw new GraphQLError(`cannot list ${id}: it has no payload`);
  }
  return toConnection(input.reverse === true ? found.toReversed() : found, input, (order) =>
    toOrderNode(shop, order),
  );
}

function toLimit(term: string): (createdAtMs: number) => boolean {
  const [, comparator, moment] = TERM.exec(term) ?? [];
  if (moment === undefined) throw new GraphQLError(`cannot search for ${term}`);
  const limitMs = Date.parse(moment);
  // The platform counts whole seconds.
  const toDistanceMs = (createdAtMs: number) => Math.floor(createdAtMs / 1000) * 1000 - limitMs;
  return comparator === ">="
    ? (createdAtMs) => toDistanceMs(createdAtMs) >= 0
    : (createdAtMs) => toDistanceMs(createdAtMs) <= 0;
}
