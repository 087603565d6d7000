import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toShopKey } from "../../src/platform/shop-key.ts";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, SOON, type ConsolePage, type ConsoleStage } from "../support/console-stage.ts";
import { createSay } from "../support/console-texts.ts";
import { placeOrders, seeOnPlatform } from "../support/placed-orders.ts";

const RELEASED = { tags: [], holds: 0, cancellations: 0, cancelled: false };
const toKey = (shop: string) => toShopKey(`shopify:${shop}`);

/** The calls that a tab makes, and the shop that each of them names. */
function watchCalls(page: Page) {
  const calls: { readonly call: string; readonly shop: string | undefined }[] = [];
  page.on("request", (request: Request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith("/api/")) return;
    calls.push({ call: `${request.method()} ${pathname}`, shop: request.headers()["x-holdfast-shop"] });
  });
  return calls;
}

describe.skipIf(isBrowserMissing())("a browser with two shops", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  async function makeToken(shop: string, name = "Jane Example"): Promise<string> {
    const { status, body } = await stage.send(shop, "POST", "api/people", { body: { name, role: "owner" } });
    expect(status).toBe(201);
    return (body as { token: string }).token;
  }

  /** Two shops whose orders have the same IDs. */
  async function prepare(name: string) {
    const [a, b] = [`${name}-a.myshopify.com`, `${name}-b.myshopify.com`] as const;
    const [idA = ""] = await placeOrders(stage, a, [{ number: 1, as: "high", payload: { name: "#A-1" } }]);
    const [idB] = await placeOrders(stage, b, [{ number: 1, as: "high", payload: { name: "#B-1" } }]);
    expect(idB).toBe(idA);
    return { a, b, id: idA, tokenA: await makeToken(a), tokenB: await makeToken(b) };
  }

  async function addShop({ app }: Pick<ConsolePage, "app">, token: string, order: string): Promise<void> {
    await app.getByRole("button", { name: /Signed in as/ }).click();
    await app.getByRole("dialog").getByRole("button", { name: "Add another shop" }).click();
    const dialog = app.getByRole("dialog", { name: "Add another shop" });
    await dialog.getByLabel("Token").fill(token);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await app.getByRole("link", { name: order }).waitFor();
  }

  const shopButton = ({ app }: Pick<ConsolePage, "app">, shop: string) =>
    app.getByRole("button", { name: `Shop ${shop}` });

  it("works in both at once, in two tabs, and nothing of one reaches the other", async () => {
    const { a, b, id, tokenA, tokenB } = await prepare("tabs");
    const first = await stage.signIn({ token: tokenA });
    await first.app.getByRole("link", { name: "#A-1" }).waitFor();
    await addShop(first, tokenB, "#B-1");
    expect(new URL(first.page.url()).searchParams.get("in")).toBe(toKey(b));
    expect(await first.app.getByText("#A-1").count()).toBe(0);

    const second = await first.page.context().newPage();
    const [callsA, callsB] = [watchCalls(second), watchCalls(first.page)];
    // Gives the decision so much time to be undone that the test doesn't have to be quick.
    await second.route(/\/approve$/, (route) => {
      const body = route.request().postDataJSON() as object;
      return route.continue({ postData: JSON.stringify({ ...body, undoSeconds: 60 }) });
    });
    await second.goto(new URL(`/queue/${id}?in=${toKey(a)}`, stage.url()).href);
    const order = second.getByRole("article", { name: "#A-1" });
    await order.getByRole("button", { name: "Approve" }).waitFor();
    await order.getByRole("button", { name: "Approve" }).click();
    await second.getByText("#A-1 approved.").first().waitFor();

    // A change in one shop reaches its own tab, and the other shop's change the other.
    await placeOrders(stage, a, [{ number: 2, as: "high", payload: { name: "#A-2" } }]);
    await second.getByRole("link", { name: "#A-2" }).waitFor();
    await placeOrders(stage, b, [{ number: 2, as: "high", payload: { name: "#B-2" } }]);
    await first.app.getByRole("button", { name: "1 new order" }).click();
    await first.app.getByRole("link", { name: "#B-2" }).waitFor();
    expect(await first.app.getByText(/#A-/).count()).toBe(0);
    expect(await second.getByText(/#B-/).count()).toBe(0);
    expect(await first.app.getByText("approved").count()).toBe(0);

    // The undo belongs to the tab and shop in which the decision was made.
    await first.page.keyboard.press("z");
    await first.app.getByText("There’s nothing to undo.").first().waitFor();
    expect(callsB.filter(({ call }) => call.endsWith("/undo"))).toEqual([]);
    await second.keyboard.press("z");
    await second
      .getByText(/#A-1 .*again/)
      .first()
      .waitFor();
    expect(callsA.filter(({ call }) => call.endsWith("/undo"))).toEqual([
      { call: `POST /api/orders/${id}/undo`, shop: toKey(a) },
    ]);

    // With a decision pending, the tab changes shop: it takes effect where it was made.
    await second.getByRole("article", { name: "#A-1" }).getByRole("button", { name: "Approve" }).click();
    await second.getByText("#A-1 approved.").first().waitFor();
    const applied = second.waitForRequest((request) => request.url().endsWith("/api/decisions/apply"));
    await shopButton({ app: second.mainFrame() }, a).click();
    await second.getByRole("dialog", { name: "Shops" }).getByRole("button", { name: b }).click();
    const request = await applied;
    expect(request.headers()["x-holdfast-shop"]).toBe(toKey(a));
    expect(request.postDataJSON()).toEqual({ orderIds: [id] });
    await second.getByRole("link", { name: "#B-1" }).waitFor();
    expect(await second.getByRole("list", { name: "Decisions that can be undone" }).count()).toBe(0);
    expect(await second.getByText(/#A-/).count()).toBe(0);
    await expect.poll(() => seeOnPlatform(stage, a, id), SOON).toMatchObject(RELEASED);
    expect(seeOnPlatform(stage, b, id)).toMatchObject({ holds: 1, cancelled: false });

    // Each call named its shop, from each page's first one on.
    const shops = (calls: typeof callsA) => new Set(calls.map(({ shop }) => shop));
    expect(shops(callsB)).toEqual(new Set([toKey(b)]));
    expect(shops(callsA)).toEqual(new Set([toKey(a), toKey(b)]));
    const atSwitch = callsA.findIndex(({ shop }) => shop === toKey(b));
    expect(shops(callsA.slice(atSwitch))).toEqual(new Set([toKey(b)]));
    expect(callsA.slice(atSwitch).filter(({ call }) => call.includes(id))).toEqual([]);
  });

  it("keeps the shop through a reload, and leads back from a bookmark or an address without a shop", async () => {
    const { a, b, id, tokenA, tokenB } = await prepare("kept");
    const opened = await stage.signIn({ token: tokenA });
    const { app, page } = opened;
    await addShop(opened, tokenB, "#B-1");
    await page.reload();
    await app.getByRole("link", { name: "#B-1" }).waitFor();
    await page.goto(new URL(`/orders/${id}?in=${toKey(a)}`, stage.url()).href);
    await app.getByRole("article", { name: "#A-1" }).waitFor();
    expect(await page.title()).toContain(a);
    // Every link of the page leads to the same shop.
    const links = await app.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>("a[href^='/']")].map((one) => one.href),
    );
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) expect(new URL(link).searchParams.get("in")).toBe(toKey(a));
    await page.goBack();
    await app.getByRole("link", { name: "#B-1" }).waitFor();
    await page.goForward();
    await app.getByRole("article", { name: "#A-1" }).waitFor();

    // Another tab without an address of a shop: the one that was used last.
    const other = await page.context().newPage();
    await other.goto(stage.url().href);
    await other.getByRole("link", { name: "#A-1" }).waitFor();
    expect(new URL(other.url()).searchParams.get("in")).toBe(toKey(a));
    // A shop that nobody here has a session of, or no shop at all, opens none.
    await other.goto(new URL(`/orders?in=${toKey("elsewhere.myshopify.com")}`, stage.url()).href);
    await other.getByLabel("Token").waitFor();
    await other.getByRole("button", { name: b }).click();
    await other.getByRole("link", { name: "#B-1" }).waitFor();
    expect(new URL(other.url()).pathname).toBe("/orders");
    const stored = await other.evaluate(() => [...Object.values(localStorage), location.href].join());
    for (const secret of [tokenA, tokenB, "Jane"]) expect(stored).not.toContain(secret);
  });

  it("signs out of one shop, marks a session that ended, and signs out of all", async () => {
    const { a, b, tokenA, tokenB } = await prepare("ends");
    const opened = await stage.signIn({ token: tokenA });
    const { app, page } = opened;
    await addShop(opened, tokenB, "#B-1");

    // Somebody removes the person in the first shop.
    const { body } = await stage.get(a, "api/people");
    const { people } = body as { people: readonly { actor: string; name: string | null }[] };
    const jane = people.find(({ name }) => name === "Jane Example");
    const authorization = `Bearer ${stage.emulator.createSessionToken(a, { userId: "7" })}`;
    const removed = await fetch(new URL(`api/people/${jane?.actor}`, stage.url()), {
      method: "DELETE",
      headers: { authorization },
    });
    expect(removed.status).toBe(204);
    await shopButton(opened, b).click();
    const list = app.getByRole("dialog", { name: "Shops" });
    await list.getByRole("button", { name: `${a} Signed out` }).click();
    const form = app.getByRole("dialog", { name: `Sign in to ${a}` });
    await form.getByLabel("Token").fill(await makeToken(a, "Jane Example again"));
    await form.getByRole("button", { name: "Sign in" }).click();
    await app.getByRole("link", { name: "#A-1" }).waitFor();

    // Signing out leads to the other shop; the last one, to the sign-in.
    await app.getByRole("button", { name: /Signed in as/ }).click();
    await app.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
    await app.getByRole("link", { name: "#B-1" }).waitFor();
    expect(await app.getByRole("button", { name: /^Shop / }).count()).toBe(0);
    await page.goto(new URL(`/?in=${toKey(a)}`, stage.url()).href);
    await app.getByLabel("Token").fill(await makeToken(a, "Jane Example"));
    await app.getByRole("button", { name: "Sign in" }).click();
    await app.getByRole("link", { name: "#A-1" }).waitFor();

    const other = await page.context().newPage();
    await other.goto(new URL(`/?in=${toKey(b)}`, stage.url()).href);
    await other.getByRole("link", { name: "#B-1" }).waitFor();
    await shopButton(opened, a).click();
    await list.getByRole("button", { name: "Sign out of all shops" }).click();
    await app.getByLabel("Token").waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await other.getByLabel("Token").waitFor();
    await page.reload();
    await app.getByLabel("Token").waitFor();
    expect(await app.getByText(/#[AB]-/).count()).toBe(0);
    expect(await app.getByText(b).count()).toBe(0);
  });

  it.each([
    ["on a wide screen", { width: 1280, height: 800 }, "light", "en"],
    ["on a phone", { width: 360, height: 740 }, "dark", "de"],
  ] as const)("changes shop by keyboard, accessibly, %s", async (_name, viewport, colorScheme, language) => {
    const say = createSay(language);
    const { a, b, tokenA, tokenB } = await prepare(`keys-${language}`);
    const opened = await stage.signIn({ token: tokenA, viewport, colorScheme, language, withAxe: true });
    const { app, page } = opened;
    await page.keyboard.press("Control+k");
    await page.keyboard.type(say("shell.add-another-shop"));
    await page.keyboard.press("Enter");
    const form = app.getByRole("dialog", { name: say("shell.add-another-shop") });
    expect(await form.getByLabel(say("shell.token")).evaluate((one) => one === document.activeElement)).toBe(
      true,
    );
    expect(await opened.findFaults()).toEqual([]);
    await page.keyboard.type(tokenB);
    await page.keyboard.press("Enter");
    await app.getByRole("link", { name: "#B-1" }).waitFor();

    const button = app.getByRole("button", { name: `${say("shell.shop")} ${b}` });
    await button.focus();
    await page.keyboard.press("Enter");
    const list = app.getByRole("dialog", { name: say("shell.shops") });
    await list.waitFor();
    const current = list.getByRole("button", { name: b });
    expect(await current.getAttribute("aria-current")).toBe("true");
    expect(await current.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await opened.findFaults()).toEqual([]);
    const overflow = () => app.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.keyboard.press("Escape");
    await expect.poll(() => list.count(), SOON).toBe(0);
    await expect.poll(() => button.evaluate((one) => one === document.activeElement), SOON).toBe(true);
    expect(await overflow()).toBeLessThanOrEqual(0);
    expect(await opened.findFaults()).toEqual([]);

    await page.keyboard.press("Enter");
    await list.waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await app.getByRole("link", { name: "#A-1" }).waitFor();

    await page.keyboard.press("Control+k");
    await page.keyboard.type(say("shell.switch-to", { shop: b }));
    await page.keyboard.press("Enter");
    await app.getByRole("link", { name: "#B-1" }).waitFor();
    expect(a).not.toBe(b);
  });

  it("has no switcher in Shopify's admin, which chooses the shop", async () => {
    const { a } = await prepare("admin");
    const opened = await stage.openEmbedded({ shop: a });
    const { app, page } = opened;
    await app.getByRole("link", { name: "#A-1" }).waitFor();
    await opened.enter();
    await page.keyboard.press("Control+k");
    await app.getByRole("dialog", { name: "Commands" }).waitFor();
    await page.keyboard.type("shop");
    expect(await app.getByRole("option", { name: /another shop|Switch to/ }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await app.getByRole("button", { name: /Signed in as/ }).click();
    await app.getByRole("dialog").waitFor();
    expect(await app.getByRole("button", { name: "Add another shop" }).count()).toBe(0);
    expect(new URL(app.url()).searchParams.has("in")).toBe(false);
  });
});
