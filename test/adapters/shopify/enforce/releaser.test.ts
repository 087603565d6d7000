import { describe, expect, it } from "vitest";
import { observeOrder } from "../../../../adapters/shopify/enforce/observe.ts";
import type { ObserveOptions } from "../../../../src/adapter-kit.ts";
import { API_KEY, ORDER_ID, startFixture, TENANT } from "../admin-fixture.ts";
import { asShown } from "../../../support/shown.ts";

const FLOW = { app: "Flow" };
const MINUTE_MS = 60_000;

async function startHeld() {
  const fixture = await startFixture();
  const order = fixture.shop.addOrder({ orderId: ORDER_ID, routed: 2 });
  const held = await fixture.enforce("hold");
  const holdMemory = held.outcome === "done" ? (held.memory ?? {}) : {};
  const heldAtMs = fixture.clock.now();
  const observe = async (asked: ObserveOptions = { holdMemory, heldAtMs }) =>
    asShown(await observeOrder(fixture.client, API_KEY, TENANT, ORDER_ID, asked));
  return { ...fixture, order, holdMemory, heldAtMs, observe };
}

describe("who released a hold", () => {
  it("is the member of the staff who did", async () => {
    const { shop, observe } = await startHeld();
    shop.releaseHold(ORDER_ID);

    expect(await observe()).toMatchObject({ holds: [], released: { by: "person" } });
  });

  it("is the app that did, by its name", async () => {
    const { shop, observe } = await startHeld();
    shop.releaseHold(ORDER_ID, FLOW);

    expect(await observe()).toMatchObject({ holds: [], released: { by: "app", app: "Flow" } });
  });

  it("is the app also if staff did something else before and after", async () => {
    const { shop, order, clock, observe } = await startHeld();
    shop.addEvent(order, "update", "staff");
    shop.releaseHold(ORDER_ID, FLOW);
    clock.advance(MINUTE_MS);
    shop.addEvent(order, "mail_sent", "staff");

    expect((await observe())?.released).toEqual({ by: "app", app: "Flow" });
  });

  it("is whoever released it last", async () => {
    const { shop, order, clock, observe } = await startHeld();
    shop.addEvent(order, "fulfillment_hold_released", "staff");
    clock.advance(MINUTE_MS);
    shop.releaseHold(ORDER_ID, FLOW);

    expect((await observe())?.released).toEqual({ by: "app", app: "Flow" });
  });

  it("isn't known if no event says so, or only one from before the hold, or one of Holdfast's own", async () => {
    const { shop, order, clock, heldAtMs, holdMemory, observe } = await startHeld();
    shop.releaseHold(ORDER_ID, { app: "Holdfast" });
    shop.addEvent(order, "update", FLOW);
    expect((await observe())?.released).toEqual({ by: "unknown" });

    shop.addEvent(order, "fulfillment_hold_released", FLOW);
    clock.advance(10 * MINUTE_MS);
    const later = { holdMemory, heldAtMs: heldAtMs + 5 * MINUTE_MS };
    expect((await observe(later))?.released).toEqual({ by: "unknown" });
  });

  it("isn't asked while a hold is there, for an order that ended, or if nobody wants to know", async () => {
    const { shop, observe, holdMemory, count } = await startHeld();
    expect((await observe())?.released).toBeUndefined();
    shop.releaseHold(ORDER_ID, FLOW);
    expect((await observe({ holdMemory }))?.released).toBeUndefined();
    shop.cancelOrder(ORDER_ID);
    expect((await observe())?.released).toBeUndefined();

    expect(count("OrderEvents")).toBe(0);
  });

  it("is known after the hold was tried again, and also if no goods of it are remembered", async () => {
    const { shop, enforce, holdMemory, heldAtMs, observe } = await startHeld();
    shop.releaseHold(ORDER_ID, FLOW);

    const again = await enforce("hold", { memory: holdMemory });

    expect(again).toMatchObject({ outcome: "done", memory: { entries: holdMemory["entries"] } });
    const released = { by: "app", app: "Flow" };
    expect((await observe({ holdMemory: {}, heldAtMs }))?.released).toEqual(released);
  });

  it("can be undone by a hold that starts over", async () => {
    const { shop, order, enforce, holdMemory } = await startHeld();
    shop.releaseHold(ORDER_ID, FLOW);

    await enforce("hold", { memory: holdMemory });
    expect(order.fulfillmentOrders.flatMap(({ holds }) => holds)).toHaveLength(0);
    await enforce("hold", { memory: {} });
    expect(order.fulfillmentOrders.flatMap(({ holds }) => holds)).toHaveLength(2);
  });
});
