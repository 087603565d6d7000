import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { isBrowserMissing, launchBrowser } from "../support/browser.ts";
import { createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { placeOrders, seeOnPlatform } from "../support/placed-orders.ts";
import { SOON } from "../support/console-stage.ts";

const EXTENSIONS = "https://extensions.shopifycdn.com";

/** An extension's module as the CLI bundles it: one script. */
async function bundle(module: string): Promise<string> {
  const built = await build({
    configFile: false,
    envFile: false,
    logLevel: "error",
    oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      write: false,
      lib: {
        entry: fileURLToPath(new URL(`../../extensions/${module}`, import.meta.url)),
        formats: ["iife"],
        name: "extension",
        fileName: () => "extension.js",
      },
    },
  });
  const output = [built].flat().flatMap((one) => ("output" in one ? one.output : []));
  return output.find((one) => one.type === "chunk")?.code ?? "";
}

/** Shopify draws the components; here they are plain elements with the same words, slots and events. */
describe.skipIf(isBrowserMissing())("the extensions on orders", () => {
  let stage: ShopifyStage;
  let browser: Browser;

  beforeAll(async () => {
    [stage, browser] = await Promise.all([createShopifyStage(), launchBrowser()]);
    await stage.start();
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  /**
   * Draw an extension for selected orders, with what the admin provides: the orders, `close`, and a signed `fetch` that
   * can't reach the app for the `unreachable` order.
   */
  async function draw(
    module: string,
    shop: string,
    orderIds: readonly string[],
    unreachable = "none",
  ): Promise<Page> {
    const context = await browser.newContext({ permissions: ["local-network-access"] });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.exposeFunction("sessionToken", () => stage.emulator.createSessionToken(shop, { userId: "7" }));
    await page.route(`${EXTENSIONS}/**`, (route) =>
      route.fulfill({ contentType: "text/html", body: "<!doctype html><body></body>" }),
    );
    await page.route(`**/api/orders/${unreachable}`, (route) => route.abort());
    await page.goto(`${EXTENSIONS}/extension`);
    await page.evaluate(
      ({ base, ids }) => {
        const admin = globalThis as unknown as {
          sessionToken: () => Promise<string>;
          shopify: object;
          fetch: (path: string, init?: RequestInit) => Promise<Response>;
          isClosed: boolean;
        };
        const send = fetch;
        admin.isClosed = false;
        admin.shopify = {
          data: { selected: ids.map((id) => ({ id: `gid://shopify/Order/${id}` })) },
          close: () => void (admin.isClosed = true),
        };
        admin.fetch = async (path, init) => {
          const headers = {
            ...(init?.headers as object),
            authorization: `Bearer ${await admin.sessionToken()}`,
          };
          return await send(new URL(path, base), { ...init, headers });
        };
      },
      { base: stage.url().href, ids: [...orderIds] },
    );
    await page.addScriptTag({ content: await bundle(module) });
    await page.evaluate(() => (globalThis as unknown as { extension: () => Promise<void> }).extension());
    return page;
  }

  /** Choose in the list, as its component does. */
  async function choose(page: Page, value: string): Promise<void> {
    await page.locator("s-choice-list").evaluate((list, chosen) => {
      Object.assign(list, { values: [chosen] }).dispatchEvent(new Event("change", { bubbles: true }));
    }, value);
  }

  /** Choose in the select, as its component does. */
  async function select(page: Page, value: string): Promise<void> {
    await page.locator("s-select").evaluate((field, chosen) => {
      Object.assign(field, { value: chosen }).dispatchEvent(new Event("change", { bubbles: true }));
    }, value);
  }

  const isClosed = (page: Page) => page.evaluate(() => (globalThis as { isClosed?: boolean }).isClosed);

  it("show why an order is held, with its factors", async () => {
    const shop = "block.myshopify.com";
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    const page = await draw("order-block/src/order-block.tsx", shop, [id]);

    await page.getByText("Held for review").waitFor();
    expect(await page.locator("s-badge").allTextContents()).toEqual([
      expect.stringMatching(/^high risk, \d+ of 100$/),
      "high",
      "medium",
      "low",
    ]);
  });

  it("decline an order with a reason and a note, after saying what can't be undone", async () => {
    const shop = "action.myshopify.com";
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    const page = await draw("order-actions/src/order-action.tsx", shop, [id]);
    const primary = page.locator("s-button[slot=primary-action]");
    await page.getByText("high risk").waitFor();
    expect(await primary.textContent()).toBe("Choose what to do");

    await choose(page, "decline");
    await page.locator("s-banner").getByText("You can't undo this after it takes effect.").waitFor();
    await select(page, "stolen-payment");
    await page.locator("s-text-area").evaluate((area) => {
      Object.assign(area, { value: "The card's owner called" }).dispatchEvent(new Event("input"));
    });
    await expect.poll(() => primary.textContent(), SOON).toBe("Cancel order as fraud");
    await primary.click();

    await expect.poll(() => isClosed(page), SOON).toBe(true);
    await expect.poll(() => seeOnPlatform(stage, shop, id).cancelled, SOON).toBe(true);
    const { body } = await stage.get(shop, `api/orders/${id}`);
    expect(body).toMatchObject({ declineReason: "stolen-payment" });
    expect(JSON.stringify(body)).toContain("The card's owner called");
  });

  it("name the selected orders, and approve those that can be approved", async () => {
    const shop = "bulk.myshopify.com";
    const ids = await placeOrders(stage, shop, [
      { number: 1, as: "high" },
      { number: 2, as: "high" },
    ]);
    const page = await draw("order-actions/src/bulk-action.tsx", shop, [...ids, "404"]);
    const lines = page.locator("s-list-item");
    await expect
      .poll(() => lines.allTextContents(), SOON)
      .toEqual(["#1001, high risk", "#1002, high risk", expect.stringContaining("hasn't received it")]);

    await choose(page, "decline");
    await page.locator("s-banner").getByText("Cancels 2 orders in Shopify.").waitFor();
    await page.locator("s-banner").getByText("You can't undo this.").waitFor();
    expect(await page.locator("s-option").allTextContents()).toContain("Stolen card or account");
    await choose(page, "approve");
    const primary = page.locator("s-button[slot=primary-action]");
    await expect.poll(() => primary.textContent(), SOON).toBe("Approve 2 orders");
    await primary.click();

    await expect.poll(() => lines.allTextContents(), SOON).toContain("#1002, high risk: approved");
    await stage.until(shop, (orders) => orders.every(({ state }) => state === "settled"));
    expect(ids.map((id) => seeOnPlatform(stage, shop, id).holds)).toEqual([0, 0]);
    expect(await isClosed(page)).toBe(false);
  });

  it("say that a selected order has no risk level, isn't known, or can't be asked about", async () => {
    const shop = "bulk-names.myshopify.com";
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "low", payload: { test: true } }]);
    const page = await draw("order-actions/src/bulk-action.tsx", shop, [id, "404", "405"], "405");

    await expect
      .poll(() => page.locator("s-list-item").allTextContents(), SOON)
      .toEqual([
        "#1001, no risk level",
        "Order 404: Holdfast hasn't received it. Nothing changes.",
        "Order 405: Can't reach Holdfast. Nothing changes.",
      ]);
  });

  it("decline the selected orders with one reason", async () => {
    const shop = "bulk-decline.myshopify.com";
    const ids = await placeOrders(stage, shop, [
      { number: 1, as: "high" },
      { number: 2, as: "high" },
    ]);
    const page = await draw("order-actions/src/bulk-action.tsx", shop, ids);
    await page.getByText("#1002, high risk").waitFor();

    await choose(page, "decline");
    await select(page, "abuse");
    await page.locator("s-button[slot=primary-action]").click();

    await page.getByText("#1002, high risk: declined").waitFor();
    await page.getByText("#1001, high risk: declined").waitFor();
    for (const id of ids)
      expect((await stage.get(shop, `api/orders/${id}`)).body).toMatchObject({ declineReason: "abuse" });
  });
});
