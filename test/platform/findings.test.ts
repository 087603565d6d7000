import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeFinding } from "../../src/platform/findings.ts";
import { TEXTS } from "../../src/texts/en/findings.ts";

const SOURCES = [
  "adapters/shopify/admin/diagnose.ts",
  "src/server/api/settings/setup-routes.ts",
  "src/server/api/settings/checkout-finding.ts",
]
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

it("says a finding in English, with its code and what it names", () => {
  expect(describeFinding("disputes-unsubscribed", { missing: "DISPUTES_UPDATE" })).toEqual({
    found: "granted, but not subscribed to DISPUTES_UPDATE",
    advice: "revoke the scope and grant it again in the app's setup",
    code: "disputes-unsubscribed",
    params: { missing: "DISPUTES_UPDATE" },
  });
  expect(describeFinding("scopes")).toMatchObject({ advice: null, params: {} });
});

it("fills names into the advice, too", () => {
  expect(describeFinding("older-orders-unrequested", { scope: "read_all_orders" }).advice).toMatch(
    /add read_all_orders to optional_scopes/,
  );
});

it("has no text that nothing finds", () => {
  const codes = Object.keys(TEXTS).filter((code) => !code.endsWith(".advice"));

  expect(codes.filter((code) => !SOURCES.includes(`"${code}"`))).toEqual([]);
});
