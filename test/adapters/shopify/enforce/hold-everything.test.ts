import { describe, expect, it } from "vitest";
import type { EmulatedFulfillmentOrder } from "../../../../tools/emulators/shopify/emulated-order.ts";
import { REQUIRED_SCOPES, THIRD_PARTY_SCOPE } from "../../../../adapters/shopify/admin/scopes.ts";
import { asWait, ORDER_ID, startFixture } from "../admin-fixture.ts";

const FIVE_UNITS = { line_items: [{ quantity: 2 }, { quantity: 3 }] };

/** An order of which the merchant ships two units and a fulfillment service three. */
async function startMixed(scopes: readonly string[] = REQUIRED_SCOPES) {
  const fixture = await startFixture();
  fixture.shop.scopes = scopes;
  const order = fixture.shop.addOrder({ orderId: ORDER_ID, routed: 0, payload: FIVE_UNITS });
  const [own] = fixture.shop.routeOrder(ORDER_ID, 1, { units: 2 });
  const [sent] = fixture.shop.routeOrder(ORDER_ID, 1, { service: "ACME", units: 3 });
  if (own === undefined || sent === undefined) throw new Error("expected two fulfillment orders");
  /** Units of the order that could ship now. */
  const countLoose = () =>
    order.fulfillmentOrders
      .filter(({ status }) => status === "OPEN" || status === "IN_PROGRESS")
      .reduce((sum, { units }) => sum + (units ?? 0), 0);
  const submit = (answer?: "accept") => {
    fixture.shop.submitEntry(sent);
    if (answer !== undefined) fixture.shop.answerRequest(ORDER_ID, sent, answer);
  };
  return { ...fixture, order, own, sent, countLoose, submit };
}

const WITHOUT = REQUIRED_SCOPES.filter((scope) => scope !== THIRD_PARTY_SCOPE);

