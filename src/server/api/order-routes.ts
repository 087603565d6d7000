import { z } from "zod";
import { isHoldfastError } from "../../base/errors.ts";
import { createPolicies } from "../../pipeline/decide/policies.ts";
import { noteAccess, type AccessParts } from "./access.ts";
import type { ApiCall, ApiRoute } from "./api-route.ts";
import { sendJson, sendProblem } from "../http/responses.ts";
import { createOrderActRoutes, type OrderActParts } from "./order-act-routes.ts";
import { fullOrderJson, readFullOrder, type OrderDetailParts } from "./order-details.ts";
import { orderJson, toOrderJson } from "./order-json.ts";
import { createOrderPlatformRoutes, type OrderPlatformParts } from "./order-platform-routes.ts";
import { CURSOR_PROBLEM, orderQuery, parseOrderQuery } from "./order-query.ts";
import { toQuery } from "../http/query.ts";

type OrderParts = Omit<OrderActParts, "policyOf"> & OrderPlatformParts;

/** Everything below `/api/orders`: the list, one order, what people do about it, and what the platform shows. */
export function createOrderRoutes(given: OrderParts): readonly ApiRoute[] {
  const parts = { ...given, policyOf: createPolicies(given.store) };
  return [
    ...createOrderActRoutes(parts),
    ...createOrderPlatformRoutes(parts),
    {
      path: "/orders",
      operations: {
        GET: {
          id: "listOrders",
          summary: "List orders, newest first, or the review queue.",
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
          summary: "Get one order: the verification result, the decision, and the timeline.",
          role: "viewer",
          crossOrigin: true,
          answers: { 200: fullOrderJson },
          problems: [404],
          handle: (call) => showOrder(parts, call),
        },
      },
    },
  ];
}

async function listOrders(parts: AccessParts, { session, req, res }: ApiCall): Promise<void> {
  const { store } = parts;
  const query = parseOrderQuery(toQuery(req));
  if (query.outcome === "invalid") {
    return sendProblem(res, {
      status: 400,
      detail: "The query is invalid. Fix the parameters listed in errors.",
      errors: query.errors,
    });
  }
  try {
    const { orders, nextCursor } = await store.listOrders(session.tenant, query.filter);
    // The reasons for an order's risk may reveal personal data.
    if (orders.some(({ result }) => result !== null)) await noteAccess(parts, session, "order", "");
    return sendJson(res, 200, { orders: orders.map((order) => toOrderJson(order)), nextCursor });
  } catch (error) {
    if (!isHoldfastError(error, "ORDER_INVALID")) throw error;
    return sendProblem(res, {
      status: 400,
      detail: "The query is invalid. Fix the parameters listed in errors.",
      errors: [CURSOR_PROBLEM],
    });
  }
}

async function showOrder(parts: OrderDetailParts, { session, req, res }: ApiCall): Promise<void> {
  const { store } = parts;
  // The tenant is part of the key, so another tenant's order is as unknown as one that never was.
  const key = { tenant: session.tenant, orderId: String(req.params["orderId"]) };
  const order = await store.getOrder(key);
  if (order === null) return sendProblem(res, { status: 404, detail: "Order not found." });
  // Once its content was erased there is nothing personal to see.
  if (order.mapped !== null || order.result !== null) await noteAccess(parts, session, "order", key.orderId);
  const shown = await readFullOrder(parts, session, order);
  return sendJson(res, 200, shown, { ETag: `"${shown.version}"` });
}
