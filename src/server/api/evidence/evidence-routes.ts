import { createHash } from "node:crypto";
import { z } from "zod";
import { type RefusalCode, refusalOf } from "../../../base/refusals.ts";
import { expected } from "../../../base/field-codes.ts";
import { isHoldfastError } from "../../../base/errors.ts";
import {
  EVIDENCE_FIELDS,
  EVIDENCE_OBSTACLES,
  type EvidenceDraft,
  type EvidenceForm,
  type EvidenceObstacle,
  type Shipping,
} from "../../../platform/evidence.ts";
import { findPlatform, type Platform, type TenantId } from "../../../platform/platform.ts";
import { toKeptContent } from "../../../store/outcomes/kept-orders.ts";
import type { OrderRecord } from "../../../store/store.ts";
import { noteAccess, noteAct } from "../base/note-access.ts";
import { handleRoutes, type CallOf, type RouteDefinitions } from "../../http/api-route.ts";
import { ProblemError, sendFile, toRetryAfter } from "../../http/responses.ts";
import { findOrder } from "../orders/order-details.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { findEarlierOrders, toEarlierWindow } from "./earlier-orders.ts";
import { toShopName } from "../../../buyer-check/link-message.ts";
import { toDraftTexts, toEvidenceDraft } from "./evidence-draft.ts";
import { evidencePackJson, toEvidencePack, type EvidencePack } from "./evidence-pack.ts";
import { toEvidencePage, type EvidencePage } from "./pdf/evidence-page.ts";
import { toEvidencePdf } from "./pdf/evidence-pdf.ts";

/** Somebody is waiting for the response. */
const TIME_LIMIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 10;
const LONGEST_COMMUNICATION = 5_000;

const evidenceQuery = z.object({
  dispute: z.string().max(255).optional().describe("a dispute's ID. Default: the newest one of the order"),
});

/** What a person pasted is personal, so it never stands in an address. */
const draftBody = z.strictObject({
  disputeId: z.string().max(255),
  communication: z
    .string()
    .max(LONGEST_COMMUNICATION, expected("max-characters", { max: LONGEST_COMMUNICATION }))
    .default("")
    .describe("messages with the buyer, which the platform doesn't share"),
});

const printBody = draftBody.partial({ disputeId: true });

const draftJson = z.object({
  version: z.string().describe("names what is shown; send it back to save exactly this"),
  why: z
    .enum([...EVIDENCE_OBSTACLES, "no-form"])
    .nullable()
    .describe(
      "why it can't be saved on the platform; null if it can. `no-form`: the platform has no such form",
    ),
  fields: z
    .array(
      z.object({
        field: z.enum(EVIDENCE_FIELDS),
        text: z.string(),
        kept: z.boolean().describe("the platform's form has a content here, which stays as it is"),
      }),
    )
    .readonly(),
});

const EVIDENCE_ROUTES = {
  "GET /orders/:orderId/evidence": {
    id: "showEvidence",
    summary: "Get the evidence about a disputed order, for its bank. Calls the platform.",
    role: "reviewer",
    query: evidenceQuery,
    answers: { 200: evidencePackJson },
    problems: [409],
  },
  "POST /orders/:orderId/evidence/pdf": {
    id: "printEvidence",
    summary: "Get the evidence about a disputed order as a PDF file, for its bank. Calls the platform.",
    role: "reviewer",
    isRead: true,
    body: printBody,
    maxBodyBytes: 32 * 1024,
    answers: { 200: "application/pdf" },
    problems: [409, 501],
  },
  "POST /orders/:orderId/evidence/preview": {
    id: "previewEvidenceDraft",
    summary: "Show what would be saved as a draft on the platform. Saves nothing.",
    role: "reviewer",
    isRead: true,
    body: draftBody,
    maxBodyBytes: 32 * 1024,
    answers: { 200: draftJson },
    problems: [409],
  },
  "POST /orders/:orderId/evidence/draft": {
    id: "saveEvidenceDraft",
    summary: "Save the evidence as a draft on the platform. People submit it there.",
    role: "reviewer",
    body: draftBody.extend({ version: z.string().max(64) }),
    maxBodyBytes: 32 * 1024,
    answers: { 200: z.object({ saved: z.array(z.enum(EVIDENCE_FIELDS)).readonly() }) },
    problems: [409, 412],
  },
} satisfies RouteDefinitions;

