import { describe, expect, it } from "vitest";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createCheckoutListSync } from "../../../src/pipeline/chores/checkout-list-sync.ts";
import type { CheckoutState } from "../../../src/platform/platform.ts";
import { createPolicies } from "../../../src/settings/current-policy.ts";
import { createFakePlatform, AS_SHOP_A, keepOrder, startConsole } from "../console-app.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.UTC(2026, 10, 20, 12);

describe("GET /api/overview", () => {
  it("has every day, oldest first, and the waiting work", async () => {
    const app = await startConsole({ now: () => NOW });
    const at = (ms: number) => ({ receivedAtMs: NOW - ms });
    await keepOrder(app.store, "1", { ...at(3 * DAY_MS), decided: { level: "low", action: "allow" } });
    await keepOrder(app.store, "2", {
      ...at(DAY_MS),
      decided: { level: "high", action: "tag" },
      degraded: "X",
    });
    await keepOrder(app.store, "3", {
      ...at(HOUR_MS),
      state: "review",
      holdDeadlineMs: NOW + HOUR_MS,
      decided: { level: "critical", action: "hold" },
    });
    await keepOrder(app.store, "4", { ...at(1_000), state: "received" });
    await keepOrder(app.store, "5", { ...at(1_000), tenant: "fake:b.example" });

    const { days, ...rest } = (await (await app.get("/api/overview?days=4", AS_SHOP_A)).json()) as {
      days: object[];
    };

    const none = {
      low: 0,
      medium: 0,
      high: 0,
      critical: 0,
      unjudged: 0,
      allow: 0,
      tag: 0,
      hold: 0,
      cancel: 0,
      degraded: 0,
    };
    expect(days).toEqual([
      { date: "2026-11-17", ...none, low: 1, allow: 1 },
      { date: "2026-11-18", ...none },
      { date: "2026-11-19", ...none, high: 1, tag: 1, degraded: 1 },
      { date: "2026-11-20", ...none, critical: 1, hold: 1, unjudged: 1 },
    ]);
    expect(rest).toMatchObject({
      timeToDecision: { p50Ms: 1_000, p99Ms: 1_000, orders: 3 },
      coverage: { windowHours: 24, eligible: 2, decidedInTime: 2, ratio: 1 },
      credits: { spentToday: 1, circuit: "closed" },
      queue: { held: 1, failed: 0, waiting: 0, expiringSoon: 1, overdue: 0, degraded: 0 },
      backlog: { pending: 1, oldestAgeMs: 1_000 },
      circuits: [],
      mode: "active",
    });
  });

  it("reports a shift of levels, with the filters for its orders since the shop's day began", async () => {
    const readLocale = async () => ({ timeZone: "America/New_York", currency: "USD" });
    const app = await startConsole({ now: () => NOW, platforms: [createFakePlatform({ readLocale })] });
    const decided = { level: "high", action: "hold" } as const;
    const since = "2026-11-20T05:00:00.000Z";
    await keepOrder(app.store, "today", { receivedAtMs: Date.parse(since), decided });
    await keepOrder(app.store, "yesterday", { receivedAtMs: Date.parse(since) - 1, decided });
    const low = { level: "low", action: "allow" } as const;
    await keepOrder(app.store, "low", { receivedAtMs: NOW, decided: low });
    const shifts = async (days: number) => {
      const body = await (await app.get(`/api/overview?days=${days}`, AS_SHOP_A)).json();
      return (body as { levelShifts: object[] }).levelShifts;
    };
    expect(await shifts(5)).toEqual([]);

    const incident = { tenant: "fake:a.example", name: "levels_shifted:high-critical-up" };
    // Shared answers are kept for seconds, so ask for another period.
    await app.store.incidents.open({ ...incident, nowMs: Date.parse(since) - 1 });
    expect(await shifts(7), "yesterday's, which nobody has ended yet").toEqual([]);
    await app.store.incidents.resolve(incident, NOW);
    await app.store.incidents.open({ ...incident, nowMs: NOW });
    expect(await shifts(6)).toEqual([{ shift: "high-critical-up", level: "high,critical", since }]);

    const list = await app.get(`/api/orders?level=high,critical&since=${since}`, AS_SHOP_A);
    const { orders } = (await list.json()) as { orders: { orderId: string }[] };
    expect(orders.map(({ orderId }) => orderId)).toEqual(["today"]);
    expect((await app.get("/api/orders?since=yesterday", AS_SHOP_A)).status).toBe(400);
  });

  it("counts days in the shop's time zone, even on the day when its clocks change", async () => {
    const nowMs = Date.UTC(2026, 10, 2, 4, 45);
    const readLocale = async () => ({ timeZone: "America/New_York", currency: "USD" });
    const app = await startConsole({ now: () => nowMs, platforms: [createFakePlatform({ readLocale })] });
    const decided = { level: "low", action: "allow" } as const;
    const keep = (orderId: string, time: string) =>
      keepOrder(app.store, orderId, { receivedAtMs: Date.parse(time), decided });
    await keep("1", "2026-11-01T03:59:59Z");
    await keep("2", "2026-11-01T04:00:00Z");
    // The 25th hour of November 1.
    await keep("3", "2026-11-02T04:30:00Z");

    const { days } = (await (await app.get("/api/overview?days=3", AS_SHOP_A)).json()) as {
      days: readonly { readonly date: string; readonly low: number }[];
    };

    expect(days.map(({ date, low }) => [date, low])).toEqual([
      ["2026-10-30", 0],
      ["2026-10-31", 1],
      ["2026-11-01", 2],
    ]);
  });

  it("is computed once for all callers of a tenant within seconds", async () => {
    let nowMs = NOW;
    const app = await startConsole({ now: () => nowMs });
    const pending = async () => {
      const { backlog } = (await (await app.get("/api/overview", AS_SHOP_A)).json()) as {
        backlog: { pending: number };
      };
      return backlog.pending;
    };
    expect(await pending()).toBe(0);
    await keepOrder(app.store, "1", { receivedAtMs: NOW, state: "received" });

    expect(await pending()).toBe(0);
    nowMs += 5_000;
    expect(await pending()).toBe(1);
  });

  it.each(["?days=0", "?days=91", "?days=x", "?days=1&days=2", "?weeks=1"])("refuses %s", async (query) => {
    const app = await startConsole();

    const answer = await app.get(`/api/overview${query}`, AS_SHOP_A);

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ errors: [{ path: query.slice(1, query.indexOf("=")) }] });
  });
});

