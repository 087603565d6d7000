import { describe, expect, it } from "vitest";
import { toWithheld } from "../../../../adapters/shopify/admin/admin-answer.ts";

const errorAt = (path: string, code = "ACCESS_DENIED") => ({ code, path });

describe("toWithheld", () => {
  it("returns nothing withheld without errors", () => {
    expect(toWithheld([])("orders.nodes.0.email")).toBe(false);
  });

  it.each([
    ["the field an error names", "orders.nodes.0.email", true],
    ["the same field of another order", "orders.nodes.1.email", false],
    ["the same field of a later order with a like number", "orders.nodes.01.email", false],
    ["another field", "orders.nodes.0.phone", false],
    ["a field whose name starts the same", "orders.nodes.0.e", false],
    ["what the field took with it", "orders.nodes.0", true],
  ])("says of %s: %s is %s", (_what, path, withheld) => {
    expect(toWithheld([errorAt("orders.nodes.0.email")])(path)).toBe(withheld);
  });

  it("accepts errors without a code too, as in the platform's own example", () => {
    const isWithheld = toWithheld([errorAt("customer.phoneNumber.phoneNumber", "UNKNOWN")]);

    expect(isWithheld("customer.phoneNumber")).toBe(true);
  });

  it("treats every null as withheld when an error names no field", () => {
    expect(toWithheld([errorAt("")])("orders.nodes.7.email")).toBe(true);
  });
});