type Call<Route extends keyof typeof EVIDENCE_ROUTES> = CallOf<typeof EVIDENCE_ROUTES, Route>;
export type EvidenceParts = Pick<
  ServerParts,
  "store" | "now" | "platforms" | "settings" | "policyOf" | "pdfFonts" | "logger"
>;

export function createEvidenceRoutes(parts: EvidenceParts) {
  return handleRoutes(EVIDENCE_ROUTES, {
    async "GET /orders/:orderId/evidence"(call) {
      const order = await findOrder(parts, call);
      await noteAccess(parts, call.session, "evidence", order.orderId);
      const pack = await makePack(parts, order, call.query.dispute);
      call.answer(200, pack, {
        "Cache-Control": "no-store",
        "Content-Disposition": `attachment; filename="${toFileName(order, "json")}"`,
      });
    },
    "POST /orders/:orderId/evidence/pdf": (call) => print(parts, call),
    "POST /orders/:orderId/evidence/preview": (call) => preview(parts, call),
    "POST /orders/:orderId/evidence/draft": (call) => saveDraft(parts, call),
  });
}

/** An order's ID can be any text of a host. */
function toFileName({ orderId }: OrderRecord, ending: string): string {
  return `evidence-${orderId.replaceAll(/[^\w.-]/g, "_").slice(0, 64)}.${ending}`;
}

/** @throws {ProblemError} 409 if the order has no such dispute. */
export async function makePack(
  parts: EvidenceParts,
  order: OrderRecord,
  disputeId: string | undefined,
): Promise<EvidencePack> {
  const { store, settings, now } = parts;
  const { tenant, orderId } = order;
  const disputes = (await store.outcomes.listDisputes(tenant, [orderId])).get(orderId) ?? [];
  const dispute = disputes.findLast((one) => disputeId === undefined || one.disputeId === disputeId);
  if (dispute === undefined) throw new ProblemError(NO_DISPUTE);
  const owner = { tenant, orderIds: [orderId], customerId: undefined, email: undefined };
  const [timeline, linked, shipping, same, [kept], { disputes: keeping }] = await Promise.all([
    store.orders.listTimeline(order),
    store.orders.listLinked(order),
    readShipping(parts, order),
    store.outcomes.findKept(order, toEarlierWindow(dispute.initiatedAtMs)),
    store.outcomes.findKeptOf(owner),
    settings.of(tenant),
  ]);
  const earlier = findEarlierOrders({
    dispute,
    // Most disputes arrive after the order's content was erased.
    order: toKeptContent(order) ?? kept?.content ?? {},
    kept: same,
    keeping: keeping.keepDays !== null,
  });
  const nowMs = now();
  return toEvidencePack({
    order,
    dispute,
    timeline,
    linked: linked?.orders ?? [],
    shipping,
    kept,
    earlier,
    nowMs,
  });
}

const NO_DISPUTE = refusalOf(409, "dispute-not-found");

/** A platform that can't say how the order was sent leaves a gap in the pack, which the pack names. */
async function readShipping(
  { platforms, logger }: EvidenceParts,
  { tenant, orderId }: OrderRecord,
): Promise<Shipping | null> {
  const platform = findPlatform(platforms, tenant);
  try {
    const signal = AbortSignal.timeout(TIME_LIMIT_MS);
    return (await platform?.readShipments?.(tenant, orderId, { signal })) ?? null;
  } catch (error) {
    logger.warn({ err: error, orderId }, "the shipments of a disputed order couldn't be read");
    return null;
  }
}

async function print(parts: EvidenceParts, call: Call<"POST /orders/:orderId/evidence/pdf">) {
  const order = await findOrder(parts, call);
  await noteAccess(parts, call.session, "evidence", order.orderId);
  const { disputeId, communication } = call.body;
  const [pack, { policy }] = await Promise.all([
    makePack(parts, order, disputeId),
    parts.policyOf(order.tenant),
  ]);
  const page = toEvidencePage(pack, toShopName(policy, order.tenant), communication);
  const file = await makePdf(page, parts);
  sendFile(call.res, "application/pdf", toFileName(order, "pdf"), file);
}

