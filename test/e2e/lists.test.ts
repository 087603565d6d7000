import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, SOON, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders } from "../support/placed-orders.ts";

const SHOP = "lists.myshopify.com";

describe.skipIf(isBrowserMissing())("the block list", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  it("blocks a buyer from an order by keyboard, holds the next order, and unblocks on the policy page", async () => {
    const [first = ""] = await placeOrders(stage, SHOP, [{ number: 1, as: "low" }]);
    const { body: policy } = await stage.get(SHOP, "api/policy");
    await stage.send(SHOP, "PUT", "api/policy", { body: policy });
    const opened = await stage.openEmbedded({ shop: SHOP, withAxe: true });
    const { app, page } = opened;
    await opened.goTo(`/orders/${first}`);

    await app.getByRole("button", { name: "Block email" }).focus();
    await page.keyboard.press("Enter");
    const dialog = app.getByRole("dialog", { name: "Block l***@***?" });
    await dialog.waitFor();
    expect(await opened.findFaults()).toEqual([]);
    await dialog.getByLabel("Reason").focus();
    await page.keyboard.type("chargeback");
    await dialog.getByRole("button", { name: "Block" }).focus();
    await page.keyboard.press("Enter");
    await app.getByText("blocked · no other orders").waitFor();

    const [second = ""] = await placeOrders(stage, SHOP, [{ number: 2, as: "low" }]);
    await opened.goTo(`/orders/${second}`);
    await app.getByText("On the block list: email").first().waitFor();
    expect((await stage.get(SHOP, `api/orders/${second}`)).body).toMatchObject({
      riskLevel: "low",
      action: "hold",
      reasons: ["blocked:mailbox", "level:low"],
    });

    await opened.goTo("/policy");
    await app.getByText("chargeback").waitFor();
    expect(await opened.findFaults()).toEqual([]);
    await app.getByRole("button", { name: "Remove Email l***@***" }).focus();
    await page.keyboard.press("Enter");
    await app.getByRole("button", { name: "Review and save" }).click();
    await app.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await expect
      .poll(async () => ((await stage.get(SHOP, "api/policy")).body as { lists: unknown }).lists, SOON)
      .toEqual([]);
  });

  it("snoozes a rule for a customer from an order, so that the next order is decided by its level", async () => {
    const shop = "snooze.myshopify.com";
    const rules = [{ name: "Every order", when: { minAmount: 0 }, then: { action: "hold" } }];
    await stage.get(shop, "api/policy");
    await stage.send(shop, "PUT", "api/policy", { body: { rules } });
    const [first = ""] = await placeOrders(stage, shop, [{ number: 1, as: "low" }]);
    const opened = await stage.openEmbedded({ shop, withAxe: true });
    const { app, page } = opened;
    await opened.goTo(`/orders/${first}`);

    await app.getByRole("button", { name: "Don't apply to this customer (Every order)" }).focus();
    await page.keyboard.press("Enter");
    const dialog = app.getByRole("dialog", { name: "Don't apply “Every order” to this customer?" });
    await dialog.waitFor();
    expect(await opened.findFaults()).toEqual([]);
    await dialog.getByLabel("Reason").focus();
    await page.keyboard.type("an agency");
    await dialog.getByRole("button", { name: "Don't apply" }).focus();
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });

    const [second = ""] = await placeOrders(stage, shop, [{ number: 2, as: "low" }]);
    expect((await stage.get(shop, `api/orders/${second}`)).body).toMatchObject({
      action: "allow",
      reasons: ["level:low", "snoozed:Every order"],
    });
    await opened.goTo(`/orders/${second}`);
    await app.getByText("Rule “Every order” isn't applied to this customer for now").first().waitFor();
    await opened.goTo("/policy");
    await app.getByText("an agency").waitFor();
    expect(await opened.findFaults()).toEqual([]);
  });

  it("focuses the button that keeps the order when the console asks about declining", async () => {
    const [orderId = ""] = await placeOrders(stage, SHOP, [{ number: 3, as: "high" }]);
    const opened = await stage.openEmbedded({ shop: SHOP });
    const { app, page } = opened;
    await opened.goTo(`/queue/${orderId}`);
    await app.getByRole("button", { name: "Decline" }).first().click();
    const dialog = app.getByRole("dialog");
    await dialog.getByLabel("Reason").selectOption("Stolen card or account");

    expect(await dialog.getAttribute("aria-describedby")).not.toBeNull();
    await dialog.getByRole("button", { name: "Keep the order" }).focus();
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("d");
    await dialog.waitFor();
    const focused = await app.evaluate(() => document.activeElement?.textContent);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });

    expect(focused).toBe("Keep the order");
    expect((await stage.get(SHOP, `api/orders/${orderId}`)).body).toMatchObject({ action: "hold" });
  });
});
