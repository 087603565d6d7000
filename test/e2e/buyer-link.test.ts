import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import axe from "axe-core";
import { startMailServer, type ReceivedMail } from "../alerts/mail-server.ts";
import { isBrowserMissing, launchBrowser } from "../support/browser.ts";
import { placeOrders, seeOnPlatform, type PlacedOrder } from "../support/placed-orders.ts";
import { toShopOrder } from "../support/shop-orders.ts";
import { createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { until } from "../support/until.ts";

const DAY_MS = 86_400_000;
/** The app goes by the real clock. */
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const CARD = {
  company: "Visa",
  number: "•••• •••• •••• 4242",
  name: "Jane Example",
  expirationMonth: 12,
  expirationYear: 2099,
};
/** A folder for pictures of what the buyer sees. Default: none are taken. */
const SHOTS = process.env["BUYER_SHOTS"];
const POLICY = {
  levels: { high: { action: "hold", verify: "release" } },
  verify: { shopName: "Kettle & Co" },
};
/** What the orders of one customer have in common. */
const toOwn = (days: number) => ({
  created_at: daysAgo(days),
  processed_at: daysAgo(days),
  updated_at: daysAgo(days),
  customer: {
    id: 77,
    admin_graphql_api_id: "gid://shopify/Customer/77",
    first_name: "Jane",
    last_name: "Example",
  },
});
const PHONE = { width: 320, height: 640 };

/** The text of a mail with one part. */
function readText({ raw }: ReceivedMail): string {
  const at = raw.indexOf("\r\n\r\n");
  const [head, body] = [raw.slice(0, at), raw.slice(at + 4)];
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, "base64").toString();
  const bytes = body
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}

