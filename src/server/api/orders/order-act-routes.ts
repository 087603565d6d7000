import { z } from "zod";
import { DECLINE_REASONS, type DeclineReason, type PersonAct } from "../../../order/decision.ts";
import { judgeReview } from "../../../pipeline/order-life/review.ts";
import { RECHECK_QUOTA, type RecheckLimit } from "../../../store/quotas.ts";
import type { OrderKey, OrderRecord, Review } from "../../../store/store.ts";
import { MAX_UNDO_MS, type ReviewResult } from "../../../store/orders/reviews.ts";
import { noteAccess, noteAct } from "../base/note-access.ts";
import { handleRoutes, type CallOf, type RouteDefinitions } from "../../http/api-route.ts";
import { MAX_PAGE, readIfMatch } from "../../http/query.ts";
import { ProblemError, toRetryAfter } from "../../http/responses.ts";
import {
  answerOrder,
  findOrder,
  fullOrderJson,
  readFullOrder,
  UNKNOWN_ORDER,
  type OrderDetailParts,
} from "./order-details.ts";
import type { ServerParts } from "../../parts/server-parts.ts";

type OrderActParts = OrderDetailParts & Pick<ServerParts, "metrics" | "logger" | "wake">;

const MAX_NOTE_LENGTH = 500;

const note = z.string().max(MAX_NOTE_LENGTH, `expected at most ${MAX_NOTE_LENGTH} characters`);
const UNDO_EXPECTED = `expected a whole number of seconds from 0 to ${MAX_UNDO_MS / 1_000}`;
const recheckBody = z.strictObject({ note: note.nullable().optional() });
const decideBody = recheckBody.extend({
  undoSeconds: z
    .int(UNDO_EXPECTED)
    .min(0, UNDO_EXPECTED)
    .max(MAX_UNDO_MS / 1_000, UNDO_EXPECTED)
    .optional()
    .describe("seconds to wait before applying the decision, during which it can be undone; default 0"),
});
const declineBody = decideBody.extend({
  reason: z.enum(DECLINE_REASONS).optional().describe("why, for the report"),
});

const ORDERS_EXPECTED = `expected a list of 1 to ${MAX_PAGE} order IDs`;

const common = {
  role: "reviewer",
  answers: { 200: fullOrderJson },
  problems: [409, 412],
} as const;

