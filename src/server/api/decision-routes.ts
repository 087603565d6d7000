import { z } from "zod";
import { handleRoutes, type ApiOperations, type RouteDefinitions } from "./api-route.ts";
import type { ServerParts } from "../server-parts.ts";

/** As many as a page of orders has. */
const MAX_ORDERS = 100;
const ORDERS_EXPECTED = `expected a list of 1 to ${MAX_ORDERS} order IDs`;

/** Decisions of many orders. */
export const DECISION_ROUTES = {
  "POST /decisions/apply": {
    id: "applyDecisions",
    summary: "Apply your pending decisions on these orders now, without waiting for the undo period.",
    role: "reviewer",
    body: z.strictObject({
      orderIds: z
        .array(z.string(ORDERS_EXPECTED).min(1, ORDERS_EXPECTED).max(100, ORDERS_EXPECTED), ORDERS_EXPECTED)
        .min(1, ORDERS_EXPECTED)
        .max(MAX_ORDERS, ORDERS_EXPECTED),
    }),
    maxBodyBytes: 16 * 1024,
    answers: {
      200: z.object({ applied: z.array(z.string()).describe("orders whose decisions are applied now") }),
    },
  },
} satisfies RouteDefinitions;

/** Answer {@link DECISION_ROUTES}. */
export function createDecisionRoutes({
  store,
  now,
  wake,
}: Pick<ServerParts, "store" | "now" | "wake">): ApiOperations {
  return handleRoutes(DECISION_ROUTES, {
    // Only speeds things up: each decision takes effect on its own when it is due.
    async "POST /decisions/apply"({ session: { tenant, actor }, body, answer }) {
      const applied: string[] = [];
      for (const orderId of new Set(body.orderIds)) {
        // Somebody else's keeps its time: they may be about to undo it.
        if (await store.hastenVerdict({ tenant, orderId }, { actor, atMs: now() })) applied.push(orderId);
      }
      if (applied.length > 0) wake?.();
      answer(200, { applied });
    },
  });
}
