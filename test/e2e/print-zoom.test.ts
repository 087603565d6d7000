import type { Frame } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, type ConsoleStage, waitUntilLoaded } from "../support/console-stage.ts";
import { placeOrders } from "../support/placed-orders.ts";

const SHOP = "paper.myshopify.com";

/** Texts that are cut off, by whatever hides what doesn't fit. */
function listCut(app: Frame): Promise<readonly string[]> {
  return app.evaluate(() =>
    [...document.querySelectorAll("main *")]
      .filter((one) => {
        const { overflowX, overflowY, display, visibility } = getComputedStyle(one);
        if (display === "none" || visibility === "hidden" || one.closest(".unseen, svg") !== null)
          return false;
        const isCutX = overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
        const isCutY = overflowY !== "visible" && one.scrollHeight > one.clientHeight + 1;
        return one.clientWidth > 1 && (isCutX || isCutY);
      })
      .map((one) => `${one.className}: ${one.textContent.slice(0, 60)}`),
  );
}

/** Parts that stay in place while the page scrolls, and cover each other. */
function listOverlaps(app: Frame): Promise<readonly string[]> {
  return app.evaluate(() => {
    const fixed = [...document.querySelectorAll("body *")].filter((one) => {
      const { position, visibility } = getComputedStyle(one);
      const { width, height, top, bottom } = one.getBoundingClientRect();
      const isShown = visibility !== "hidden" && width > 1 && height > 1 && bottom > 0 && top < innerHeight;
      return (
        (position === "fixed" || position === "sticky") && isShown && !one.matches(".toasts, .skip, .unseen")
      );
    });
    const isOver = (one: Element, other: Element) => {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    };
    return fixed.flatMap((one, at) =>
      fixed
        .slice(at + 1)
        .filter((other) => !one.contains(other) && !other.contains(one) && isOver(one, other))
        .map((other) => `${one.className || one.tagName} and ${other.className || other.tagName}`),
    );
  });
}

describe.skipIf(isBrowserMissing())("the console", () => {
  let stage: ConsoleStage;
  let ids: readonly string[];

  beforeAll(async () => {
    stage = await createConsoleStage();
    ids = await placeOrders(stage, SHOP, [
      { number: 1, as: "high" },
      { number: 2, as: "critical" },
      { number: 3, as: "high", amount: 999 },
    ]);
  });
  afterAll(() => stage.close());

  it.each(["order", "buyer", "report"])(
    "prints the %s black on white, without anything to press",
    async (what) => {
      const id = ids[2] ?? "";
      const paths: Record<string, string> = {
        order: `/queue/${id}`,
        buyer: `/queue/${id}?buyer=${id}`,
        report: "/report",
      };
      const { app, page } = await stage.openEmbedded({
        shop: SHOP,
        path: paths[what] ?? "/",
        colorScheme: "dark",
        viewport: { width: 718, height: 1000 },
      });
      await app.locator("h1:visible").first().waitFor();
      await waitUntilLoaded(app);
      if (what === "order") await app.getByText("high@risk.example").first().waitFor();
      await page.emulateMedia({ media: "print", colorScheme: "dark" });

      const pressed = app.locator(
        "button, nav, textarea, .top-bar, .decide-bar, .save-bar, .filters, .toasts",
      );
      expect(await pressed.evaluateAll((all) => all.filter((one) => one.checkVisibility()).length)).toBe(0);
      expect(
        await app.evaluate(() => {
          const { backgroundColor, color } = getComputedStyle(document.body);
          return [backgroundColor, color];
        }),
      ).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
      const links = app.locator("main a:visible");
      const lines = await links.evaluateAll((all) =>
        all.map((one) => [
          getComputedStyle(one).textDecorationLine,
          getComputedStyle(one, "::after").content,
        ]),
      );
      expect(
        lines.filter(([line, after]) => line !== "none" || !["none", "normal", '""'].includes(after ?? "")),
      ).toEqual([]);
      expect(await listCut(app)).toEqual([]);
      expect(await app.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
        0,
      );
      if (what !== "order") return;
      // Without the list, and with what is folded on the screen.
      expect(await app.getByRole("region", { name: "Review queue" }).count()).toBe(0);
      for (const text of ["#1003", "high@risk.example", "Data sent"]) {
        expect(await app.locator("main").innerText()).toContain(text);
      }
      const folded = app.locator("details:not([open]) > :not(summary)").first();
      expect(await folded.evaluate((one) => one.getBoundingClientRect().height)).toBeGreaterThan(0);
    },
  );

  it.each(["/queue", "order", "/orders", "/overview", "/report", "/policy", "/settings", "/settings/people"])(
    "is usable at double zoom: %s",
    async (view) => {
      const path = view === "order" ? `/queue/${ids[2]}` : view;
      const opened = await stage.signIn({
        viewport: { width: 640, height: 400 },
        deviceScaleFactor: 2,
        token: await addPerson(),
      });
      const { app } = opened;
      await opened.goTo(path);
      const heading = app.locator("h1:visible").last();
      await heading.waitFor();
      await waitUntilLoaded(app);

      /** What an element is behind; null if it's seen. */
      const findCover = (one: Element) => {
        const { left, top, height } = one.getBoundingClientRect();
        const at = document.elementFromPoint(left + 4, top + height / 2);
        if (at !== null && (one.contains(at) || at.contains(one))) return null;
        return `${one.outerHTML.slice(0, 80)} is behind ${at?.outerHTML.slice(0, 80)}`;
      };
      expect(await heading.evaluate(findCover)).toBeNull();
      for (const share of [0, 0.5, 1]) {
        await app.evaluate((part) => scrollTo(0, part * document.documentElement.scrollHeight), share);
        expect([share, await listOverlaps(app)]).toEqual([share, []]);
      }
      // What gets the focus isn't behind a bar. Headings of columns are only for screen readers on a narrow screen.
      const controls = app.locator("main :is(a, button, input, select):not(thead *):visible");
      const count = await controls.count();
      for (let at = 0; at < count; at += Math.max(1, Math.floor(count / 12))) {
        const control = controls.nth(at);
        await control.focus();
        expect(await control.evaluate(findCover)).toBeNull();
      }
      expect(await app.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
        0,
      );
    },
  );

  /** A token for somebody who works in the shop. */
  async function addPerson(): Promise<string> {
    const body = { name: "Noor Haddad", role: "owner" };
    const { body: answer } = await stage.send(SHOP, "POST", "api/people", { body });
    return (answer as { readonly token: string }).token;
  }
});
