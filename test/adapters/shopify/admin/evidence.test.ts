import { buildSchema, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { createEvidence } from "../../../../adapters/shopify/admin/evidence.ts";
import { createReadShipments } from "../../../../adapters/shopify/admin/shipments.ts";
import { DISPUTES_SCOPE, EVIDENCE_SCOPE } from "../../../../adapters/shopify/admin/scopes.ts";
import { OPERATIONS } from "../../../../adapters/shopify/operations/generated/operations.ts";
import type { EvidenceDraft } from "../../../../src/platform/evidence.ts";
import { ADMIN_SCHEMA } from "../../../../tools/emulators/shopify/generated/admin-schema.ts";
import { updateEvidence, type EmulatedDispute } from "../../../../tools/emulators/shopify/disputes.ts";
import { ORDER_ID, SHOP, startFixture, TENANT } from "../admin-fixture.ts";

const TEN_DAYS_MS = 10 * 86_400_000;
const DRAFT: EvidenceDraft = {
  firstName: "Jane",
  lastName: "Example",
  email: "jane@example.com",
  shippingAddress: { street: "1 Example Street", city: "Springfield", postalCode: "62701", country: "US" },
  accessLog: "2026-11-01 10:00 UTC: order #1001 received.",
  statement: "The order was checked.\n\n山田太郎",
};

async function startDispute(
  changes: Partial<EmulatedDispute> = {},
  scopes = [DISPUTES_SCOPE, EVIDENCE_SCOPE],
) {
  const fixture = await startFixture();
  const { shop } = fixture;
  for (const scope of scopes) shop.grant(scope);
  const dispute: EmulatedDispute = {
    id: "77",
    status: "NEEDS_RESPONSE",
    evidenceDueBy: new Date(fixture.clock.now() + TEN_DAYS_MS).toISOString(),
    evidenceSentOn: null,
    evidence: {},
    ...changes,
  };
  shop.disputes.push(dispute);
  const evidence = createEvidence(fixture.client, fixture.clock.now);
  return { ...fixture, dispute, evidence };
}

describe("createEvidence", () => {
  it("fills a form in as a draft, and a second time changes nothing", async () => {
    const { evidence, dispute, count } = await startDispute();

    expect(await evidence.read(TENANT, "77")).toEqual({ outcome: "open", filled: [] });
    const saved = await evidence.saveDraft(TENANT, "77", DRAFT);
    expect(await evidence.saveDraft(TENANT, "77", DRAFT)).toEqual({ outcome: "saved", fields: [] });

    expect(saved).toMatchObject({ outcome: "saved" });
    expect(dispute.evidenceSentOn).toBeNull();
    expect(dispute.evidence).toEqual({
      customerFirstName: "Jane",
      customerLastName: "Example",
      customerEmailAddress: "jane@example.com",
      shippingAddress: { address1: "1 Example Street", city: "Springfield", zip: "62701", country: "US" },
      accessActivityLog: DRAFT.accessLog,
      uncategorizedText: DRAFT.statement,
    });
    expect(count("SaveEvidenceDraft")).toBe(1);
  });

  it("never overwrites what people or Shopify wrote", async () => {
    const written = { customerFirstName: "Janet", uncategorizedText: "My own words" };
    const { evidence, dispute } = await startDispute({ evidence: { ...written } });

    expect(await evidence.read(TENANT, "77")).toEqual({
      outcome: "open",
      filled: ["firstName", "statement"],
    });
    expect(await evidence.saveDraft(TENANT, "77", DRAFT)).toEqual({
      outcome: "saved",
      fields: ["lastName", "email", "accessLog", "shippingAddress"].toSorted(byField),
    });
    expect(dispute.evidence).toMatchObject(written);
  });

  it("never replaces an address of which somebody wrote only a part", async () => {
    const written = { shippingAddress: { address1: null, city: "Shelbyville" } };
    const { evidence, dispute } = await startDispute({ evidence: { ...written } });

    expect(await evidence.read(TENANT, "77")).toEqual({ outcome: "open", filled: ["shippingAddress"] });
    await evidence.saveDraft(TENANT, "77", DRAFT);
    expect(dispute.evidence).toMatchObject(written);
  });

  it.each([
    ["not-allowed", {}, [DISPUTES_SCOPE]],
    ["not-allowed", {}, [EVIDENCE_SCOPE]],
    ["submitted", { evidenceSentOn: "2026-01-01T00:00:00Z" }, undefined],
    ["submitted", { status: "LOST" }, undefined],
    ["past-due", { evidenceDueBy: "2026-01-01T00:00:00Z" }, undefined],
    ["unknown", { id: "78" }, undefined],
  ] as const)("says why it can't: %s", async (why, changes, scopes) => {
    const { evidence, dispute } = await startDispute(changes, scopes && [...scopes]);

    expect(await evidence.read(TENANT, "77")).toEqual({ outcome: "closed", why });
    expect(await evidence.saveDraft(TENANT, "77", DRAFT)).toEqual({ outcome: "refused", why });
    expect(dispute.evidence).toEqual({});
  });

  it("says that Shopify refuses a text", async () => {
    const { evidence } = await startDispute();
    const tooLong = { statement: "x".repeat(20_001) };
    expect(await evidence.saveDraft(TENANT, "77", tooLong)).toEqual({ outcome: "refused", why: "invalid" });
  });

  it("asks nothing about an ID that isn't Shopify's", async () => {
    const { evidence, emulator } = await startDispute();
    expect(await evidence.read(TENANT, '77" }')).toEqual({ outcome: "closed", why: "unknown" });
    expect(emulator.operations).toEqual([]);
  });

  it("can't submit: the emulator refuses that, and what the published schema doesn't have", async () => {
    const { shop, dispute } = await startDispute();
    const id = "gid://shopify/ShopifyPaymentsDisputeEvidence/77";
    expect(() => updateEvidence(shop, { id, input: { submitEvidence: true } })).toThrow(/must not submit/);
    expect(dispute.evidenceSentOn).toBeNull();

    const schema = buildSchema(ADMIN_SCHEMA);
    const problems = (document: string) => validate(schema, parse(document)).map(({ message }) => message);
    const saving: string = OPERATIONS.SaveEvidenceDraft;
    expect(problems(saving)).toEqual([]);
    expect(problems(saving.replace("customerFirstName", "customerName"))).toHaveLength(1);
    expect(problems(saving.replace("submitEvidence: false", 'submitEvidence: "no"'))).toHaveLength(1);
  });
});

const FIELDS = ["firstName", "lastName", "email", "accessLog", "statement", "shippingAddress"];
const byField = (one: string, other: string) => FIELDS.indexOf(one) - FIELDS.indexOf(other);

describe("createReadShipments", () => {
  it("reads when and how an order was sent, without what was canceled", async () => {
    const { client, shop } = await startFixture();
    const payload = { line_items: [{ name: "Tea", quantity: 3, price: "1.00" }] };
    shop.addOrder({ orderId: ORDER_ID, payload }).shipments.push(
      {
        createdAt: "2026-11-02T08:00:00Z",
        deliveredAt: "2026-11-04T10:00:00Z",
        trackingInfo: [
          { company: "UPS", number: "1Z1" },
          { company: null, number: "1Z2" },
        ],
      },
      { createdAt: "2026-11-03T08:00:00Z", status: "CANCELLED" },
      { createdAt: "2026-11-03T09:00:00Z" },
    );
    const read = createReadShipments(client);

    const shipping = await read(TENANT, ORDER_ID);
    expect(shipping).toMatchObject({ hasMore: false, unsentUnits: 3 });
    expect(shipping?.shipments).toEqual([
      {
        sentAtMs: Date.UTC(2026, 10, 2, 8),
        deliveredAtMs: Date.UTC(2026, 10, 4, 10),
        carrier: "UPS",
        trackingNumbers: ["1Z1", "1Z2"],
      },
      { sentAtMs: Date.UTC(2026, 10, 3, 9), deliveredAtMs: null, carrier: null, trackingNumbers: [] },
    ]);
    expect(await read(TENANT, "404")).toBeNull();
    expect(await read(`shopify:${SHOP}`, "no id")).toBeNull();
  });
});
