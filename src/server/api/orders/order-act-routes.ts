import type { z } from "zod";
import { type Refusal, refusalOf } from "../../../base/refusals.ts";
import { toPersonAct, type DeclineReason, type PersonAct } from "../../../order/decision.ts";
import { judgeReview } from "../../../pipeline/order-life/review.ts";
import { RECHECK_QUOTA, type RecheckLimit } from "../../../store/quotas.ts";
import type { OrderKey, OrderRecord, Review } from "../../../store/store.ts";
import type { ReviewResult } from "../../../store/orders/reviews.ts";
import type { LinkKind } from "../../../order/link-kinds.ts";
import { noteAccess, noteAct } from "../base/note-access.ts";
import { handleRoutes, type CallOf } from "../../http/api-route.ts";
import { readIfMatch } from "../../http/query.ts";
import { ProblemError, toRetryAfter, type ProblemAnswer } from "../../http/responses.ts";
import {
  answerOrder,
  findOrder,
  readFullOrder,
  UNKNOWN_ORDER,
  type OrderDetailParts,
} from "./order-details.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { hasShippedNow } from "./shipped-now.ts";
import {
  liftBlocks,
  NOT_BLOCKED,
  planBlocks,
  restoreBlocks,
  saveBlocks,
  toKinds,
} from "./decline-and-block.ts";
import { decideBody, ORDER_ACT_ROUTES } from "./order-act-definitions.ts";
import { ERASED } from "./order-note-routes.ts";

type OrderActParts = OrderDetailParts & Pick<ServerParts, "metrics" | "logger" | "wake" | "platforms">;

type Call<Route extends keyof typeof ORDER_ACT_ROUTES> = CallOf<typeof ORDER_ACT_ROUTES, Route>;
type ActCall = Omit<Call<"POST /orders/:orderId/undo">, "body">;

