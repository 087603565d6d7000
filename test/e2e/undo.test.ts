import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, SOON, type ConsolePage, type ConsoleStage } from "../support/console-stage.ts";
import { until } from "../support/until.ts";
import { placeOrders, seeOnPlatform } from "../support/placed-orders.ts";

const HELD = { tags: ["holdfast-high"], holds: 1, cancellations: 0, cancelled: false };
const RELEASED = { tags: [], holds: 0, cancellations: 0, cancelled: false };

interface Shown {
  readonly orderId: string;
  readonly state: string;
  readonly action: string;
  readonly pendingReview: { readonly act: string; readonly by: string; readonly effectiveAt: string } | null;
}

/** Gives decisions so much time to be undone that no test has to be quick. */
async function allowTime(page: Page): Promise<void> {
  await page.route(/\/(?:approve|decline)$/, (route) => {
    const body = route.request().postDataJSON() as object;
    return route.continue({ postData: JSON.stringify({ ...body, undoSeconds: 60 }) });
  });
}

/**
 * Press a key, and again the moment the next order is visible, as a double press does. Resolves to whether that order's
 * buttons are shown as disabled then.
 */
function pressAsSoonAs({ app }: ConsolePage, key: string, name: string): Promise<boolean> {
  return app.evaluate(
    ([pressed, shown]) =>
      new Promise<boolean>((resolve) => {
        const look = (): void => {
          const title = document.querySelector("#order-title")?.textContent ?? "";
          if (!title.includes(shown) || document.querySelector(".acts") === null) return;
          watch.disconnect();
          document.dispatchEvent(new KeyboardEvent("keydown", { key: pressed, bubbles: true }));
          requestAnimationFrame(() => {
            const buttons = [...document.querySelectorAll(".acts button")];
            resolve(buttons.every((button) => button.ariaDisabled === "true"));
          });
        };
        const watch = new MutationObserver(look);
        watch.observe(document.body, { subtree: true, childList: true, characterData: true });
        document.dispatchEvent(new KeyboardEvent("keydown", { key: pressed, bubbles: true }));
      }),
    [key, name] as const,
  );
}

