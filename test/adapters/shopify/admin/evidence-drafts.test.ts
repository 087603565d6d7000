import { describe, expect, it } from "vitest";
import { createEvidence } from "../../../../adapters/shopify/admin/evidence.ts";
import { DISPUTES_SCOPE, EVIDENCE_SCOPE } from "../../../../adapters/shopify/admin/scopes.ts";
import { interpretDelivery } from "../../../../adapters/shopify/intake/interpret.ts";
import { findEarlierOrders } from "../../../../src/server/api/evidence/earlier-orders.ts";
import { toEvidenceDraft } from "../../../../src/server/api/evidence/evidence-draft.ts";
import { toEvidencePack } from "../../../../src/server/api/evidence/evidence-pack.ts";
import type { OrderRecord } from "../../../../src/store/store.ts";
import { decision, result, T0 } from "../../../store/samples.ts";
import { startFixture, TENANT } from "../admin-fixture.ts";
import { fixtureBody, fixtureNames, orderFixture, receiveOrder } from "../fixtures.ts";

/** The values of `ShopifyPaymentsDisputeReason` in Shopify's published Admin schema, in lower case as in webhooks. */
const REASONS = [
  "bank_cannot_process",
  "credit_not_processed",
  "customer_initiated",
  "debit_not_authorized",
  "duplicate",
  "fraudulent",
  "general",
  "incorrect_account_details",
  "insufficient_funds",
  "noncompliant",
  "product_not_received",
  "product_unacceptable",
  "subscription_cancelled",
  "unrecognized",
];
const PAYLOADS = fixtureNames("shopify-topics").filter((name) => name.includes("disputes_"));
const ORDERS = fixtureNames("shopify");

function readDispute(name: string, reason: string) {
  const body = JSON.parse(fixtureBody("shopify-topics", name).toString()) as object;
  const bytes = Buffer.from(JSON.stringify({ ...body, reason }));
  const event = interpretDelivery({ tenant: TENANT, topic: "disputes/create", body: bytes });
  if (event.kind !== "dispute") throw new Error(`expected a dispute, got ${event.kind}`);
  return { ...event.dispute, seenAtMs: T0 };
}

function toDraft(dispute: ReturnType<typeof readDispute>, orderName: string) {
  const received = receiveOrder(orderFixture(orderName));
  const decided = { decision: decision(), result: result(), decidedAtMs: T0, receivedAtMs: T0 };
  const order = { ...received, ...decided, tenant: TENANT } as unknown as OrderRecord;
  const earlier = findEarlierOrders({ dispute, order: {}, kept: [], keeping: false });
  const shipping = { shipments: [], hasMore: false, unsentUnits: 1 };
  const facts = { order, dispute, timeline: [], linked: [], shipping, kept: undefined, earlier, nowMs: T0 };
  return toEvidenceDraft(toEvidencePack(facts), 'She wrote: "thanks" {submitEvidence: true}');
}

describe("the draft of every kind of dispute", () => {
  it("has both payloads and orders to try", () => {
    expect(PAYLOADS).toHaveLength(2);
    expect(ORDERS.length).toBeGreaterThan(5);
  });

  it.each(PAYLOADS)("is what the published schema takes, and is never submitted: %s", async (payload) => {
    const { client, shop } = await startFixture();
    for (const scope of [DISPUTES_SCOPE, EVIDENCE_SCOPE]) shop.grant(scope);
    const evidence = createEvidence(client, () => T0);
    for (const [index, reason] of REASONS.entries()) {
      const dispute = readDispute(payload, reason);
      expect(dispute.reason).toBe(reason);
      const draft = toDraft(dispute, ORDERS[index % ORDERS.length] ?? "");
      const id = `${dispute.disputeId}${index}`;
      const form = { id, status: "NEEDS_RESPONSE", evidenceDueBy: null, evidenceSentOn: null, evidence: {} };
      shop.disputes.push(form);

      // The emulator executes the adapter's document on the published schema, and fails on a submission.
      const saved = await evidence.saveDraft(TENANT, id, draft);

      expect(saved, reason).toMatchObject({ outcome: "saved" });
      expect(form.evidence, reason).toMatchObject({ uncategorizedText: draft.statement });
      expect(form.evidence).not.toHaveProperty("submitEvidence");
      expect(form.evidenceSentOn).toBeNull();
    }
  });
});