export function createOrderActRoutes(parts: OrderActParts) {
  return handleRoutes(ORDER_ACT_ROUTES, {
    "POST /orders/:orderId/approve": (call) => decide(parts, call, "approve"),
    "POST /orders/:orderId/decline": (call) => decline(parts, call),
    "POST /orders/:orderId/handle": (call) => decide(parts, call, "handle"),
    "POST /orders/:orderId/recheck": (call) => decide(parts, call, "recheck"),
    "POST /orders/:orderId/undo": (call) => undo(parts, call),
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
        throw new ProblemError(refusalOf(409, "order-claimed"));
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

/** Decline an order, and block what was chosen of its buyer. If only that fails, the answer says why. */
async function decline(parts: OrderActParts, call: Call<"POST /orders/:orderId/decline">): Promise<void> {
  const { session, body } = call;
  const order = await findOrder(parts, call);
  const blocks = await planBlocks(parts, session, order, body.block);
  if (blocks.length === 0) return decide(parts, call, "decline", { reason: body.reason });
  return decide(parts, call, "decline", {
    reason: body.reason,
    blocks: toKinds(blocks),
    // An undo of the earlier decline doesn't know these blocks.
    followUp: async (outcome) =>
      outcome === "already" ? NOT_BLOCKED : saveBlocks(parts, session, order, blocks),
  });
}

interface DecideOptions {
  readonly reason?: DeclineReason | undefined;
  readonly blocks?: readonly LinkKind[] | undefined;
  /** Done once it's decided. Returns what went wrong. */
  readonly followUp?: (outcome: ReviewResult["outcome"]) => Promise<Refusal | undefined>;
}

async function decide(
  parts: OrderActParts,
  call: ActCall & { readonly body: z.infer<typeof decideBody> },
  act: PersonAct,
  { reason, blocks, followUp }: DecideOptions = {},
): Promise<void> {
  const { store, now, logger } = parts;
  const { session, body } = call;
  const order = await findOrder(parts, call);
  const { tenant, orderId } = order;
  await noteAct(parts, session, act, orderId);
  const seenDecidedAtMs = await toSeen(parts, call, order);
  const { version: policyVersion } = await parts.policyOf(tenant);
  const nowMs = now();
  const hasShipped = await hasShippedNow(parts, act, order);
  const review = { act, actor: session.actor, atMs: nowMs, reason, hasShipped };
  const result = await store.reviews.decide(
    { tenant, orderId },
    { ...review, ...toNoteAndTime(body, nowMs), blocks },
    (situation) => judgeReview(situation, review, { policyVersion, seenDecidedAtMs, nowMs }),
  );
  logger.info({ tenant, orderId, act, actor: session.actor, outcome: result.outcome }, "a person decided");
  settleResult(parts, call, order, result);
  return sendOrder(parts, call, await followUp?.(result.outcome));
}

function toNoteAndTime({ note, undoSeconds = 0 }: z.infer<typeof decideBody>, nowMs: number) {
  const text = note?.trim() ?? "";
  return {
    note: text === "" ? null : text,
    effectiveAtMs: undoSeconds === 0 ? undefined : nowMs + undoSeconds * 1_000,
  };
}

/** @throws {ProblemError} why nothing was decided. */
function settleResult(
  parts: OrderActParts,
  call: ActCall,
  { platform }: OrderRecord,
  result: ReviewResult,
): void {
  if (result.outcome === "unknown") throw new ProblemError(UNKNOWN_ORDER);
  if (result.outcome === "limited") throw toLimited(result, parts.now());
  if (result.outcome === "erased") throw new ProblemError(ERASED);
  if (result.outcome === "changed") throw new ProblemError(toChanged(call));
  if (result.outcome === "impossible") {
    const { why, first } = result;
    const before = first && ({ code: "ALREADY_DECIDED", decision: toDecisionJson(first) } as const);
    throw new ProblemError({ status: 409, ...why, ...before });
  }
  const decision = result.outcome === "decided" ? result.order.decision : null;
  if (decision !== null) parts.metrics.decided({ platform, ...decision });
  if (result.outcome !== "already") parts.wake?.();
}

function toChanged({ req }: ActCall): ProblemAnswer {
  return refusalOf(412, readIfMatch(req) === null ? "dispute-unseen" : "order-changed");
}

/** Rechecks are possible again when the 24 hours are over. */
function toLimited({ of, retryAtMs }: RecheckLimit, nowMs: number): ProblemError {
  const { perOrder, perTenant } = RECHECK_QUOTA;
  const time = new Date(retryAtMs).toISOString();
  const why =
    of === "order"
      ? refusalOf(429, "order-recheck-limit", { max: perOrder, time })
      : refusalOf(429, "shop-recheck-limit", { max: perTenant, time });
  const headers = { "Retry-After": toRetryAfter(retryAtMs, nowMs, 60) };
  return new ProblemError({ ...why, code: "RECHECK_LIMITED" }, headers);
}

async function undo(parts: OrderActParts, call: ActCall): Promise<void> {
  const { store, now, logger } = parts;
  const { session } = call;
  const order = await findOrder(parts, call);
  const { tenant, orderId } = order;
  const { actor } = session;
  await noteAct(parts, session, "undo", orderId);
  // First, because nobody can undo it again if this fails.
  const lifted = await liftBlocks(parts, session, order);
  const outcome = await store.reviews.undo({ tenant, orderId }, { actor, atMs: now() });
  logger.info({ tenant, orderId, act: "undo", actor, outcome }, "a person undid a decision");
  if (outcome !== "undone" && (await restoreBlocks(parts, session, order, lifted)) !== undefined)
    logger.warn({ tenant, orderId }, "the blocks of a decline weren't put back");
  if (outcome === "unknown") throw new ProblemError(UNKNOWN_ORDER);
  if (outcome === "none") throw await findNothingToUndo(parts, order);
  parts.wake?.();
  return sendOrder(parts, call, lifted.problem);
}

async function findNothingToUndo({ store }: OrderActParts, key: OrderKey): Promise<ProblemError> {
  const order = await store.orders.get(key);
  const { decision = null, decidedAtMs = null } = order ?? {};
  if (decision?.source !== "person") {
    return new ProblemError({ ...refusalOf(409, "nothing-to-undo"), code: "NOTHING_TO_UNDO" });
  }
  const act = toPersonAct(decision);
  const stands = toDecisionJson({ act, actor: decision.actor ?? "", atMs: decidedAtMs ?? 0 });
  return new ProblemError({ ...refusalOf(409, "undo-too-late"), code: "UNDO_TOO_LATE", decision: stands });
}

function toDecisionJson({ act, actor, atMs }: Review) {
  return { act, by: actor, at: new Date(atMs).toISOString() };
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
async function sendOrder(parts: OrderActParts, call: ActCall, listProblem?: Refusal): Promise<void> {
  const order = await findOrder(parts, call);
  const shown = await readFullOrder(parts, call.session, order);
  const problem = listProblem === undefined ? {} : { listProblem };
  call.answer(200, { ...shown, ...problem }, { ETag: `"${shown.version}"` });
}
