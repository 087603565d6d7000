import { describe, expect, it } from "vitest";
import type {
  EmulatedTransaction,
  NewEmulatedOrder,
} from "../../../../tools/emulators/shopify/emulated-order.ts";
import { asWait, ORDER_ID, startFixture } from "../admin-fixture.ts";

const AUTHORIZED: EmulatedTransaction = { card: null, amount: "40.00" };
const LONG_AGO = "2020-01-01T00:00:00Z";
const CANCELED = { outcome: "moot", ended: "cancelled", reason: "already-cancelled" };
const EXPIRED = { outcome: "impossible", reason: "authorization-expired" };
const REFUSED = { outcome: "impossible", reason: "capture-refused" };

async function startShop(
  transactions: readonly EmulatedTransaction[] = [AUTHORIZED],
  order: Partial<NewEmulatedOrder> = {},
) {
  const fixture = await startFixture();
  const payload = { currency: "EUR", total_price: "40.00" };
  const status = transactions.some(({ kind = "AUTHORIZATION" }) => kind === "AUTHORIZATION");
  const financialStatus = status ? "AUTHORIZED" : "PAID";
  const added = fixture.shop.addOrder({
    orderId: ORDER_ID,
    payload,
    transactions,
    financialStatus,
    ...order,
  });
  const captures = () => added.transactions.filter(({ kind }) => kind === "CAPTURE");
  return { ...fixture, order: added, captures };
}

describe("capture", () => {
  it("captures what is authorized, in the order's currency, and says so", async () => {
    const { enforce, captures, emulator } = await startShop();

    expect(await enforce("capture")).toEqual({ outcome: "done", detail: "payment captured" });
    expect(captures()).toMatchObject([{ status: "SUCCESS", amount: "40.00" }]);
    expect(emulator.operations.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it("captures once however often it is taken, even when the answer is lost", async () => {
    const { enforce, captures, emulator } = await startShop();
    emulator.fail(1, "reset-after-effect", { operation: "CapturePayment" });

    await expect(enforce("capture")).rejects.toMatchObject({ code: "PLATFORM_UNAVAILABLE" });
    expect(await enforce("capture")).toEqual({ outcome: "done", detail: "payment captured before" });
    expect(await enforce("capture")).toMatchObject({ outcome: "done" });

    expect(captures()).toHaveLength(1);
  });

  it("captures each of several authorizations", async () => {
    const payload = { currency: "EUR", total_price: "45.00" };
    const { enforce, captures } = await startShop([AUTHORIZED, { card: null, amount: "5.00" }], { payload });

    expect(await enforce("capture")).toMatchObject({ outcome: "done" });

    expect(captures().map(({ amount }) => amount)).toEqual(["40.00", "5.00"]);
  });

  it("doesn't take an authorization that was captured before it expired for an expired one", async () => {
    const payload = { currency: "EUR", total_price: "45.00" };
    const { enforce, order } = await startShop([{ ...AUTHORIZED }], { payload });
    await enforce("capture");
    Object.assign(order.transactions[0] ?? {}, { authorizationExpiresAt: LONG_AGO });

    expect(await enforce("capture")).toEqual({ outcome: "done", detail: "payment captured before" });
  });

  it("waits for a capture that is running, and starts no second one", async () => {
    const { enforce, order, captures } = await startShop();
    order.captureResult = "PENDING";

    expect(asWait(await enforce("capture"))).toMatchObject({ reason: "capturing" });
    const { memory = {} } = asWait(await enforce("capture"));
    expect(captures()).toHaveLength(1);

    const [running] = captures();
    if (running !== undefined) running.status = "SUCCESS";
    expect(await enforce("capture", { memory })).toMatchObject({ outcome: "done" });
  });

  it("gives up on a capture that never ends", async () => {
    const { enforce, order, clock } = await startShop();
    order.captureResult = "PENDING";
    const { memory = {} } = asWait(await enforce("capture"));
    clock.advance(25 * 3_600_000);

    expect(await enforce("capture", { memory })).toEqual({
      outcome: "impossible",
      reason: "capture-never-ended",
    });
  });

  it.each<[string, readonly EmulatedTransaction[]]>([
    ["was paid at once", [{ card: null, kind: "SALE" }]],
    ["has no payment", []],
    ["was never authorized", [{ card: null, status: "FAILURE" }]],
  ])("has nothing to do for an order that %s", async (_case, transactions) => {
    const { enforce, count } = await startShop(transactions);

    expect(await enforce("capture")).toEqual({ outcome: "moot", reason: "nothing-to-capture" });
    expect(count("CapturePayment")).toBe(0);
  });

  it("is too late for an authorization that expired", async () => {
    const { enforce, count } = await startShop([{ ...AUTHORIZED, authorizationExpiresAt: LONG_AGO }]);

    expect(await enforce("capture")).toEqual(EXPIRED);
    expect(count("CapturePayment")).toBe(0);
  });

  it("captures what is owed when goods were removed from the order since", async () => {
    const payload = { currency: "EUR", total_price: "45.00", current_total_price: "41.50" };
    const authorizations = [AUTHORIZED, { card: null, amount: "5.00" }];
    const { enforce, captures } = await startShop(authorizations, { payload });

    expect(await enforce("capture")).toMatchObject({ outcome: "done" });

    expect(captures().map(({ amount }) => amount)).toEqual(["40.00", "1.50"]);
  });

  it("needs no authorization for an order that was paid by other means", async () => {
    const expired = { ...AUTHORIZED, authorizationExpiresAt: LONG_AGO };
    const { enforce, count } = await startShop([expired, { card: null, kind: "SALE", amount: "40.00" }]);

    expect(await enforce("capture")).toEqual({ outcome: "done", detail: "payment captured before" });
    expect(count("CapturePayment")).toBe(0);
  });

  it("waits for a payment that arrives a moment after the order, and captures it", async () => {
    const { enforce, shop, captures } = await startShop([], { financialStatus: "PENDING" });
    const { reason, memory = {} } = asWait(await enforce("capture"));
    expect(reason).toBe("no-payment-yet");

    shop.payOrder(ORDER_ID, [{ ...AUTHORIZED, status: "PENDING" }]);
    expect(asWait(await enforce("capture", { memory })).reason).toBe("authorizing");
    shop.payOrder(ORDER_ID, [AUTHORIZED]);
    expect(await enforce("capture", { memory })).toMatchObject({ outcome: "done" });
    expect(captures()).toHaveLength(1);
  });

  it("waits ten minutes for a first transaction, and not longer", async () => {
    const { enforce, clock } = await startShop([], { financialStatus: "PENDING" });
    const { memory = {} } = asWait(await enforce("capture"));
    clock.advance(10 * 60_000);

    expect(await enforce("capture", { memory })).toEqual({ outcome: "moot", reason: "nothing-to-capture" });
  });

  it("reports when the gateway or Shopify refuses", async () => {
    const failing = await startShop();
    failing.order.captureResult = "FAILURE";
    expect(await failing.enforce("capture")).toEqual(REFUSED);

    const refusing = await startShop();
    refusing.order.captureResult = "REFUSED";
    expect(await refusing.enforce("capture")).toEqual(REFUSED);
    expect(refusing.captures()).toEqual([]);
  });

  it("leaves canceled and unknown orders alone", async () => {
    const { enforce, shop, count } = await startShop();
    shop.cancelOrder(ORDER_ID);

    expect(await enforce("capture")).toEqual(CANCELED);
    expect(await enforce("capture", { orderId: "404" })).toMatchObject({ outcome: "impossible" });
    expect(count("CapturePayment")).toBe(0);
  });
});
