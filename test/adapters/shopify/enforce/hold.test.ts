import { describe, expect, it } from "vitest";
import type { AdminClient } from "../../../../adapters/shopify/admin/admin-client.ts";
import type { Operations } from "../../../../adapters/shopify/operations/generated/operations.ts";
import { THIRD_PARTY_SCOPE } from "../../../../adapters/shopify/admin/scopes.ts";
import { createEnforce } from "../../../../adapters/shopify/enforce/enforce.ts";
import type { EnforcementTarget } from "../../../../src/adapter-kit.ts";
import { asWait, createTarget, ORDER_ID, startFixture, type AdminCall } from "../admin-fixture.ts";

async function startShop(routed = 1) {
  const fixture = await startFixture();
  const order = fixture.shop.addOrder({ orderId: ORDER_ID, routed });
  return { ...fixture, order };
}

describe("hold", () => {
  it("puts every fulfillment order on hold, and says why but not who", async () => {
    const { enforce, order } = await startShop(3);

    expect(await enforce("hold")).toMatchObject({
      outcome: "done",
      detail: "3 of 3 fulfillment orders on hold",
    });
    for (const entry of order.fulfillmentOrders) {
      expect(entry.status).toBe("ON_HOLD");
      expect(entry.holds).toMatchObject([
        {
          handle: "holdfast",
          reason: "HIGH_RISK_OF_FRAUD",
          reasonNotes: "Held by Holdfast: risk level high. Release the hold once the order is verified.",
        },
      ]);
    }
  });

  it("has one effect however often it is taken", async () => {
    const { enforce, order, count } = await startShop(2);

    await enforce("hold");
    expect(await enforce("hold")).toMatchObject({ outcome: "done" });

    expect(order.fulfillmentOrders.map(({ holds }) => holds.length)).toEqual([1, 1]);
    expect(count("HoldFulfillmentOrder")).toBe(2);
  });

  it("has one effect when the connection breaks after it", async () => {
    const { enforce, order, emulator } = await startShop(3);
    emulator.fail(1, "reset-after-effect", { operation: "HoldFulfillmentOrder" });

    await expect(enforce("hold")).rejects.toMatchObject({ code: "PLATFORM_UNAVAILABLE", retryable: true });
    expect(await enforce("hold")).toMatchObject({
      outcome: "done",
      detail: "3 of 3 fulfillment orders on hold",
    });

    expect(order.fulfillmentOrders.map(({ holds }) => holds.length)).toEqual([1, 1, 1]);
  });

  it("has one effect when two workers race", async () => {
    const { enforce, order } = await startShop(2);

    const outcomes = await Promise.all(Array.from({ length: 6 }, () => enforce("hold")));

    expect(outcomes.every(({ outcome }) => outcome === "done")).toBe(true);
    expect(order.fulfillmentOrders.map(({ holds }) => holds.length)).toEqual([1, 1]);
  });

  it("adds its hold beside another app's", async () => {
    const { enforce, order } = await startShop();
    const [entry] = order.fulfillmentOrders;
    entry?.holds.push({ id: "other", handle: "holdfast", reason: "OTHER", reasonNotes: null, ours: false });
    if (entry !== undefined) entry.status = "ON_HOLD";

    expect(await enforce("hold")).toMatchObject({ outcome: "done" });
    expect(entry?.holds.map(({ ours }) => ours)).toEqual([false, true]);
  });

  it("holds more fulfillment orders than one page has", async () => {
    const { enforce, order, count } = await startShop(120);

    expect(await enforce("hold")).toMatchObject({
      outcome: "done",
      detail: "120 of 120 fulfillment orders on hold",
    });
    expect(order.fulfillmentOrders.every(({ holds }) => holds.length === 1)).toBe(true);
    expect(count("OrderFulfillmentOrders")).toBe(3);
  });

  it("waits, longer each time, while the order isn't routed, and holds it once it is", async () => {
    const { enforce, shop, clock } = await startShop(0);
    const pauses: number[] = [];
    let memory: Readonly<Record<string, string>> = {};

    for (let attempt = 0; attempt < 8; attempt += 1) {
      const outcome = asWait(await enforce("hold", { memory }));
      pauses.push(Math.round((outcome.retryAtMs - clock.now()) / 1000));
      expect(outcome.reason).toBe("not-routed-yet");
      memory = outcome.memory ?? {};
      clock.advance(outcome.retryAtMs - clock.now());
    }
    shop.routeOrder(ORDER_ID, 2);

    expect(pauses).toEqual([5, 15, 45, 120, 300, 600, 600, 600]);
    expect(await enforce("hold", { memory })).toMatchObject({ outcome: "done" });
  });

  it("holds the fulfillment order that replaced those that it held", async () => {
    const { enforce, order, shop } = await startShop(2);
    const held = await enforce("hold");
    const memory = held.outcome === "done" ? held.memory : undefined;
    const merged = shop.mergeEntries(ORDER_ID, [...order.fulfillmentOrders]);

    expect(await enforce("hold", { memory: memory ?? {} })).toMatchObject({ outcome: "done" });

    expect(merged).toMatchObject({ status: "ON_HOLD", holds: [{ handle: "holdfast" }] });
  });

  it("waits for as long as the order isn't routed", async () => {
    const { enforce, shop, clock } = await startShop(0);
    shop.addOrder({ orderId: ORDER_ID, routed: 0, payload: { line_items: [{ quantity: 1 }] } });
    let { memory = {} } = asWait(await enforce("hold"));

    for (let day = 0; day < 3; day += 1) {
      clock.advance(24 * 3_600_000);
      const outcome = asWait(await enforce("hold", { memory }));
      expect(outcome.reason).toBe("not-routed-yet");
      memory = outcome.memory ?? {};
    }
    shop.routeOrder(ORDER_ID, 1);

    expect(await enforce("hold", { memory })).toMatchObject({ outcome: "done" });
  });

  it("gives up after a day if there are no goods to ship", async () => {
    const { enforce, clock } = await startShop(0);
    const { memory = {} } = asWait(await enforce("hold"));

    clock.advance(24 * 3_600_000 - 60_000);
    expect(await enforce("hold", { memory })).toMatchObject({ outcome: "wait" });
    clock.advance(60_000);

    expect(await enforce("hold", { memory })).toEqual({ outcome: "impossible", reason: "not-routed-yet" });
  });

  it("waits while nothing can be held yet, e.g. during Shopify's own checks", async () => {
    const { enforce, order } = await startShop();
    const [entry] = order.fulfillmentOrders;
    if (entry !== undefined) entry.holdable = false;

    expect(asWait(await enforce("hold")).reason).toBe("not-holdable-yet");
  });

  it("waits for as long as the goods are scheduled for later, and holds them once they are due", async () => {
    const { enforce, order, clock } = await startShop();
    const [entry] = order.fulfillmentOrders;
    Object.assign(entry ?? {}, { status: "SCHEDULED", holdable: false });
    let memory: Readonly<Record<string, string>> = {};

    for (let day = 0; day < 40; day += 1) {
      const outcome = asWait(await enforce("hold", { memory }));
      expect(outcome.reason).toBe("scheduled");
      expect(outcome.retryAtMs - clock.now()).toBeLessThanOrEqual(3_600_000);
      memory = outcome.memory ?? {};
      clock.advance(24 * 3_600_000);
    }
    Object.assign(entry ?? {}, { status: "OPEN", holdable: true });

    expect(await enforce("hold", { memory })).toMatchObject({ outcome: "done" });
  });

  it("has nothing to do on a canceled order", async () => {
    const { enforce, shop } = await startShop();
    shop.cancelOrder(ORDER_ID);

    expect(await enforce("hold")).toEqual({
      outcome: "moot",
      ended: "cancelled",
      reason: "already-cancelled",
    });
  });

  it.each(["CLOSED", "IN_PROGRESS", "INCOMPLETE"] as const)(
    "is too late once everything is %s",
    async (status) => {
      const { enforce, order } = await startShop(2);
      for (const entry of order.fulfillmentOrders) entry.status = status;

      expect(await enforce("hold")).toEqual({
        outcome: "impossible",
        ended: "shipped",
        reason: "already-fulfilled",
      });
    },
  );

  it("holds the rest of an order that has partly shipped", async () => {
    const { enforce, order } = await startShop(3);
    const [first] = order.fulfillmentOrders;
    if (first !== undefined) first.status = "CLOSED";

    expect(await enforce("hold")).toMatchObject({
      outcome: "done",
      detail: "2 of 3 fulfillment orders on hold",
    });
  });

  it("waits for the successors of fulfillment orders that were replaced", async () => {
    const { enforce, order } = await startShop(2);
    for (const entry of order.fulfillmentOrders) entry.status = "CANCELLED";

    expect(asWait(await enforce("hold")).reason).toBe("not-routed-yet");
  });

  it("gives the code of what Shopify refuses", async () => {
    const { enforce, order } = await startShop(1);
    const [entry] = order.fulfillmentOrders;
    for (let index = 0; index < 10; index += 1) {
      entry?.holds.push({
        id: String(index),
        handle: `h${index}`,
        reason: "OTHER",
        reasonNotes: null,
        ours: true,
      });
    }

    expect(await enforce("hold")).toEqual({
      outcome: "impossible",
      reason: "refused-FULFILLMENT_ORDER_HOLD_LIMIT_REACHED",
    });
  });

  it("tries again after a refusal without a code, however long it takes", async () => {
    const { client, clock, enforce, order } = await startShop(1);
    const refused: unknown = { fulfillmentOrderHold: { userErrors: [{ code: null }] } };
    const refusing: AdminClient = {
      request: async <K extends keyof Operations>(...call: AdminCall<K>) =>
        call[1] === "HoldFulfillmentOrder"
          ? { data: refused as Operations[K]["data"], errors: [] }
          : client.request(...call),
    };
    const holdRefused = async (memory: EnforcementTarget["memory"] = {}) =>
      asWait(await createEnforce(refusing, clock.now)("hold", createTarget({ memory })));

    const first = await holdRefused();
    expect(first.reason).toBe("refused-UNKNOWN");
    const { memory = {} } = await holdRefused({
      ...first.memory,
      sinceMs: String(clock.now() - 48 * 3_600_000),
    });

    expect(await enforce("hold", { memory })).toMatchObject({ outcome: "done" });
    expect(order.fulfillmentOrders.map(({ status }) => status)).toEqual(["ON_HOLD"]);
  });

  it("isn't done while Shopify fails to say whether everything is on hold", async () => {
    const { client, clock, enforce } = await startShop(1);
    const accessScopes = [{ handle: THIRD_PARTY_SCOPE }];
    const partial: unknown = { order: null, currentAppInstallation: { accessScopes } };
    const failing: AdminClient = {
      request: async <K extends keyof Operations>(...call: AdminCall<K>) =>
        call[1] === "OrderCoverage"
          ? {
              data: partial as Operations[K]["data"],
              errors: [{ code: "INTERNAL_SERVER_ERROR", path: "order" }],
            }
          : client.request(...call),
    };

    const held = createEnforce(failing, clock.now)("hold", createTarget());

    await expect(held).rejects.toMatchObject({ code: "PLATFORM_UNAVAILABLE", retryable: true });
    expect(await enforce("hold")).toMatchObject({ outcome: "done" });
  });

  it("isn't done before everything that could still ship is held", async () => {
    const { enforce, order } = await startShop(2);
    for (let index = 0; index < 10; index += 1) {
      const hold = { id: String(index), handle: `h${index}`, reason: "OTHER", reasonNotes: null, ours: true };
      order.fulfillmentOrders[0]?.holds.push(hold);
    }

    expect(await enforce("hold")).toMatchObject({ outcome: "partial", gap: "open" });
    order.fulfillmentOrders[0]?.holds.pop();

    expect(await enforce("hold")).toMatchObject({
      outcome: "done",
      detail: "2 of 2 fulfillment orders on hold",
    });
  });

  it("is refused without the permission to hold", async () => {
    const { enforce, shop } = await startShop();
    shop.deny("Mutation.fulfillmentOrderHold");

    await expect(enforce("hold")).rejects.toMatchObject({ code: "PLATFORM_REFUSED", retryable: false });
  });

  it("is impossible for an unknown order", async () => {
    const { enforce } = await startShop();

    expect(await enforce("hold", { orderId: "404" })).toMatchObject({ outcome: "impossible" });
  });
});