/** A decision without a note needs no body. */
const ORDER_ACT_ROUTES = {
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
    summary: "Undo an approval or a decline that hasn't taken effect yet, even another person's.",
    body: z.strictObject({}).prefault({}),
  },
  "POST /orders/:orderId/note": {
    ...common,
    id: "noteOrder",
    summary: "Save a note with the order, until its content is erased.",
    body: z.strictObject({
      note: note.refine((text) => text.trim() !== "", "expected text that isn't blank"),
    }),
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

type Call<Route extends keyof typeof ORDER_ACT_ROUTES> = CallOf<typeof ORDER_ACT_ROUTES, Route>;
type ActCall = Omit<Call<"POST /orders/:orderId/undo">, "body">;

export function createOrderActRoutes(parts: OrderActParts) {
  return handleRoutes(ORDER_ACT_ROUTES, {
    "POST /orders/:orderId/approve": (call) => decide(parts, call, "approve"),
    "POST /orders/:orderId/decline": (call) => decide(parts, call, "decline", call.body.reason),
    "POST /orders/:orderId/recheck": (call) => decide(parts, call, "recheck"),
    "POST /orders/:orderId/undo": (call) => undo(parts, call),
    "POST /orders/:orderId/note": (call) => addNote(parts, call),
    /** Only speeds things up: each decision takes effect on its own when it is due. */
    async "POST /decisions/apply"({ session: { tenant, actor }, body, answer }) {
      const { store, now, wake } = parts;
      const applied: string[] = [];
      for (const orderId of new Set(body.orderIds)) {
        // Other people's decisions keep their undo period.
        if (await store.reviews.hasten({ tenant, orderId }, { actor, atMs: now() })) applied.push(orderId);
      }
      if (applied.length > 0) wake?.();
      answer(200, { applied });
    },
    async "POST /orders/:orderId/claim"(call) {
      const order = await findOrder(parts, call);
      const by = { actor: call.session.actor, nowMs: parts.now(), takeOver: call.body.takeOver === true };
      if (!(await parts.store.reviews.claim(order, by))) {
        const detail = "Someone else is reviewing this order. Take it over if they can't.";
        throw new ProblemError({ status: 409, detail });
      }
      return showOrder(parts, call, order);
    },
    async "DELETE /orders/:orderId/claim"(call) {
      const order = await findOrder(parts, call);
      await parts.store.reviews.end(order, call.session.actor);
      return showOrder(parts, call, order);
    },
  });
}

/** Answer with the order to somebody who may not have seen it before. */
async function showOrder(parts: OrderActParts, call: ActCall, order: OrderRecord): Promise<void> {
  await noteAccess(parts, call.session, "order", order.orderId);
  return answerOrder(parts, call, order);
}

async function decide(
  parts: OrderActParts,
  call: ActCall & { readonly body: z.infer<typeof decideBody> },
  act: PersonAct,
  reason?: DeclineReason,
): Promise<void> {
  const { store, now, logger } = parts;
  const { session, body } = call;
  const order = await findOrder(parts, call);
  const { tenant, orderId } = order;
  await noteAct(parts, session, act, orderId);
  const seenDecidedAtMs = await toSeen(parts, call, order);
  const { version: policyVersion } = await parts.policyOf(tenant);
  const nowMs = now();
  const review = { act, actor: session.actor, atMs: nowMs, ...(reason === undefined ? {} : { reason }) };
  const text = body.note?.trim() ?? "";
  const { undoSeconds = 0 } = body;
  const effectiveAtMs = undoSeconds === 0 ? undefined : nowMs + undoSeconds * 1_000;
  const result = await store.reviews.decide(
    { tenant, orderId },
    { ...review, note: text === "" ? null : text, effectiveAtMs },
    (situation) => judgeReview(situation, review, { policyVersion, seenDecidedAtMs, nowMs }),
  );
  logger.info({ tenant, orderId, act, actor: session.actor, outcome: result.outcome }, "a person decided");
  return answerResult(parts, call, order, result);
}

async function answerResult(
  parts: OrderActParts,
  call: ActCall,
  { platform }: OrderRecord,
  result: ReviewResult,
): Promise<void> {
  if (result.outcome === "unknown") throw new ProblemError(UNKNOWN_ORDER);
  if (result.outcome === "limited") throw toLimited(result, parts.now());
  if (result.outcome === "erased") throw new ProblemError(ERASED);
  if (result.outcome === "changed") throw new ProblemError({ status: 412, detail: toChanged(call) });
  if (result.outcome === "impossible") {
    const { detail, first } = result;
    const before = first && ({ code: "ALREADY_DECIDED", decision: toDecisionJson(first) } as const);
    throw new ProblemError({ status: 409, detail, ...before });
  }
  const decision = result.outcome === "decided" ? result.order.decision : null;
  if (decision !== null) parts.metrics.decided({ platform, ...decision });
  if (result.outcome !== "already") parts.wake?.();
  return sendOrder(parts, call);
}

function toChanged({ req }: ActCall): string {
  return readIfMatch(req) === null
    ? "A bank asks about this order's payment. Open the order to approve it."
    : "The order changed since you loaded it. Reload it and decide again.";
}

/** Rechecks are possible again when the 24 hours are over. */
function toLimited({ of, retryAtMs }: RecheckLimit, nowMs: number): ProblemError {
  const { perOrder, perTenant } = RECHECK_QUOTA;
  const done =
    of === "order"
      ? `This order was rechecked ${perOrder} times in 24 hours`
      : `This shop rechecked ${perTenant} orders in 24 hours`;
  const minutes = Math.max(1, Math.ceil((retryAtMs - nowMs) / 60_000));
  const wait = minutes <= 60 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
  const detail = `${done}, which is the limit. Try again in ${wait}.`;
  const headers = { "Retry-After": toRetryAfter(retryAtMs, nowMs, 60) };
  return new ProblemError({ status: 429, code: "RECHECK_LIMITED", detail }, headers);
}

async function undo(parts: OrderActParts, call: ActCall): Promise<void> {
  const { store, now, logger } = parts;
  const { session } = call;
  const order = await findOrder(parts, call);
  const { tenant, orderId } = order;
  const { actor } = session;
  await noteAct(parts, session, "undo", orderId);
  const outcome = await store.reviews.undo({ tenant, orderId }, { actor, atMs: now() });
  logger.info({ tenant, orderId, act: "undo", actor, outcome }, "a person undid a decision");
  if (outcome === "unknown") throw new ProblemError(UNKNOWN_ORDER);
  if (outcome === "none") throw await findNothingToUndo(parts, order);
  parts.wake?.();
  return sendOrder(parts, call);
}

async function findNothingToUndo({ store }: OrderActParts, key: OrderKey): Promise<ProblemError> {
  const order = await store.orders.get(key);
  const { decision = null, decidedAtMs = null } = order ?? {};
  if (decision?.source !== "person") {
    const detail = "There's no decision to undo. Reload the order.";
    return new ProblemError({ status: 409, code: "NOTHING_TO_UNDO", detail });
  }
  const act = decision.action === "cancel" ? "decline" : "approve";
  const stands = toDecisionJson({ act, actor: decision.actor ?? "", atMs: decidedAtMs ?? 0 });
  const detail = "Too late to undo. The decision already took effect.";
  return new ProblemError({ status: 409, code: "UNDO_TOO_LATE", detail, decision: stands });
}

function toDecisionJson({ act, actor, atMs }: Review) {
  return { act, by: actor, at: new Date(atMs).toISOString() };
}

async function addNote(parts: OrderActParts, call: Call<"POST /orders/:orderId/note">): Promise<void> {
  const { store, now, logger } = parts;
  const { session, body } = call;
  const order = await findOrder(parts, call);
  const { tenant, orderId } = order;
  const { actor } = session;
  await noteAct(parts, session, "note", orderId);
  const entry = { atMs: now(), kind: "note", detail: "", actor, note: body.note.trim() };
  const noted = await store.reviews.note({ tenant, orderId }, entry);
  if (noted === "unknown") throw new ProblemError(UNKNOWN_ORDER);
  if (noted === "erased") throw new ProblemError(ERASED);
  logger.info({ tenant, orderId, act: "note", actor }, "a person left a note");
  return sendOrder(parts, call);
}

/**
 * When the version of the order that the caller saw was decided, by `If-Match`. Undefined without the header; NaN if the caller
 * saw another version.
 */
async function toSeen(parts: OrderActParts, { session, req }: ActCall, order: OrderRecord) {
  const tags = readIfMatch(req);
  if (tags === null) return undefined;
  const { version } = await readFullOrder(parts, session, order);
  return tags.includes(`"${version}"`) ? order.decidedAtMs : Number.NaN;
}

/** Answer with the order's current state. */
async function sendOrder(parts: OrderActParts, call: ActCall): Promise<void> {
  return answerOrder(parts, call, await findOrder(parts, call));
}

const ERASED = { status: 409, detail: "The order's content was erased, so you can't add a note." };
