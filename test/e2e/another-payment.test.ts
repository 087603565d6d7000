import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAYMENTS_SCOPE } from "../../adapters/shopify/admin/scopes.ts";
import { isBrowserMissing } from "../support/browser.ts";
import { findWide } from "../support/console-places.ts";
import { createConsoleStage, type ConsoleStage } from "../support/console-stage.ts";
import { createSay } from "../support/console-texts.ts";

describe.skipIf(isBrowserMissing())("blocked buyers at the checkout", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  it("are asked for another payment once the policy says so, and Setup asks for the permission", async () => {
    const say = createSay("en");
    const shop = "another-payment.myshopify.com";
    await stage.get(shop, "api/policy");
    const opened = await stage.openEmbedded({
      shop,
      viewport: { width: 1280, height: 900 },
      path: "/policy",
      withAxe: true,
    });
    const { app } = opened;
    const ask = new RegExp(`^${say("fields.ask-another-payment")}`);
    await app.getByRole("radio", { name: ask }).check();
    await app.getByText(say("fields.ask-another-payment-hint")).waitFor();
    const names = app.getByLabel(say("fields.hidden-payments"));
    await names.fill("Kreditkarte");
    await names.press("Enter");
    expect(await opened.findFaults()).toEqual([]);
    expect(await findWide(opened, "policy")).toEqual([]);

    await app.getByRole("button", { name: say("policy.review-and-save") }).click();
    const dialog = app.getByRole("dialog");
    await dialog.getByText(say("fields.ask-another-payment")).first().waitFor();
    await dialog.getByRole("button", { name: say("policy.save"), exact: true }).click();
    await app.getByText(say("policy.policy-saved")).first().waitFor();
    expect((await stage.get(shop, "api/policy")).body).toMatchObject({
      blockedAtCheckout: "another-payment",
      hiddenPayments: expect.arrayContaining(["credit card", "Kreditkarte"]),
    });

    // Setup asks for the permission that it needs.
    await opened.goTo("/settings/setup");
    await app.getByText(PAYMENTS_SCOPE).first().waitFor();
  });
});
