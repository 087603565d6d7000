import { afterEach, describe, expect, it } from "vitest";
import { createSandboxService, SANDBOX_API_KEY, type SandboxService } from "../../src/local/service.ts";
import type { DecisionEvent } from "../../src/screening/order-check.ts";
import { createScreener, type ScreenerOptions } from "../../src/screening/screener.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { anOrder } from "../support/orders.ts";

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
  it("asks once and answers a repeat for nothing, and tells of both", async () => {
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

  it("tells of a decision that was made without a service", async () => {
    const { screener, events } = screenerFor("local");

    const check = await screener.check(anOrder());

    expect(check).toMatchObject({ status: "degraded", creditsSpent: 0 });
    expect(events).toEqual([{ orderId: "1001", check, late: false }]);
  });

  it("does not ask about an order that a rule leaves out, and tells of it", async () => {
    const { service, url } = await startService();
    const policy = { rules: [{ name: "small", when: { maxAmount: 100 }, then: { skip: true } }] };
    const { screener, events } = screenerFor({ url, apiKey: SANDBOX_API_KEY }, { policy });

    const check = await screener.check(CRITICAL);

    expect(check).toMatchObject({ status: "skipped", action: "allow", riskLevel: null, creditsSpent: 0 });
    expect(check.fingerprint).not.toBe("");
    expect(service.calls).toHaveLength(0);
    expect(events).toEqual([{ orderId: "1001", check, late: false }]);
  });

  it("answers at the deadline and tells of the late answer", async () => {
    const { url } = await startService(200);
    const { screener, events } = screenerFor(
      { url, apiKey: SANDBOX_API_KEY },
      { policy: { whenUnavailable: "hold" } },
    );

    const check = await screener.check(CRITICAL, { deadlineMs: 20 });

    expect(check).toMatchObject({ status: "pending", action: "hold", result: null });
    await expect.poll(() => events.length).toBe(2);
    expect(events[0]).toEqual({ orderId: "1001", check, late: false });
    expect(events[1]).toMatchObject({ late: true, check: { status: "verified", action: "cancel" } });
  });

  it("lets the local engine stand in at the deadline, which never cancels", async () => {
    const { url } = await startService(200);
    const { screener } = screenerFor({ url, apiKey: SANDBOX_API_KEY });

    const check = await screener.check(CRITICAL, { deadlineMs: 20 });

    expect(check.status).toBe("degraded");
    expect(check.action).not.toBe("cancel");
    expect(check.reasons).toContain("degraded:VERIFICATION_TIMEOUT");
  });

  it("touches nothing in shadow mode and says what it would have done", async () => {
    const { url } = await startService();
    const { screener } = screenerFor({ url, apiKey: SANDBOX_API_KEY }, { policy: { mode: "shadow" } });

    const check = await screener.check(CRITICAL);

    expect(check).toMatchObject({ action: "allow", riskLevel: "critical", tags: [] });
    expect(check.reasons).toContain("would:cancel");
  });

  it("does not let a listener spoil a check, and forgets one that stopped listening", async () => {
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

  it("leaves a store that it was given open", async () => {
    const store = await createMemoryStore();
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
