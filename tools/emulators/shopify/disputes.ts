import { GraphQLError } from "graphql";
import type { GraphNode } from "./graph-node.ts";

/** A dispute of Shopify Payments, with its form for the bank. */
export interface EmulatedDispute {
  readonly id: string;
  status: string;
  evidenceDueBy: string | null;
  evidenceSentOn: string | null;
  /** What the form has, by the schema's names. */
  evidence: Record<string, unknown>;
}

/** What the disputes need of their shop. */
interface DisputedShop {
  readonly scopes: readonly string[];
  readonly disputes: readonly EmulatedDispute[];
  readonly nowMs: number;
}

/** The fields of a form that a draft can fill. Files are uploaded by people. */
const TEXTS = [
  "accessActivityLog",
  "cancellationPolicyDisclosure",
  "cancellationRebuttal",
  "customerEmailAddress",
  "customerFirstName",
  "customerLastName",
  "refundPolicyDisclosure",
  "refundRefusalExplanation",
  "uncategorizedText",
] as const;
/** Neither the schema nor Shopify's documentation has a limit: as long as Stripe's, which Shopify Payments runs on. */
const LONGEST_TEXT = 20_000;

const READ = "read_shopify_payments_disputes";
const WRITE = "write_shopify_payments_dispute_evidences";

function need(shop: DisputedShop, scope: string, field: string): void {
  if (shop.scopes.includes(scope)) return;
  throw new GraphQLError(`Access denied for ${field} field.`, { extensions: { code: "ACCESS_DENIED" } });
}

export function findDispute(shop: DisputedShop, gid: string): GraphNode | null {
  need(shop, READ, "dispute");
  const found = shop.disputes.find(({ id }) => gid === `gid://shopify/ShopifyPaymentsDispute/${id}`);
  if (found === undefined) return null;
  return {
    __typename: "ShopifyPaymentsDispute",
    id: gid,
    status: found.status,
    evidenceDueBy: found.evidenceDueBy,
    evidenceSentOn: found.evidenceSentOn,
    disputeEvidence: () => {
      need(shop, WRITE, "disputeEvidence");
      return toFormNode(found);
    },
  };
}

function toFormNode(dispute: EmulatedDispute): GraphNode {
  const texts = TEXTS.map((name) => [name, dispute.evidence[name] ?? null]);
  return {
    __typename: "ShopifyPaymentsDisputeEvidence",
    id: toEvidenceGid(dispute),
    submitted: dispute.evidenceSentOn !== null,
    shippingAddress: dispute.evidence["shippingAddress"] ?? null,
    ...Object.fromEntries(texts),
  };
}

const toEvidenceGid = ({ id }: EmulatedDispute) => `gid://shopify/ShopifyPaymentsDisputeEvidence/${id}`;

/** Fill a form in. A submission is refused, so that a test fails whose app tries one: only people submit. */
export function updateEvidence(
  shop: DisputedShop,
  { id, input }: { readonly id: string; readonly input: Readonly<Record<string, unknown>> },
): GraphNode {
  need(shop, WRITE, "disputeEvidenceUpdate");
  if (input["submitEvidence"] === true) throw new GraphQLError("Holdfast must not submit evidence.");
  const refuse = (code: string, ...field: string[]) => {
    return { disputeEvidence: null, userErrors: [{ code, field: field.length === 0 ? null : field }] };
  };
  const dispute = shop.disputes.find((candidate) => toEvidenceGid(candidate) === id);
  if (dispute === undefined) return refuse("DISPUTE_EVIDENCE_NOT_FOUND", "id");
  if (dispute.evidenceSentOn !== null) return refuse("EVIDENCE_ALREADY_ACCEPTED");
  const dueBy = dispute.evidenceDueBy;
  if (dueBy !== null && Date.parse(dueBy) <= shop.nowMs) return refuse("EVIDENCE_PAST_DUE_DATE");
  const tooLong = TEXTS.find((name) => {
    const text = input[name];
    return typeof text === "string" && text.length > LONGEST_TEXT;
  });
  if (tooLong !== undefined) return refuse("INVALID", "input", tooLong);
  const { submitEvidence: _, ...texts } = input;
  dispute.evidence = { ...dispute.evidence, ...texts };
  return { disputeEvidence: toFormNode(dispute), userErrors: [] };
}
