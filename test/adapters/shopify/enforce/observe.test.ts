import { describe, expect, it } from "vitest";
import type { ObserveOptions } from "../../../../src/adapter-kit.ts";
import type { AdminClient } from "../../../../adapters/shopify/admin/admin-client.ts";
import { locateOrder, observeOrder } from "../../../../adapters/shopify/enforce/observe.ts";
import { API_KEY, createResult, ORDER_ID, startFixture, TENANT } from "../admin-fixture.ts";
import { asShown } from "../../../support/shown.ts";

async function startShop(routed = 2) {
  const fixture = await startFixture();
  const order = fixture.shop.addOrder({ orderId: ORDER_ID, routed });
  const observe = async (orderId = ORDER_ID, asked: ObserveOptions = {}) =>
    asShown(await observeOrder(fixture.client, API_KEY, TENANT, orderId, asked));
  const locate = (reference: string) => locateOrder(fixture.client, TENANT, reference, undefined);
  return { ...fixture, order, observe, locate };
}

describe("observeOrder", () => {
  it("shows what the steps did, and nothing that others did", async () => {
    const { enforce, observe, order } = await startShop();
    order.assessments.push({ riskLevel: "HIGH", facts: [], provider: null });
    order.assessments.push({ riskLevel: "HIGH", facts: [], provider: "another-client-id" });
    order.fulfillmentOrders[0]?.holds.push({
      id: "gid://shopify/FulfillmentHold/1",
      handle: "another",
      reason: "OTHER",
      reasonNotes: null,
      ours: false,
    });
    const result = createResult({ riskLevel: "medium" });
    for (const step of ["assess", "tag", "hold"] as const) await enforce(step, { result });

    const own = (index: number) => order.fulfillmentOrders[index]?.holds.find(({ ours }) => ours)?.id;
    expect(await observe()).toEqual({
      cancelled: false,
      fulfilled: false,
      partlyFulfilled: false,
      holdable: false,
      tags: ["holdfast-high"],
      holds: [
        { holdId: own(0), reference: order.fulfillmentOrders[0]?.id },
        { holdId: own(1), reference: order.fulfillmentOrders[1]?.id },
      ],
      assessment: "MEDIUM",
      platformRisk: "cancel",
      hiddenFromMs: expect.any(Number),
    });
  });

  it("shows Shopify's own recommendation, even when ours is more severe", async () => {
    const { enforce, observe, shop } = await startShop();
    expect((await observe())?.platformRisk).toBeNull();
    for (const [level, advice] of [
      ["LOW", "accept"],
      ["MEDIUM", "investigate"],
      ["HIGH", "cancel"],
    ] as const) {
      shop.assessOrder(ORDER_ID, level);
      expect((await observe())?.platformRisk).toBe(advice);
    }

    const other = await startShop();
    await other.enforce("assess", { result: createResult({ riskLevel: "critical" }) });
    expect((await other.observe())?.platformRisk).toBeNull();
    other.shop.assessOrder(ORDER_ID, "LOW");
    expect((await other.observe())?.platformRisk).toBe("accept");
    await enforce("assess", { result: createResult({ riskLevel: "low" }) });
    expect((await observe())?.platformRisk).toBe("cancel");
  });

  it("shows an untouched order", async () => {
    const { observe } = await startShop(0);

    expect(await observe()).toEqual({
      cancelled: false,
      fulfilled: false,
      partlyFulfilled: false,
      holdable: false,
      tags: [],
      holds: [],
      assessment: null,
      platformRisk: null,
      hiddenFromMs: expect.any(Number),
    });
  });

  it("distinguishes holds that a merge removed from holds that a person released", async () => {
    const { enforce, observe, order, shop } = await startShop();
    const held = await enforce("hold");
    if (held.outcome !== "done") throw new Error("expected a hold");
    const seeAgain = async () => observe(ORDER_ID, { holdMemory: held.memory });
    expect(await seeAgain()).not.toHaveProperty("holdsReplaced");

    const [first] = shop.mergeEntries(ORDER_ID, order.fulfillmentOrders.slice()).holds;
    expect(first).toBeUndefined();
    expect(await seeAgain()).toMatchObject({ holds: [], holdable: true, holdsReplaced: true });
    expect(await observe()).not.toHaveProperty("holdsReplaced");

    const released = await startShop();
    const known = await released.enforce("hold");
    released.shop.releaseHold(ORDER_ID);
    const holdMemory = known.outcome === "done" ? known.memory : undefined;
    expect(await released.observe(ORDER_ID, { holdMemory })).not.toHaveProperty("holdsReplaced");
    const [entry] = released.order.fulfillmentOrders;
    if (entry !== undefined) released.shop.splitEntry(ORDER_ID, entry, 1);
    expect(await released.observe(ORDER_ID, { holdMemory })).not.toHaveProperty("holdsReplaced");
  });

  it("shows what has shipped, and what is canceled", async () => {
    const { observe, order, shop } = await startShop(2);

    const [first] = order.fulfillmentOrders;
    if (first !== undefined) first.status = "CLOSED";
    expect(await observe()).toMatchObject({ fulfilled: false, partlyFulfilled: true, holdable: true });
    shop.fulfillOrder(ORDER_ID);
    expect(await observe()).toMatchObject({ fulfilled: true, partlyFulfilled: false, holdable: false });
    shop.cancelOrder(ORDER_ID);
    expect(await observe()).toMatchObject({ cancelled: true, fulfilled: false, partlyFulfilled: false });
  });

  it("can be held again once somebody released the hold, but not while Shopify checks it", async () => {
    const { enforce, observe, order, shop } = await startShop(1);
    await enforce("hold");

    shop.releaseHold(ORDER_ID);
    expect(await observe()).toMatchObject({ holds: [], holdable: true });
    const [entry] = order.fulfillmentOrders;
    if (entry !== undefined) entry.holdable = false;
    expect(await observe()).toMatchObject({ holdable: false });
  });

  it("shows that somebody removed a tag", async () => {
    const { enforce, observe, shop } = await startShop(1);
    await enforce("tag");

    shop.removeTag(ORDER_ID, "Holdfast-High");
    expect(await observe()).toMatchObject({ tags: [] });
  });

  it("asks once, and once more for every further fifty fulfillment orders", async () => {
    const { enforce, observe, emulator, shop } = await startShop(2);
    await observe();
    expect(emulator.operations.map(({ name }) => name)).toEqual(["ObserveOrder"]);

    shop.routeOrder(ORDER_ID, 118);
    await enforce("hold");
    const before = emulator.operations.length;

    expect((await observe())?.holds).toHaveLength(120);
    expect(emulator.operations.slice(before).map(({ name }) => name)).toEqual([
      "ObserveOrder",
      "OrderFulfillmentOrders",
      "OrderFulfillmentOrders",
    ]);
  });

  it("says that holding again may help while part of a held order isn't held, visible or not", async () => {
    const { enforce, observe, shop } = await startShop(1);
    await enforce("hold");
    expect(await observe()).toMatchObject({ holdable: false });
    shop.scopes = shop.scopes.filter((scope) => !scope.includes("third_party"));
    shop.routeOrder(ORDER_ID, 1, { service: "ACME" });

    expect(await observe()).toMatchObject({ holdable: true });
  });

  it.each(["404", "not-digits"])("shows nothing for %s", async (orderId) => {
    const { observe } = await startShop();

    expect(await observe(orderId)).toBeNull();
  });

  it("throws what prevents reading the order", async () => {
    const { observe, emulator } = await startShop();
    emulator.fail(1, "500");

    await expect(observe()).rejects.toMatchObject({ code: "PLATFORM_UNAVAILABLE" });
  });
});