describe.skipIf(isBrowserMissing())("an accidental press", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  async function listPending(shop: string): Promise<readonly Shown[]> {
    const orders = (await stage.listOrders(shop)) as unknown as readonly Shown[];
    return orders.filter(({ pendingReview, action }) => pendingReview !== null || action === "allow");
  }

  async function openQueue(
    shop: string,
    count: number,
  ): Promise<ConsolePage & { readonly ids: readonly string[] }> {
    const ids: string[] = [];
    // One by one, so that their deadlines, and so the queue, have the same order.
    for (let number = 1; number <= count; number += 1) {
      ids.push(...(await placeOrders(stage, shop, [{ number, as: "high" }])));
    }
    const opened = await stage.openEmbedded({ shop, path: `/queue/${ids[0]}` });
    await allowTime(opened.page);
    await opened.app
      .getByRole("article", { name: "#1001" })
      .getByRole("button", { name: "Approve" })
      .waitFor();
    await opened.enter();
    return { ...opened, ids };
  }

  const bar = ({ app }: ConsolePage) => app.getByRole("list", { name: "Decisions that can be undone" });

  it("approves one order when the key is held", async () => {
    const shop = "held-key.myshopify.com";
    const opened = await openQueue(shop, 4);
    const { app, page } = opened;

    await page.keyboard.down("a");
    await app.getByRole("article", { name: "#1002" }).getByRole("button", { name: "Approve" }).waitFor();
    // Like a keyboard that repeats for longer than any pause.
    for (let repeats = 0; repeats < 40; repeats += 1) {
      await page.keyboard.down("a");
      await page.waitForTimeout(20);
    }
    await page.keyboard.up("a");

    await bar(opened).getByText("#1001 approved.").first().waitFor();
    expect(await listPending(shop)).toHaveLength(1);
    await app.getByRole("article", { name: "#1002" }).waitFor();
  });

  it("approves one order when repeated at once, by key or by pointer", async () => {
    const shop = "double-press.myshopify.com";
    const opened = await openQueue(shop, 4);
    const { app } = opened;

    expect(await pressAsSoonAs(opened, "a", "#1002")).toBe(true);
    await bar(opened).getByText("#1001 approved.").first().waitFor();
    expect(await listPending(shop)).toHaveLength(1);

    await app.getByRole("article", { name: "#1002" }).waitFor();
    // A press counts from half a second after the order opened. `force` presses disabled buttons, too.
    // Only the second order's button: a press that takes long to arrive must not be repeated on the third order.
    const button = app.getByRole("article", { name: "#1002" }).getByRole("button", { name: "Approve" });
    await expect
      .poll(async () => {
        // The third order may have opened meanwhile.
        await button.dblclick({ force: true, timeout: 1_000 }).catch(() => undefined);
        return (await listPending(shop)).length;
      }, SOON)
      .toBeGreaterThan(1);
    await app.getByRole("article", { name: "#1003" }).waitFor();
    expect(await listPending(shop)).toHaveLength(2);
  });

  it("approves no order in the list that wasn't opened or selected", async () => {
    const shop = "list-keys.myshopify.com";
    await placeOrders(
      stage,
      shop,
      [1, 2, 3].map((number) => ({ number, as: "high" })),
    );
    const opened = await stage.openEmbedded({ shop });
    const { app, page } = opened;
    await allowTime(page);
    await app.getByRole("link", { name: "#1002" }).waitFor();
    await opened.enter();

    await page.keyboard.press("j");
    await page.keyboard.press("a");
    await app.getByText("Open an order first (Enter), or select orders (x).").waitFor();
    await page.keyboard.press("d");
    expect(await listPending(shop)).toEqual([]);

    // One selected order and another beside it: the keys act on the selection, and ask first.
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.keyboard.press("a");
    const dialog = app.getByRole("dialog", { name: "Approve 2 orders" });
    await dialog.getByRole("button", { name: "Approve 2 orders" }).click();
    // Nothing has to be closed before the decisions can be undone.
    await dialog.waitFor({ state: "detached" });
    expect(await listPending(shop)).toHaveLength(2);
    await expect.poll(() => app.getByRole("link", { name: /#100/ }).count(), SOON).toBe(1);

    // One Undo takes all of them back, and the list shows them again.
    await bar(opened).getByText("2 orders approved.").first().waitFor();
    await page.keyboard.press("z");
    await app.getByText("2 orders need a decision again.").waitFor();
    expect(await listPending(shop)).toEqual([]);
    await expect.poll(() => app.getByRole("link", { name: /#100/ }).count(), SOON).toBe(3);
  });

  it.each(["approve", "decline"] as const)("can be undone after the server was killed: %s", async (act) => {
    const shop = `undo-${act}.myshopify.com`;
    const opened = await openQueue(shop, 2);
    const { app, page, ids } = opened;
    opened.expectProblem(
      /ERR_CONNECTION_|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED/,
    );
    await page.keyboard.press(act === "approve" ? "a" : "d");
    if (act === "decline") {
      await app.getByRole("dialog").getByText("You can undo this for 8 seconds.").waitFor();
      await app.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
    }
    await bar(opened).getByText(`#1001 ${act}d.`).first().waitFor();

    const { port } = stage.url();
    await stage.kill();
    await stage.start({ PORT: port });
    expect(await listPending(shop)).toMatchObject([{ orderId: ids[0], pendingReview: { act } }]);
    await bar(opened)
      .getByRole("button", { name: `Undo #1001 ${act}d.` })
      .click();

    await app.getByText("#1001 needs a decision again.").waitFor();
    await app.getByRole("article", { name: "#1001" }).getByRole("button", { name: "Approve" }).waitFor();
    expect(await listPending(shop)).toEqual([]);
    expect(seeOnPlatform(stage, shop, ids[0] ?? "")).toEqual(HELD);
    await app.getByText("Decision undone").waitFor();
  });

  it("takes effect once if not undone, even after the page closed and the server was killed", async () => {
    const shop = "kept.myshopify.com";
    const [first = "", second = ""] = await placeOrders(
      stage,
      shop,
      [1, 2].map((number) => ({ number, as: "high" })),
    );
    for (const [id, act] of [
      [first, "approve"],
      [second, "decline"],
    ] as const) {
      const { status } = await stage.send(shop, "POST", `api/orders/${id}/${act}`, {
        body: { undoSeconds: 2 },
      });
      expect(status).toBe(200);
    }

    await stage.kill();
    await stage.start();
    await stage.until(shop, (orders) => orders.every(({ state }) => state === "settled"));
    await stage.kill();
    await stage.start();

    expect(seeOnPlatform(stage, shop, first)).toEqual(RELEASED);
    expect(seeOnPlatform(stage, shop, second)).toMatchObject({ cancelled: true, cancellations: 1 });
    const { body } = await stage.get(shop, `api/orders/${first}`);
    const { timeline } = body as { readonly timeline: readonly { readonly kind: string }[] };
    expect(timeline.filter(({ kind }) => kind === "release-done")).toHaveLength(1);
  });

  it("takes effect right away when the person leaves the page", async () => {
    const shop = "leaving.myshopify.com";
    const opened = await openQueue(shop, 2);
    await opened.page.keyboard.press("a");
    await bar(opened).getByText("#1001 approved.").first().waitFor();
    expect(seeOnPlatform(stage, shop, opened.ids[0] ?? "")).toEqual(HELD);

    await opened.page.goto("about:blank");

    await expect.poll(() => seeOnPlatform(stage, shop, opened.ids[0] ?? ""), SOON).toEqual(RELEASED);
  });

  it("can be undone from another view, which stays open", async () => {
    const shop = "elsewhere.myshopify.com";
    const opened = await openQueue(shop, 2);
    const { app, page, ids } = opened;
    await page.keyboard.press("a");
    await bar(opened).getByText("#1001 approved.").first().waitFor();

    await opened.chooseInMenu("overview");
    await app.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await bar(opened).getByText("#1001 approved.").first().waitFor();
    expect(await listPending(shop)).toHaveLength(1);
    await page.keyboard.press("z");

    await app.getByText("#1001 needs a decision again.").waitFor();
    await expect.poll(() => listPending(shop), SOON).toEqual([]);
    expect(seeOnPlatform(stage, shop, ids[0] ?? "")).toEqual(HELD);
    expect(await app.getByRole("heading", { name: "Overview", level: 1 }).count()).toBe(1);
    await app.getByRole("link", { name: "Open #1001" }).click();
    await app.getByRole("article", { name: "#1001" }).getByRole("button", { name: "Approve" }).waitFor();
    await app.getByRole("region", { name: "Review queue" }).getByRole("link", { name: "#1001" }).waitFor();
  });

  it("can be undone for several orders at once from another view", async () => {
    const shop = "several-elsewhere.myshopify.com";
    const opened = await openQueue(shop, 3);
    const { app, page } = opened;
    await opened.goTo("/queue");
    await app.getByRole("checkbox", { name: "Select #1001" }).check();
    await app.getByRole("checkbox", { name: "Select #1003" }).check();
    const selected = app.getByRole("group", { name: "Selected orders" });
    await selected.getByRole("button", { name: "Approve" }).click();
    const dialog = app.getByRole("dialog", { name: "Approve 2 orders" });
    await dialog.getByRole("button", { name: "Approve 2 orders" }).click();
    await dialog.waitFor({ state: "detached" });
    await opened.chooseInMenu("settings");
    await app.getByRole("heading", { name: "Settings", level: 1 }).waitFor();

    await page.keyboard.press("z");

    await app.getByText("2 orders need a decision again.").waitFor();
    expect(await listPending(shop)).toEqual([]);
    await app.getByRole("link", { name: "Show queue" }).click();
    await expect.poll(() => app.getByRole("link", { name: /^#100/ }).count(), SOON).toBe(3);
  });

  it("can be undone after the person opened another order, for the time that the server gives", async () => {
    const shop = "next-order.myshopify.com";
    const opened = await openQueue(shop, 3);
    const { app, page } = opened;
    await page.keyboard.press("a");
    await app.getByRole("article", { name: "#1002" }).waitFor();
    await opened.goTo(`/queue/${opened.ids[2]}`);
    await app.getByRole("article", { name: "#1003" }).waitFor();

    const [pending] = await listPending(shop);
    const { effectiveAt } = pending?.pendingReview ?? {};
    // The app, the browser and the test share a clock.
    const leftS = () => (Date.parse(effectiveAt ?? "") - Date.now()) / 1_000;
    await until(async () => {
      const beforeS = leftS();
      const shown = Number.parseInt(await bar(opened).locator(".undo-left").innerText(), 10);
      expect(shown).toBeLessThanOrEqual(beforeS + 1);
      expect(shown).toBeGreaterThanOrEqual(leftS() - 1);
    });
    await page.keyboard.press("z");

    await app.getByRole("article", { name: "#1001" }).waitFor();
    expect(await listPending(shop)).toEqual([]);
  });
});

describe.skipIf(isBrowserMissing())("two reviewers on one order", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  it("tell the second who decided and when, and let them undo it", async () => {
    const shop = "two.myshopify.com";
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    const opened = await stage.openEmbedded({ shop, userId: "8", path: `/queue/${id}` });
    const { app } = opened;
    opened.expectProblem(/409 \(Conflict\)/);
    const order = app.getByRole("article", { name: "#1001" });
    await order.getByRole("button", { name: "Decline" }).click();
    const dialog = app.getByRole("dialog", { name: "Decline #1001?" });
    await dialog.getByLabel("Note").fill("A freight forwarder.");
    await stage.send(shop, "POST", `api/orders/${id}/approve`, { body: { undoSeconds: 60 }, userId: "7" });

    await dialog.getByRole("button", { name: "Decline" }).click();

    const refused = app.getByRole("dialog", { name: "#1001 has changed" });
    await refused
      .getByText(/^Noor Haddad approved this order on \w+ \d+, \d{4}, \d+:\d\d [AP]M\. Undo that first\.$/)
      .waitFor();
    expect(await refused.getByRole("button", { name: "Decline" }).count()).toBe(0);
    await refused.getByRole("button", { name: "Close" }).last().click();
    // The order shows the decision, and the note is still there.
    await order.getByText("Noor Haddad approved this order").waitFor();
    expect(await order.getByRole("button", { name: "Decline" }).count()).toBe(0);
    expect(await order.getByLabel("Note").inputValue()).toBe("A freight forwarder.");

    await order.getByRole("button", { name: "Undo" }).click();
    await order.getByRole("button", { name: "Decline" }).waitFor();
    expect(seeOnPlatform(stage, shop, id)).toEqual(HELD);
  });

  it("let the second decide otherwise after seeing the first decision", async () => {
    const shop = "overrule.myshopify.com";
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    await stage.send(shop, "POST", `api/orders/${id}/approve`, { userId: "7" });
    await stage.until(shop, (orders) => orders.every(({ state }) => state === "settled"));
    const opened = await stage.openEmbedded({ shop, userId: "8", path: `/orders/${id}` });
    const { app } = opened;
    const order = app.getByRole("article", { name: "#1001" });
    await order.getByText(/^Approved .* by Noor Haddad$/).waitFor();

    await order.getByRole("button", { name: "Decline" }).click();
    await app.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
    await app.getByRole("list", { name: "Decisions that can be undone" }).waitFor();
    await opened.page.goto("about:blank");

    await expect.poll(() => seeOnPlatform(stage, shop, id), SOON).toMatchObject({ cancelled: true });
  });

  it("keeps the note being written when the session ends, for the same person", async () => {
    const shop = "note.myshopify.com";
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    const { body } = await stage.send(shop, "POST", "api/people", {
      body: { name: "Reviewer", role: "reviewer" },
    });
    const { token } = body as { readonly token: string };
    const opened = await stage.signIn({ token, path: `/queue/${id}` });
    const { app, page } = opened;
    const order = app.getByRole("article", { name: "#1001" });
    const saved = page.waitForResponse((response) => response.url().endsWith("/draft"));
    await order.getByLabel("Note").fill("Spoke to the customer");
    await saved;

    await page.context().clearCookies();
    // The page finds out when it saves the draft.
    await order.getByLabel("Note").fill("Spoke to the customer about");
    await app.getByText("Your session has ended.").waitFor();
    await expect.poll(() => order.count(), SOON).toBe(0);
    expect(
      await page.evaluate(() =>
        JSON.stringify([...Object.values(localStorage), ...Object.values(sessionStorage)]),
      ),
    ).not.toContain("Spoke");
    await app.getByLabel("Token").fill(token);
    await app.getByRole("button", { name: "Sign in" }).click();

    await order.waitFor();
    expect(await order.getByLabel("Note").inputValue()).toBe("Spoke to the customer about");
    await order.getByRole("button", { name: "Save note" }).click();
    await order.getByRole("blockquote").filter({ hasText: "Spoke to the customer about" }).waitFor();
  });
});
