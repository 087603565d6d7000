import { buildSchema, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { ADMIN_SCHEMA } from "../../../adapters/shopify/emulator/admin-schema.ts";
import * as operations from "../../../adapters/shopify/operations.ts";

const { ADMIN_OPERATIONS, ADMIN_API_VERSION, ...documents } = operations;
const schema = buildSchema(ADMIN_SCHEMA);

function problemsOf(document: string): readonly string[] {
  return validate(schema, parse(document)).map((problem) => problem.message);
}

describe("ADMIN_OPERATIONS", () => {
  it.each(Object.entries(ADMIN_OPERATIONS))("%s is valid against the published schema", (name, document) => {
    expect(problemsOf(document)).toEqual([]);
    expect(document).toContain(` ${name}(`);
  });

  it("lists every document there is", () => {
    expect(Object.values(ADMIN_OPERATIONS).toSorted()).toEqual(Object.values(documents).toSorted());
    expect(Object.keys(ADMIN_OPERATIONS)).toHaveLength(11);
  });

  it("asks for no personal data beyond the card facts that are sent on", () => {
    const text = Object.values(ADMIN_OPERATIONS).join("\n");

    expect(text).not.toMatch(
      /\b(?:email|phone|billingAddress|shippingAddress|clientIp|displayName|firstName)\b/,
    );
  });

  it("is written for the version the client asks for", () => {
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