describe("locateOrder", () => {
  it("doesn't take a failure of Shopify for an unknown order", async () => {
    const failing: AdminClient = {
      request: async () => ({
        data: { nodes: [null] },
        errors: [{ code: "INTERNAL_SERVER_ERROR", path: "nodes.0" }],
      }),
    };

    const located = locateOrder(failing, TENANT, "gid://shopify/FulfillmentOrder/1", undefined);

    await expect(located).rejects.toMatchObject({ code: "PLATFORM_UNAVAILABLE", retryable: true });
  });

  it("finds the order of a fulfillment order, by global id or digits", async () => {
    const { locate, order } = await startShop();
    const gid = order.fulfillmentOrders[0]?.id ?? "";

    expect(await locate(gid)).toBe(ORDER_ID);
    expect(await locate(gid.replace(/\D+/, ""))).toBe(ORDER_ID);
  });

  it("finds the order when only one of several fulfillment orders is visible, in one call", async () => {
    const { locate, order, count } = await startShop();
    const gid = order.fulfillmentOrders[0]?.id ?? "";

    expect(await locate(`gid://shopify/FulfillmentOrder/1 ${gid}`)).toBe(ORDER_ID);
    expect(count("LocateFulfillmentOrders")).toBe(1);
  });

  it.each(["gid://shopify/FulfillmentOrder/1", "gid://shopify/Order/1", "", "x"])(
    "finds none for %j",
    async (reference) => {
      const { locate } = await startShop();

      expect(await locate(reference)).toBeNull();
    },
  );
});