describe.skipIf(isBrowserMissing())("a buyer's link", () => {
  let stage: ShopifyStage;
  let browser: Awaited<ReturnType<typeof launchBrowser>>;
  let mails: readonly ReceivedMail[];
  let closeMail: () => Promise<void>;

  beforeAll(async () => {
    stage = await createShopifyStage();
    browser = await launchBrowser();
    const mail = await startMailServer({}, (close) => void (closeMail = close));
    mails = mail.mails;
    await stage.start({
      SMTP_URL: `smtp://alerts:right@localhost:${mail.port}`,
      ALERT_EMAIL_FROM: "holdfast@shop.example",
      ALERT_EMAIL_TO: "operator@shop.example",
    });
  });
  afterAll(async () => {
    await browser.close();
    await closeMail();
    await stage.close();
  });

  const place = (shop: string, { payload = {}, ...order }: PlacedOrder, days: number) =>
    placeOrders(stage, shop, [{ ...order, payload: { ...toOwn(days), ...payload } }], [{ card: CARD }]);

  /** An order that is held, after one that went well long ago. Resolves to the link, at the app under test. */
  async function hold(
    shop: string,
    locale: string,
  ): Promise<{ readonly orderId: string; readonly link: string; readonly text: string }> {
    await stage.install(shop, POLICY);
    await place(shop, { number: 1, as: "low" }, 40);
    const count = mails.length;
    const [orderId = ""] = await place(
      shop,
      { number: 2, as: "high", payload: { customer_locale: locale } },
      0,
    );
    const mail = await until(
      () => mails.slice(count).find(({ to }) => to.includes("low@risk.example")) ?? false,
      { what: "the buyer's mail" },
    );
    const text = readText(mail);
    const [, path = ""] = /https:\/\/app\.example(\/confirm\/[\w-]+)/.exec(text) ?? [];
    return { orderId, text, link: new URL(path, stage.url()).href };
  }

  async function open(link: string, colorScheme: "light" | "dark", scripts = true): Promise<Page> {
    const context = await browser.newContext({
      viewport: PHONE,
      colorScheme,
      locale: "fr-FR",
      javaScriptEnabled: scripts,
    });
    const page = await context.newPage();
    await page.goto(link);
    return page;
  }

  it("releases a held order when its buyer confirms it, and nothing that only reads it does", async () => {
    const shop = "kettle.myshopify.com";
    const { orderId, link, text } = await hold(shop, "en");
    expect(text).not.toMatch(/Jane|high@risk|Street|4242|120/);
    expect(seeOnPlatform(stage, shop, orderId).holds).toBe(1);

    for (const method of ["GET", "HEAD", "GET", "HEAD"]) {
      const read = await fetch(link, { method, headers: { "user-agent": "Mail scanner" } });
      expect(read.status).toBe(200);
      await read.arrayBuffer();
    }
    expect((await fetch(`${link}/earlier-address`)).status).toBe(405);
    expect((await fetch(`${link.slice(0, -1)}${link.endsWith("A") ? "B" : "A"}`)).status).toBe(404);
    expect(seeOnPlatform(stage, shop, orderId).holds).toBe(1);

    // As a mail program opens it: no scripts are needed.
    const page = await open(link, "light", false);
    await page.getByRole("button", { name: "Yes, I placed this order", exact: true }).click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
    await stage.until(shop, (orders) => orders.every(({ state }) => state === "settled"));

    expect(seeOnPlatform(stage, shop, orderId)).toMatchObject({ holds: 0, cancelled: false });
    const replay = await fetch(`${link}/earlier-address`, {
      method: "POST",
      body: new URLSearchParams({ answer: "yes" }),
    });
    expect(replay.status).toBe(404);
    await page.goBack();
    await page.context().close();
  });

  it.each([
    ["de", "light"],
    ["de", "dark"],
    ["ja", "light"],
    ["ja", "dark"],
  ] as const)(
    "is a page in the buyer's language without faults, also on a small phone (%s, %s)",
    async (locale, scheme) => {
      const shop = `page-${locale}-${scheme}.myshopify.com`;
      const { orderId, link, text } = await hold(shop, locale === "de" ? "de-AT" : locale);
      const page = await open(link, scheme);
      const problems: string[] = [];
      page.on("console", (message) => problems.push(message.text()));
      const look = async (name: string) => {
        if (SHOTS !== undefined)
          await page.screenshot({ path: `${SHOTS}/${locale}-${scheme}-${name}.png`, fullPage: true });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
          PHONE.width,
        );
        // Nobody who opens a dead link learns whose it was.
        const language = name === "gone" ? "fr" : locale;
        expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
        await page.evaluate(axe.source);
        const found = await page.evaluate(async () => {
          const { violations } = await (
            globalThis as unknown as {
              axe: {
                run(): Promise<{ violations: readonly { id: string; nodes: readonly { html: string }[] }[] }>;
              };
            }
          ).axe.run();
          return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
        });
        expect(found).toEqual([]);
      };

      await look("question");
      expect(text).toMatch(locale === "de" ? /Bestellung/ : /注文/);
      await page.locator('form[action$="earlier-address"] button[value="no"]').click();
      await look("thanks");
      await page.goto(link);
      await look("gone");

      expect(problems.filter((text) => !text.includes("404"))).toEqual([]);
      expect(seeOnPlatform(stage, shop, orderId)).toMatchObject({ holds: 1, cancelled: false });
      await page.context().close();
    },
  );

  it("ends when the order changes in a way that matters, and stays for another tag", async () => {
    const shop = "changed.myshopify.com";
    const { link } = await hold(shop, "en");
    const change = async (payload: object) => {
      const updated_at = new Date(Date.now() + 1_000).toISOString();
      const { body } = toShopOrder(2, {
        email: "high@risk.example",
        amount: 120,
        payload: { ...toOwn(0), customer_locale: "en", updated_at, ...payload },
      });
      expect(await stage.deliver({ shop, topic: "orders/updated", body })).toBe(200);
      await stage.untilHeard();
    };
    await change({ tags: "gift", note: "Leave it at the door", phone: "+12025550143" });
    expect((await fetch(link)).status).toBe(200);
    await change({ email: "medium@risk.example", contact_email: "medium@risk.example" });

    expect((await fetch(link)).status).toBe(404);
  });
});
