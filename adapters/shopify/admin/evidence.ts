import type {
  EvidenceDraft,
  EvidenceField,
  EvidenceForm,
  EvidenceObstacle,
  EvidenceSaved,
  PlatformEvidence,
  TenantId,
} from "../../../src/adapter-kit.ts";
import { toDisputeGid } from "../base/payload.ts";
import type { Operations } from "../operations/generated/operations.ts";
import { requireWhole } from "./admin-answer.ts";
import type { AdminClient } from "./admin-client.ts";
import { askShop, mutate, type Ask } from "./ask.ts";
import { DISPUTES_SCOPE, EVIDENCE_SCOPE } from "./scopes.ts";

type Dispute = NonNullable<Operations["DisputeForm"]["data"]["dispute"]>;
type Form = Dispute["disputeEvidence"];
type Variables = Operations["SaveEvidenceDraft"]["variables"];

/** Statuses of a dispute that still takes evidence. */
const OPEN: ReadonlySet<string> = new Set(["NEEDS_RESPONSE", "UNDER_REVIEW"]);

/** The form of Shopify Payments for a dispute's evidence. It is filled here, and only people submit it, in Shopify. */
export function createEvidence(client: AdminClient, now: () => number): PlatformEvidence {
  return {
    async read(tenant, disputeId, { signal } = {}): Promise<EvidenceForm> {
      const found = await findForm(askShop(client, tenant, signal), disputeId, now());
      return "why" in found
        ? { outcome: "closed", why: found.why }
        : { outcome: "open", filled: listFilled(found.form) };
    },
    saveDraft: (tenant, disputeId, draft, { signal } = {}) =>
      save(client, tenant, disputeId, { draft, signal, nowMs: now() }),
  };
}

async function save(
  client: AdminClient,
  tenant: TenantId,
  disputeId: string,
  {
    draft,
    signal,
    nowMs,
  }: {
    readonly draft: EvidenceDraft;
    readonly signal: AbortSignal | undefined;
    readonly nowMs: number;
  },
): Promise<EvidenceSaved> {
  const ask = askShop(client, tenant, signal);
  const found = await findForm(ask, disputeId, nowMs);
  if ("why" in found) return { outcome: "refused", why: found.why };
  // What people or Shopify wrote stays.
  const { fields, variables } = toVariables(found.form, draft);
  if (fields.length === 0) return { outcome: "saved", fields };
  const { userErrors } = await mutate(ask, "SaveEvidenceDraft", { ...variables, id: found.form.id });
  const [error] = userErrors;
  if (error === undefined) return { outcome: "saved", fields };
  return { outcome: "refused", why: REFUSALS[error.code ?? ""] ?? "invalid" };
}

const REFUSALS: Readonly<Record<string, EvidenceObstacle>> = {
  DISPUTE_EVIDENCE_NOT_FOUND: "unknown",
  EVIDENCE_ALREADY_ACCEPTED: "submitted",
  EVIDENCE_PAST_DUE_DATE: "past-due",
};

async function findForm(
  ask: Ask,
  disputeId: string,
  nowMs: number,
): Promise<{ readonly form: Form } | { readonly why: EvidenceObstacle }> {
  const id = toDisputeGid(disputeId);
  if (id === undefined) return { why: "unknown" };
  const { currentAppInstallation: app } = (await ask("GrantedScopes", {})).data;
  const granted = new Set(app.accessScopes.map(({ handle }) => handle));
  if (!granted.has(EVIDENCE_SCOPE) || !granted.has(DISPUTES_SCOPE)) return { why: "not-allowed" };
  const { data, errors } = requireWhole(await ask("DisputeForm", { id }));
  if (data.dispute === null)
    return { why: errors.some(({ code }) => code === "ACCESS_DENIED") ? "not-allowed" : "unknown" };
  const { status, evidenceDueBy, evidenceSentOn, disputeEvidence: form } = data.dispute;
  if (form.submitted || evidenceSentOn !== null || !OPEN.has(status)) return { why: "submitted" };
  if (evidenceDueBy !== null && Date.parse(evidenceDueBy) <= nowMs) return { why: "past-due" };
  return { form };
}

const isBlank = (text: string | null | undefined): boolean => text == null || text.trim() === "";

function listFilled(form: Form): readonly EvidenceField[] {
  const texts = {
    firstName: form.customerFirstName,
    lastName: form.customerLastName,
    email: form.customerEmailAddress,
    // One part that somebody wrote is enough: a draft would replace the whole address.
    shippingAddress: Object.values(form.shippingAddress ?? {}).find((part) => !isBlank(part)),
    accessLog: form.accessActivityLog,
    statement: form.uncategorizedText,
  } satisfies Record<EvidenceField, string | null | undefined>;
  return (Object.keys(texts) as EvidenceField[]).filter((field) => !isBlank(texts[field]));
}

function toVariables(form: Form, draft: EvidenceDraft) {
  const filled = new Set(listFilled(form));
  const { shippingAddress, ...texts } = draft;
  const wanted = {
    ...texts,
    shippingAddress: shippingAddress && {
      address1: shippingAddress.street,
      city: shippingAddress.city,
      province: shippingAddress.state,
      zip: shippingAddress.postalCode,
      country: shippingAddress.country,
    },
  };
  const fields = (Object.keys(wanted) as EvidenceField[]).filter(
    (field) => wanted[field] !== undefined && !filled.has(field),
  );
  const variables = Object.fromEntries(fields.map((field) => [field, wanted[field]])) as Partial<Variables>;
  return { fields, variables };
}