describe("hold, of an order that is partly shipped by a fulfillment service", () => {
  it("holds both parts", async () => {
    const { enforce, countLoose } = await startMixed();

    expect(await enforce("hold")).toMatchObject({
      outcome: "done",
      detail: "2 of 2 fulfillment orders on hold",
    });
    expect(countLoose()).toBe(0);
  });

  it("reports a part that is hidden without the scope each time, and asks less and less often", async () => {
    const { enforce, own, sent, clock } = await startMixed(WITHOUT);
    const pauses: number[] = [];
    let memory: Readonly<Record<string, string>> = {};

    for (let attempt = 0; attempt < 3; attempt += 1) {
      const outcome = await enforce("hold", { memory });
      if (outcome.outcome !== "partial") throw new Error(`expected a part, got ${JSON.stringify(outcome)}`);
      const detail = "1 of 1 fulfillment orders on hold, units not on hold: 3";
      expect(outcome).toMatchObject({ gap: "hidden", detail });
      pauses.push(Math.round((outcome.retryAtMs - clock.now()) / 1000));
      memory = { ...outcome.memory, gap: outcome.gap };
    }

    expect(pauses).toEqual([5, 15, 45]);
    expect([own.status, sent.status]).toEqual(["ON_HOLD", "OPEN"]);
  });

  it("holds the rest once the scope is granted", async () => {
    const { enforce, shop, countLoose } = await startMixed(WITHOUT);
    const outcome = await enforce("hold");
    const memory = outcome.outcome === "partial" ? { ...outcome.memory, gap: outcome.gap } : {};
    shop.scopes = REQUIRED_SCOPES;

    expect(await enforce("hold", { memory })).toMatchObject({ outcome: "done" });
    expect(countLoose()).toBe(0);
  });

  it("reports when the whole order is hidden, after the time that routing takes", async () => {
    const fixture = await startMixed(WITHOUT);
    fixture.own.status = "CANCELLED";
    const first = asWait(await fixture.enforce("hold"));
    expect(first.reason).toBe("not-routed-yet");
    fixture.clock.advance(6 * 60_000);

    expect(asWait(await fixture.enforce("hold", { memory: first.memory ?? {} })).reason).toBe("goods-hidden");
  });

  it("doesn't call an order shipped whose hidden part hasn't", async () => {
    const { enforce, own } = await startMixed(WITHOUT);
    own.status = "CLOSED";

    expect(asWait(await enforce("hold")).reason).toBe("goods-hidden");
  });

  it("counts what has shipped, so that the rest is known to be held", async () => {
    const { enforce, shop, order } = await startMixed(WITHOUT);
    order.fulfillmentOrders.splice(1);
    const [shipped] = shop.routeOrder(ORDER_ID, 1, { units: 3 });
    if (shipped !== undefined) shipped.status = "CLOSED";

    expect(await enforce("hold")).toMatchObject({
      outcome: "done",
      detail: "1 of 2 fulfillment orders on hold",
    });
  });

  it("counts over every page of lines and of fulfillment orders, whichever has more", async () => {
    const { enforce, shop, count } = await startFixture();
    shop.scopes = WITHOUT;
    const lines = Array.from({ length: 120 }, () => ({ quantity: 1 }));
    shop.addOrder({ orderId: ORDER_ID, routed: 0, payload: { line_items: lines } });
    for (let entry = 0; entry < 24; entry += 1) shop.routeOrder(ORDER_ID, 1, { units: 4 });

    expect(await enforce("hold")).toMatchObject({
      outcome: "partial",
      gap: "hidden",
      detail: "24 of 24 fulfillment orders on hold, units not on hold: 24",
    });
    expect(count("OrderGoods")).toBe(5);
  });

  it("counts over every page of a fulfillment order with many lines", async () => {
    const { enforce, shop, count } = await startFixture();
    shop.scopes = WITHOUT;
    shop.addOrder({ orderId: ORDER_ID, routed: 0, payload: { line_items: [{ quantity: 260 }] } });
    shop.routeOrder(ORDER_ID, 1, { units: 250 });

    expect(await enforce("hold")).toMatchObject({
      gap: "hidden",
      detail: "1 of 1 fulfillment orders on hold, units not on hold: 10",
    });
    expect(count("FulfillmentOrderGoods")).toBe(2);
  });

  it.each([
    ["a tip", [{ quantity: 2 }, { quantity: 1, tip: {} }]],
    ["a line that was removed later", [{ quantity: 1 }]],
  ])("looks for no goods of %s", async (_case, lines) => {
    const { enforce, shop } = await startFixture();
    shop.scopes = WITHOUT;
    shop.addOrder({ orderId: ORDER_ID, routed: 0, payload: { line_items: lines } });
    shop.routeOrder(ORDER_ID, 1, { units: 2 });

    expect(await enforce("hold")).toMatchObject({ outcome: "done" });
  });

  it.each([
    ["the scope", REQUIRED_SCOPES],
    ["its reading half", [...WITHOUT, "read_third_party_fulfillment_orders"]],
  ])(
    "waits an hour for goods that Shopify is routing again, and then treats the order as held, with %s",
    async (_case, scopes) => {
      const { enforce, shop, order, clock } = await startMixed(scopes);
      order.fulfillmentOrders.splice(1);
      const [shipped] = shop.routeOrder(ORDER_ID, 1, { units: 1 });
      if (shipped !== undefined) shipped.status = "CLOSED";

      const outcome = await enforce("hold");
      expect(outcome).toMatchObject({ outcome: "partial", gap: "open" });
      const memory = outcome.outcome === "partial" ? { ...outcome.memory, gap: outcome.gap } : {};
      clock.advance(59 * 60_000);
      expect(await enforce("hold", { memory })).toMatchObject({ outcome: "partial" });
      clock.advance(60_000);
      expect(await enforce("hold", { memory })).toMatchObject({ outcome: "done" });
    },
  );

  it("leaves alone what a person released while a part was missing", async () => {
    const { enforce, shop, own } = await startMixed(WITHOUT);
    const outcome = await enforce("hold");
    const memory = outcome.outcome === "partial" ? { ...outcome.memory, gap: outcome.gap } : {};
    shop.releaseHold(ORDER_ID);

    expect(await enforce("hold", { memory })).toMatchObject({ outcome: "done" });
    expect(own.status).toBe("OPEN");
  });
});