describe("GET /api/setup", () => {
  it("shows what the platform allows, asked once a minute", async () => {
    let asked = 0;
    const names = ["read_customers", "write_orders"];
    const platform = createFakePlatform({
      async diagnose() {
        asked += 1;
        return [
          { id: "fake.access", status: "ok", found: "accepted", advice: null },
          { id: "fake.scopes", status: "ok", found: "granted", advice: null, names },
          {
            id: "fake.personal-data",
            status: "problem",
            found: "names are withheld",
            advice: "ask for them",
          },
        ];
      },
    });
    const app = await startConsole({ platforms: [platform] });
    await app.store.tenants.saveCredential("fake:a.example", "fake", "secret", "installed", NOW);

    await app.get("/api/setup", AS_SHOP_A);
    const setup = await (await app.get("/api/setup", AS_SHOP_A)).json();

    expect(setup).toMatchObject({
      done: false,
      scopes: names,
      personalData: "withheld",
      findings: [
        { id: "fake.access" },
        { id: "fake.scopes" },
        { id: "fake.personal-data", advice: "ask for them" },
      ],
    });
    expect((setup as { steps: object[] }).steps).toContainEqual({
      id: "platform",
      done: false,
      detail: "names are withheld",
    });
    expect(asked).toBe(1);
  });

  it("shows the rest if the platform fails", async () => {
    const platform = createFakePlatform({ diagnose: () => Promise.reject(new Error("down")) });
    const app = await startConsole({ platforms: [platform] });
    await app.store.tenants.saveCredential("fake:a.example", "fake", "secret", "installed", NOW);

    const answer = await app.get("/api/setup", AS_SHOP_A);

    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      findings: [{ id: "fake.access", status: "warning", code: "platform-silent", params: {} }],
      steps: [
        { id: "service" },
        { id: "mode", code: "step-mode-none" },
        { id: "platform" },
        { id: "first-order" },
      ],
    });
  });

  it("shows what the checkout has of the block list, and what stands in the way", async () => {
    let answer: CheckoutState = "plan";
    const platform = createFakePlatform({ diagnose: async () => [], applyAtCheckout: async () => answer });
    const app = await startConsole({ platforms: [platform], now: () => NOW });
    const { store } = app;
    await store.tenants.saveCredential("fake:a.example", "fake", "secret", "installed", NOW);
    const read = async () =>
      ((await (await app.get("/api/setup", AS_SHOP_A)).json()) as { findings: object[] }).findings;
    expect(await read()).toEqual([]);

    const entry = {
      list: "block",
      kind: "mailbox",
      digest: "x".repeat(22),
      checkout: "abcdefgh",
      label: "m…@a.example",
      owner: "person:1",
      reason: "chargeback",
      until: null,
    };
    await store.policies.save("fake:a.example", { blockedAtCheckout: "refuse", lists: [entry] }, 0, NOW);
    const bring = (owner: string) =>
      createCheckoutListSync({
        store,
        platforms: [platform],
        policyOf: createPolicies(store),
        owner,
        now: () => NOW,
        logger: SILENT_LOGGER,
      }).run(new AbortController().signal);
    await bring("app:1");
    expect(await read()).toMatchObject([
      {
        id: "fake.checkout-list",
        status: "warning",
        code: "checkout-list-plan",
        advice: expect.stringContaining("set “Blocked buyers at the checkout” to “Let them order”"),
      },
    ]);
    answer = "applied";
    await bring("app:2");
    const time = new Date(NOW).toISOString();
    expect(await read()).toEqual([
      {
        id: "fake.checkout-list",
        status: "ok",
        found: `block list at the checkout: entries 1, size 54 of 10000 bytes, updated ${time}`,
        advice: null,
        code: "checkout-list",
        params: { count: 1, bytes: 54, limit: 10_000, time },
        requests: [],
      },
    ]);
  });
});
