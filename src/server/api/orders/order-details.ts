import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { refusalOf } from "../../../base/refusals.ts";
import { DISPUTE_KINDS, DISPUTE_STATUSES } from "../../../platform/platform.ts";
import { orderContextSchema } from "../../../order/order-context.ts";
import { verificationRequestSchema } from "../../../order/request.ts";
import type { LedgerCall } from "../../../store/credits/ledger.ts";
import type { OrderKey, OrderRecord, TimelineEntry } from "../../../store/store.ts";
import { ProblemError } from "../../http/responses.ts";
import type { ApiSession } from "../../http/api-route.ts";
import { buyerCheckJson, buyerFileJson, toBuyerCheckJson, toBuyerFileJson } from "./buyer-check-json.ts";
import { orderActionsJson, toOrderActionsJson } from "./describe-actions.ts";
import { contentsJson, toContentsJson } from "./order-contents.ts";
import { orderDetailJson, toClaimJson, toOrderDetailJson } from "./order-json.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { toVerdict, verdictJson } from "./verdict.ts";
import { toIso } from "../../../base/iso-time.ts";
import { findEvidenceDueMs } from "../../../pipeline/watch/evidence-due.ts";
import type { KeptDispute } from "../../../store/outcomes/disputes.ts";
import { toOrderEnd } from "../../../pipeline/order-life/order-end.ts";

const METERED = ["yes", "no", "unknown"] as const;

const orderContentJson = z.object({
  sent: z
    .array(z.object({ path: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) }))
    .readonly()
    .nullable()
    .describe("in the order of the request; null if nothing was sent or it was erased"),
  leftOut: z
    .array(z.object({ path: z.string(), reason: z.string() }))
    .readonly()
    .describe("fields the service accepts that weren't sent; an empty path means the whole order"),
  contents: contentsJson.nullable().describe("the order's data, sent or not; null if it was erased"),
  context: orderContextSchema
    .nullable()
    .describe("what the platform says beyond that, never sent; null if it wasn't recorded or was erased"),
  disputes: z
    .array(
      z.object({
        kind: z.enum(DISPUTE_KINDS),
        status: z.enum(DISPUTE_STATUSES),
        reason: z.string().describe("the platform's own code, such as fraudulent"),
        isFraud: z.boolean(),
        at: z.iso.datetime().describe("when the bank raised it"),
        disputeId: z.string().describe("the platform's ID"),
        evidenceDueBy: z.iso
          .datetime()
          .nullable()
          .describe("until when the bank takes evidence; null if that isn't known"),
        evidenceSentOn: z.iso.datetime().nullable().describe("null until somebody sends evidence"),
      }),
    )
    .readonly()
    .describe("what banks say about the payment, oldest first"),
  calls: z
    .array(
      z.object({
        at: z.iso.datetime(),
        state: z.enum(["sent", "answered", "failed", "unknown"]),
        metered: z.enum(METERED).nullable().describe("whether it counts as a credit"),
        error: z.string().nullable(),
      }),
    )
    .readonly(),
});

type Sent = NonNullable<z.infer<typeof orderContentJson>["sent"]>;
type LeftOut = z.infer<typeof orderContentJson>["leftOut"];

/** Everything the API shows of one order. */
export const fullOrderJson = orderDetailJson.extend({
  ...orderContentJson.shape,
  verdict: verdictJson,
  buyerCheck: buyerCheckJson
    .nullable()
    .describe("whether the buyer was asked if the order is theirs; null if the policy doesn't ask"),
  buyerFiles: z
    .array(buyerFileJson)
    .readonly()
    .describe("what the buyer sent to show that the order is theirs, newest first"),
  actions: orderActionsJson,
  version: z.string().describe("changes whenever the order's content changes; same as the ETag"),
});
export type FullOrderJson = z.infer<typeof fullOrderJson>;

export type OrderDetailParts = Pick<ServerParts, "store" | "now" | "accesses" | "policyOf">;

interface OrderCall {
  readonly session: Pick<ApiSession, "tenant" | "actor">;
  readonly params: { readonly orderId: string };
  readonly answer: (status: 200, body: FullOrderJson, headers: { readonly ETag: string }) => void;
}

/**
 * The order of a call. The tenant is part of the key, so another tenant's order isn't found.
 *
 * @throws {ProblemError} 404.
 */
export async function findOrder(
  { store }: Pick<OrderDetailParts, "store">,
  { session, params }: Omit<OrderCall, "answer">,
): Promise<OrderRecord> {
  const order = await store.orders.get({ tenant: session.tenant, orderId: params.orderId });
  if (order === null) throw new ProblemError(UNKNOWN_ORDER);
  return order;
}

/** There is no such order, or it is another tenant's. */
export const UNKNOWN_ORDER = refusalOf(404, "order-not-found");

/** Answer a call with its order as it is now. If it changes while its timeline is read, read both again. */
export async function answerCurrentOrder(parts: OrderDetailParts, call: OrderCall, order: OrderRecord) {
  const shown = await readFullOrder(parts, call.session, order);
  const current = await findOrder(parts, call);
  if (isDeepStrictEqual(current, order)) answerShown(call, shown);
  else await answerCurrentOrder(parts, call, current);
}

