import type { Frame } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, type ConsoleStage, SOON } from "../support/console-stage.ts";
import { placeOrders } from "../support/placed-orders.ts";

const DE = { address1: "Hauptstr. 5", city: "Berlin", zip: "10115", country_code: "DE", country: "Germany" };
const FR = { address1: "5 rue du Bac", city: "Paris", zip: "75007", country_code: "FR", country: "France" };
const ABROAD = { currency: "EUR", billing_address: DE, shipping_address: FR };
const HOME = { currency: "EUR", billing_address: DE, shipping_address: DE };

const SENTENCE =
  "Hold orders of 500 EUR or more shipped to another country than they are billed in, unless the risk level does more.";

describe.skipIf(isBrowserMissing())("the rule builder", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  async function save(app: Frame): Promise<void> {
    await app.getByRole("button", { name: "Review and save" }).click();
    const dialog = app.getByRole("dialog", { name: "Save this policy?" });
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await app.getByText("Policy saved.").first().waitFor();
    await dialog.waitFor({ state: "detached" });
  }

  const readRules = async (shop: string) => {
    const { body } = await stage.get(shop, "api/policy");
    return (body as { readonly rules: readonly object[] }).rules;
  };

  it.each([1280, 768, 360])(
    "writes, replays and saves: hold orders over 500 EUR that ship abroad, %i px wide",
    async (width) => {
      const shop = `builder-${width}.myshopify.com`;
      await stage.install(shop);
      await placeOrders(stage, shop, [
        { number: 1, as: "low", amount: 640, payload: ABROAD },
        { number: 2, as: "low", amount: 700, payload: HOME },
        { number: 3, as: "critical", amount: 900, payload: ABROAD },
      ]);
      const opened = await stage.openEmbedded({
        shop,
        path: "/policy",
        viewport: { width, height: 800 },
        withAxe: true,
      });
      const { app } = opened;

      await app.getByRole("button", { name: "Add rule" }).click();
      const form = app.getByRole("group", { name: "Conditions" });
      await app.getByRole("textbox", { name: "Name", exact: true }).fill("Big EUR orders abroad");
      await form.getByRole("button", { name: /USD/ }).click();
      await form.getByRole("textbox", { name: "Currency" }).fill("EUR,");
      await form.getByLabel("Add condition").selectOption("shippingCountryDiffers");

      await expect.poll(() => app.getByText(SENTENCE).count(), SOON).toBe(1);
      const flow = app.getByRole("list", { name: "Action changes" }).getByRole("listitem");
      // The canceled order stays canceled.
      await expect
        .poll(() => flow.allTextContents(), SOON)
        .toEqual([expect.stringMatching(/Allow.*Hold.*1 order/)]);
      expect(await app.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await opened.findFaults()).toEqual([]);
      // On a phone, the replay is below the form: its result is in sight beside the button that saves.
      const brief = app.getByText(
        width < 896
          ? "1 of 3 change: hold +1, cancel ±0"
          : /^This policy would have changed 1 of 3 orders: 1 more held\.$/,
      );
      const line = await brief.and(app.locator(".replay-brief")).boundingBox();
      expect(line?.y).toBeLessThan(800);
      expect(line?.height).toBeLessThan(30);

      await save(app);
      expect(await readRules(shop)).toEqual([
        {
          name: "Big EUR orders abroad",
          when: { minAmount: 500, currency: ["EUR"], shippingCountryDiffers: true },
          then: { atLeast: "hold", tags: [] },
        },
      ]);
      await opened.goTo("/policy/versions");
      await app.getByText("Rule “Big EUR orders abroad” added").waitFor();
    },
  );

  it.each([1280, 360])(
    "writes groups, exceptions, ranges and countries by name, %i px wide",
    async (width) => {
      const shop = `groups-${width}.myshopify.com`;
      await stage.install(shop);
      const opened = await stage.openEmbedded({
        shop,
        path: "/policy",
        viewport: { width, height: 800 },
        withAxe: true,
      });
      const { app, page } = opened;
      await app.getByRole("button", { name: "Add rule" }).click();
      const form = app.getByRole("group", { name: "Conditions" });
      await form.getByRole("button", { name: "Remove the condition: Minimum amount" }).click();
      await form.getByRole("button", { name: "Remove the condition: Currency" }).click();
      const add = (where: typeof form, name: string) =>
        where.getByLabel("Add condition").last().selectOption(name);

      // A set without conditions isn't replayed, which the server would refuse: it says what is missing.
      await form.getByText("Add at least one condition here, or remove the set or rule.").waitFor();
      await app.getByText("Fix the highlighted fields to run the replay.").waitFor();
      expect(await app.getByRole("status").getByText("1 field to fix first.").count()).toBe(1);
      await add(form, "any");
      const first = form.getByRole("group", { name: "At least one of these, set 1", exact: true });
      await add(first, "shippingCountry");
      await first.getByLabel("Shipped to country").fill("nigeria");
      await page.keyboard.press("Enter");
      await form.getByRole("button", { name: "Add a set" }).click();
      const second = form.getByRole("group", { name: "At least one of these, set 2", exact: true });
      await add(second, "accountAgeDays");
      await second.getByLabel("At most").fill("3");
      await add(form, "not");
      const except = form.getByRole("group", { name: "Except if, set 1", exact: true });
      await add(except, "companyOrder");
      await app.getByLabel("Then", { exact: true }).selectOption("tag");

      await app
        .getByText(
          "Tag orders either shipped to Nigeria or from accounts opened at most 3 days ago, except those from companies, unless the risk level does more.",
        )
        .waitFor();
      expect(await app.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await opened.findFaults()).toEqual([]);
      await save(app);
      expect(await readRules(shop)).toMatchObject([
        {
          when: {
            any: [{ shippingCountry: ["NG"] }, { accountAgeDays: { max: 3 } }],
            not: [{ companyOrder: true }],
          },
          then: { atLeast: "tag" },
        },
      ]);
    },
  );

  it("makes a rule from an order, with what stands out about it", async () => {
    const shop = "from-order.myshopify.com";
    await stage.install(shop);
    const [orderId = ""] = await placeOrders(stage, shop, [
      { number: 1, as: "high", amount: 640, payload: ABROAD },
    ]);
    const opened = await stage.openEmbedded({ shop, path: `/orders/${orderId}` });
    const { app } = opened;

    await app.getByRole("button", { name: "Make a rule from this order" }).click();
    await app.getByText(/^Hold orders of 600 EUR or more .*shipped to another country/).waitFor();
    await expect
      .poll(() => app.getByRole("textbox", { name: "Name", exact: true }).inputValue(), SOON)
      .toBe("Like order #1001");
    await app.getByText("1 change").first().waitFor();
    await save(app);
    expect(await readRules(shop)).toMatchObject([{ when: { minAmount: 600, shippingCountryDiffers: true } }]);
  });
});
