import type { Frame } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { fillKinds, type KindName, RULE, shipOrder } from "../support/console-kinds.ts";
import { createConsoleStage, SOON, waitUntilLoaded, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders } from "../support/placed-orders.ts";

const SHOP = "kinds.myshopify.com";

/** What each kind of order says first, with its tone. */
const SENTENCES: Readonly<Record<KindName, readonly [sentence: RegExp, tone: string | RegExp]>> = {
  rule: [/^Held by the rule “Big EUR orders”$/, "warn"],
  canceled: [/^Canceled \w+ \d+, \d+: critical risk, score \d+\. Refund requested$/, "info"],
  held: [/^Held: high risk, score \d+$/, "warn"],
  tagged: [/^Passed with a tag: medium risk, score \d+$/, "info"],
  passed: [/^Passed: low risk, score \d+$/, "good"],
  test: [/^Not checked: a test order$/, "info"],
  asked: [/^A bank asks about this payment: decide first$/, "bad"],
  unavailable: [/^Not checked: the service couldn't be asked$/, "warn"],
  // Holdfast looks at a held order from time to time.
  shipped: [/^(?:Held: high risk, score \d+|Shipped despite its hold)$/, /^(?:warn|bad)$/],
  approved: [/^Approved \w+ \d+, \d+ by Noor Haddad$/, "good"],
  declined: [/^Declined by Noor Haddad, but not canceled: the order already shipped$/, "bad"],
  ended: [/^Canceled on the platform, not by Holdfast$/, "info"],
  chargedBack: [/^The bank took this payment back: answer the dispute in the shop$/, "bad"],
  handled: [/^Marked as handled by Noor Haddad after it shipped$/, "info"],
  allowedByRule: [/^Passed by the rule “Renewals”$/, "good"],
  taggedByRule: [/^Passed with a tag by the rule “Kiosk”$/, "info"],
  skippedByRule: [/^Not checked: the rule “Staff” skips it$/, "info"],
  skippedChannel: [/^Not checked: orders of the channel “pos” aren’t checked$/, "info"],
  noEmail: [/^Not checked: no email address$/, "info"],
  nothingToPay: [/^Not checked: an amount of zero$/, "info"],
};

describe.skipIf(isBrowserMissing())("what an order says first", () => {
  let stage: ConsoleStage;
  let ids: Readonly<Record<KindName, string>>;

  beforeAll(async () => {
    stage = await createConsoleStage();
    ids = await fillKinds(stage, SHOP);
  }, 240_000);
  afterAll(() => stage.close());

  it.each([
    [1280, 800],
    [768, 1024],
    [360, 740],
  ])("is what was decided and why, in sight at %i × %i", async (width, height) => {
    const opened = await stage.openEmbedded({ shop: SHOP, viewport: { width, height } });
    const seen: Record<string, readonly [string, string | null, boolean]> = {};
    for (const [name, id] of Object.entries(ids)) {
      await opened.goTo(`/orders/${id}`);
      const card = opened.app.getByRole("region", { name: SENTENCES[name as KindName][0] });
      await card.waitFor();
      const chips = await findBottom(opened.app, ".verdict");
      seen[name] = [
        await card.getByRole("heading").innerText(),
        await card.getAttribute("data-tone"),
        chips <= height,
      ];
    }

    expect(seen).toEqual(
      Object.fromEntries(
        Object.entries(SENTENCES).map(([name, [sentence, tone]]) => [
          name,
          [expect.stringMatching(sentence), expect.stringMatching(tone), true],
        ]),
      ),
    );
  });

  it("names the rule before other reasons, in the order and in the list, and judges the facts", async () => {
    const { app } = await stage.openEmbedded({ shop: SHOP, path: `/queue/${ids.rule}` });
    await waitUntilLoaded(app);
    const card = app.getByRole("region", { name: /^Held by/ });
    const row = app.locator(`[data-order="${ids.rule}"]`);

    for (const place of [card, row]) {
      const chip = place.getByRole("list", { name: "Reasons" }).getByRole("listitem").first();
      expect(await chip.innerText()).toContain(`Rule “${RULE}”`);
    }
    const facts = card.getByRole("list", { name: "Facts" }).getByRole("listitem");
    expect(await facts.allTextContents()).toEqual([
      "Address check: no match (N), bad",
      "Security code: match (M), good",
      "Hosting provider, look twice",
      expect.stringMatching(/^IP in .*, order to Germany, look twice$/),
      "Ships to Germany, billed in Singapore, look twice",
    ]);
    await card.getByText(/^\d+ with this email: \d+ declined, 0 charged back$/).waitFor();
  });

  it("has no axe fault", async () => {
    const opened = await stage.openEmbedded({ shop: SHOP, withAxe: true });
    for (const name of ["rule", "asked", "canceled", "declined"] as const) {
      await opened.goTo(`/queue/${ids[name]}`);
      expect(await opened.findFaults()).toEqual([]);
    }
  });

  it("offers a refund on the platform for an order that has shipped, and no cancellation", async () => {
    const opened = await stage.openEmbedded({ shop: SHOP, path: `/queue/${ids.shipped}` });
    const { app } = opened;
    const decide = app.getByRole("region", { name: "Decide" });
    const refund = decide.getByRole("link", { name: "Refund in Shopify" });
    await refund.waitFor();

    expect(await refund.getAttribute("href")).toMatch(/^https:\/\/admin\.shopify\.com\/.*orders\/\d+$/);
    expect(await decide.getByRole("button", { name: "Decline" }).count()).toBe(0);
    expect(await decide.getByText(/refunds \d/).count()).toBe(0);
    await opened.enter();
    await opened.page.keyboard.press("d");
    await app.getByText("The order has shipped. Refund it on the platform.").waitFor();
    expect(await app.getByRole("dialog").count()).toBe(0);
  });

  it("shows no buttons for a canceled order", async () => {
    const { app } = await stage.openEmbedded({ shop: SHOP, path: `/orders/${ids.canceled}` });
    const decide = app.getByRole("region", { name: "Decide" });
    await decide.getByText("The order is canceled, so there's nothing to decide.").waitFor();

    expect(await decide.locator(".acts button").count()).toBe(0);
  });

  it.each(["deadline", "amount", "score", "age"])(
    "begins the queue with what needs attention, sorted by %s",
    async (sort) => {
      const { app } = await stage.openEmbedded({ shop: SHOP, path: `/queue?sort=${sort}` });
      await waitUntilLoaded(app);
      const first = await app
        .locator("[data-order]")
        .evaluateAll((rows) => rows.slice(0, 2).map(({ id }) => id));

      expect(first.toSorted()).toEqual([`order-${ids.asked}`, `order-${ids.declined}`].toSorted());
    },
  );

  it("keeps the open order in sight in its list, and the list in its place", async () => {
    const viewport = { width: 1280, height: 420 };
    const { app, page } = await stage.openEmbedded({ shop: SHOP, path: "/orders", viewport });
    await waitUntilLoaded(app);
    const row = app.locator(`[data-order="${ids.rule}"]`);
    await row.scrollIntoViewIfNeeded();
    const before = await app.evaluate(() => scrollY);
    await row.getByRole("link").click();
    await app.getByRole("region", { name: /^Held by/ }).waitFor();

    expect(before).toBeGreaterThan(0);
    await expect.poll(() => row.evaluate(isInSight), SOON).toBe(true);
    expect(await row.getByRole("link").getAttribute("aria-current")).toBe("true");
    await page.keyboard.press("Escape");
    await app.getByRole("article").waitFor({ state: "detached" });
    await expect.poll(() => app.evaluate(() => scrollY), SOON).toBe(before);
  });

  it("takes an order that was declined too late out of the queue once it's handled", async () => {
    const shop = "late.myshopify.com";
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    shipOrder(stage, shop, id);
    await stage.send(shop, "POST", `api/orders/${id}/decline`, { body: {} });
    await stage.until(shop, (orders) => orders.every(({ state }) => state === "failed"));
    const { app } = await stage.openEmbedded({ shop, path: `/queue/${id}` });
    await app.getByRole("region", { name: SENTENCES.declined[0] }).waitFor();
    const decide = app.getByRole("region", { name: "Decide" });
    await decide.getByRole("button", { name: "Mark as handled" }).click();

    await app.getByRole("button", { name: "Undo #1001 marked as handled." }).waitFor();
    await expect.poll(() => app.locator(`[data-order="${id}"]`).count(), SOON).toBe(0);
  });
});

function isInSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

/** Where an element ends, without scrolling. */
function findBottom(app: Frame, selector: string): Promise<number> {
  return app.evaluate((one) => {
    scrollTo(0, 0);
    return document.querySelector(one)?.getBoundingClientRect().bottom ?? Infinity;
  }, selector);
}
