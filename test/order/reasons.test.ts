import { assert, constantFrom, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { REASON_CODES, splitReason } from "../../src/order/reasons.ts";

describe("the reasons of a decision", () => {
  it("are read as they were written, whatever the merchant's rule name contains", () => {
    assert(
      property(constantFrom(...REASON_CODES), string(), (code, detail) => {
        expect(splitReason(detail === "" ? code : `${code}:${detail}`)).toEqual({ code, detail });
      }),
    );
  });

  it("have no code if a text only looks like one of ours", () => {
    for (const text of ["", "ruler", "rules:VIP", "constructor", ":rule", "Rule:VIP"]) {
      expect(splitReason(text).code).toBeNull();
    }
  });
});
