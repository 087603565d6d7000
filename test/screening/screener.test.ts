import { afterEach, describe, expect, it } from "vitest";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  type SandboxService,
} from "../../src/sandbox/sandbox-service.ts";
import type { DecisionEvent, OrderCheck } from "../../src/screening/order-check.ts";
import { createScreener } from "../../src/screening/screener.ts";
import type { ScreenerOptions } from "../../src/screening/screener-options.ts";
import { createTestStore } from "../support/test-store.ts";
import { aResult, anOrder } from "../support/orders.ts";
import { createLogRecorder } from "../support/log-recorder.ts";
import { sendJson, startServer } from "../service/loopback.ts";
import { createRunningClock } from "../support/running-clock.ts";
import { until } from "../support/until.ts";

const CRITICAL = anOrder({ customerEmail: "critical@risk.example" });

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function startService(latencyMs = 0): Promise<{ service: SandboxService; url: URL }> {
  const service = createSandboxService({ latencyMs });
  const url = await service.listen();
  closing.push(() => service.close());
  return { service, url };
}

function screenerFor(service: ScreenerOptions["service"], changes: Partial<ScreenerOptions> = {}) {
  const screener = createScreener({ service, ...changes });
  const events: DecisionEvent[] = [];
  screener.on("decision", (event) => events.push(event));
  closing.push(() => screener.close());
  return { screener, events };
}

