import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createDiagnose } from "../../../../adapters/shopify/admin/diagnose.ts";
import {
  ALL_ORDERS_SCOPE,
  DISPUTES_SCOPE,
  REQUIRED_SCOPES,
  PAYMENTS_SCOPE,
  VALIDATIONS_SCOPE,
} from "../../../../adapters/shopify/admin/scopes.ts";
import type { EmulatedShop } from "../../../../tools/emulators/shopify/emulated-shop.ts";
import type { JsonObject } from "../../../../adapters/shopify/base/payload.ts";
import type { Finding } from "../../../../src/adapter-kit.ts";
import { startFixture, TENANT, type FixtureOptions } from "../admin-fixture.ts";
import { sampleOrder } from "../fixtures.ts";

async function startDiagnosis(options: FixtureOptions = {}) {
  const fixture = await startFixture(options);
  const diagnose = createDiagnose(fixture.client, "https://app.example.com/", fixture.clock.now);
  const look = async (tenant: string | null = TENANT) => {
    const findings = await diagnose(tenant);
    return new Map(findings.map((finding) => [finding.id, finding]));
  };
  return { ...fixture, look };
}

const statusesOf = (findings: ReadonlyMap<string, Finding>) =>
  Object.fromEntries([...findings].map(([id, { status }]) => [id.replace("shopify.", ""), status]));

function orderAt(shop: EmulatedShop, changes: JsonObject = {}): void {
  const created_at = new Date(Date.now() - 60_000).toISOString();
  shop.addOrder({ orderId: "5000000001", payload: sampleOrder({ created_at, ...changes }) });
}

