import type { Frame } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, SOON, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders, seeOnPlatform } from "../support/placed-orders.ts";

/** The text of the focused element. */
function readFocus(app: Frame): Promise<string> {
  return app.evaluate(() => document.activeElement?.textContent ?? "");
}

describe.skipIf(isBrowserMissing())("the review queue", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  it("shows a new order, and approves it by keyboard alone", async () => {
    const shop = "keyboard.myshopify.com";
    await placeOrders(stage, shop, [{ number: 9, as: "low" }]);
    const opened = await stage.openEmbedded({ shop });
    const { app, page } = opened;
    await app.getByText("No orders to review").waitFor();

    const [high = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high", amount: 899 }]);
    await app.getByRole("link", { name: "#1001" }).waitFor();
    const [other = ""] = await placeOrders(stage, shop, [{ number: 2, as: "high", amount: 75 }]);
    expect(seeOnPlatform(stage, shop, high)).toMatchObject({ holds: 1, tags: ["holdfast-high"] });
    await app.getByRole("button", { name: "1 new order" }).waitFor();
    await opened.enter();
    await page.keyboard.press("u");
    await app.getByRole("link", { name: "#1002" }).waitFor();
    await page.keyboard.press("j");
    await expect.poll(() => readFocus(app), SOON).toContain("#1001");
    await page.keyboard.press("Enter");
    const order = app.getByRole("article", { name: "#1001" });
    await order
      .getByText("Releases Holdfast's hold and removes holdfast-high. The order can ship.")
      .waitFor();
    await expect.poll(() => readFocus(app), SOON).toContain("#1001");
    await page.keyboard.press("a");

    // The next one opens, and a screen reader announces it.
    await app.getByRole("article", { name: "#1002" }).waitFor();
    await expect.poll(() => readFocus(app), SOON).toContain("#1002");
    await app
      .getByRole("list", { name: "Decisions that can be undone" })
      .getByText("#1001 approved.")
      .first()
      .waitFor();
    // The order that opened next links to it as another order of the same buyer.
    const listed = app.getByRole("region", { name: "Queue" }).getByRole("link", { name: "#1001" });
    await expect.poll(() => listed.count(), SOON).toBe(0);
    await expect
      .poll(() => seeOnPlatform(stage, shop, high), SOON)
      .toEqual({ tags: [], holds: 0, cancellations: 0, cancelled: false });
    expect(seeOnPlatform(stage, shop, other).holds).toBe(1);

    await page.keyboard.press("Escape");
    await expect.poll(() => readFocus(app), SOON).toContain("#1002");
    await app
      .getByLabel("Key figures")
      .getByText(/^Held for review1$/)
      .waitFor();
  });

  it("shows in the timeline who approved an order, and their note", async () => {
    const shop = "timeline.myshopify.com";
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    const opened = await stage.openEmbedded({ shop, userId: "4711", path: `/queue/${id}` });
    const { app, page } = opened;
    const order = app.getByRole("article", { name: "#1001" });

    await order.getByRole("heading", { name: "Decide" }).waitFor();
    await opened.enter();
    await page.keyboard.press("n");
    await page.keyboard.type("Spoke to the customer: all of it is right. jkadru?");
    await expect.poll(() => order.getByLabel("Note").inputValue(), SOON).toContain("jkadru?");
    await order.getByRole("button", { name: "Approve" }).click();
    await app.getByText("No orders to review").waitFor();
    await expect
      .poll(
        () =>
          app
            .getByRole("heading", { name: "Review queue" })
            .evaluate((one) => one === document.activeElement),
        SOON,
      )
      .toBe(true);

    await stage.until(shop, (orders) => orders.every(({ state }) => state === "settled"));
    await opened.goTo(`/orders/${id}`);
    await app
      .getByRole("listitem")
      .filter({ hasText: "Spoke to the customer" })
      .filter({ hasText: "Noor Haddad" })
      .waitFor();
    await expect.poll(() => app.getByRole("article").textContent(), SOON).toContain("by Noor Haddad");
  });

  it("declines after confirmation, and shows the outcome", async () => {
    const shop = "decline.myshopify.com";
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high", amount: 128 }]);
    const opened = await stage.openEmbedded({ shop, path: `/queue/${id}` });
    const { app, page } = opened;
    const button = app.getByRole("article").getByRole("button", { name: "Decline" });
    const dialog = app.getByRole("dialog", { name: "Decline #1001?" });

    await button.click();
    await dialog.getByText("Cancels the order on Shopify, refunds $128.00, restocks").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => button.evaluate((one) => one === document.activeElement), SOON).toBe(true);
    expect(seeOnPlatform(stage, shop, id)).toMatchObject({ holds: 1, cancellations: 0 });

    await button.click();
    await dialog.getByLabel("Note").fill("A freight forwarder.");
    // Pressed twice, as people do.
    await dialog.getByRole("button", { name: "Decline" }).dblclick();
    await app
      .getByRole("list", { name: "Decisions that can be undone" })
      .getByText("#1001 declined.")
      .first()
      .waitFor();
    await opened.goTo("/overview");
    await stage.until(shop, (orders) => orders.every(({ state }) => state === "settled"));
    expect(seeOnPlatform(stage, shop, id)).toMatchObject({ cancelled: true, cancellations: 1 });

    await opened.goTo(`/orders/${id}`);
    await app.getByRole("definition").getByText("canceled", { exact: true }).waitFor();
    await app.getByText("A freight forwarder.").waitFor();
    await app.getByText("Cancellation: done").waitFor();
  });

  it("decides on several orders at once, and marks the failed ones in the list", async () => {
    const shop = "bulk.myshopify.com";
    const ids = await placeOrders(
      stage,
      shop,
      [1, 2, 3, 4].map((number) => ({ number, as: "high", amount: number * 100 })),
    );
    const opened = await stage.openEmbedded({ shop });
    const { app } = opened;
    await app.getByRole("checkbox", { name: "Select #1001" }).check();
    await app.getByRole("checkbox", { name: "Select #1003" }).check();
    await app.getByRole("checkbox", { name: "Select #1004" }).check();
    // Meanwhile somebody else declines one of them.
    expect((await stage.send(shop, "POST", `api/orders/${ids[2]}/decline`, { userId: "8" })).status).toBe(
      200,
    );
    opened.expectProblem(/409 \(Conflict\)/);

    await app.getByRole("group", { name: "Selected orders" }).getByText("$800.00").waitFor();
    await app
      .getByRole("group", { name: "Selected orders" })
      .getByRole("button", { name: "Approve" })
      .click();
    const dialog = app.getByRole("dialog", { name: /^Approve 3 orders/ });
    await dialog.getByRole("button", { name: "Approve 3 orders" }).click();
    await dialog.waitFor({ state: "detached" });
    await app
      .getByRole("list", { name: "Decisions that can be undone" })
      .getByText("2 orders approved.")
      .first()
      .waitFor();
    // The failed one can be acted on: it's still selected and says why, and a message links to it.
    await app
      .getByRole("row")
      .filter({ hasText: "#1003" })
      .getByText(/^Not decided: /)
      .waitFor();
    expect(await app.getByRole("checkbox", { name: "Select #1003" }).isChecked()).toBe(true);
    await app.getByText(/^#1003 not approved: /).waitFor();
    await app.getByRole("link", { name: "Open #1003" }).click();
    await app.getByRole("article", { name: "#1003" }).waitFor();

    await stage.until(shop, (orders) => orders.filter(({ state }) => state === "settled").length === 3);
    expect(ids.map((id) => seeOnPlatform(stage, shop, id))).toMatchObject([
      { holds: 0, cancelled: false },
      { holds: 1, cancelled: false },
      { cancelled: true, cancellations: 1 },
      { holds: 0, cancelled: false },
    ]);
    // The open order links to the others too.
    const queue = app.getByRole("region", { name: "Review queue" });
    await queue.getByRole("link", { name: "#1001" }).waitFor({ state: "detached" });
    await queue.getByRole("link", { name: "#1002" }).waitFor();
  });

  it("declines several orders with one reason, which the report counts", async () => {
    const shop = "bulk-reason.myshopify.com";
    const ids = await placeOrders(stage, shop, [
      { number: 1, as: "high" },
      { number: 2, as: "high" },
    ]);
    const { app } = await stage.openEmbedded({ shop });
    await app.getByRole("checkbox", { name: "Select #1001" }).check();
    await app.getByRole("checkbox", { name: "Select #1002" }).check();
    const selected = app.getByRole("group", { name: "Selected orders" });
    await selected.getByRole("button", { name: "Decline" }).click();
    const dialog = app.getByRole("dialog", { name: /^Decline 2 orders/ });
    await dialog.getByLabel("Reason").selectOption("Reseller, promotion, or return abuse");
    await dialog.getByRole("button", { name: "Decline 2 orders" }).click();
    await app
      .getByRole("list", { name: "Decisions that can be undone" })
      .getByText("2 orders declined.")
      .first()
      .waitFor();

    for (const id of ids)
      await expect
        .poll(async () => (await stage.get(shop, `api/orders/${id}`)).body, SOON)
        .toMatchObject({ pendingReview: null, declineReason: "abuse" });
    const { body } = await stage.get(shop, "api/report?days=30");
    expect(body).toMatchObject({ declined: { abuse: 2 } });
  });

  it("shows colleagues who is reviewing an order, and lets them take it over", async () => {
    const shop = "claims.myshopify.com";
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    const { app } = await stage.openEmbedded({ shop, path: `/queue/${id}`, userId: "7" });
    await app.getByText("Nobody is reviewing this order.").waitFor();
    await app.getByRole("button", { name: "Claim", exact: true }).click();
    await app.getByText(/^You are reviewing this order until/).waitFor();

    const { app: other } = await stage.openEmbedded({ shop, path: `/queue/${id}`, userId: "8" });
    await other.getByText("Noor Haddad is reviewing this order").waitFor();
    await other.getByRole("row").filter({ hasText: "Noor Haddad is reviewing" }).waitFor();
    await other.getByRole("button", { name: "Take over" }).click();
    await other.getByText(/^You are reviewing this order until/).waitFor();
    await other.getByRole("button", { name: "Release" }).click();
    await other.getByText("Nobody is reviewing this order.").waitFor();
  });

  it("saves a note, and checks again for one credit that it names first", async () => {
    const shop = "recheck.myshopify.com";
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    const { app, page } = await stage.openEmbedded({ shop, path: `/queue/${id}` });
    const order = app.getByRole("article", { name: "#1001" });
    const before = stage.service.calls.length;

    await order.getByLabel("Note").fill("Called: no answer.");
    await page.keyboard.press("Control+Enter");
    await order.getByRole("blockquote").filter({ hasText: "Called: no answer." }).waitFor();
    await expect.poll(() => order.getByLabel("Note").inputValue(), SOON).toBe("");

    await order.getByRole("button", { name: "Check again" }).click();
    const dialog = app.getByRole("dialog", { name: "Check again #1001?" });
    await dialog.getByText("Uses 1 credit and decides again.").waitFor();
    expect(stage.service.calls).toHaveLength(before);
    await dialog.getByRole("button", { name: "Check again" }).click();
    await dialog.waitFor({ state: "detached" });

    await order.getByText("Calls: 2 credits spent").waitFor();
    expect(stage.service.calls).toHaveLength(before + 1);
    expect(seeOnPlatform(stage, shop, id)).toMatchObject({ holds: 1 });
  });

  it("marks orders that someone else decided, and shows new orders on request", async () => {
    const shop = "meanwhile.myshopify.com";
    const [first = ""] = await placeOrders(stage, shop, [
      { number: 1, as: "high", amount: 10 },
      { number: 2, as: "high", amount: 20 },
    ]);
    const opened = await stage.openEmbedded({ shop });
    const { app, page } = opened;
    await app.getByRole("link", { name: "#1001" }).waitFor();

    await stage.send(shop, "POST", `api/orders/${first}/approve`, { userId: "8" });
    await placeOrders(stage, shop, [{ number: 3, as: "high", amount: 30 }]);

    await app.getByRole("row").filter({ hasText: "#1001" }).getByText("Already decided").waitFor();
    const news = app.getByRole("button", { name: "1 new order" });
    await news.waitFor();
    await expect.poll(() => app.getByRole("link", { name: "#1003" }).count(), SOON).toBe(0);
    await opened.enter();
    await page.keyboard.press("u");
    await app.getByRole("link", { name: "#1003" }).waitFor();
    await expect.poll(() => app.getByRole("link", { name: "#1001" }).count(), SOON).toBe(0);
  });
});