export async function answerOrder(parts: OrderDetailParts, call: OrderCall, order: OrderRecord) {
  answerShown(call, await readFullOrder(parts, call.session, order));
}

function answerShown({ answer }: OrderCall, shown: FullOrderJson): void {
  return answer(200, shown, { ETag: `"${shown.version}"` });
}

export async function readFullOrder(
  parts: OrderDetailParts,
  session: Pick<ApiSession, "actor">,
  order: OrderRecord,
): Promise<FullOrderJson> {
  const { store, now } = parts;
  const key: OrderKey = order;
  const [timeline, steps, changes, calls, traces, { policy, version: policyVersion }, access] =
    await Promise.all([
      store.orders.listTimeline(key),
      store.orders.listSteps(key),
      store.orders.listChanges(key),
      store.orders.listCalls(key),
      store.outcomes.loadTraces(order.tenant, [order.orderId]),
      parts.policyOf(order.tenant),
      parts.accesses.of(order.tenant),
    ]);
  const situation = { order, steps, timeline };
  const { disputes: raised = [], buyer } = traces.get(order.orderId) ?? {};
  const marks = (await store.reviews.listMarks(order.tenant, [order.orderId])).get(order.orderId);
  const shown = {
    ...toOrderDetailJson(order, timeline, steps, changes, {
      marks,
      ended: toOrderEnd(situation),
      evidenceDueMs: findEvidenceDueMs(raised, now()),
      buyer,
    }),
    ...toOrderContentJson(order, calls, timeline),
    disputes: raised.map(toDisputeJson),
    verdict: toVerdict(situation, raised),
    actions: toOrderActionsJson(situation, {
      policy,
      policyVersion,
      actor: session.actor,
      hasService: access !== null,
      nowMs: now(),
    }),
  };
  const claim = (await store.reviews.listClaims(order.tenant, [order.orderId], now())).get(order.orderId);
  const checks = await store.buyerChecks.list(key);
  const buyerCheck = toBuyerCheckJson(checks, order, now());
  const buyerFiles = (await store.buyerEvidence.list(key)).map(toBuyerFileJson);
  // A claim doesn't change the version, nor does a sent link: people who loaded the order before can still decide.
  return { ...shown, version: toVersion(shown), buyerCheck, buyerFiles, claim: toClaimJson(claim) };
}

function toDisputeJson(dispute: KeptDispute) {
  const { kind, status, reason, isFraud, disputeId } = dispute;
  return {
    kind,
    status,
    reason,
    isFraud,
    at: toIso(dispute.initiatedAtMs),
    disputeId,
    evidenceDueBy: toIso(dispute.evidenceDueAtMs ?? null),
    evidenceSentOn: toIso(dispute.evidenceSentAtMs ?? null),
  };
}

function toVersion(shown: Omit<FullOrderJson, "version" | "buyerCheck" | "buyerFiles">): string {
  return createHash("sha256").update(JSON.stringify(shown)).digest("base64url").slice(0, 22);
}

/** What was sent to the service, and what wasn't. Personal. */
function toOrderContentJson(
  { mapped, skipReason }: OrderRecord,
  calls: readonly LedgerCall[],
  timeline: readonly TimelineEntry[],
): Omit<z.infer<typeof orderContentJson>, "disputes"> {
  const wasSent = mapped?.outcome === "screenable" && calls.some(({ error }) => error !== "BURST_BRAKED");
  return {
    sent: wasSent ? toLeaves("", mapped.request) : null,
    leftOut: [
      ...(skipReason === null ? [] : [{ path: "", reason: skipReason }]),
      ...(mapped?.outcome === "screenable" ? findAbsent(mapped.request) : []),
      ...findLimitations(timeline),
    ],
    contents: toContentsJson(mapped),
    context: mapped?.context ?? null,
    calls: calls.map(({ startedAtMs, state, metered, error }) => {
      const counts = METERED.find((one) => one === metered) ?? null;
      return { at: new Date(startedAtMs).toISOString(), state, metered: counts, error };
    }),
  };
}

/** Every value of a request with its path, such as `items[0].price`. */
function toLeaves(path: string, value: unknown): Sent {
  if (Array.isArray(value)) {
    return value.flatMap((entry: unknown, index) => toLeaves(`${path}[${index}]`, entry));
  }
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, entry]) =>
      toLeaves(path === "" ? key : `${path}.${key}`, entry),
    );
  }
  const isLeaf = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isLeaf ? [{ path, value }] : [];
}

function findAbsent(request: object): LeftOut {
  const given = new Set(Object.keys(request));
  return Object.keys(verificationRequestSchema.shape)
    .filter((path) => !given.has(path))
    .map((path) => ({ path, reason: "unknown" }));
}

/** Details that the platform didn't provide, as recorded when it was asked. */
function findLimitations(timeline: readonly TimelineEntry[]): LeftOut {
  const last = timeline.map(({ event }) => event).findLast(({ kind }) => kind === "less-detail");
  return last?.kind === "less-detail" ? last.limitations.map((reason) => ({ path: "", reason })) : [];
}
