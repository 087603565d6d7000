import { getRoute, type Route, toPath } from "../../data/shell/route.ts";

/** The address of the page of an order's buyer, in the place of the order. */
export function toBuyerPath(orderId: string): string {
  const { view, query } = getRoute();
  return toPath({ view, id: orderId, query: { ...query, buyer: orderId } });
}

/** Whether the open order's buyer is shown in its place. Another order that is opened then shows itself. */
export function isBuyerShown({ id, query }: Pick<Route, "id" | "query">): boolean {
  return id !== null && query["buyer"] === id;
}

/** The address of the order itself. */
export function toOrderPath(orderId: string): string {
  const { view, query } = getRoute();
  const { buyer: _buyer, with: _with, ...left } = query;
  return toPath({ view, id: orderId, query: left });
}
