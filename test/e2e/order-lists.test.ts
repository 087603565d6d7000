import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFileSync } from "node:fs";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, SOON, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders } from "../support/placed-orders.ts";

const SHOP = "order-lists.myshopify.com";

describe.skipIf(isBrowserMissing())("the list of orders", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  it("hears of changes without asking every few seconds, and counts them in the tab's title", async () => {
    const shop = "live.myshopify.com";
    await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    const opened = await stage.openEmbedded({ shop });
    const { app, page } = opened;
    await opened.goTo("/queue");
    await app.getByText("1 order ·").waitFor();
    // From now on, nothing in the page that waits for a time goes on.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);

    await placeOrders(stage, shop, [{ number: 2, as: "high" }]);

    await app.getByRole("button", { name: "1 new order" }).waitFor();
    await page.clock.resume();
    await expect.poll(() => app.evaluate(() => document.title), SOON).toBe("(2) Queue · Holdfast");
  });

  it("finds, filters and sorts orders, and saves what it shows as a file", async () => {
    await placeOrders(stage, SHOP, [
      { number: 1, as: "low" },
      { number: 2, as: "high" },
    ]);
    const opened = await stage.openEmbedded({ shop: SHOP, withAxe: true });
    const { app, page } = opened;
    await opened.goTo("/orders");
    await app.getByText(/^2 orders/).waitFor();
    expect(await opened.findFaults()).toEqual([]);

    await app.getByLabel("Outcome").selectOption("declined");
    await app.getByText("No matching orders").waitFor();
    await app.getByRole("button", { name: "Clear search and filters" }).click();
    await app.getByLabel("Dispute").selectOption("any");
    await app.getByText("No matching orders").waitFor();
    await app.getByRole("button", { name: "Clear search and filters" }).click();
    await app.getByLabel("From", { exact: true }).fill("2020-01-01");
    await app.getByText(/^2 orders/).waitFor();
    await app.getByLabel("To", { exact: true }).fill("2020-01-31");
    await app.getByText("No matching orders").waitFor();
    await app.getByRole("button", { name: "Clear search and filters" }).click();

    await app.getByRole("button", { name: "Risk" }).click();
    await expect
      .poll(() => app.getByRole("columnheader", { name: "Risk" }).getAttribute("aria-sort"), SOON)
      .toBe("descending");
    const download = page.waitForEvent("download");
    await app.getByRole("button", { name: "Download CSV" }).click();
    const text = readFileSync(await (await download).path(), "utf8");
    expect(text.split("\r\n")).toHaveLength(4);
    expect(text).toMatch(/^\uFEFForder_id,name,received_at,/);
  });
});