describe("hold, of a part that was sent to a fulfillment service", () => {
  it("takes it back at once before the service accepts it, and holds it", async () => {
    const { enforce, submit, sent, countLoose } = await startMixed();
    submit();

    expect(await enforce("hold")).toMatchObject({
      outcome: "done",
      detail: "2 of 2 fulfillment orders on hold",
    });
    expect(sent.status).toBe("CANCELLED");
    expect(countLoose()).toBe(0);
  });

  it("asks the service once for what it accepted, holds the rest meanwhile, and reports its answer", async () => {
    const { enforce, submit, shop, sent, own, count, countLoose } = await startMixed();
    submit("accept");

    const asked = await enforce("hold");
    expect(asked).toMatchObject({ outcome: "partial", gap: "recalling" });
    expect([own.status, sent.requestStatus]).toEqual(["ON_HOLD", "CANCELLATION_REQUESTED"]);
    expect(await enforce("hold")).toMatchObject({ outcome: "partial", gap: "recalling" });
    expect(count("RequestCancellation")).toBe(1);
    shop.answerRequest(ORDER_ID, sent, "accept");

    expect(await enforce("hold")).toMatchObject({
      outcome: "done",
      detail: "2 of 2 fulfillment orders on hold, 1 taken back from a fulfillment service",
    });
    expect(countLoose()).toBe(0);
  });

  it("recalls nothing before the order is decided, because it can't be sent there again", async () => {
    const { enforce, submit, own, order, count } = await startMixed();
    submit("accept");

    expect(await enforce("hold", { undecided: true })).toMatchObject({
      outcome: "partial",
      gap: "recalling",
    });
    expect(own.status).toBe("ON_HOLD");
    order.fulfillmentOrders.splice(0, 1);
    expect(await enforce("hold", { undecided: true })).toEqual({
      outcome: "impossible",
      reason: "sent-to-service",
    });
    expect(count("RequestCancellation")).toBe(0);
  });

  it("reports that a part will ship when the service refuses, and doesn't ask again", async () => {
    const { enforce, submit, shop, sent, count } = await startMixed();
    submit("accept");
    await enforce("hold");
    shop.answerRequest(ORDER_ID, sent, "reject");

    expect(await enforce("hold")).toMatchObject({ outcome: "partial", gap: "refused" });
    expect(count("RequestCancellation")).toBe(1);
  });

  it("waits for the answer, and ends with it, where the service has all of the order", async () => {
    const { enforce, submit, shop, sent, order } = await startMixed();
    order.fulfillmentOrders.splice(0, 1);
    submit("accept");

    const waiting = asWait(await enforce("hold"));
    expect(waiting.reason).toBe("recall-requested");
    shop.answerRequest(ORDER_ID, sent, "reject");

    const { memory = {} } = waiting;
    expect(await enforce("hold", { memory })).toEqual({ outcome: "impossible", reason: "recall-refused" });
  });

  it("asks once when the connection breaks after it", async () => {
    const { enforce, submit, emulator, count } = await startMixed();
    submit("accept");
    emulator.fail(1, "reset-after-effect", { operation: "RequestCancellation" });

    await expect(enforce("hold")).rejects.toMatchObject({ retryable: true });
    expect(await enforce("hold")).toMatchObject({ outcome: "partial", gap: "recalling" });
    expect(count("RequestCancellation")).toBe(1);
  });
});

describe("hold, of several fulfillment orders that a person releases one by one", () => {
  it("leaves the released one alone and keeps the rest", async () => {
    const { enforce, shop, order, own, sent } = await startMixed();
    const first = await enforce("hold");
    shop.release(order, own, () => true, "staff");
    const memory = first.outcome === "done" ? (first.memory ?? {}) : {};

    const second = await enforce("hold", { memory });

    expect(second).toMatchObject({
      outcome: "done",
      detail: "1 of 2 fulfillment orders on hold, 1 released by others",
    });
    expect([own.status, sent.status]).toEqual(["OPEN", "ON_HOLD"]);
    shop.release(order, sent, () => true, "staff");
    expect(await enforce("hold", { memory })).toMatchObject({ outcome: "done" });
    expect([own.status, sent.status]).toEqual(["OPEN", "OPEN"]);
  });

  it("holds the replacements of everything that it held", async () => {
    const { enforce, shop, order, own, sent } = await startMixed();
    const first = await enforce("hold");
    const replaced = [own, sent].map((entry) => shop.replaceEntry(order, entry, "UNSUBMITTED"));

    await enforce("hold", { memory: first.outcome === "done" ? (first.memory ?? {}) : {} });

    expect(replaced.map(({ status }) => status)).toEqual(["ON_HOLD", "ON_HOLD"]);
  });

  it("holds parts that are split off meanwhile, and everything again for another decision", async () => {
    const { enforce, shop, order, own, sent } = await startMixed();
    const first = await enforce("hold");
    shop.release(order, own, () => true, "staff");
    const added = shop.splitEntry(ORDER_ID, sent, 1);

    await enforce("hold", { memory: first.outcome === "done" ? (first.memory ?? {}) : {} });
    expect([own.status, sent.status, added.status]).toEqual(["OPEN", "ON_HOLD", "ON_HOLD"]);
    await enforce("hold");
    expect(own.status).toBe("ON_HOLD");
  });
});

describe("hold, after somebody changed the fulfillment orders", () => {
  it.each<[string, (fixture: Awaited<ReturnType<typeof startMixed>>) => EmulatedFulfillmentOrder]>([
    ["split", ({ shop, own }) => shop.splitEntry(ORDER_ID, own, 1)],
    [
      "moved to a fulfillment service",
      ({ shop, own }) => shop.moveEntry(ORDER_ID, own, { units: 1, service: "B" }),
    ],
  ])("holds what was %s", async (_what, change) => {
    const fixture = await startMixed();
    await fixture.enforce("hold");
    const added = change(fixture);

    expect(await fixture.enforce("hold")).toMatchObject({
      outcome: "done",
      detail: "3 of 3 fulfillment orders on hold",
    });
    expect(added.status).toBe("ON_HOLD");
  });
});
