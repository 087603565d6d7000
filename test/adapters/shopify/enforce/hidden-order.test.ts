import { describe, expect, it } from "vitest";
import { observeOrder } from "../../../../adapters/shopify/enforce/observe.ts";
import type { ObserveOptions, StepOutcome } from "../../../../src/adapter-kit.ts";
import { ALL_ORDERS_SCOPE } from "../../../../adapters/shopify/admin/scopes.ts";
import { API_KEY, ORDER_ID, startFixture, TENANT } from "../admin-fixture.ts";

const DAY_MS = 86_400_000;
const NOTHING = { holdMemory: {}, references: [] as readonly string[] };

/** An order that was placed `days` ago, and held then if `held`. */
async function startShop(days: number, { held = true }: { readonly held?: boolean } = {}) {
  const fixture = await startFixture();
  const { shop, clock, client } = fixture;
  const order = shop.addOrder({ orderId: ORDER_ID, routed: 2 });
  const receivedAtMs = clock.now();
  const outcome = held ? await fixture.enforce("hold") : undefined;
  clock.advance(days * DAY_MS);
  const remember = (goods = { ...NOTHING, holdMemory: toMemory(outcome) }) => ({
    remembered: { receivedAtMs, goods: async () => goods },
  });
  const observe = (known: ObserveOptions = remember()) =>
    observeOrder(client, API_KEY, TENANT, ORDER_ID, known, clock.now);
  return { ...fixture, order, outcome, remember, observe };
}

function toMemory(outcome: StepOutcome | undefined): Readonly<Record<string, string>> {
  return outcome !== undefined && "memory" in outcome ? (outcome.memory ?? {}) : {};
}

describe("an order that Shopify hides", () => {
  it("is announced 60 days after it was created, unless the app sees orders of any age", async () => {
    const { observe, shop, order } = await startShop(1);
    // Shopify's times are in whole seconds.
    const createdAtMs = Math.floor(Date.parse(order.createdAt) / 1000) * 1000;
    expect(await observe()).toMatchObject({ hiddenFromMs: createdAtMs + 60 * DAY_MS });

    shop.grant(ALL_ORDERS_SCOPE);
    expect(await observe()).toMatchObject({ hiddenFromMs: undefined });
  });

  it("is seen by its remembered fulfillment orders", async () => {
    const { observe, order, shop } = await startShop(61);
    expect(await observe()).toMatchObject({ hidden: true, fulfilled: false, holds: [{}, {}], tags: [] });

    shop.releaseHold(ORDER_ID);
    expect(await observe()).toMatchObject({ hidden: true, holds: [], holdable: true });

    const [first] = order.fulfillmentOrders;
    Object.assign(first ?? {}, { status: "CLOSED" });
    expect(await observe()).toMatchObject({ fulfilled: false, partlyFulfilled: true });
  });

  it("stays hidden when its hold was released, because nothing shows who did it", async () => {
    const { observe, remember, shop, outcome } = await startShop(61);
    const known = { ...remember(), holdMemory: toMemory(outcome) };
    expect(await observe(known)).toMatchObject({ hidden: true, holds: [{}, {}] });

    shop.releaseHold(ORDER_ID, { app: "Flow" });

    expect(await observe(known)).toBe("hidden");
    expect(await observe({ ...remember(), heldAtMs: 0 })).toBe("hidden");
  });

  it("isn't taken for shipped when all it had is closed, because a merge looks the same", async () => {
    const { observe, order, shop } = await startShop(61);
    shop.mergeEntries(ORDER_ID, order.fulfillmentOrders);

    expect(await observe()).toBe("hidden");
  });

  it("isn't taken for a deleted one when nothing of it is remembered", async () => {
    const { observe, remember } = await startShop(61, { held: false });
    expect(await observe(remember(NOTHING))).toBe("hidden");
  });

  it.each([
    ["is young", 30, []],
    ["would be visible", 61, [ALL_ORDERS_SCOPE]],
  ])("is a deleted one if it %s", async (_why, days, scopes) => {
    const { client, clock, shop, remember } = await startShop(days, { held: false });
    for (const scope of scopes) shop.grant(scope);
    expect(await observeOrder(client, API_KEY, TENANT, "1", remember(NOTHING), clock.now)).toBeNull();
  });

  it("ignores remembered fulfillment orders of other orders", async () => {
    const { observe, remember, shop } = await startShop(61, { held: false });
    const other = shop.addOrder({ orderId: "1" });
    const references = other.fulfillmentOrders.map(({ id }) => id);
    expect(await observe(remember({ ...NOTHING, references }))).toBe("hidden");
  });

  it("is released and held again by its remembered fulfillment orders", async () => {
    const { enforce, order, remember } = await startShop(61);
    expect(await enforce("release", remember())).toMatchObject({ outcome: "done" });
    expect(order.fulfillmentOrders.map(({ status }) => status)).toEqual(["OPEN", "OPEN"]);

    // Not as a repeat of the same hold, which a person may have released.
    expect(await enforce("hold", remember())).toMatchObject({ outcome: "done" });
    expect(order.fulfillmentOrders.map(({ status }) => status)).toEqual(["ON_HOLD", "ON_HOLD"]);
  });

  it("is held by the fulfillment orders that a webhook named", async () => {
    const { enforce, order, remember } = await startShop(61, { held: false });
    expect(await enforce("hold", remember(NOTHING))).toMatchObject({
      outcome: "wait",
      reason: "order-hidden",
    });

    const references = order.fulfillmentOrders.map(({ id }) => id);
    expect(await enforce("hold", remember({ ...NOTHING, references }))).toMatchObject({ outcome: "done" });
    expect(order.fulfillmentOrders.map(({ status }) => status)).toEqual(["ON_HOLD", "ON_HOLD"]);
  });

  it.each([
    ["assess", "moot"],
    ["tag", "moot"],
    ["untag", "moot"],
    ["cancel", "impossible"],
    ["capture", "impossible"],
  ] as const)("can't be changed by %s, which is %s", async (step, outcome) => {
    const { enforce, remember } = await startShop(61);
    const target = { ...remember(), formerTags: ["holdfast-former"] };
    expect(await enforce(step, target)).toEqual({ outcome, reason: "order-hidden" });
  });

  it("can't be released when nothing of it is remembered", async () => {
    const { enforce, remember } = await startShop(61);
    const outcome = await enforce("release", remember(NOTHING));
    expect(outcome).toEqual({ outcome: "impossible", reason: "order-hidden" });
  });
});
