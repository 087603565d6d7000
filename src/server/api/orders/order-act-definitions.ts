import { z } from "zod";
import { expected } from "../../../base/field-codes.ts";
import { DECLINE_REASONS } from "../../../order/decision.ts";
import { MAX_UNDO_MS } from "../../../store/orders/reviews.ts";
import type { RouteDefinitions } from "../../http/api-route.ts";
import { MAX_PAGE } from "../../http/query.ts";
import { blockBody } from "./list-entries.ts";
import { fullOrderJson } from "./order-details.ts";
import { refusalJson } from "../base/openapi.ts";
import { noteText as note } from "./order-note-routes.ts";

const UNDO_EXPECTED = expected("seconds", { max: MAX_UNDO_MS / 1_000 });
const recheckBody = z.strictObject({ note: note.nullable().optional() });
export const decideBody = recheckBody.extend({
  undoSeconds: z
    .int(UNDO_EXPECTED)
    .min(0, UNDO_EXPECTED)
    .max(MAX_UNDO_MS / 1_000, UNDO_EXPECTED)
    .optional()
    .describe("seconds to wait before applying the decision, during which it can be undone; default 0"),
});
const declineBody = decideBody.extend({
  reason: z.enum(DECLINE_REASONS).optional().describe("why, for the report"),
  block: blockBody.optional().describe("what to block of the buyer. An undo takes it off the list again"),
});

const ORDERS_EXPECTED = expected("order-ids", { max: MAX_PAGE });

/** The order after a decision, or an undo. */
const actedOrderJson = fullOrderJson.extend({
  listProblem: refusalJson
    .optional()
    .describe("why the buyer couldn't be blocked with the decline, or the block couldn't be undone with it"),
});

const common = {
  role: "reviewer",
  answers: { 200: actedOrderJson },
  problems: [409, 412],
} as const;

/** A decision without a note needs no body. */
export const ORDER_ACT_ROUTES = {
  "POST /orders/:orderId/approve": {
    ...common,
    crossOrigin: true,
    id: "approveOrder",
    summary: "Approve the order. Releases Holdfast's hold and removes its tags.",
    body: decideBody.prefault({}),
  },
  "POST /orders/:orderId/decline": {
    ...common,
    crossOrigin: true,
    id: "declineOrder",
    summary: "Decline the order. Cancels it on the platform.",
    body: declineBody.prefault({}),
  },
  "POST /orders/:orderId/handle": {
    ...common,
    id: "handleOrder",
    summary:
      "Take an order that has shipped out of the queue, without a verdict. Changes nothing on the platform.",
    body: decideBody.prefault({}),
  },
  "POST /orders/:orderId/recheck": {
    ...common,
    crossOrigin: true,
    id: "recheckOrder",
    summary: "Check the order again and decide again. Uses a credit.",
    body: recheckBody.prefault({}),
  },
  "POST /orders/:orderId/undo": {
    ...common,
    id: "undoOrder",
    summary: "Undo a decision that hasn't taken effect yet, even another person's. Rechecks can't be undone.",
    body: z.strictObject({}).prefault({}),
  },
  "POST /decisions/apply": {
    id: "applyDecisions",
    summary: "Apply your pending decisions on these orders now, without waiting for the undo period.",
    role: "reviewer",
    body: z.strictObject({
      orderIds: z
        .array(z.string(ORDERS_EXPECTED).min(1, ORDERS_EXPECTED).max(100, ORDERS_EXPECTED), ORDERS_EXPECTED)
        .min(1, ORDERS_EXPECTED)
        .max(MAX_PAGE, ORDERS_EXPECTED),
    }),
    maxBodyBytes: 16 * 1024,
    answers: {
      200: z.object({ applied: z.array(z.string()).describe("orders whose decisions are applied now") }),
    },
  },
  "POST /orders/:orderId/claim": {
    ...common,
    id: "claimOrder",
    summary:
      "Show others that you are reviewing the order, for 60 minutes. Others can still decide, and a decision ends the claim.",
    body: z
      .strictObject({
        takeOver: z.boolean().optional().describe("also if someone else is reviewing it. Default: false"),
      })
      .prefault({}),
    problems: [409],
  },
  "DELETE /orders/:orderId/claim": {
    ...common,
    id: "releaseOrder",
    summary: "End your claim of the order. Another person's claim stays.",
    problems: [],
  },
} satisfies RouteDefinitions;
