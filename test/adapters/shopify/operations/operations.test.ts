import { readFileSync } from "node:fs";
import { buildSchema, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { ADMIN_SCHEMA } from "../../../../tools/emulators/shopify/generated/admin-schema.ts";
import { toRequestedCost } from "../../../../tools/emulators/shopify/query-cost.ts";
import { OPERATIONS } from "../../../../adapters/shopify/operations/generated/operations.ts";
import { toModule } from "../../../../scripts/generate-admin-operations.ts";

const GENERATED = "adapters/shopify/operations/generated/operations.ts";
const schema = buildSchema(ADMIN_SCHEMA);

function problemsOf(document: string): readonly string[] {
  return validate(schema, parse(document)).map((problem) => problem.message);
}

describe("OPERATIONS", () => {
  it.each(Object.entries(OPERATIONS))("%s is valid against the published schema", (name, document) => {
    expect(problemsOf(document)).toEqual([]);
    expect(document).toMatch(new RegExp(` ${name}(?:\\(| \\{)`));
  });

  it("is what the script makes of the documents", () => {
    expect(readFileSync(GENERATED, "utf8")).toBe(toModule());
    expect(Object.keys(OPERATIONS)).toHaveLength(45);
  });

  it("never submits evidence to a bank", () => {
    const submitting = Object.values(OPERATIONS).filter((document) => document.includes("submitEvidence"));
    expect(submitting).toEqual([OPERATIONS.SaveEvidenceDraft]);
    expect(OPERATIONS.SaveEvidenceDraft).toContain("submitEvidence: false");
  });

  it("asks for personal data only where an order is read instead of its webhook, or a bank's form is filled in", () => {
    const personal =
      /\b(?:email|phone|billingAddress|shippingAddress|clientIp|displayName|firstName|emailAddress|zip)\b/;
    const asking = Object.entries(OPERATIONS).filter(([, document]) => personal.test(document));

    expect(asking.map(([name]) => name)).toEqual([
      "DisputeForm",
      "SaveEvidenceDraft",
      "RecentOrders",
      "PresentOrder",
    ]);
  });

  it("never releases holds without naming them", () => {
    expect(OPERATIONS.ReleaseHolds).toContain("$holdIds: [ID!]!");
    expect(OPERATIONS.ReleaseHolds).toContain("holdIds: $holdIds");
  });

  it("costs less than the limit of a single query, in requested points", () => {
    const variables = { orders: 50 };
    for (const [name, document] of Object.entries(OPERATIONS)) {
      expect(toRequestedCost(schema, parse(document), variables), name).toBeLessThan(1_000);
    }
    expect(toRequestedCost(schema, parse(OPERATIONS.RecentOrders), {})).toBe(982);
  });

  it.each([
    ["an unknown field", OPERATIONS.AddTags.replace("node {", "order {")],
    ["an unknown argument", OPERATIONS.OrderDetail.replace("first: 10", "last: 10, size: 10")],
    ["a wrong variable type", OPERATIONS.CancelOrder.replace("OrderCancelReason!", "String!")],
  ])("would be caught with %s", (_what, document) => {
    expect(problemsOf(document)).not.toEqual([]);
  });
});