describe("createScreener", () => {
  it("asks once, answers a repeat without a credit, and reports both", async () => {
    const { service, url } = await startService();
    const { screener, events } = screenerFor({ url, apiKey: SANDBOX_API_KEY });

    const first = await screener.check(CRITICAL);
    const second = await screener.check(CRITICAL);

    expect(first).toMatchObject({ status: "verified", action: "cancel", creditsSpent: 1 });
    expect(second).toMatchObject({ status: "cached", action: "cancel", creditsSpent: 0 });
    expect(second.fingerprint).toBe(first.fingerprint);
    expect(service.calls).toHaveLength(1);
    expect(events).toEqual([
      { orderId: "1001", check: first, late: false },
      { orderId: "1001", check: second, late: false },
    ]);
  });

  it("reports a decision that was made without a service", async () => {
    const { screener, events } = screenerFor("local");

    const check = await screener.check(anOrder());

    expect(check).toMatchObject({ status: "degraded", creditsSpent: 0 });
    expect(events).toEqual([{ orderId: "1001", check, late: false }]);
  });

  it("doesn't report a low level for an order that the service didn't check", async () => {
    const { service, url } = await startService();
    await service.close();
    const { screener } = screenerFor({ url, apiKey: SANDBOX_API_KEY });

    const check = await screener.check(anOrder(), { deadlineMs: 900 });

    expect(check).toMatchObject({ status: "degraded", action: "allow", riskLevel: null, result: null });
    expect(check.tags).toEqual(["holdfast-unchecked"]);
  });

  it("doesn't report a low level for an order with only placeholders", async () => {
    const { screener } = screenerFor("local");
    const address = { ...anOrder().shippingAddress, street: "N/A", city: "-" };

    const whole = await screener.check(anOrder());
    const blank = await screener.check(anOrder({ shippingAddress: address, billingAddress: address }));

    expect(whole).toMatchObject({ riskLevel: "low", result: { riskLevel: "low" }, tags: [] });
    expect(blank).toMatchObject({ action: "allow", riskLevel: null, result: null, tags: [] });
    expect(blank.reasons).toContain("too-little-known");
  });

  it("doesn't ask about an order that a rule skips, and reports it", async () => {
    const { service, url } = await startService();
    const policy = { rules: [{ name: "small", when: { maxAmount: 100 }, then: { skip: true } }] };
    const { screener, events } = screenerFor({ url, apiKey: SANDBOX_API_KEY }, { policy });

    const check = await screener.check(CRITICAL);

    expect(check).toMatchObject({ status: "skipped", action: "allow", riskLevel: null, creditsSpent: 0 });
    expect(check.fingerprint).not.toBe("");
    expect(service.calls).toHaveLength(0);
    expect(events).toEqual([{ orderId: "1001", check, late: false }]);
  });

  it("doesn't ask about an order of a channel that the policy skips", async () => {
    const { service, url } = await startService();
    const { screener } = screenerFor({ url, apiKey: SANDBOX_API_KEY });
    const { screener: strict } = screenerFor(
      { url, apiKey: SANDBOX_API_KEY },
      { policy: { skipChannels: [] } },
    );
    const context = { channel: "POS" };

    expect(await screener.check(CRITICAL, { context })).toMatchObject({
      status: "skipped",
      action: "allow",
      creditsSpent: 0,
      reasons: ["skipped:SKIPPED_BY_RULE", "channel:pos"],
    });
    expect(await strict.check(CRITICAL, { context })).toMatchObject({ status: "verified", action: "cancel" });
    expect(service.calls).toHaveLength(1);
  });

  it("sends an agent's order without the agent's machine, and only if the shop's server says so", async () => {
    const bodies: unknown[] = [];
    const { url } = await startServer((response, { body }) => {
      bodies.push(JSON.parse(body));
      sendJson(response, 200, { success: true, data: aResult("low") });
    });
    const policy = { agentChannels: ["Assistant"] };
    const { screener } = screenerFor({ url, apiKey: "key", organization: "acme" }, { policy });
    const machine = { ipAddress: "3.80.0.10", userAgent: "python-requests/2.32.3" };
    const claim = { context: { channel: "agent" }, channel: "agent", source_name: "assistant" };

    await screener.check({ ...anOrder({ orderId: "1" }), ...machine }, { context: { channel: "assistant" } });
    await screener.check({ ...anOrder({ orderId: "2" }), ...machine, ...claim });

    expect(bodies[0]).not.toHaveProperty("ipAddress");
    expect(bodies[0]).not.toHaveProperty("userAgent");
    expect(bodies[1]).toMatchObject(machine);
  });

  it("applies rules to catalog data about the goods, passes it to the local engine, and sends none of it", async () => {
    const { service, url } = await startService();
    const rules = [{ name: "resale", when: { productCategory: ["zirconware"] }, then: { action: "hold" } }];
    const order = anOrder({
      customerEmail: "low@risk.example",
      items: [{ name: "Zirkon 38", quantity: 2, price: 240, sku: "Z-1" }],
    });
    const context = { products: [{ sku: "Z-1", category: "Zirconware > Watches" }] };
    const { screener } = screenerFor({ url, apiKey: SANDBOX_API_KEY }, { policy: { rules } });
    const { screener: local } = screenerFor("local", { policy: { levels: { low: { action: "tag" } } } });

    expect(await screener.check(order)).toMatchObject({ action: "allow" });
    expect(await screener.check(order, { context })).toMatchObject({
      action: "hold",
      status: "cached",
      creditsSpent: 0,
      reasons: ["rule:resale", "level:low"],
    });
    expect(JSON.stringify(service.calls)).not.toMatch(/zirconware/i);
    const [unfiled, filed] = [await local.check(order), await local.check(order, { context })];
    const toFactors = ({ result }: OrderCheck) => result?.riskFactors.map(({ factor }) => factor);
    expect(toFactors(unfiled)).not.toContain("Goods that are easy to resell");
    expect(toFactors(filed)).toContain("Goods that are easy to resell");
  });

  it("responds at the deadline and reports the late answer", async () => {
    const { url } = await startService(200);
    const { screener, events } = screenerFor(
      { url, apiKey: SANDBOX_API_KEY },
      { policy: { whenUnavailable: "hold" } },
    );

    const check = await screener.check(CRITICAL, { deadlineMs: 20 });

    expect(check).toMatchObject({ status: "pending", action: "hold", result: null });
    await until(() => expect(events.length).toBe(2));
    expect(events[0]).toEqual({ orderId: "1001", check, late: false });
    expect(events[1]).toMatchObject({ late: true, check: { status: "verified", action: "cancel" } });
  });

  it.each([
    ["local", "tag", "tag"],
    ["local", "cancel", "hold"],
    ["hold", "tag", "hold"],
    ["allow", "cancel", "allow"],
  ] as const)(
    "is pending at the deadline: whenUnavailable %s, %s for low, comes to %s",
    async (whenUnavailable, low, action) => {
      const { url } = await startService(200);
      const policy = { whenUnavailable, levels: { low: { action: low } } };
      const { screener } = screenerFor({ url, apiKey: SANDBOX_API_KEY }, { policy });

      const check = await screener.check(CRITICAL, { deadlineMs: 20 });

      expect(check).toMatchObject({ status: "pending", action });
      expect(check.reasons).toContain("degraded:VERIFICATION_TIMEOUT");
    },
  );

  it("reports that no answer came after a pending check", async () => {
    const { url } = await startServer((response) => void setTimeout(() => response.destroy(), 50));
    const service = { url, apiKey: "key", organization: "acme" };
    const { screener, events } = screenerFor(service, { maxPaidAttempts: 1 });

    const check = await screener.check(CRITICAL, { deadlineMs: 20 });

    expect(check.status).toBe("pending");
    await until(() => expect(events.length).toBe(2));
    expect(events[1]).toMatchObject({ late: true, check: { status: "degraded" } });
    expect(events[1]?.check.reasons).toContain("degraded:VERIFICATION_INTERRUPTED");
  });

  it("judges an order that got no answer after the deadline no milder than at it", async () => {
    let refuse: (() => void) | undefined;
    const { url } = await startServer((response, { body }) => {
      const answer = () => sendJson(response, 400, { success: false, message: "Invalid request body: no" });
      if (!body.includes('"last"')) return answer();
      refuse = answer;
    });
    const { screener, events } = screenerFor({ url, apiKey: "key", organization: "acme" });
    const orderOf = (orderId: string, lastFourDigits: string) =>
      anOrder({
        orderId,
        customerEmail: "jane@mailinator.com",
        paymentInfo: { brand: "visa", lastFourDigits },
      });
    for (const card of ["1001", "1002", "1003", "1004"]) await screener.check(orderOf(card, card));

    const pending = await screener.check(orderOf("last", "1005"), { deadlineMs: 200 });
    await until(() => expect(refuse).toBeDefined());
    refuse?.();
    await until(() => expect(events.at(-1)).toMatchObject({ late: true }));

    // One mailbox with five cards. Without its other orders, this one only needs a look.
    expect(pending).toMatchObject({ status: "pending", action: "hold", riskLevel: "high" });
    expect(events.at(-1)?.check).toMatchObject({ status: "degraded", action: "hold", riskLevel: "high" });
  });

  it("confirms the same content without a credit, and asks about a changed order", async () => {
    const { service, url } = await startService();
    const { screener } = screenerFor({ url, apiKey: SANDBOX_API_KEY });
    const earlier = await screener.check(anOrder());

    const same = await screener.confirm(anOrder(), earlier);
    const changed = await screener.confirm({ ...CRITICAL, orderId: anOrder().orderId }, earlier);

    expect(same).toMatchObject({ status: "cached", creditsSpent: 0, fingerprint: earlier.fingerprint });
    expect(changed).toMatchObject({ status: "verified", action: "cancel", creditsSpent: 1 });
    expect(service.calls).toHaveLength(2);
  });

  it("doesn't wait twice for the same answer, and finds it once it has arrived", async () => {
    let answer: () => void = () => undefined;
    const { url, seen } = await startServer((response) => {
      answer = () => sendJson(response, 200, { success: true, data: aResult("critical") });
    });
    const { screener } = screenerFor({ url, apiKey: "key", organization: "acme" });
    const first = screener.check(CRITICAL);
    await until(() => expect(seen).toHaveLength(1));
    const earlier = await screener.check(CRITICAL, { deadlineMs: 20 });

    // The service answers only afterwards, so a check that waited would last a day.
    const waited = await screener.confirm(CRITICAL, earlier, { deadlineMs: 86_400_000 });
    answer();
    await first;
    const found = await screener.confirm(CRITICAL, earlier);

    expect(earlier.status).toBe("pending");
    expect(waited).toMatchObject({ status: "pending", fingerprint: earlier.fingerprint, creditsSpent: 0 });
    expect(found).toMatchObject({ status: "cached", action: "cancel", creditsSpent: 0 });
    expect(seen).toHaveLength(1);
  });

  it("waits for a rate limit that ends before the deadline, and for no other", async () => {
    const clock = createRunningClock();
    let aheadMs = 0;
    const now = () => clock() + aheadMs;
    const { url, seen } = await startServer((response, _seen, count) => {
      if (count > 1) return sendJson(response, 200, { success: true, data: aResult("medium") });
      response.setHeader("x-ratelimit-reset", String(now() + 600_000));
      return sendJson(response, 429, { success: false, message: "Rate limit exceeded" });
    });
    const { screener } = screenerFor({ url, apiKey: "key", organization: "acme" }, { now });

    const short = await screener.check(anOrder({ orderId: "1" }), { deadlineMs: 30_000 });
    aheadMs += 599_000;
    const long = await screener.check(anOrder({ orderId: "2" }), { deadlineMs: 30_000 });
    const unlimited = await screener.check(anOrder({ orderId: "3" }));

    expect(short).toMatchObject({ status: "degraded", creditsSpent: 0 });
    expect(short.reasons).toContain("degraded:VERIFICATION_RATE_LIMITED");
    expect(long).toMatchObject({ status: "verified", riskLevel: "medium", creditsSpent: 1 });
    expect(unlimited.status).toBe("verified");
    expect(seen).toHaveLength(3);
  });

  it("changes nothing in shadow mode and reports what it would have done", async () => {
    const { url } = await startService();
    const { screener } = screenerFor({ url, apiKey: SANDBOX_API_KEY }, { policy: { mode: "shadow" } });

    const check = await screener.check(CRITICAL);

    expect(check).toMatchObject({ action: "allow", riskLevel: "critical", tags: [] });
    expect(check.reasons).toContain("would:cancel");
  });

  it("doesn't let a listener break a check, and removes one that unsubscribed", async () => {
    const { screener } = screenerFor("local");
    let heard = 0;
    screener.on("decision", () => {
      throw new Error("a listener's own mistake");
    });
    const stop = screener.on("decision", () => (heard += 1));

    await screener.check(anOrder());
    stop();
    await screener.check(anOrder());

    expect(heard).toBe(1);
  });

  it("survives an async listener that rejects, and logs the rejection", async () => {
    const { lines, logger } = createLogRecorder();
    const { screener } = screenerFor("local", { logger });
    const mistake = new Error("the shop's database is away");
    screener.on("decision", async () => {
      throw mistake;
    });

    await screener.check(anOrder());

    await until(() =>
      expect(lines).toContainEqual({ level: "error", err: mistake, message: "a decision listener failed" }),
    );
  });

  it("asks with a corrected key at once, although the store keeps that the wrong one was refused", async () => {
    const { url } = await startService();
    const store = await createTestStore();
    closing.push(() => store.close());
    const wrong = screenerFor({ url, apiKey: "wrong-key" }, { store }).screener;
    const right = screenerFor({ url, apiKey: SANDBOX_API_KEY }, { store }).screener;

    expect(await wrong.check(CRITICAL)).toMatchObject({ status: "degraded" });
    await wrong.close();

    expect(await right.check(CRITICAL)).toMatchObject({ status: "verified" });
  });

  it("responds at the deadline even while the store is being read", async () => {
    const { url } = await startService();
    const store = await createTestStore();
    closing.push(() => store.close());
    const reading = Promise.withResolvers<null>();
    const { screener, events } = screenerFor(
      { url, apiKey: SANDBOX_API_KEY },
      { store: { ...store, ledger: { ...store.ledger, findAnswer: () => reading.promise } } },
    );

    const check = await screener.check(CRITICAL, { deadlineMs: 20 });
    expect(check).toMatchObject({ status: "pending", creditsSpent: 0 });
    reading.resolve(null);

    await until(() => expect(events.length).toBe(2));
    expect(events[1]).toMatchObject({ late: true, check: { action: "cancel", creditsSpent: 1 } });
  });

  it("refuses a deadline that a timer would treat as one millisecond", async () => {
    const { screener } = screenerFor("local");

    await expect(screener.check(anOrder(), { deadlineMs: 2 ** 31 })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
  });

  it("asks once a minute with a key that reaches two organizations, and alerts once", async () => {
    const { lines, logger } = createLogRecorder();
    let nowMs = Date.now();
    const organizations = ["one", "two"].map((slug) => ({ id: slug, slug, name: slug, role: "owner" }));
    const { url, seen } = await startServer((response) =>
      sendJson(response, 200, { success: true, data: { organizations } }),
    );
    const { screener } = screenerFor({ url, apiKey: "key" }, { logger, now: () => nowMs });
    const ask = (orderId: string) => screener.check(anOrder({ orderId }));

    for (const orderId of ["1", "2", "3"]) {
      expect((await ask(orderId)).reasons).toContain("degraded:CONFIG_INVALID");
    }
    expect(seen).toHaveLength(1);
    nowMs += 60_000;
    for (const orderId of ["4", "5"]) await ask(orderId);

    expect(seen).toHaveLength(2);
    expect(lines.filter(({ alert }) => alert !== undefined)).toMatchObject([
      { level: "error", alert: "verification_misconfigured", code: "CONFIG_INVALID" },
    ]);
  });

  it("tests a refused key with the free call, not with an order", async () => {
    let nowMs = Date.now();
    const { url, seen } = await startServer((response) => sendJson(response, 403, { success: false }));
    const service = { url, apiKey: "key", organization: "acme" };
    const { screener } = screenerFor(service, { now: () => nowMs });
    await screener.check(anOrder({ orderId: "1" }));
    nowMs += 60_000;

    await screener.check(anOrder({ orderId: "2" }));

    await until(() => expect(seen.length).toBe(2));
    expect(seen.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  it("makes no call for a check that starts after it was closed", async () => {
    const { service, url } = await startService();
    const { screener } = screenerFor({ url, apiKey: SANDBOX_API_KEY });
    await screener.close();
    await screener.close();

    const check = await screener.check(CRITICAL);

    expect(check).toMatchObject({ status: "degraded", creditsSpent: 0 });
    expect(check.reasons).toContain("degraded:SHUTTING_DOWN");
    expect(service.calls).toHaveLength(0);
  });

  it("doesn't close a store that was passed in", async () => {
    const store = await createTestStore();
    closing.push(() => store.close());
    const { screener } = screenerFor("local", { store });

    await screener.check(anOrder());
    await screener.close();

    await expect(store.ping()).resolves.toBeUndefined();
  });

  it.each([
    [{ maxPaidAttempts: 0 }, "maxPaidAttempts"],
    [{ maxInFlight: 1.5 }, "maxInFlight"],
  ] as const)("refuses %o by name", (changes, option) => {
    expect(() => createScreener({ service: "local", ...changes })).toThrow(option);
  });
});
