import { describe, expect, it } from "vitest";
import { createShopThrottle } from "../../../../adapters/shopify/admin/shop-throttle.ts";
import { createTestClock, ORDER_ID, SHOP, startFixture } from "../admin-fixture.ts";
import { until } from "../../../support/until.ts";

const GID = `gid://shopify/Order/${ORDER_ID}`;

interface Gate {
  readonly started: string[];
  /** Work that ends when the gate opens. */
  readonly work: (name: string) => () => Promise<string>;
  open(): void;
}

function createGate(): Gate {
  const started: string[] = [];
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return {
    started,
    work: (name) => async () => {
      started.push(name);
      await promise;
      return name;
    },
    open: () => resolve(undefined),
  };
}

const full = { maximumAvailable: 100, currentlyAvailable: 100, restoreRate: 100 };

describe("createShopThrottle", () => {
  it("runs at most four calls of a shop at a time, in order of arrival", async () => {
    const throttle = createShopThrottle(Date.now);
    const gate = createGate();
    const turn = { cost: 1, deadlineMs: Date.now() + 60_000 };

    const names = ["a", "b", "c", "d", "e", "f"];
    const running = names.map((name) => throttle.run(SHOP, turn, gate.work(name)));
    await until(() => expect(gate.started.length).toBe(4));
    expect(gate.started).toEqual(["a", "b", "c", "d"]);
    gate.open();

    expect(await Promise.all(running)).toEqual(names);
    expect(gate.started).toEqual(names);
  });

  it("doesn't wait longer because the clock was set back", async () => {
    let aheadMs = 0;
    const now = () => Date.now() + aheadMs;
    const throttle = createShopThrottle(now);
    throttle.report(SHOP, { ...full, currentlyAvailable: 50 });
    await throttle.run(SHOP, { cost: 1, deadlineMs: now() + 60_000 }, async () => "sent");
    throttle.pause(SHOP, now() + 20);
    aheadMs = -3_600_000;

    const turn = { cost: 50, deadlineMs: now() + 60_000 };

    await expect(throttle.run(SHOP, turn, async () => "sent")).resolves.toBe("sent");
  });

  it("keeps shops apart", async () => {
    const throttle = createShopThrottle(Date.now);
    const gate = createGate();
    const turn = { cost: 1, deadlineMs: Date.now() + 60_000 };
    throttle.pause(SHOP, Date.now() + 4_000);

    const waiting = throttle.run(SHOP, { ...turn, deadlineMs: Date.now() + 100 }, gate.work("paused"));
    const other = throttle.run("other.myshopify.com", turn, gate.work("other"));

    await expect(waiting).rejects.toMatchObject({ code: "PLATFORM_THROTTLED" });
    gate.open();
    await expect(other).resolves.toBe("other");
  });

  it("waits until the bucket has the points", async () => {
    const throttle = createShopThrottle(Date.now);
    const startedAtMs = Date.now();
    throttle.report(SHOP, { ...full, currentlyAvailable: 0 });

    await throttle.run(SHOP, { cost: 20, deadlineMs: startedAtMs + 60_000 }, async () => undefined);

    expect(Date.now() - startedAtMs).toBeGreaterThanOrEqual(190);
  });

  it("counts the points of calls that are still under way", async () => {
    const clock = createTestClock();
    const throttle = createShopThrottle(clock.now);
    const gate = createGate();
    const turn = { cost: 60, deadlineMs: clock.now() + 60_000 };
    throttle.report(SHOP, { ...full, restoreRate: 0.001 });

    const first = throttle.run(SHOP, turn, gate.work("first"));
    const refused = throttle.run(SHOP, { ...turn, deadlineMs: clock.now() + 50 }, gate.work("second"));

    await expect(refused).rejects.toMatchObject({ code: "PLATFORM_THROTTLED" });
    gate.open();
    await first;
    await expect(throttle.run(SHOP, turn, gate.work("third"))).resolves.toBe("third");
  });

  it("refuses a call at once if it would wait too long, and says when it could be sent", async () => {
    const clock = createTestClock();
    const throttle = createShopThrottle(clock.now);
    const nowMs = clock.now();
    throttle.report(SHOP, { ...full, currentlyAvailable: 0, restoreRate: 1 });

    const waiting = throttle.run(SHOP, { cost: 50, deadlineMs: nowMs + 10_000 }, async () => undefined);

    const error = await waiting.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "PLATFORM_THROTTLED", retryable: true });
    expect((error as { retryAtMs: number }).retryAtMs).toBeGreaterThanOrEqual(nowMs + 50_000);
    expect(clock.now() - nowMs).toBeLessThan(5_000);
  });

  it("sends a call that costs more than the whole bucket when the bucket is full", async () => {
    const throttle = createShopThrottle(Date.now);
    throttle.report(SHOP, full);

    await expect(
      throttle.run(SHOP, { cost: 5_000, deadlineMs: Date.now() + 60_000 }, async () => "sent"),
    ).resolves.toBe("sent");
  });

  it("drops a waiting call when its caller cancels it, and moves the next one up", async () => {
    const throttle = createShopThrottle(Date.now);
    const gate = createGate();
    const turn = { cost: 1, deadlineMs: Date.now() + 60_000 };
    const running = ["a", "b", "c", "d"].map((name) => throttle.run(SHOP, turn, gate.work(name)));
    const controller = new AbortController();

    const leaving = throttle.run(SHOP, { ...turn, signal: controller.signal }, gate.work("leaving"));
    const next = throttle.run(SHOP, turn, gate.work("next"));
    controller.abort();

    await expect(leaving).rejects.toMatchObject({ code: "PLATFORM_UNAVAILABLE" });
    gate.open();
    await Promise.all(running);
    await expect(next).resolves.toBe("next");
    expect(gate.started).not.toContain("leaving");
  });

  it("refuses a call that is already canceled", async () => {
    const throttle = createShopThrottle(Date.now);
    const turn = { cost: 1, deadlineMs: Date.now() + 60_000, signal: AbortSignal.abort() };

    await expect(throttle.run(SHOP, turn, async () => "sent")).rejects.toMatchObject({
      code: "PLATFORM_UNAVAILABLE",
    });
  });

  it("continues after failed work", async () => {
    const throttle = createShopThrottle(Date.now);
    const turn = { cost: 1, deadlineMs: Date.now() + 60_000 };
    const failing = Array.from({ length: 8 }, () =>
      throttle.run(SHOP, turn, () => Promise.reject(new Error("failed"))),
    );

    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(
      Array(8).fill("rejected"),
    );
    await expect(throttle.run(SHOP, turn, async () => "sent")).resolves.toBe("sent");
  });

  it("spaces out forty calls so that Shopify never has to throttle a small shop", async () => {
    const fixture = await startFixture({
      throttle: { maximumAvailable: 60, restoreRate: 400 },
      timeoutMs: 15_000,
    });
    fixture.shop.addOrder({ orderId: ORDER_ID });
    const call = (tag: string) => fixture.client.request(SHOP, "AddTags", { id: GID, tags: [tag] });
    // The first answer says what a call costs.
    await call("first");

    await Promise.all(Array.from({ length: 40 }, (_value, index) => call(`t${index}`)));

    const throttled = fixture.emulator.operations.filter(({ errors }) => errors.length > 0);
    expect(throttled).toEqual([]);
    expect(fixture.shop.order(ORDER_ID).tags).toHaveLength(41);
  });
});
