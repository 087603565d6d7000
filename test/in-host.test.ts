import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startDeadline, startInHost, type InHost } from "../src/in-host.ts";
import { SILENT_LOGGER } from "../src/base/logger.ts";
import { createHostPlatform } from "../src/adapter-kit.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../src/sandbox/sandbox-service.ts";
import { anOrder } from "./support/orders.ts";
import { createRunningClock } from "./support/running-clock.ts";
import { until } from "./support/until.ts";
import { createMemoryShop, type MemoryShop, type PlacedInMemory } from "./testing/shop-adapter.ts";

const TOKEN = "console-token-of-the-test";

const now = createRunningClock();

describe("startInHost", () => {
  const service = { current: createSandboxService() };
  let folder: string;
  let settings: Record<string, string>;
  let shop: MemoryShop;
  let holdfast: InHost;

  beforeEach(async () => {
    service.current = createSandboxService();
    const url = await service.current.listen();
    folder = await mkdtemp(join(tmpdir(), "holdfast-in-host-"));
    settings = {
      DATABASE_URL: `sqlite:${join(folder, "holdfast.db")}`,
      VERIFY_URL: url.href,
      VERIFY_API_KEY: SANDBOX_API_KEY,
      CONSOLE_TOKEN: TOKEN,
      PORT: "0",
      LOG_LEVEL: "silent",
    };
    shop = createMemoryShop();
    holdfast = await startInHost({ shop, settings, now });
  });

  afterEach(async () => {
    await holdfast.stop();
    await service.current.close();
    await rm(folder, { recursive: true });
  });

  const credits = () => service.current.calls.filter(({ metered }) => metered).length;
  const place = (customerEmail: string, order: Partial<PlacedInMemory> = {}) =>
    shop.place({ ...order, change: { customerEmail } });

  /** A call to the console. */
  async function call<T>(path: string, method = "GET", body?: object): Promise<T> {
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    const options = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(new URL(`api/${path}`, holdfast.url), { method, headers, ...options });
    expect(answer.status, path).toBe(200);
    return (await answer.json()) as T;
  }

  const stateOf = async (id: string) => (await call<{ state: string }>(`orders/${id}`)).state;

  it("asks once for an order that is checked, placed, held and approved", async () => {
    const order = place("critical@risk.example");
    const mapped = shop.map(order.content);
    const check = await holdfast.check(mapped, { network: { ipAddress: "203.0.113.7" } });
    // No policy has been saved.
    expect(check).toMatchObject({
      status: "verified",
      action: "hold",
      riskLevel: "critical",
      creditsSpent: 1,
    });
    expect(service.current.calls.at(-1)?.body).toMatchObject({
      ipAddress: "203.0.113.7",
      // What the shop has about the customer counts at checkout, too: the answer is stored.
      isFirstTimeCustomer: false,
      totalOrders: 2,
    });
    expect(await holdfast.check(mapped)).toMatchObject({ status: "cached", creditsSpent: 0 });

    await holdfast.report("order", order);
    await until(async () => (await stateOf(order.orderId)) === "review");
    expect((await shop.read(order.orderId))?.marks).toMatchObject({
      hold: "decision",
      riskLevel: "critical",
    });
    await call(`orders/${order.orderId}/approve`, "POST", {});
    await until(async () => (await shop.read(order.orderId))?.marks.hold === null);
    expect(credits()).toBe(1);
  });

  it("checks under the policy that a person saved", async () => {
    const order = shop.map(place("critical@risk.example").content);
    await call("policy", "PUT", { levels: { critical: { action: "cancel", tags: [] } } });
    expect(await holdfast.check(order)).toMatchObject({ action: "cancel" });

    await call("policy", "PUT", { mode: "shadow", levels: { critical: { action: "cancel", tags: [] } } });
    expect(await holdfast.check(order)).toMatchObject({ action: "allow", tags: [] });
    expect((await holdfast.check(order)).reasons).toContain("would:cancel");
    expect(credits()).toBe(1);
  });

  it("responds within the deadline while the service is silent", async () => {
    const order = shop.map(place("timeout@risk.example").content);

    // A busy machine may need longer than that to reach the call.
    const earlier = await until(() => holdfast.check(order, { deadlineMs: 500 }));
    expect(earlier).toMatchObject({ status: "pending" });
    // The next hook of the same request doesn't wait again. Its own deadline would outlast the test.
    expect(await holdfast.check(order, { deadlineMs: 2_000_000, earlier })).toMatchObject({
      status: "pending",
    });
    // Otherwise, the end would wait for the call.
    await service.current.close();
  });

  it("subtracts the shop's response time from the deadline, and asks with the rest", async () => {
    const order = shop.map(place("low@risk.example").content);
    shop.countOtherOrders = () => new Promise(() => {});

    expect(await holdfast.check(order, { deadlineMs: 500 })).toMatchObject({ action: "allow" });
  });

  it.each([[0], [Number.NaN], [Infinity]])("refuses the deadline %d", async (deadlineMs) => {
    const order = shop.map(place("low@risk.example").content);

    await expect(holdfast.check(order, { deadlineMs })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("logs suspicious data in an order, once", async () => {
    const warnings: string[] = [];
    const logger = { ...SILENT_LOGGER, warn: (_: object, message: string) => void warnings.push(message) };
    await holdfast.stop();
    holdfast = await startInHost({ shop, settings, logger, now });
    const order = shop.map(shop.place({ change: { currency: "XXZ" } }).content);
    await holdfast.check(order);
    await holdfast.check(order);

    expect(warnings.filter((message) => message.includes("ISO 4217"))).toHaveLength(1);
  });

  it("releases what the check held once the decision allows the order", async () => {
    const marks = { riskLevel: null, action: "hold", checkId: null, hold: "checkout", tags: [] } as const;
    const order = place("low@risk.example", { marks });
    await holdfast.report("order", order);

    await until(async () => (await stateOf(order.orderId)) === "settled");
    expect((await shop.read(order.orderId))?.marks).toMatchObject({ hold: null, action: "allow" });
  });

  it.each([
    ["shadow mode", { mode: "shadow", levels: { critical: { action: "cancel", tags: [] } } }],
    [
      "a rule that skips the order",
      { rules: [{ name: "all", when: { minAmount: 0 }, then: { skip: true } }] },
    ],
  ])("releases what the check held in %s", async (_case, policy) => {
    await call("policy", "PUT", policy);
    const marks = { riskLevel: null, action: "hold", checkId: null, hold: "checkout", tags: [] } as const;
    const order = place("critical@risk.example", { marks });
    await holdfast.report("order", order);

    await until(async () => (await stateOf(order.orderId)) === "settled");
    // Nothing else is changed.
    expect((await shop.read(order.orderId))?.marks).toEqual({ ...marks, hold: null });
  });

  it("pays for no order from before the installation", async () => {
    const second = createMemoryShop();
    const { orderId } = second.place({ placedAtMs: now() - 60_000 });
    await holdfast.stop();
    holdfast = await startInHost({
      shop: second,
      now,
      settings: { ...settings, DATABASE_URL: `sqlite:${join(folder, "second.db")}` },
    });

    // Whatever the start reported comes before this one.
    const next = second.place();
    await holdfast.report("order", next);
    await until(async () => (await stateOf(next.orderId)) === "settled");
    const { orders } = await call<{ orders: readonly { orderId: string }[] }>("orders");
    expect(orders.map((order) => order.orderId)).toEqual([next.orderId]);
    expect(orderId).not.toBe(next.orderId);
  });

  it("reports at its start what an earlier process placed and didn't report", async () => {
    await holdfast.stop();
    const order = place("high@risk.example", { placedAtMs: now() });
    holdfast = await startInHost({ shop, settings, now });

    await until(async () => (await stateOf(order.orderId)) === "review");
  });

  it("reads an earlier process's orders in pages that every shop accepts", async () => {
    await holdfast.stop();
    const limits: number[] = [];
    const list = (window: Parameters<MemoryShop["list"]>[0]) => {
      limits.push(window.limit);
      return shop.list(window);
    };
    holdfast = await startInHost({ shop: { ...shop, list }, settings, now });

    expect(Math.max(...limits)).toBeLessThanOrEqual(100);
  });

  it("names the invalid setting, and starts nothing", async () => {
    const wrong = startInHost({ shop, settings: { ...settings, PORT: "no" } });

    await expect(wrong).rejects.toMatchObject({ code: "CONFIG_INVALID", fields: [{ path: "PORT" }] });
  });
});

describe("a deadline for everything that a check waits for", () => {
  it("ends the wait for work that doesn't end", async () => {
    const never = new Promise<object>(() => {});

    await expect(startDeadline(5).within(never)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  it("shrinks as time passes, and is unlimited if there is none", async () => {
    const deadline = startDeadline(60_000);
    const before = deadline.restMs() ?? 0;
    await until(() => (deadline.restMs() ?? 0) < before);

    expect(startDeadline(undefined).restMs()).toBeUndefined();
  });
});

describe("a platform in the shop's own process", () => {
  it("accepts no delivery from another process, and none whose topic was changed", () => {
    const shop = createMemoryShop();
    const [one, other] = [createHostPlatform({ shop }), createHostPlatform({ shop })];
    const delivery = one.report("order-changed", shop.place());
    const retitled = { ...delivery, headers: { ...delivery.headers, "x-holdfast-topic": "order" } };

    expect(one.authenticate(delivery)).toMatchObject({ outcome: "accepted", topic: "order-changed" });
    expect(other.authenticate(delivery)).toMatchObject({ outcome: "unauthenticated" });
    expect(one.authenticate(retitled)).toMatchObject({ outcome: "unauthenticated" });
  });

  it("cancels no order with shipped goods, and holds none that has shipped completely", async () => {
    const shop = createMemoryShop();
    const platform = createHostPlatform({ shop });
    const target = {
      tenant: platform.tenant,
      decision: { tags: [] },
      cancel: { refund: true, restock: true, notifyCustomer: false },
    } as never;
    const { orderId: partly } = shop.place({ partlyFulfilled: true });
    const { orderId: all } = shop.place({ fulfilled: true });
    const enforce = (step: "hold" | "cancel", orderId: string) =>
      platform.enforce(step, Object.assign({}, target, { orderId }));

    const shipped = { outcome: "impossible", ended: "shipped" };
    expect(await enforce("cancel", partly)).toMatchObject(shipped);
    expect(await enforce("hold", all)).toMatchObject(shipped);
    expect(await enforce("hold", partly)).toMatchObject({ outcome: "done" });
  });

  it("leaves out an address that the service wouldn't accept", () => {
    const shop = createMemoryShop();
    const platform = createHostPlatform({ shop });
    const order = { ...shop.place(), content: { ...anOrder(), id: "1" } };
    const read = (ipAddress: string) => {
      const { body } = platform.report("order", order, { ipAddress, userAgent: "Browser" });
      const event = platform.interpret({ tenant: platform.tenant, topic: "order", body });
      if (event.kind !== "order" || event.order.mapped.outcome !== "screenable") throw new Error(event.kind);
      return event.order.mapped.request;
    };

    expect(read("203.0.113.7")).toMatchObject({ ipAddress: "203.0.113.7", userAgent: "Browser" });
    expect(read("unknown")).toMatchObject({ userAgent: "Browser" });
  });
});
