import { z } from "zod";
import { refusalOf } from "../../../base/refusals.ts";
import { isHoldfastError } from "../../../base/errors.ts";
import { PLATFORM_RISKS } from "../../../order/order-context.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { OrderKey } from "../../../store/store.ts";
import { aheadQuery, noteAccess } from "../base/note-access.ts";
import { handleRoutes, pick, type CallOf, type RouteDefinitions } from "../../http/api-route.ts";
import { ProblemError, toRetryAfter } from "../../http/responses.ts";
import { fullOrderJson, answerCurrentOrder, findOrder, type OrderDetailParts } from "./order-details.ts";
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

const ORDER_ROUTES = {
  "GET /orders/:orderId": {
    id: "showOrder",
    summary: "Get one order: the verification result, the decision, and the timeline.",
    role: "viewer",
    crossOrigin: true,
    query: aheadQuery,
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
    async "GET /orders/:orderId"(call) {
      const order = await findOrder(parts, call);
      // Once its content is erased, nothing personal is left to see.
      if (order.mapped !== null || order.result !== null)
        await noteAccess(parts, call.session, call.query.ahead ? "ahead" : "order", order.orderId);
      return answerCurrentOrder(parts, call, order);
    },
    "GET /orders/:orderId/platform": (call) => showOnPlatform(parts, call),
  });
}

async function showOnPlatform(parts: OrderParts, call: Call<"GET /orders/:orderId/platform">): Promise<void> {
  const order = await findOrder(parts, call);
  const platform = parts.platforms.find(({ name }) => name === order.platform);
  if (platform === undefined) throw new ProblemError(refusalOf(404, "platform-not-configured"));
  const observed = await observe(parts, platform, order);
  if (observed === null) throw new ProblemError(refusalOf(404, "order-not-on-platform"));
  if (observed === "hidden") throw new ProblemError(refusalOf(404, "order-hidden"));
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
        ...refusalOf(503, "platform-unavailable"),
        ...(code === undefined ? {} : { code }),
      },
      { "Retry-After": toRetryAfter(retryAtMs, now(), RETRY_AFTER_SECONDS) },
    );
  }
}
