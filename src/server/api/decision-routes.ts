import { z } from "zod";
import { readValidBody } from "../http/valid-body.ts";
import { sendJson } from "../http/responses.ts";
import type { ServerParts } from "../server-parts.ts";
import type { ApiCall, ApiRoute } from "./api-route.ts";

/** Parts of {@link createDecisionRoutes}. */
export type DecisionParts = Pick<ServerParts, "store" | "now" | "wake" | "bodyTimeoutMs">;

/** As many as a page of orders has. */
const MAX_ORDERS = 100;
const MAX_BODY_BYTES = 16 * 1024;

const ORDERS_EXPECTED = `expected a list of 1 to ${MAX_ORDERS} order IDs`;
const applyBody = z.strictObject({
  orderIds: z
    .array(z.string(ORDERS_EXPECTED).min(1, ORDERS_EXPECTED).max(100, ORDERS_EXPECTED), ORDERS_EXPECTED)
    .min(1, ORDERS_EXPECTED)
    .max(MAX_ORDERS, ORDERS_EXPECTED),
});

/** `POST /api/decisions/apply`. */
export function createDecisionRoutes(parts: DecisionParts): readonly ApiRoute[] {
  return [
    {
      path: "/decisions/apply",
      operations: {
        POST: {
          id: "applyDecisions",
          summary: "Apply your pending decisions on these orders now, without waiting for the undo period.",
          role: "reviewer",
          body: applyBody,
          answers: {
            200: z.object({
              applied: z.array(z.string()).describe("orders whose decisions are applied now"),
            }),
          },
          problems: [408, 413, 415, 422],
          handle: (call) => apply(parts, call),
        },
      },
    },
  ];
}

/** Only speeds things up: each decision takes effect on its own when it is due. */
async function apply(parts: DecisionParts, call: ApiCall): Promise<void> {
  const { store, now, bodyTimeoutMs } = parts;
  const { session, res } = call;
  const body = await readValidBody(call, applyBody, { maxBytes: MAX_BODY_BYTES, bodyTimeoutMs });
  if (body === undefined) return;
  const { tenant, actor } = session;
  const applied: string[] = [];
  for (const orderId of new Set(body.orderIds)) {
    // Somebody else's keeps its time: they may be about to undo it.
    if (await store.hastenVerdict({ tenant, orderId }, { actor, atMs: now() })) applied.push(orderId);
  }
  if (applied.length > 0) parts.wake?.();
  return sendJson(res, 200, { applied });
}
