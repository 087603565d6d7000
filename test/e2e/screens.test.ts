import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import {
  fillShop,
  findWide,
  listDialogs,
  listPlaces,
  lookAtDialogs,
  PHONE,
} from "../support/console-places.ts";
import {
  createConsoleStage,
  type ConsolePage,
  type ConsoleStage,
  type ScreenOptions,
  SOON,
} from "../support/console-stage.ts";

const SHOP = "screens.myshopify.com";

describe.skipIf(isBrowserMissing())("every view", () => {
  let stage: ConsoleStage;
  let orderId: string;

  beforeAll(async () => {
    stage = await createConsoleStage();
    orderId = await fillShop(stage, SHOP);
  });
  afterAll(() => stage.close());

  function open(options: ScreenOptions): Promise<ConsolePage> {
    return stage.openEmbedded({ shop: SHOP, ...options });
  }

  it.each([360, 320])("fits %i px without a line that scrolls sideways", async (width) => {
    const opened = await open({ viewport: { ...PHONE, width } });
    const wide: string[] = [];
    const look = async (place: string): Promise<void> => {
      wide.push(...(await findWide(opened, place)));
    };
    for (const path of listPlaces(orderId)) {
      await opened.goTo(path);
      await look(path);
    }
    await lookAtDialogs(opened, listDialogs(orderId, true), look);

    expect(wide).toEqual([]);
  });

  it.each([1280, 360])("shows the tables of report and replay in full, %i px wide", async (width) => {
    const opened = await open({ viewport: { width, height: 800 } });
    await opened.goTo("/report");
    const cut = await opened.app.evaluate(listCut);
    await opened.goTo("/policy");
    await opened.app.getByRole("button", { name: "Replay" }).click();
    await opened.app.locator(".tally").waitFor();
    cut.push(...(await opened.app.evaluate(listCut)));

    expect(cut).toEqual([]);
  });

  it.each([1280, 1024, 360])("keeps a panel's small button beside its title, %i px wide", async (width) => {
    const opened = await open({ viewport: { width, height: 800 } });
    await opened.goTo(`/orders/${encodeURIComponent(orderId)}`);
    const panel = opened.app.getByRole("region", { name: "Status on the platform" });
    const title = await panel.getByRole("heading").boundingBox();
    const button = await panel.getByRole("button", { name: "Refresh from the platform" }).boundingBox();

    expect(button?.x).toBeGreaterThan((title?.x ?? 0) + 100);
    expect(button?.y).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0));
  });

  it.each([
    ["not at all with reduced motion", "reduce", 0],
    ["a little otherwise", undefined, 1],
  ] as const)("moves while something is in progress: %s", async (_case, reducedMotion, least) => {
    const opened = await open(reducedMotion === undefined ? {} : { reducedMotion });
    await opened.goTo("/queue");
    const { promise, resolve } = Promise.withResolvers<void>();
    await opened.page.route("**/api/report*", async (route) => {
      await promise;
      await route.continue();
    });

    await opened.chooseInMenu("report");
    await opened.app.locator(".skeleton").waitFor();
    const moving = await countMoving(opened);
    resolve();
    await opened.app.getByRole("region", { name: "Summary" }).waitFor();

    expect(Math.min(moving, 1)).toBe(least);
  });

  it("can be reached everywhere by the tab key, with visible focus", async () => {
    const opened = await open({});
    const { app, page } = opened;
    for (const path of ["/queue", `/queue/${orderId}`, "/report", "/policy", "/settings"]) {
      await opened.goTo(path);
      const all = await app.evaluate(markReachable);
      await app.evaluate(() => {
        document.body.tabIndex = -1;
        document.body.focus();
        document.body.removeAttribute("tabindex");
      });
      const reached = new Set<string>();
      const unseen: string[] = [];
      for (let presses = 0; presses < all + 20 && reached.size < all; presses += 1) {
        await page.keyboard.press("Tab");
        const { mark, isSeen, text } = await app.evaluate(describeFocus);
        if (mark !== null) reached.add(mark);
        if (mark !== null && !isSeen) unseen.push(text);
      }
      const missed = await app.evaluate(
        (marks) =>
          [...document.querySelectorAll("[data-e2e]")]
            .filter((one) => !marks.includes(one.getAttribute("data-e2e") ?? ""))
            .map((one) => one.outerHTML.slice(0, 200)),
        [...reached],
      );
      expect({ path, missed, unseen }).toEqual({ path, missed: [], unseen: [] });
    }
  });

  it("has the keys that docs/console.md lists", async () => {
    const opened = await open({});
    const { app, page } = opened;
    const readHelp = async (path: string): Promise<readonly string[]> => {
      await opened.goTo(path);
      await app.getByRole("button", { name: "Keyboard shortcuts" }).click();
      const dialog = app.locator("dialog[open]");
      await dialog.locator("dl > div").first().waitFor();
      const lines = await dialog.locator("dl > div").evaluateAll((all) =>
        all.map((one) => {
          const keys = [...one.querySelectorAll("kbd")].map((key) => `\`${key.textContent}\``);
          return `| ${keys.join(" ")} | ${one.querySelector("dd")?.textContent} |`;
        }),
      );
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      return lines;
    };
    const [list, order] = readTables("docs/console.md", "Keys");

    const inQueue = await readHelp("/queue");
    const inOrder = await readHelp(`/orders/${orderId}`);

    expect(inQueue).toEqual(list);
    expect(inOrder.slice(0, order?.length)).toEqual(order);
    expect(inOrder.slice(order?.length ?? 0).filter((line) => !inQueue.includes(line))).toEqual([]);
  });

  it("ignores shortcuts while a person types, and restores the focus when a dialog closes", async () => {
    const opened = await open({ path: `/queue/${orderId}` });
    const { app, page } = opened;
    const order = app.getByRole("article");
    await order.getByRole("heading", { name: "Decide" }).waitFor();

    await app.getByRole("searchbox").click();
    await page.keyboard.type("adrxnujk?");
    await expect.poll(() => app.getByRole("dialog").count(), SOON).toBe(0);
    await expect.poll(() => app.getByRole("searchbox").inputValue(), SOON).toBe("adrxnujk?");
    await app.getByRole("searchbox").fill("");
    await page.keyboard.press("Escape");

    await page.keyboard.press("?");
    const help = app.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.waitFor();
    await page.keyboard.press("a");
    await page.keyboard.press("d");
    await expect.poll(() => app.getByRole("dialog").count(), SOON).toBe(1);
    await help.getByLabel("Single-key shortcuts").uncheck();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await page.keyboard.press("d");
    await expect.poll(() => app.getByRole("dialog").count(), SOON).toBe(0);

    const decline = order.getByRole("button", { name: "Decline" });
    await decline.focus();
    await page.keyboard.press("Enter");
    const dialog = app.getByRole("dialog", { name: /^Decline/ });
    await dialog.waitFor();
    // The focus stays in the dialog.
    for (let presses = 0; presses < 8; presses += 1) {
      await page.keyboard.press("Tab");
      const inside = await app.evaluate(() => {
        const { activeElement } = document;
        return activeElement === document.body || activeElement?.closest("dialog") !== null;
      });
      expect(inside).toBe(true);
    }
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => decline.evaluate((one) => one === document.activeElement), SOON).toBe(true);
    expect(stage.emulator.shop(SHOP).order(orderId).cancellations).toEqual([]);
  });
});

