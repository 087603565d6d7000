import { describe, expect, it } from "vitest";
import { createEnforce } from "../../../../adapters/shopify/enforce/enforce.ts";
import {
  asWait,
  createDecision,
  createTarget,
  ORDER_ID,
  startFixture,
  type FixtureOptions,
} from "../admin-fixture.ts";
import { until } from "../../../support/until.ts";

async function startShop(options: FixtureOptions = {}) {
  const fixture = await startFixture(options);
  const order = fixture.shop.addOrder({ orderId: ORDER_ID });
  return { ...fixture, order };
}

/** A cancellation that doesn't end by itself. */
const NEVER = { cancelDelayMs: 10 * 24 * 3_600_000 };

describe("cancel", () => {
  it("cancels for fraud as the policy says and follows the job to its end", async () => {
    const { enforce, order } = await startShop();
    const decision = createDecision({ action: "cancel", riskLevel: "critical", reasons: ["level:critical"] });

    expect(await enforce("cancel", { decision })).toEqual({ outcome: "done", detail: "cancelled" });
    expect(order.cancelledAt).not.toBeNull();
    expect(order.cancellations).toMatchObject([
      {
        reason: "FRAUD",
        refund: true,
        restock: true,
        notifyCustomer: false,
        staffNote: "Canceled by Holdfast: level:critical",
        status: "SUCCEEDED",
      },
    ]);
  });

  it("passes the policy's choices on", async () => {
    const { enforce, order } = await startShop();

    await enforce("cancel", { cancel: { refund: false, restock: false, notifyCustomer: true } });

    expect(order.cancellations).toMatchObject([{ refund: false, restock: false, notifyCustomer: true }]);
  });

  it("keeps the note within Shopify's limit", async () => {
    const { enforce, order } = await startShop();

    await enforce("cancel", { decision: createDecision({ reasons: [`rule:${"x".repeat(400)}`] }) });

    expect(order.cancellations[0]?.staffNote).toHaveLength(255);
  });

  it("has one effect however often it is taken", async () => {
    const { enforce, order } = await startShop();

    await enforce("cancel");
    expect(await enforce("cancel")).toEqual({
      outcome: "moot",
      ended: "cancelled",
      reason: "already-cancelled",
    });

    expect(order.cancellations).toHaveLength(1);
  });

  it("is tried without restock when goods can't be restocked, e.g. at a deactivated location", async () => {
    const { enforce, order } = await startShop();
    order.isLocationDeactivated = true;

    expect(await enforce("cancel")).toEqual({ outcome: "done", detail: "cancelled without restock" });
    expect(order.cancellations.map(({ restock, status }) => [restock, status])).toEqual([
      [true, "FAILED"],
      [false, "SUCCEEDED"],
    ]);
  });

  it("is tried without restock once, and not when the policy doesn't restock", async () => {
    const { enforce, order, shop } = await startShop();
    shop.failCancel(ORDER_ID, ["INVALID"]);
    const failed = { outcome: "impossible", reason: "cancel-failed-INVALID" };

    expect(await enforce("cancel")).toEqual(failed);
    expect(order.cancellations).toHaveLength(2);
    const cancel = { refund: true, restock: false, notifyCustomer: false };
    expect(await enforce("cancel", { cancel })).toEqual(failed);
    expect(order.cancellations).toHaveLength(3);
  });

  it("waits for a job that takes longer, and sees its end in a later try", async () => {
    const { enforce, order, shop, clock } = await startShop(NEVER);

    const first = asWait(await enforce("cancel"));
    expect(first.reason).toBe("cancelling");
    expect(first.memory).toMatchObject({ jobId: order.cancellations[0]?.jobId });
    const second = asWait(await enforce("cancel", { memory: first.memory ?? {} }));
    expect(second.retryAtMs).toBeGreaterThan(clock.now() + 2_000);
    shop.finishCancels();

    expect(await enforce("cancel", { memory: second.memory ?? {} })).toEqual({
      outcome: "done",
      detail: "cancelled",
    });
    expect(order.cancellations).toHaveLength(1);
  });

  it("has one effect when the connection breaks after it", async () => {
    const { enforce, order, emulator } = await startShop();
    emulator.fail(1, "reset-after-effect", { operation: "CancelOrder" });

    await expect(enforce("cancel")).rejects.toMatchObject({ code: "PLATFORM_UNAVAILABLE", retryable: true });
    await until(() => expect(emulator.shop("demo.myshopify.com").order(ORDER_ID).cancelledAt).not.toBeNull());

    expect(await enforce("cancel")).toEqual({
      outcome: "moot",
      ended: "cancelled",
      reason: "already-cancelled",
    });
    expect(order.cancellations).toHaveLength(1);
  });

  it("has one effect when the process died while the job was running and nothing was remembered", async () => {
    const { enforce, order, shop } = await startShop(NEVER);
    expect(asWait(await enforce("cancel")).begun, "Shopify is at it").toBe(true);

    const retried = asWait(await enforce("cancel"));
    expect(retried).toMatchObject({ reason: "refused-INVALID" });
    expect(retried.begun, "as far as this process knows").toBeUndefined();
    shop.finishCancels();

    expect(await enforce("cancel", { memory: retried.memory ?? {} })).toMatchObject({ outcome: "moot" });
    expect(order.cancellations).toHaveLength(1);
  });

  it.each([
    ["was accepted without a job", true],
    ["lost its job", false],
  ])("stays begun and isn't requested again when it %s", async (_, isHiddenFromStart) => {
    const { enforce, order, shop, count } = await startShop(NEVER);
    order.isJobHidden = isHiddenFromStart;
    let waiting = asWait(await enforce("cancel"));
    order.isJobHidden = true;

    for (let look = 0; look < 6; look += 1) {
      waiting = asWait(await enforce("cancel", { memory: waiting.memory ?? {} }));
      expect(waiting).toMatchObject({ reason: "cancelling", begun: true });
    }
    shop.finishCancels();

    expect(await enforce("cancel", { memory: waiting.memory ?? {} })).toMatchObject({
      outcome: "moot",
      ended: "cancelled",
    });
    expect(count("CancelOrder")).toBe(1);
  });

  it("gives up after ten minutes when nothing shows that an accepted cancel is running", async () => {
    const { enforce, order, clock, count } = await startShop(NEVER);
    order.isJobHidden = true;
    const { memory = {} } = asWait(await enforce("cancel"));
    clock.advance(10 * 60_000);

    expect(await enforce("cancel", { memory })).toEqual({
      outcome: "impossible",
      reason: "cancel-never-ended",
    });
    expect(count("CancelOrder")).toBe(1);
  });

  it("waits those ten minutes however long ago an earlier attempt was refused", async () => {
    const { enforce, order, shop, clock } = await startShop(NEVER);
    order.isJobHidden = true;
    const refused = { refusals: "1", tries: "1", sinceMs: String(clock.now() - 20 * 60_000) };
    const { memory = {}, begun } = asWait(await enforce("cancel", { memory: refused }));
    expect(begun).toBe(true);
    clock.advance(9 * 60_000);
    expect(asWait(await enforce("cancel", { memory })).begun).toBe(true);
    shop.finishCancels();

    expect(await enforce("cancel", { memory })).toMatchObject({ outcome: "moot", ended: "cancelled" });
  });

  it("accepts a refusal that is repeated", async () => {
    const { enforce } = await startShop(NEVER);
    await enforce("cancel");

    let memory: Readonly<Record<string, string>> = {};
    for (let refusal = 1; refusal < 5; refusal += 1)
      memory = asWait(await enforce("cancel", { memory })).memory ?? {};

    expect(await enforce("cancel", { memory })).toEqual({ outcome: "impossible", reason: "refused-INVALID" });
  });

  it.each(["500", "throttled", "reset", "hang", "403", "404"] as const)(
    "doesn't lose the job to %s while following it",
    async (kind) => {
      // Only the hanging call has to run out of time; every other call may take as long as a busy machine needs.
      const limit = kind === "hang" ? { timeoutMs: 2_000 } : {};
      const { enforce, emulator, order, clock } = await startShop({ ...limit, cancelDelayMs: 60 });
      emulator.fail(1, kind, { operation: "CancelJob" });

      const { memory = {}, retryAtMs } = asWait(await enforce("cancel"));

      expect(memory).toMatchObject({ jobId: order.cancellations[0]?.jobId });
      expect(retryAtMs).toBeGreaterThan(Date.now());
      clock.advance(retryAtMs - clock.now());
      expect(await enforce("cancel", { memory })).toEqual({ outcome: "done", detail: "cancelled" });
      expect(order.cancellations).toHaveLength(1);
    },
  );

  it("looks at the order, and keeps the job, while Shopify refuses to show the job", async () => {
    const { enforce, emulator, shop, order, count } = await startShop(NEVER);
    emulator.fail(9, "403", { operation: "CancelJob" });

    let memory = asWait(await enforce("cancel")).memory ?? {};
    memory = asWait(await enforce("cancel", { memory })).memory ?? {};
    expect(memory).toMatchObject({ jobId: order.cancellations[0]?.jobId });
    shop.finishCancels();

    expect(await enforce("cancel", { memory })).toMatchObject({ outcome: "moot", ended: "cancelled" });
    expect(count("CancelOrder")).toBe(1);
  });

  it("does not lose the job when the caller stops while following it", async () => {
    const { client, clock, order, count } = await startShop(NEVER);
    const controller = new AbortController();
    const enforce = createEnforce(client, clock.now);

    const stopping = enforce("cancel", createTarget(), { signal: controller.signal });
    await until(() => expect(count("CancelJob")).toBe(1));
    controller.abort();

    expect(await stopping).toMatchObject({
      outcome: "wait",
      memory: { jobId: order.cancellations[0]?.jobId },
    });
  });

  it("gives the code of a failed cancellation", async () => {
    const { enforce, shop, order } = await startShop();
    shop.failCancel(ORDER_ID, ["NO_REFUND_PERMISSION", "INTERNAL_ERROR"]);

    expect(await enforce("cancel")).toEqual({
      outcome: "impossible",
      reason: "cancel-failed-NO_REFUND_PERMISSION,INTERNAL_ERROR",
    });
    expect(order.cancelledAt).toBeNull();
  });

  it("doesn't trust a success that the order doesn't show", async () => {
    const { enforce, order } = await startShop(NEVER);
    const { memory = {} } = asWait(await enforce("cancel"));
    const [job] = order.cancellations;
    if (job !== undefined) job.status = "SUCCEEDED";

    expect(asWait(await enforce("cancel", { memory })).reason).toBe("cancelling");
  });

  it("looks at the order when Shopify no longer has the job", async () => {
    const { enforce, shop } = await startShop();
    shop.cancelOrder(ORDER_ID);

    expect(await enforce("cancel", { memory: { jobId: "gid://shopify/OrderCancelJobResult/1" } })).toEqual({
      outcome: "moot",
      ended: "cancelled",
      reason: "already-cancelled",
    });
  });

  it("gives up on a job that never ends", async () => {
    const { enforce, clock } = await startShop(NEVER);
    const { memory = {} } = asWait(await enforce("cancel"));
    clock.advance(24 * 3_600_000);

    expect(await enforce("cancel", { memory })).toEqual({
      outcome: "impossible",
      reason: "cancel-never-ended",
    });
  });

  it("has nothing to do on an order that somebody canceled", async () => {
    const { enforce, shop, count } = await startShop();
    shop.cancelOrder(ORDER_ID);

    expect(await enforce("cancel")).toEqual({
      outcome: "moot",
      ended: "cancelled",
      reason: "already-cancelled",
    });
    expect(count("CancelOrder")).toBe(0);
  });

  it.each([
    [["CLOSED"], "FULFILLED"],
    [["CLOSED", "OPEN"], "PARTIALLY_FULFILLED"],
    [["IN_PROGRESS"], "IN_PROGRESS"],
  ] as const)("is too late for %j (%s)", async (statuses, _display) => {
    const { enforce, order, shop, count } = await startShop();
    shop.routeOrder(ORDER_ID, statuses.length - 1);
    for (const [index, status] of statuses.entries()) {
      const entry = order.fulfillmentOrders[index];
      if (entry !== undefined) entry.status = status;
    }

    expect(await enforce("cancel")).toEqual({
      outcome: "impossible",
      ended: "shipped",
      reason: "already-fulfilled",
    });
    expect(count("CancelOrder")).toBe(0);
  });

  it("cancels an order that is on hold", async () => {
    const { enforce, order } = await startShop();

    await enforce("hold");

    expect(await enforce("cancel")).toMatchObject({ outcome: "done" });
    expect(order.cancelledAt).not.toBeNull();
  });

  it("is impossible for an unknown order", async () => {
    const { enforce } = await startShop();

    expect(await enforce("cancel", { orderId: "404" })).toEqual({
      outcome: "impossible",
      reason: "order-not-found",
    });
  });
});
