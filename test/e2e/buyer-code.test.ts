import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toCode } from "../../src/buyer-check/card-code.ts";
import { BUYER_LANGUAGES } from "../../src/order/buyer-check.ts";
import { isBrowserMissing, launchBrowser } from "../support/browser.ts";
import {
  ASKING,
  checkOf,
  deliverHeld,
  openBuyerShopForEach,
  savePolicy,
  shop,
  until,
} from "../support/buyer-shop.ts";

/** A folder for pictures of what the buyer sees. Default: none are taken. */
const SHOTS = process.env["BUYER_SHOTS"];
const PHONE = { width: 320, height: 640 };

describe.skipIf(isBrowserMissing())("the page that asks for the code on a card's statement", () => {
  let browser: Awaited<ReturnType<typeof launchBrowser>>;
  openBuyerShopForEach();
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it.each(BUYER_LANGUAGES)("has no faults on a small phone, in light and dark (%s)", async (language) => {
    await savePolicy({ ...ASKING, verify: { methods: ["card-code", "evidence"] } });
    shop.platform.cardCodes = {
      listPayments: async () => ["pi_1"],
      find: async () => ({ outcome: "possible" }),
      prepare: async () => ({ outcome: "prepared", reference: "pi_2" }),
      show: async () => ({ outcome: "shown" }),
      end: async () => undefined,
    };
    shop.locale = language;
    const link = await deliverHeld("1");
    for (const colorScheme of ["light", "dark"] as const) {
      // As a mail program opens it: no scripts are needed. Only the check for faults runs one.
      const context = await browser.newContext({ viewport: PHONE, colorScheme });
      const page = await context.newPage();
      await page.goto(link);
      await page.locator('form[action$="card-code"] input').fill("wrong");
      await page.locator('form[action$="card-code"] button[value="send"]').click();
      await page.getByRole("alert").waitFor();
      if (SHOTS !== undefined)
        await page.screenshot({ path: `${SHOTS}/code-${language}-${colorScheme}.png`, fullPage: true });
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        PHONE.width,
      );
      await page.evaluate(axe.source);
      const found = await page.evaluate(async () => {
        const { axe: checker } = globalThis as unknown as {
          axe: { run(): Promise<{ violations: readonly { id: string }[] }> };
        };
        return (await checker.run()).violations.map(({ id }) => id);
      });
      expect(found).toEqual([]);
      await context.close();
    }

    const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(link);
    const check = await checkOf("1");
    if (check === undefined) throw new Error("nobody was asked");
    await page.locator("#code").fill(toCode(shop.store.keyring, check).toLowerCase());
    await page.locator('form[action$="card-code"] button[value="send"]').click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await until("1", ({ state }) => state === "settled");
    await context.close();
  });
});
