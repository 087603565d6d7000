import { buildSchema, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { ADMIN_SCHEMA } from "../../../../tools/emulators/shopify/generated/admin-schema.ts";
import { ADMIN_OPERATIONS } from "../../../../tools/emulators/shopify/admin-operations.ts";
import { toRequestedCost } from "../../../../tools/emulators/shopify/query-cost.ts";
import * as diagnosis from "../../../../adapters/shopify/admin/diagnose-operations.ts";
import * as fulfillment from "../../../../adapters/shopify/admin/fulfillment-operations.ts";
import * as listing from "../../../../adapters/shopify/admin/listing-operations.ts";
import * as payment from "../../../../adapters/shopify/admin/payment-operations.ts";
import * as operations from "../../../../adapters/shopify/admin/operations.ts";

const {
  ADMIN_API_VERSION,
  ENTRY_LINES: _lines,
  FULFILLMENT_ORDER_PAGE: _page,
  ...documents
} = {
  ...operations,
  ...fulfillment,
  ...listing,
  ...diagnosis,
  ...payment,
};
const schema = buildSchema(ADMIN_SCHEMA);

function problemsOf(document: string): readonly string[] {
  return validate(schema, parse(document)).map((problem) => problem.message);
}

describe("ADMIN_OPERATIONS", () => {
  it.each(Object.entries(ADMIN_OPERATIONS))("%s is valid against the published schema", (name, document) => {
    expect(problemsOf(document)).toEqual([]);
    expect(document).toMatch(new RegExp(` ${name}(?:\\(| \\{)`));
  });

  it("lists every document", () => {
    expect(Object.values(ADMIN_OPERATIONS).toSorted()).toEqual(Object.values(documents).toSorted());
    expect(Object.keys(ADMIN_OPERATIONS)).toHaveLength(31);
  });

  it("asks for personal data only where an order is read instead of its webhook", () => {
    const personal =
      /\b(?:email|phone|billingAddress|shippingAddress|clientIp|displayName|firstName|emailAddress|zip)\b/;
    const asking = Object.entries(ADMIN_OPERATIONS).filter(([, document]) => personal.test(document));

    expect(asking.map(([name]) => name)).toEqual(["RecentOrders", "PresentOrder"]);
  });

  it("never releases holds without naming them", () => {
    expect(documents.RELEASE_HOLDS).toContain("$holdIds: [ID!]!");
    expect(documents.RELEASE_HOLDS).toContain("holdIds: $holdIds");
  });

  it("costs less than the limit of a single query, in requested points", () => {
    const variables = { orders: 50 };
    for (const [name, document] of Object.entries(ADMIN_OPERATIONS)) {
      expect(toRequestedCost(schema, parse(document), variables), name).toBeLessThan(1_000);
    }
    expect(toRequestedCost(schema, parse(documents.RECENT_ORDERS), {})).toBe(982);
  });

  it("is written for the version that the client asks for", () => {
    expect(ADMIN_API_VERSION).toBe("2026-10");
  });

  it.each([
    ["an unknown field", documents.ADD_TAGS.replace("node {", "order {")],
    ["an unknown argument", documents.ORDER_DETAIL.replace("first: 10", "last: 10, size: 10")],
    ["a wrong variable type", documents.CANCEL_ORDER.replace("OrderCancelReason!", "String!")],
  ])("would be caught with %s", (_what, document) => {
    expect(problemsOf(document)).not.toEqual([]);
  });
});
