import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, SOON, type ConsolePage, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders } from "../support/placed-orders.ts";

interface Entry {
  readonly what: string;
  readonly subject: string | null;
}

interface Listed {
  readonly orderId: string;
  readonly pendingReview: object | null;
}

/** Keeps requests back until they are let go. */
async function holdBack(page: Page, pattern: RegExp) {
  const held: Route[] = [];
  let isOpen = false;
  await page.route(pattern, (route) => (isOpen ? route.fallback() : void held.push(route)));
  return {
    held,
    async letGo() {
      isOpen = true;
      for (const route of held.splice(0)) await route.fallback();
    },
  };
}

describe.skipIf(isBrowserMissing())("keys", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  type Opened = ConsolePage & { readonly ids: readonly string[]; readonly shop: string };

  /** Opens the queue of a new shop, with orders whose deadlines have the order of their names. */
  async function open(name: string, count: number, toPath: (ids: readonly string[]) => string) {
    const shop = `${name}.myshopify.com`;
    const ids: string[] = [];
    for (let number = 1; number <= count; number += 1)
      ids.push(...(await placeOrders(stage, shop, [{ number, as: "high" }])));
    const opened = await stage.openEmbedded({ shop, path: toPath(ids), withAxe: true });
    await opened.app.getByRole("link", { name: "#1001" }).first().waitFor();
    await opened.enter();
    return { ...opened, ids, shop };
  }

  const openFirst = async (name: string, count: number): Promise<Opened> => {
    const opened = await open(name, count, ([first]) => `/queue/${first}`);
    await opened.app
      .getByRole("article", { name: "#1001" })
      .getByRole("heading", { name: "Decide" })
      .waitFor();
    return opened;
  };

  async function listDecided(shop: string): Promise<readonly string[]> {
    const orders = (await stage.listOrders(shop)) as unknown as readonly Listed[];
    return orders.filter(({ pendingReview }) => pendingReview !== null).map(({ orderId }) => orderId);
  }

  async function readLog({ shop }: Opened, subject: string | undefined): Promise<readonly string[]> {
    const { body } = await stage.get(shop, "api/access-log");
    const { entries } = body as { readonly entries: readonly Entry[] };
    return entries.filter((one) => one.subject === subject).map(({ what }) => what);
  }

  /** The server notes it before it answers: waits until the page has the order and its links. */
  async function untilAhead({ app }: Opened, id: string | undefined): Promise<void> {
    const count = () =>
      app.evaluate((part) => {
        const all = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
        return all.filter(({ name, responseEnd }) => name.includes(part) && responseEnd > 0).length;
      }, `/api/orders/${id}`);
    await expect.poll(count, SOON).toBeGreaterThanOrEqual(2);
  }

  it("shows the next order at once, and notes only then that it was viewed", async () => {
    const opened = await openFirst("ahead", 3);
    const { app, page, ids } = opened;
    await untilAhead(opened, ids[1]);
    expect(await readLog(opened, ids[1])).toEqual(["ahead"]);
    expect(await readLog(opened, ids[2])).toEqual([]);

    const requests = await holdBack(page, new RegExp(`/api/orders/${ids[1]}(?:/linked)?$`));
    await page.keyboard.press("j");
    const next = app.getByRole("article", { name: "#1002" });
    await next.getByRole("heading", { name: /^Held/ }).waitFor();
    await next.getByRole("heading", { name: "Decide" }).waitFor();
    expect(await readLog(opened, ids[1])).toEqual(["ahead"]);
    await requests.letGo();
    await expect.poll(() => readLog(opened, ids[1]), SOON).toContain("order");
    // Only then, the one after it.
    await expect.poll(() => readLog(opened, ids[2]), SOON).toEqual(["ahead"]);
  });

  it("decides on an order that was shown at once only when it's confirmed", async () => {
    const opened = await openFirst("confirmed", 3);
    const { app, page, ids, shop } = opened;
    await untilAhead(opened, ids[1]);
    const requests = await holdBack(page, new RegExp(`/api/orders/${ids[1]}$`));
    await page.keyboard.press("j");
    await app.getByRole("article", { name: "#1002" }).getByRole("heading", { name: "Decide" }).waitFor();

    await page.keyboard.press("a");
    await page.keyboard.press("d");
    await app.getByText("is still being saved, so the key did nothing").waitFor();
    expect(await app.getByRole("dialog").count()).toBe(0);
    await requests.letGo();

    await app.getByText("#1002 approved.").first().waitFor();
    expect(await listDecided(shop)).toEqual([ids[1]]);
  });

  it("decides nothing if the order isn't the one that the person saw any more", async () => {
    const opened = await openFirst("changed", 2);
    const { app, page, ids, shop } = opened;
    await untilAhead(opened, ids[1]);
    const requests = await holdBack(page, new RegExp(`/api/orders/${ids[1]}$`));
    await page.keyboard.press("j");
    await app.getByRole("article", { name: "#1002" }).getByRole("heading", { name: "Decide" }).waitFor();
    const note = { userId: "8", body: { note: "The card is stolen." } };
    expect((await stage.send(shop, "POST", `api/orders/${ids[1]}/note`, note)).status).toBe(200);

    await page.keyboard.press("a");
    await requests.letGo();

    await app.getByText("#1002 changed just now, so nothing was decided").waitFor();
    await app.getByText("The card is stolen.").first().waitFor();
    expect(await listDecided(shop)).toEqual([]);
  });

  it("does or explains what is pressed while a decision is saved", async () => {
    const opened = await openFirst("saving", 3);
    const { app, page, shop } = opened;
    const requests = await holdBack(page, /\/approve$/);
    await page.keyboard.press("a");
    await expect.poll(() => requests.held.length, SOON).toBe(1);
    await page.keyboard.press("d");
    await app.getByText("is still being saved, so the key did nothing").waitFor();
    // Two orders on: the page must not go back when the decision is saved.
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await app.getByRole("article", { name: "#1003" }).getByRole("heading", { name: "Decide" }).waitFor();
    await requests.letGo();
    await app.getByText("#1001 approved.").first().waitFor();
    await app.getByRole("article", { name: "#1003" }).waitFor();

    await page.keyboard.press("z");
    await app.getByText("#1001 needs a decision again.").waitFor();
    await app.getByRole("article", { name: "#1001" }).waitFor();
    await page.keyboard.press("z");
    await app.getByText("There’s nothing to undo.").waitFor();
    expect(await listDecided(shop)).toEqual([]);
  });

  it("says that the list is still loading when somebody wants the next order", async () => {
    const opened = await openFirst("list-loading", 2);
    const { app, page, ids } = opened;
    const requests = await holdBack(page, /\/api\/orders\?/);
    await page.reload();
    const element = await page.waitForSelector("iframe");
    const frame = (await element.contentFrame()) ?? app;
    await frame.getByRole("article", { name: "#1001" }).getByRole("heading", { name: "Decide" }).waitFor();
    await page.keyboard.press("Tab");
    await frame.waitForFunction(() => document.hasFocus());
    await page.keyboard.press("j");
    await frame.getByText("The list is still loading. Try again in a moment.").waitFor();
    await requests.letGo();
    await frame.locator(`[data-order="${ids[1]}"]`).waitFor();
    await page.keyboard.press("j");
    await frame.getByRole("article", { name: "#1002" }).waitFor();
    expect(await frame.evaluate(() => location.pathname)).toBe(`/queue/${ids[1]}`);
  });

  it("undoes a decision that is still being saved", async () => {
    const opened = await openFirst("undo-saving", 2);
    const { app, page } = opened;
    const requests = await holdBack(page, /\/approve$/);
    await page.keyboard.press("a");
    await expect.poll(() => requests.held.length, SOON).toBe(1);
    await page.keyboard.press("z");
    await requests.letGo();
    await app.getByText("#1001 needs a decision again.").waitFor();
  });

  it("selects ranges by keys and clicks, and closes the order before it clears the selection", async () => {
    const opened = await open("ranges", 5, () => "/queue");
    const { app, page } = opened;
    const bar = app.getByRole("group", { name: "Selected orders" });
    await page.keyboard.press("j");
    await page.keyboard.press("Shift+J");
    await page.keyboard.press("Shift+ArrowDown");
    await bar.getByText(/^3 /).waitFor();
    await page.keyboard.press("Shift+K");
    await bar.getByText(/^2 /).waitFor();

    await app.getByRole("checkbox", { name: "Select #1004" }).click({ modifiers: ["Shift"] });
    await bar.getByText(/^4 /).waitFor();
    expect(await app.getByRole("checkbox", { name: "Select #1004" }).isChecked()).toBe(true);
    expect(await app.getByRole("checkbox", { name: "Select #1005" }).isChecked()).toBe(false);

    await page.keyboard.press("o");
    await app.getByRole("article").waitFor();
    await page.keyboard.press("Control+k");
    await app.getByRole("dialog", { name: "Commands" }).waitFor();
    await page.keyboard.press("Escape");
    await app.getByRole("dialog").waitFor({ state: "detached" });
    await app.getByRole("article").waitFor();
    await page.keyboard.press("Escape");
    await app.getByRole("article").waitFor({ state: "detached" });
    await bar.getByText(/^4 /).waitFor();
    await page.keyboard.press("Escape");
    await bar.waitFor({ state: "detached" });
  });

  it("finds commands and orders, and does what is chosen", async () => {
    const opened = await openFirst("palette", 2);
    const { app, page, ids, shop } = opened;
    const palette = app.getByRole("dialog", { name: "Commands" });
    const input = palette.getByRole("combobox", { name: "Find a command or an order" });
    const readActive = () =>
      input.evaluate(
        (one) => document.getElementById(one.getAttribute("aria-activedescendant") ?? "")?.textContent,
      );

    await page.keyboard.press("Control+k");
    await palette.waitFor();
    expect(await opened.findFaults()).toEqual([]);
    // Nothing is chosen yet, so Enter alone approves nothing.
    await page.keyboard.press("Enter");
    expect(await palette.isVisible()).toBe(true);
    await page.keyboard.type("assign");
    await expect.poll(readActive, SOON).toContain("Assign to me");
    await page.keyboard.press("Enter");
    await app.getByText("Assigned to you.").waitFor();
    expect(await app.getByLabel("Assigned to").inputValue()).toBe("person:7");

    // Also while somebody types.
    await app.getByRole("textbox", { name: "Note" }).fill("A note");
    await page.keyboard.press("Control+k");
    await input.waitFor();
    await page.keyboard.type("1002");
    await palette.getByRole("option", { name: /^#1002 · / }).click();
    await app.getByRole("article", { name: "#1002" }).waitFor();
    expect(await app.evaluate(() => location.pathname)).toBe(`/orders/${ids[1]}`);

    await page.keyboard.press("Control+k");
    await input.waitFor();
    await page.keyboard.type("decl");
    await expect.poll(readActive, SOON).toContain("Decline order");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await app.getByRole("dialog", { name: "Decline #1002?" }).waitFor();
    // Not over a dialog.
    await page.keyboard.press("Control+k");
    expect(await palette.count()).toBe(0);
    await page.keyboard.press("Escape");

    await page.keyboard.press("Control+k");
    await input.waitFor();
    await page.keyboard.type("people");
    await page.keyboard.press("Enter");
    await app.getByRole("heading", { name: "People" }).waitFor();
    expect(await app.evaluate(() => location.pathname)).toBe("/settings/people");
    expect(await listDecided(shop)).toEqual([]);
  });

  it("lists the same commands in the help and in the palette", async () => {
    const opened = await openFirst("same-list", 2);
    const { app, page } = opened;
    await page.keyboard.press("?");
    const help = app.getByRole("dialog", { name: "Keyboard shortcuts" });
    const keyed = await help.locator("dd").allTextContents();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    const options = await app.getByRole("option").locator("span:first-child").allTextContents();
    const others = keyed.filter((label) => label !== "Find a command or an order");
    expect(others.length).toBeGreaterThan(10);
    expect(options.filter((label) => others.includes(label))).toEqual(others);
  });
});
