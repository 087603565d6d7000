import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEvidence } from "../../src/buyer-check/evidence.ts";
import { createLinkSender } from "../../src/buyer-check/link-sender.ts";
import { isBrowserMissing, launchBrowser } from "../support/browser.ts";
import { checkOf, now, openBuyerShopForEach, PUBLIC_URL, shop, TENANT } from "../support/buyer-shop.ts";
import { fileOf, holdForEvidence, sentOf } from "../support/buyer-uploads.ts";
import { CONSOLE_TOKEN, startConsole } from "../server/console-app.ts";

const WAIT = { timeout: 30_000, interval: 50 } as const;

/** One pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe.skipIf(isBrowserMissing())("what a buyer sends", () => {
  let browser: Browser;

  openBuyerShopForEach();
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  /** The console and the buyer's page, over the shop's store. */
  async function start() {
    const { store, platform } = shop;
    const buyers = {
      methods: [createEvidence(store)],
      sender: createLinkSender({ publicUrl: PUBLIC_URL }),
    };
    const shared = { ...store, close: async () => {} };
    return startConsole({ store: shared, platforms: [platform], consoleTenant: TENANT, now, buyers });
  }

  it("is written on a small screen, and survives a file that is refused", async () => {
    const link = await holdForEvidence();
    const { origin } = await start();
    const page = await browser.newPage({ viewport: { width: 320, height: 900 } });
    await page.goto(link.replace(shop.origin, origin));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.getByLabel("Your note").fill("I ordered this.\nMy old invoice is below.");
    const choose = page.getByLabel("Photo or file");
    await choose.setInputFiles({ name: "photo.jpg", mimeType: "image/jpeg", buffer: Buffer.from("<html>") });
    await page.getByRole("button", { name: "Send to the shop" }).click();

    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("Your note").inputValue()).toBe("I ordered this.\nMy old invoice is below.");
    await choose.setInputFiles({ name: "photo.png", mimeType: "image/png", buffer: PNG });
    await page.getByRole("button", { name: "Send to the shop" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();

    expect(await sentOf()).toMatchObject([{ note: "I ordered this.\nMy old invoice is below." }]);
    expect((await fileOf())?.bytes.equals(PNG)).toBe(true);
    await page.close();
  });

  it("is shown to a reviewer beside the order: a picture as a picture, a PDF only as a file", async () => {
    const pdf = Buffer.from("%PDF-1.7\n<script>alert(1)</script>");
    const { origin } = await start();
    for (const [orderId, bytes] of [
      ["1", PNG],
      ["2", pdf],
    ] as const) {
      const form = new FormData();
      form.set("note", "<b>I ordered this.</b>\nSee my photo.");
      form.set("file", new Blob([new Uint8Array(bytes)]), "x.html");
      const link = (await holdForEvidence(orderId)).replace(shop.origin, origin);
      expect((await fetch(`${link}/evidence`, { method: "POST", body: form })).status).toBe(200);
    }
    const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
    const problems: string[] = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(`${origin}/orders/1`);
    await page.getByLabel("token").fill(CONSOLE_TOKEN);
    await page.keyboard.press("Enter");
    const panel = page.getByRole("region", { name: "Ask the buyer", exact: true });
    await panel.getByText("<b>I ordered this.</b>").waitFor();
    problems.length = 0;
    await panel.getByRole("button", { name: "Show the picture" }).click();
    const picture = panel.getByRole("img", { name: "Picture that the buyer sent" });
    await expect
      .poll(() => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth), WAIT)
      .toBeGreaterThan(0);

    await page.goto(`${origin}/orders/2`);
    const downloading = page.waitForEvent("download");
    await panel.getByRole("button", { name: "Save the file" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("buyer.pdf");
    expect(readFileSync(await download.path()).equals(pdf)).toBe(true);
    expect(problems).toEqual([]);
    expect((await checkOf("2"))?.answer?.answer).toBe("for-person");
    await page.close();
  });
});