describe("createDiagnose", () => {
  it("finds nothing wrong with a shop that grants everything", async () => {
    const { look, shop, emulator } = await startDiagnosis();
    orderAt(shop);

    const findings = await look();
    expect([...findings.values()].map(({ code }) => code)).toEqual([
      "access",
      "scopes",
      "personal-data",
      "disputes-off",
      "older-orders-unrequested",
      "checkout-off",
      "checkout-payments-off",
      "api-version",
    ]);
    expect(statusesOf(findings)).toEqual({
      access: "ok",
      scopes: "ok",
      "personal-data": "ok",
      disputes: "skipped",
      "older-orders": "skipped",
      checkout: "skipped",
      "checkout-payments": "skipped",
      "api-version": "ok",
    });
    expect(emulator.operations.map(({ name }) => name)).toEqual(["DiagnoseShop", "RecentOrders"]);
    expect(emulator.operations.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it("contains no personal data", async () => {
    const { look, shop } = await startDiagnosis();
    orderAt(shop);

    const told = JSON.stringify([...(await look()).values()]);

    for (const personal of ["Jane", "jane", "@", "5000000001"]) expect(told).not.toContain(personal);
  });

  it("lists missing scopes, and accepts a write scope as a read scope", async () => {
    const { look, shop } = await startDiagnosis();
    const thirdParty = "write_third_party_fulfillment_orders";
    shop.scopes = ["write_customers", "write_orders", "read_merchant_managed_fulfillment_orders", thirdParty];

    expect((await look()).get("shopify.scopes")).toMatchObject({
      status: "problem",
      found: "not granted: write_merchant_managed_fulfillment_orders",
      advice: expect.stringContaining("shopify app deploy"),
    });

    shop.scopes = REQUIRED_SCOPES;
    expect((await look()).get("shopify.scopes")).toMatchObject({ status: "ok" });
  });

  it("explains what happens without the scope for fulfillment services", async () => {
    const { look, shop } = await startDiagnosis();
    shop.scopes = REQUIRED_SCOPES.filter((scope) => !scope.includes("third_party"));

    expect((await look()).get("shopify.scopes")).toMatchObject({
      status: "problem",
      found:
        "not granted: write_third_party_fulfillment_orders: goods at a fulfillment service are hidden, and ship although the order is on hold",
    });
  });

  it("needs the scopes that shopify.app.toml asks for", () => {
    const toml = readFileSync("shopify.app.toml", "utf8");
    const listOf = (key: string) => new RegExp(`^${key} = (.*)$`, "m").exec(toml)?.[1];

    expect(listOf("scopes")).toBe(`"${REQUIRED_SCOPES.join(",")}"`);
    expect(listOf("optional_scopes")).toBe(
      `["${DISPUTES_SCOPE}", "${VALIDATIONS_SCOPE}", "${PAYMENTS_SCOPE}"]`,
    );
    // Shopify refuses a deploy with it before the approval.
    expect(listOf("# optional_scopes")).toBe(
      `["${ALL_ORDERS_SCOPE}", "${DISPUTES_SCOPE}", "${VALIDATIONS_SCOPE}", "${PAYMENTS_SCOPE}"]`,
    );
  });

  it.each([
    ["shopify.checkout", VALIDATIONS_SCOPE],
    ["shopify.checkout-payments", PAYMENTS_SCOPE],
  ])("asks for the scope of %s if the deployed file has it, and only then", async (id, scope) => {
    const { look, shop } = await startDiagnosis();
    expect((await look()).get(id)).toMatchObject({ status: "skipped", requests: [scope] });
    shop.optionalScopes = [DISPUTES_SCOPE];
    expect((await look()).get(id)).toBeUndefined();
    shop.scopes = [...shop.scopes, scope];
    expect((await look()).get(id)).toMatchObject({ status: "ok" });
  });

  it("detects that personal data is withheld", async () => {
    const { look, shop } = await startDiagnosis();
    orderAt(shop);
    shop.deny("Order.email", "CustomerEmailAddress.emailAddress");

    expect((await look()).get("shopify.personal-data")).toMatchObject({
      status: "problem",
      advice: expect.stringContaining("protected customer data"),
    });
  });

  it("can't detect that without an order", async () => {
    const { look, shop } = await startDiagnosis();
    orderAt(shop, { created_at: new Date(Date.now() - 80 * 86_400_000).toISOString() });

    expect((await look()).get("shopify.personal-data")).toMatchObject({ status: "skipped", advice: null });
  });

  it("continues when orders can't be read", async () => {
    const { look, emulator } = await startDiagnosis();
    emulator.fail(1, "403", { operation: "RecentOrders" });

    expect(statusesOf(await look())).toMatchObject({
      access: "ok",
      "personal-data": "warning",
      "api-version": "ok",
    });
  });

  it("says whether the shop's disputes arrive if it granted the scope for them", async () => {
    const { look, shop } = await startDiagnosis();
    shop.scopes = [...shop.scopes, DISPUTES_SCOPE];
    shop.subscriptions = ["DISPUTES_CREATE"];
    expect((await look()).get("shopify.disputes")).toMatchObject({
      status: "warning",
      found: expect.stringContaining("DISPUTES_UPDATE"),
    });

    shop.subscriptions = ["DISPUTES_CREATE", "DISPUTES_UPDATE"];
    expect(statusesOf(await look())).toMatchObject({ disputes: "ok" });
  });

  it("says what is lost without read_all_orders, and offers it once the app may request it", async () => {
    const { look, shop } = await startDiagnosis();
    const lost = { status: "skipped", found: expect.stringContaining("hides orders from day 60 on") };
    expect((await look()).get("shopify.older-orders")).toMatchObject({
      ...lost,
      advice: expect.stringContaining("once Shopify approves it"),
    });

    shop.optionalScopes = [ALL_ORDERS_SCOPE];
    expect((await look()).get("shopify.older-orders")).toMatchObject({
      ...lost,
      advice: null,
      requests: [ALL_ORDERS_SCOPE],
    });

    shop.grant(ALL_ORDERS_SCOPE);
    expect(statusesOf(await look())).toMatchObject({ "older-orders": "ok" });
  });

  it("detects that the API version has ended", async () => {
    const { look, shop } = await startDiagnosis();
    shop.versions = ["2027-07", "2027-10"];

    expect((await look()).get("shopify.api-version")).toMatchObject({ status: "problem" });
  });

  it("distinguishes missing data from a missing permission", async () => {
    const { look, shop } = await startDiagnosis();
    shop.deny("AppInstallation.accessScopes");

    expect(statusesOf(await look())).toMatchObject({ scopes: "skipped", disputes: "skipped" });
  });

  it.each([
    ["it was never opened", { unopened: true }, undefined, "problem", "open the app once"],
    ["Shopify turns the app away", {}, "403", "problem", "IP allowlist"],
    ["Shopify is throttled", {}, "429", "warning", "less busy"],
    ["Shopify fails", {}, "503", "problem", "Shopify's status"],
  ] as const)("says what to do when %s", async (_why, options, fault, status, advice) => {
    const { look, emulator } = await startDiagnosis(options);
    if (fault !== undefined) emulator.fail(1, fault);

    const findings = await look();

    expect(findings.get("shopify.access")).toMatchObject({ status, advice: expect.stringContaining(advice) });
    expect(new Set([...findings.values()].slice(1).map((finding) => finding.status))).toEqual(
      new Set(["skipped"]),
    );
  });

  it("asks to open the app when access was revoked", async () => {
    const { look, shop } = await startDiagnosis();
    shop.tokens.revokeAll();

    expect((await look()).get("shopify.access")).toMatchObject({
      status: "problem",
      advice: expect.stringContaining("open the app once"),
    });
  });

  it("doesn't accept a local address as one that Shopify can reach", async () => {
    const { client, clock, look } = await startDiagnosis();
    const appUrl = "http://localhost:3000/";
    const local = createDiagnose(client, appUrl, clock.now);

    expect(await local(null)).toMatchObject([{ id: "shopify.app-url", status: "problem" }]);
    expect(statusesOf(await look(null))).toEqual({ "app-url": "ok" });
  });
});
