import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, SOON, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders } from "../support/placed-orders.ts";

describe.skipIf(isBrowserMissing())("the buyer of an order", () => {
  let stage: ConsoleStage;
  const shop = "buyer.myshopify.com";
  let ids: readonly string[];

  beforeAll(async () => {
    stage = await createConsoleStage();
    ids = await placeOrders(stage, shop, [
      { number: 1, as: "high", amount: 40 },
      { number: 2, as: "high", amount: 55 },
      { number: 3, as: "high", amount: 900 },
    ]);
  });
  afterAll(() => stage.close());

  it("has all of their orders on one page, oldest first, beside an earlier one", async () => {
    const last = ids.at(-1) ?? "";
    const opened = await stage.openEmbedded({ shop, path: `/queue/${last}` });
    const { app } = opened;
    await app.getByRole("link", { name: "All orders of this buyer" }).click();

    const page = app.getByRole("article", { name: "Buyer of #1003" });
    const rows = page.getByRole("region", { name: "Orders over time" }).getByRole("table").getByRole("row");
    await expect.poll(() => rows.count(), SOON).toBe(4);
    const texts = await rows.allTextContents();
    expect(texts.slice(1).map((text) => /#\d+/.exec(text)?.[0])).toEqual(["#1001", "#1002", "#1003"]);
    expect(texts.at(-1)).toContain("this order");
    await page.getByText(/^3 orders, .*none refunded, none disputed$/).waitFor();
    // The map is of the page: nothing is loaded from elsewhere.
    await page.locator(".buyer-map svg .land").waitFor();
    expect(await page.locator("img").count()).toBe(0);

    const beside = page.getByRole("region", { name: "This order beside another one" }).getByRole("table");
    expect(await beside.getByRole("columnheader").allTextContents()).toEqual(["Detail", "#1003", "#1002"]);
    await page.getByRole("combobox", { name: "Compare with" }).selectOption(ids[0] ?? "");
    await expect
      .poll(() => beside.getByRole("columnheader").allTextContents(), SOON)
      .toEqual(["Detail", "#1003", "#1001"]);

    await page.getByRole("link", { name: "Back to order #1003" }).waitFor();
    await opened.enter();
    await opened.page.keyboard.press("Escape");
    await app.getByRole("article", { name: "#1003" }).getByRole("heading", { name: "Decide" }).waitFor();
  });

  it.each([360, 1280])("is named in each linked order below the order, at %i px", async (width) => {
    const viewport = { width, height: 800 };
    const { app } = await stage.openEmbedded({ shop, path: `/orders/${ids.at(-1)}`, viewport });
    const list = app.getByRole("list", { name: "Linked orders" });
    const lines = list.getByRole("listitem");
    await expect.poll(() => lines.count(), SOON).toBe(2);
    for (const text of await lines.allTextContents()) {
      expect(text).toContain("Jane Example");
      expect(text).toContain("high@risk.example");
      expect(text).toContain("United States");
    }
    // Names begin at the same place, and nothing scrolls sideways.
    const lefts = await lines.evaluateAll((all) =>
      all.map((one) => one.children[1]?.getBoundingClientRect().left),
    );
    expect(new Set(lefts).size).toBe(1);
    const over = await app.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over).toBeLessThanOrEqual(0);
    expect(await list.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
  });
});
