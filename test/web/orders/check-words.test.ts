import { expect, it } from "vitest";
import { nameCheck } from "../../../web/data/orders/check-words.ts";

const checked = (kind: "avs" | "cvv", detail: string) => ({
  signs: [{ kind, meaning: "bad" as const, detail }],
  checks: { [kind]: `as the API says (${detail})` },
});

it.each([
  ["avs", "N", "neither street nor postal code matches (N)"],
  ["avs", "U", "the bank didn’t check the address (U)"],
  ["avs", "Z", "the postal code matches, the street doesn’t (Z)"],
  ["cvv", "U", "the bank didn’t check it (U)"],
  ["cvv", "M", "matches (M)"],
  // No catalog has it.
  ["cvv", "Q", "as the API says (Q)"],
] as const)("says what the code of a check means: %s %s", (kind, code, words) => {
  expect(nameCheck(kind, checked(kind, code))).toBe(words);
});

it("says nothing about a check without a result, and what the API says of a code that it doesn't know", () => {
  expect(nameCheck("avs", { signs: [], checks: {} })).toBeUndefined();
  expect(nameCheck("avs", { signs: [], checks: { avs: "code 7" } })).toBe("code 7");
});
