import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import {
  fillShop,
  findCut,
  findWide,
  listDialogs,
  listPlaces,
  lookAtDialogs,
  PHONE,
} from "../support/console-places.ts";
import { createConsoleStage, SOON, type ConsolePage, type ConsoleStage } from "../support/console-stage.ts";
import { createSay, PSEUDO } from "../support/console-texts.ts";
import { collectData, findPlain, listTexts } from "../support/foreign-text.ts";
import { LANGUAGES } from "../../src/texts/languages.ts";

const SHOP = "languages.myshopify.com";
const OTHERS = Object.keys(LANGUAGES).filter((language) => language !== "en");

describe.skipIf(isBrowserMissing())("the console's languages", () => {
  let stage: ConsoleStage;
  let orderId: string;

  beforeAll(async () => {
    stage = await createConsoleStage();
    orderId = await fillShop(stage, SHOP);
  });
  afterAll(() => stage.close());

  /** Look at every view and dialog. */
  async function visit(opened: ConsolePage, language: string, look: (place: string) => Promise<void>) {
    const isPhone = (opened.page.viewportSize()?.width ?? 0) === PHONE.width;
    for (const path of listPlaces(orderId)) {
      await opened.goTo(path);
      await look(path);
    }
    await lookAtDialogs(opened, listDialogs(orderId, isPhone, createSay(language)), look);
  }

  it("leave no text out of the catalogs", async () => {
    const opened = await stage.openEmbedded({ shop: SHOP, language: PSEUDO });
    const data = await collectData(opened);
    // Listening to the first requests too.
    await opened.app.goto(opened.app.url());
    const found = new Map<string, string>();
    await visit(opened, PSEUDO, async (place) => {
      for (const text of findPlain(await listTexts(opened.app), data)) found.set(text, place);
    });

    expect([...found].map(([text, place]) => `${place}: ${text.trim()}`)).toEqual([]);
  });

  it.each(OTHERS)("fit every view and dialog, on a phone and on a wide screen: %s", async (language) => {
    const faults: string[] = [];
    for (const viewport of [PHONE, { width: 1280, height: 800 }]) {
      const opened = await stage.openEmbedded({ shop: SHOP, language, viewport });
      await visit(opened, language, async (place) => {
        const where = `${place}, ${viewport.width} px`;
        faults.push(...(await findWide(opened, where)), ...(await findCut(opened, where)));
      });
    }

    expect(faults).toEqual([]);
  });

  it.each(["de", "ja"])("pass axe-core in every view and dialog: %s", async (language) => {
    const opened = await stage.openEmbedded({ shop: SHOP, language, withAxe: true, reducedMotion: "reduce" });
    const faults: string[] = [];
    await visit(opened, language, async (place) => {
      faults.push(...(await opened.findFaults()).map((fault) => `${place}: ${fault}`));
    });

    expect(faults).toEqual([]);
  });

  it("are chosen by the person, and stay chosen", async () => {
    const opened = await stage.signIn();
    const { app, page } = opened;
    // Nobody is signed in while the page loads again.
    opened.expectProblem(/401 \(Unauthorized\)/);
    await app.getByRole("button", { name: /Signed in as/ }).click();
    await app.getByLabel("Language").selectOption("Deutsch");

    const views = app.getByRole("navigation", { name: createSay("de")("shell.views") });
    await views.getByRole("link", { name: "Bestellungen" }).click();
    expect(await app.evaluate(() => document.documentElement.lang)).toBe("de");
    await page.reload();
    await views.waitFor();
  });

  it("show times in the shop's zone, or in the person's own once chosen", async () => {
    const opened = await stage.openEmbedded({
      shop: SHOP,
      path: `/orders/${orderId}`,
      timeZone: "Asia/Tokyo",
    });
    const { app } = opened;
    const received = app.locator("main time").first();
    const readZone = async () =>
      /GMT\+9/.test((await received.innerText()) + (await received.getAttribute("title")));
    await received.waitFor();
    expect(await readZone()).toBe(false);

    await app.getByRole("button", { name: /Signed in as/ }).click();
    await app.getByLabel("Time zone").selectOption("This device’s (Asia/Tokyo)");
    await expect.poll(readZone, SOON).toBe(true);
  });

  it("are English where a language's texts can't be loaded", async () => {
    const opened = await stage.openStandAlone();
    opened.expectProblem(/texts\/fr\.json|401 \(Unauthorized\)/);
    await opened.page.route("**/assets/texts/*", (route) => route.abort());
    await opened.page.goto(`${stage.url().href}?locale=fr`);

    await opened.app.getByRole("button", { name: "Sign in" }).waitFor();
    expect(await opened.app.evaluate(() => document.documentElement.lang)).toBe("en");
  });
});
