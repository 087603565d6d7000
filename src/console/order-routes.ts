import { z } from "zod";
import { isHoldfastError } from "../errors.ts";
import { noteAccess } from "./access.ts";
import type { ApiCall, ApiRoute } from "./api-route.ts";
import { sendJson } from "./json-response.ts";
import { orderDetailJson, orderJson, toOrderDetailJson, toOrderJson } from "./order-json.ts";
import { CURSOR_PROBLEM, orderQuery, parseOrderQuery } from "./order-query.ts";
import { sendProblem } from "./problem-response.ts";
import { toQuery } from "./query.ts";
import type { ServerParts } from "./server-parts.ts";

type OrderParts = Pick<ServerParts, "store" | "now">;

/** `GET /api/orders` and `GET /api/orders/:orderId`. */
export function createOrderRoutes(parts: OrderParts): readonly ApiRoute[] {
  return [
    {
      path: "/orders",
      operations: {
        GET: {
          id: "listOrders",
          summary: "Orders, newest first.",
          role: "viewer",
          query: orderQuery,
          answers: { 200: z.object({ orders: z.array(orderJson), nextCursor: z.string().nullable() }) },
          handle: (call) => listOrders(parts, call),
        },
      },
    },
    {
      path: "/orders/:orderId",
      operations: {
        GET: {
          id: "showOrder",
          summary: "One order: the answer about it, the decision, and everything that happened.",
          role: "viewer",
          answers: { 200: orderDetailJson },
          problems: [404],
          handle: (call) => showOrder(parts, call),
        },
      },
    },
  ];
}

async function listOrders({ store }: OrderParts, { session, req, res }: ApiCall): Promise<void> {
  const query = parseOrderQuery(toQuery(req));
  if (query.outcome === "invalid") {
    return sendProblem(res, { status: 400, detail: "the query cannot be used", errors: query.errors });
  }
  try {
    const { orders, nextCursor } = await store.listOrders(session.tenant, query.filter);
    return sendJson(res, 200, { orders: orders.map((order) => toOrderJson(order)), nextCursor });
  } catch (error) {
    if (!isHoldfastError(error, "ORDER_INVALID")) throw error;
    return sendProblem(res, { status: 400, detail: "the query cannot be used", errors: [CURSOR_PROBLEM] });
  }
}

async function showOrder(parts: OrderParts, { session, req, res }: ApiCall): Promise<void> {
  const { store } = parts;
  // The tenant is part of the key, so another tenant's order is as unknown as one that never was.
  const key = { tenant: session.tenant, orderId: String(req.params["orderId"]) };
  const order = await store.getOrder(key);
  if (order === null) return sendProblem(res, { status: 404, detail: "no such order" });
  // Once its content was erased there is nothing personal to see.
  if (order.mapped !== null || order.result !== null) await noteAccess(parts, session, "order", key.orderId);
  const [timeline, steps, changes] = await Promise.all([
    store.listTimeline(key),
    store.listSteps(key),
    store.listChanges(key),
  ]);
  return sendJson(res, 200, toOrderDetailJson(order, timeline, steps, changes));
}
