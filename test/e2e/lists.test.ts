import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeRefusal } from "../../src/base/refusals.ts";
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

  it("focuses the reason when the console asks about declining, where Enter declines nothing", async () => {
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
    const reason = dialog.getByLabel("Reason");
    expect(await reason.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByRole("button", { name: "Keep the order" }).click();
    await dialog.waitFor({ state: "detached" });

    expect((await stage.get(SHOP, `api/orders/${orderId}`)).body).toMatchObject({ action: "hold" });
  });

  it("declines and blocks in one press, and undoes both together", async () => {
    const shop = "decline-block.myshopify.com";
    await stage.get(shop, "api/policy");
    await stage.send(shop, "PUT", "api/policy", { body: {} });
    const [first = "", second = ""] = await placeOrders(stage, shop, [
      { number: 1, as: "high" },
      { number: 2, as: "high" },
    ]);
    const opened = await stage.openEmbedded({ shop, path: `/queue/${first}`, withAxe: true });
    const { app, page } = opened;
    const listBlocks = async () => {
      const { lists } = (await stage.get(shop, "api/policy")).body as {
        readonly lists: readonly { readonly list: string; readonly kind: string; readonly reason: string }[];
      };
      return lists.map(({ list, kind, reason }) => `${list} ${kind}: ${reason}`);
    };
    await app.getByRole("article").getByRole("button", { name: "Decline" }).click();
    const dialog = app.getByRole("dialog", { name: "Decline #1001?" });
    const group = dialog.getByRole("group", { name: "Also block for new orders (undone together)" });
    await group.getByRole("checkbox", { name: "Email: h***@*** (matches 1 other order)" }).check();
    expect(await opened.findFaults()).toEqual([]);
    await dialog.getByLabel("For how long").selectOption("No end");
    await dialog.getByRole("button", { name: "Decline" }).click();
    await app.getByText("Blocked 1 detail of the buyer.").waitFor();
    expect(await listBlocks()).toEqual(["block mailbox: Declined #1001: Suspected fraud"]);

    await app
      .getByRole("list", { name: "Decisions that can be undone" })
      .getByRole("button", { name: /^Undo/ })
      .click();
    await app.getByText("#1001 needs a decision again.").waitFor();
    expect(await listBlocks()).toEqual([]);

    // If the policy can't be saved, the decline stands, and the page says which part failed.
    await opened.goTo(`/queue/${second}`);
    await page.route(/\/decline$/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as object;
      await route.fulfill({
        json: { ...body, listProblem: describeRefusal("policy-busy") },
      });
    });
    await app.getByRole("article").getByRole("button", { name: "Decline" }).click();
    const other = app.getByRole("dialog", { name: "Decline #1002?" });
    await other.getByRole("checkbox", { name: /^Email/ }).check();
    await other.getByRole("button", { name: "Decline" }).click();
    await app
      .getByText(
        "#1002 was declined, but nothing was blocked. Someone else just changed the policy. Try again.",
      )
      .waitFor();
  });

  it("says beside each field what is wrong with it", async () => {
    const shop = "beside.myshopify.com";
    await stage.get(shop, "api/policy");
    await stage.send(shop, "PUT", "api/policy", { body: {} });
    const [first = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    const opened = await stage.openEmbedded({ shop, path: `/queue/${first}` });
    opened.expectProblem(/422/);
    const { app, page } = opened;
    const readError = (dialog: typeof app | ReturnType<typeof app.getByRole>, name: string) =>
      dialog.getByLabel(name).evaluate((one) => {
        const ids = (one.getAttribute("aria-describedby") ?? "").split(" ");
        const errors = ids.map((id) => document.getElementById(id)).filter((at) => at?.className === "error");
        return [one.getAttribute("aria-invalid"), ...errors.map((at) => at?.textContent)];
      });
    await app.getByRole("button", { name: "Block email" }).click();
    const block = app.getByRole("dialog", { name: "Block h***@***?" });
    await block.getByRole("button", { name: "Block" }).click();
    await expect
      .poll(() => readError(block, "Reason"), SOON)
      .toEqual(["true", "Expected 1 to 200 characters."]);
    await page.keyboard.press("Escape");

    await opened.enter();
    await page.keyboard.press("Control+k");
    await app.getByRole("combobox", { name: "Find a command or an order" }).waitFor();
    await page.keyboard.type("block the");
    await page.keyboard.press("Enter");
    const buyer = app.getByRole("dialog", { name: "Block the buyer of #1001?" });
    await buyer.getByLabel("Reason").fill("chargeback");
    await buyer.getByRole("button", { name: "Block" }).click();
    await buyer.getByText("Expected at least one of mailbox, network, card, phone, address.").waitFor();
    await buyer.getByRole("checkbox", { name: /^Email/ }).check();
    await buyer.getByRole("button", { name: "Block" }).click();
    await app.getByText("blocked · no other orders").waitFor();
    await app.getByRole("button", { name: "Decline" }).first().click();
    await app.getByRole("dialog").getByText("Email: h***@*** (blocked)").waitFor();
  });
});