/** The rows of each table below a heading. */
function readTables(path: string, heading: string): readonly (readonly string[])[] {
  const section = readFileSync(path, "utf8").split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return (section.match(/(?:^\|.*\n)+/gm) ?? []).map((table) => table.trimEnd().split("\n").slice(2));
}

/** Tables that are wider than their container. */
function listCut(): string[] {
  return [...document.querySelectorAll(".scroll-x")]
    .filter((one) => one.scrollWidth > one.clientWidth)
    .map((one) => `${one.getAttribute("aria-label") ?? ""}: ${one.scrollWidth} in ${one.clientWidth} px`);
}

/** How many parts of the page move, or would. */
function countMoving({ app }: ConsolePage): Promise<number> {
  return app.evaluate(() => {
    const isLong = (times: string) => times.split(",").some((time) => Number.parseFloat(time) > 0.01);
    return [...document.querySelectorAll("*")].filter((one) => {
      const { transitionDuration, animationDuration, animationName } = getComputedStyle(one);
      return isLong(transitionDuration) || (animationName !== "none" && isLong(animationDuration));
    }).length;
  });
}

/** Number everything that the keyboard should reach, and return the count. */
function markReachable(): number {
  const all = [
    ...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']"),
  ];
  const radios = new Set<string>();
  const shown = all.filter((one) => {
    if (!(one instanceof HTMLElement) || one.matches(":disabled") || !one.checkVisibility()) return false;
    if (!(one instanceof HTMLInputElement) || one.type !== "radio") return true;
    // The tab key goes to one element of a group, the arrow keys to the others.
    if (!one.checked || radios.has(one.name)) return false;
    radios.add(one.name);
    return true;
  });
  shown.forEach((one, index) => one.setAttribute("data-e2e", String(index)));
  return shown.length;
}

/** The focused element, and whether it is visible. */
function describeFocus(): { readonly mark: string | null; readonly isSeen: boolean; readonly text: string } {
  const one = document.activeElement;
  if (one === null || one === document.body) return { mark: null, isSeen: true, text: "" };
  // A row's link has its outline around the whole row, a field of several parts around all of them.
  const places = [getComputedStyle(one), getComputedStyle(one, "::after")];
  if (one.parentElement !== null) places.push(getComputedStyle(one.parentElement));
  const hasOutline = places.some(
    ({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1,
  );
  const box = one.getBoundingClientRect();
  const isInside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  return {
    mark: one.getAttribute("data-e2e"),
    isSeen: isInside && hasOutline,
    text: one.outerHTML.slice(0, 160),
  };
}