/** @throws {ProblemError} 501 if the package that writes PDF isn't installed. */
async function makePdf(page: EvidencePage, { pdfFonts = [], logger }: EvidenceParts): Promise<Buffer> {
  try {
    return await toEvidencePdf(page, pdfFonts, logger);
  } catch (error) {
    if (!isHoldfastError(error) || error.code !== "CONFIG_INVALID") throw error;
    logger.warn({ err: error }, "evidence as PDF needs a package");
    throw new ProblemError(refusalOf(501, "pdf-package-missing"));
  }
}

async function preview(parts: EvidenceParts, call: Call<"POST /orders/:orderId/evidence/preview">) {
  const order = await findOrder(parts, call);
  await noteAccess(parts, call.session, "evidence", order.orderId);
  const { draft } = await makeDraft(parts, order, call.body);
  const form = await readForm(parts, order.tenant, call.body.disputeId);
  const filled = form !== null && form.outcome === "open" ? form.filled : [];
  call.answer(200, {
    version: toVersion(draft),
    why: form === null ? "no-form" : form.outcome === "closed" ? form.why : null,
    fields: toDraftTexts(draft).map(({ field, text }) => ({ field, text, kept: filled.includes(field) })),
  });
}

async function makeDraft(
  parts: EvidenceParts,
  order: OrderRecord,
  { disputeId, communication }: z.infer<typeof draftBody>,
): Promise<{ readonly draft: EvidenceDraft }> {
  return { draft: toEvidenceDraft(await makePack(parts, order, disputeId), communication) };
}

function toVersion(draft: EvidenceDraft): string {
  return createHash("sha256")
    .update(JSON.stringify(toDraftTexts(draft)))
    .digest("base64url")
    .slice(0, 22);
}

async function saveDraft(parts: EvidenceParts, call: Call<"POST /orders/:orderId/evidence/draft">) {
  const order = await findOrder(parts, call);
  const { disputeId, version } = call.body;
  const { draft } = await makeDraft(parts, order, call.body);
  if (toVersion(draft) !== version) throw new ProblemError(CHANGED);
  const form = findPlatform(parts.platforms, order.tenant)?.evidence;
  if (form === undefined) throw new ProblemError(refusalOf(409, REFUSALS["no-form"]));
  await noteAct(parts, call.session, "evidence-draft", order.orderId);
  const saved = await asking(parts, () =>
    form.saveDraft(order.tenant, disputeId, draft, { signal: AbortSignal.timeout(TIME_LIMIT_MS) }),
  );
  if (saved.outcome === "refused") throw new ProblemError(refusalOf(409, REFUSALS[saved.why]));
  call.answer(200, { saved: saved.fields });
}

const CHANGED = refusalOf(412, "evidence-changed");

const REFUSALS = {
  "no-form": "evidence-no-form",
  "not-allowed": "evidence-not-allowed",
  unknown: "evidence-dispute-hidden",
  submitted: "evidence-submitted",
  "past-due": "evidence-past-due",
  invalid: "evidence-invalid",
} as const satisfies Readonly<Record<EvidenceObstacle | "no-form", RefusalCode>>;

async function readForm(
  parts: EvidenceParts,
  tenant: TenantId,
  disputeId: string,
): Promise<EvidenceForm | null> {
  const form: Platform["evidence"] = findPlatform(parts.platforms, tenant)?.evidence;
  if (form === undefined) return null;
  return asking(parts, () => form.read(tenant, disputeId, { signal: AbortSignal.timeout(TIME_LIMIT_MS) }));
}

/** @throws {ProblemError} 503 if the platform fails. */
async function asking<T>({ logger, now }: EvidenceParts, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    logger.warn({ err: error }, "a dispute's form couldn't be read or filled in");
    const { code, retryAtMs } = isHoldfastError(error) ? error : {};
    const why = refusalOf(503, "evidence-unsure");
    const after = { "Retry-After": toRetryAfter(retryAtMs, now(), RETRY_AFTER_SECONDS) };
    throw new ProblemError({ ...why, ...(code === undefined ? {} : { code }) }, after);
  }
}
