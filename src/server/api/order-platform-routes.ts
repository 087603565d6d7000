import { z } from "zod";
import { isHoldfastError } from "../../base/errors.ts";
import { PLATFORM_RISKS } from "../../order/order-context.ts";
import type { ApiCall, ApiRoute } from "./api-route.ts";
import { sendJson, sendProblem, toRetryAfter } from "../http/responses.ts";
import type { ServerParts } from "../server-parts.ts";

/** Parts of {@link createOrderPlatformRoutes}. */
export type OrderPlatformParts = Pick<ServerParts, "store" | "platforms" | "logger" | "now">;

/** Somebody waits for it. */
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

/** `GET /api/orders/:orderId/platform`. */
export function createOrderPlatformRoutes(parts: OrderPlatformParts): readonly ApiRoute[] {
  return [
    {
      path: "/orders/:orderId/platform",
      operations: {
        GET: {
          id: "showOrderOnPlatform",
          summary: "Show the order's current state on the platform. Calls the platform.",
          role: "viewer",
          answers: { 200: platformJson },
          problems: [404],
          handle: (call) => showOnPlatform(parts, call),
        },
      },
    },
  ];
}

async function showOnPlatform(parts: OrderPlatformParts, { session, req, res }: ApiCall): Promise<void> {
  const { store, platforms, logger, now } = parts;
  const key = { tenant: session.tenant, orderId: String(req.params["orderId"]) };
  const order = await store.getOrder(key);
  const platform = platforms.find(({ name }) => name === order?.platform);
  if (order === null || platform === undefined) {
    const detail = order === null ? "Order not found." : "The order's platform is no longer configured.";
    return sendProblem(res, { status: 404, detail });
  }
  try {
    const { tenant, orderId } = key;
    const observed = await platform.observe(tenant, orderId, { signal: AbortSignal.timeout(TIME_LIMIT_MS) });
    if (observed === null)
      return sendProblem(res, { status: 404, detail: "The platform doesn't have this order." });
    const { cancelled, fulfilled, partlyFulfilled, tags, holds, assessment, platformRisk } = observed;
    return sendJson(res, 200, {
      observedAt: new Date(now()).toISOString(),
      cancelled,
      fulfilled,
      partlyFulfilled,
      tags,
      holds: holds.length,
      assessment,
      platformRisk,
      adminUrl: platform.adminUrl?.(tenant, orderId) ?? null,
    });
  } catch (error) {
    const retryAtMs = isHoldfastError(error) ? error.retryAtMs : undefined;
    logger.warn({ err: error, orderId: key.orderId }, "an order could not be read from the platform");
    const problem = { status: 503, detail: "The platform is unavailable. Try again later." };
    const code = isHoldfastError(error) ? { code: error.code } : {};
    return sendProblem(
      res,
      { ...problem, ...code },
      { "Retry-After": toRetryAfter(retryAtMs, now(), RETRY_AFTER_SECONDS) },
    );
  }
}
