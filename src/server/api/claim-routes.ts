import { z } from "zod";
import type { OrderRecord } from "../../store/store.ts";
import { ProblemError } from "../http/responses.ts";
import { noteAccess } from "./note-access.ts";
import { handleRoutes, type CallOf, type RouteDefinitions } from "./api-route.ts";
import { answerOrder, findOrder, fullOrderJson, type OrderDetailParts } from "./order-details.ts";

/** Who is reviewing an order. */
const CLAIM_ROUTES = {
  "POST /orders/:orderId/claim": {
    id: "claimOrder",
    summary:
      "Show others that you are reviewing the order, for 60 minutes. Nobody is kept from deciding, and a decision ends the claim.",
    role: "reviewer",
    body: z
      .strictObject({
        takeOver: z.boolean().optional().describe("also when someone else is reviewing it. Default: false"),
      })
      .prefault({}),
    answers: { 200: fullOrderJson },
    problems: [404, 409],
  },
  "DELETE /orders/:orderId/claim": {
    id: "releaseOrder",
    summary: "End your claim of the order. Another person's stays.",
    role: "reviewer",
    answers: { 200: fullOrderJson },
    problems: [404],
  },
} satisfies RouteDefinitions;

type ClaimCall = CallOf<typeof CLAIM_ROUTES, "POST /orders/:orderId/claim">;
type AnyCall = Omit<ClaimCall, "body">;

/** Answer {@link CLAIM_ROUTES}. */
export function createClaimRoutes(parts: OrderDetailParts) {
  return handleRoutes(CLAIM_ROUTES, {
    async "POST /orders/:orderId/claim"(call) {
      const order = await findOrder(parts, call);
      const by = { actor: call.session.actor, nowMs: parts.now(), takeOver: call.body.takeOver === true };
      if (!(await parts.store.claimReview(order, by))) {
        const detail = "Someone else is reviewing this order. Take it over if they can't.";
        throw new ProblemError({ status: 409, detail });
      }
      return sendOrder(parts, call, order);
    },
    async "DELETE /orders/:orderId/claim"(call) {
      const order = await findOrder(parts, call);
      await parts.store.endReview(order, call.session.actor);
      return sendOrder(parts, call, order);
    },
  });
}

async function sendOrder(parts: OrderDetailParts, call: AnyCall, order: OrderRecord): Promise<void> {
  await noteAccess(parts, call.session, "order", order.orderId);
  return answerOrder(parts, call, order);
}
