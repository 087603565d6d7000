import { z } from "zod";
import { isHoldfastError } from "../../../base/errors.ts";
import { ACTIONS } from "../../../order/decision.ts";
import { RISK_LEVELS } from "../../../order/risk-level.ts";
import { PLATFORM_RISKS } from "../../../order/order-context.ts";
import type { Platform } from "../../../platform/platform.ts";
import { needsRecheck } from "../../../pipeline/order-life/changed-order.ts";
import { ORDER_STATES, QUEUE_SORTS, type OrderFilter, type OrderKey } from "../../../store/store.ts";
import { noteAccess } from "../base/note-access.ts";
import { handleRoutes, pick, type CallOf, type RouteDefinitions } from "../../http/api-route.ts";
import { ProblemError, toRetryAfter } from "../../http/responses.ts";
import { fullOrderJson, answerCurrentOrder, findOrder, type OrderDetailParts } from "./order-details.ts";
import { orderJson, toOrderJson } from "./order-json.ts";
import { HOLD_WARNING_MS } from "../../../pipeline/order-life/hold-deadline.ts";
import { oneOf } from "../../../policy/schema-fields.ts";
import { pageQuery, readPage, toQueryProblem } from "../../http/query.ts";
import type { ServerParts } from "../../parts/server-parts.ts";

type OrderParts = OrderDetailParts & Pick<ServerParts, "platforms" | "logger">;

/** Somebody is waiting for the response. */
const TIME_LIMIT_MS = 15_000;
const RETRY_AFTER_SECONDS = 10;

const platformJson = z.object({
  observedAt: z.iso.datetime(),
  cancelled: z.boolean(),
  fulfilled: z.boolean(),
  partlyFulfilled: z.boolean(),
  tags: z.array(z.string()).readonly(),
  holds: z.int().describe("set by Holdfast"),
  assessment: z.string().nullable().describe("as Holdfast wrote it"),
  platformRisk: z.enum(PLATFORM_RISKS).nullable().describe("the platform's own recommendation"),
  adminUrl: z.string().nullable(),
});

/** Longer than any email address or order name. */
const MAX_SEARCH_LENGTH = 320;
const SEARCH_EXPECTED = `expected 1 to ${MAX_SEARCH_LENGTH} characters`;
/** Both levels of orders that a shop usually holds or cancels. */
const HIGH_OR_CRITICAL = "high,critical";
const orderQuery = z.object({
  level: oneOf([...RISK_LEVELS, HIGH_OR_CRITICAL]).optional(),
  since: z.iso
    .datetime("expected a date and time in UTC, for example 2026-11-23T05:00:00Z")
    .optional()
    .describe("orders received at this moment or later"),
  action: oneOf(ACTIONS).optional(),
  state: oneOf(ORDER_STATES).optional(),
  view: oneOf(["queue"]).optional().describe("`queue`: orders that need a decision, nearest deadline first"),
  q: z
    .string()
    .trim()
    .min(1, SEARCH_EXPECTED)
    .max(MAX_SEARCH_LENGTH, SEARCH_EXPECTED)
    .optional()
    .describe(
      "an order name with or without #, an order ID, or an exact email address. If nothing matches: the beginning of an order name, or of names of the buyer or recipient in the newest 5,000 orders",
    ),
  sort: oneOf(QUEUE_SORTS)
    .optional()
    .describe("how to sort the queue; urgent orders come first. Default: `deadline`"),
  due: oneOf(["soon", "overdue"])
    .optional()
    .describe("held orders whose deadline is within 6 hours, or has passed"),
  degraded: oneOf(["true"]).optional().describe("orders that were decided without the service"),
  ...pageQuery.shape,
});

const ORDER_ROUTES = {
  "GET /orders": {
    id: "listOrders",
    summary: "List orders, newest first, or the review queue.",
    role: "viewer",
    query: orderQuery,
    answers: { 200: z.object({ orders: z.array(orderJson), nextCursor: z.string().nullable() }) },
  },
  "GET /orders/:orderId": {
    id: "showOrder",
    summary: "Get one order: the verification result, the decision, and the timeline.",
    role: "viewer",
    crossOrigin: true,
    answers: { 200: fullOrderJson },
  },
  "GET /orders/:orderId/platform": {
    id: "showOrderOnPlatform",
    summary: "Show the order's current state on the platform. Calls the platform.",
    role: "viewer",
    answers: { 200: platformJson },
  },
} satisfies RouteDefinitions;

type Call<Route extends keyof typeof ORDER_ROUTES> = CallOf<typeof ORDER_ROUTES, Route>;

export function createOrderRoutes(parts: OrderParts) {
  return handleRoutes(ORDER_ROUTES, {
    async "GET /orders"({ session, query, signal, answer }) {
      if (query.sort !== undefined && query.view !== "queue") throw new ProblemError(SORT_PROBLEM);
      const filter = toFilter(query, parts.now());
      const { orders, nextCursor } = await readPage(parts.store.orders.list(session.tenant, filter, signal));
      // The reasons for an order's risk may reveal personal data, too.
      if (orders.some(({ mapped, result }) => mapped !== null || result !== null))
        await noteAccess(parts, session, "order", "");
      const ids = orders.map(({ orderId }) => orderId);
      const claims = await parts.store.reviews.listClaims(session.tenant, ids, parts.now());
      const shown = [];
      for (const order of orders) {
        // Only an order that waits to be checked again can be on hold for that.
        const steps = needsRecheck(order) ? await parts.store.orders.listSteps(order) : [];
        shown.push(toOrderJson(order, steps, claims.get(order.orderId)));
      }
      answer(200, { orders: shown, nextCursor });
    },
    async "GET /orders/:orderId"(call) {
      const order = await findOrder(parts, call);
      // Once its content is erased, nothing personal is left to see.
      if (order.mapped !== null || order.result !== null)
        await noteAccess(parts, call.session, "order", order.orderId);
      return answerCurrentOrder(parts, call, order);
    },
    "GET /orders/:orderId/platform": (call) => showOnPlatform(parts, call),
  });
}

const SORT_PROBLEM = toQueryProblem([{ path: "sort", message: "expected only with view=queue" }]);

function toFilter(
  { q: search, level, since, due, degraded, ...filter }: Call<"GET /orders">["query"],
  nowMs: number,
): OrderFilter {
  const held =
    due === "soon" ? { afterMs: nowMs, untilMs: nowMs + HOLD_WARNING_MS } : { afterMs: -1, untilMs: nowMs };
  return {
    ...filter,
    search,
    level: level === HIGH_OR_CRITICAL ? ["high", "critical"] : level,
    sinceMs: since === undefined ? undefined : Date.parse(since),
    held: due === undefined ? undefined : held,
    degraded: degraded === undefined ? undefined : true,
  };
}

async function showOnPlatform(parts: OrderParts, call: Call<"GET /orders/:orderId/platform">): Promise<void> {
  const order = await findOrder(parts, call);
  const platform = parts.platforms.find(({ name }) => name === order.platform);
  if (platform === undefined)
    throw new ProblemError({ status: 404, detail: "The order's platform is no longer configured." });
  const observed = await observe(parts, platform, order);
  if (observed === null)
    throw new ProblemError({ status: 404, detail: "The platform doesn't have this order." });
  if (observed === "hidden")
    throw new ProblemError({ status: 404, detail: "The platform no longer shows this order to Holdfast." });
  const holds = observed.holds.length;
  const observedAt = new Date(parts.now()).toISOString();
  const adminUrl = platform.adminUrl?.(order.tenant, order.orderId) ?? null;
  call.answer(200, pick(platformJson, { ...observed, holds, observedAt, adminUrl }));
}

async function observe({ logger, now }: OrderParts, platform: Platform, { tenant, orderId }: OrderKey) {
  try {
    return await platform.observe(tenant, orderId, { signal: AbortSignal.timeout(TIME_LIMIT_MS) });
  } catch (error) {
    logger.warn({ err: error, orderId }, "an order couldn't be read from the platform");
    const { code, retryAtMs } = isHoldfastError(error) ? error : {};
    throw new ProblemError(
      {
        status: 503,
        detail: "The platform is unavailable. Try again later.",
        ...(code === undefined ? {} : { code }),
      },
      { "Retry-After": toRetryAfter(retryAtMs, now(), RETRY_AFTER_SECONDS) },
    );
  }
}
