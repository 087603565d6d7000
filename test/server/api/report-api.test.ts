import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import type { PlatformRisk } from "../../../src/order/order-context.ts";
import type { ObservedOutcome } from "../../../src/store/outcomes/outcomes.ts";
import {
  AS_OPERATOR,
  AS_SHOP_A,
  createFakePlatform,
  keepOrder,
  startConsole,
  type ConsoleApp,
  type KeptOrder,
} from "../console-app.ts";
import { until } from "../../support/until.ts";
import { toTimelineEntry } from "../../../src/pipeline/timeline.ts";

const NOW_MS = 1_700_000_100_000;
const DAY_MS = 86_400_000;
const TENANT = "fake:a.example";

type Seen = Partial<Omit<ObservedOutcome, "platformRisk">> & { readonly platformRisk?: PlatformRisk };

async function see(app: ConsoleApp, orderId: string, seen: Seen = {}): Promise<void> {
  const nothing = { known: true, cancelled: false, shipped: false, platformRisk: null };
  await app.store.outcomes.save({ tenant: TENANT, orderId }, { observedAtMs: NOW_MS, ...nothing, ...seen });
}

const HELD: KeptOrder = { decided: { level: "high", action: "hold" } };

async function startWithOrders(): Promise<ConsoleApp> {
  const app = await startConsole({ now: () => NOW_MS });
  const { store } = app;
  await keepOrder(store, "allowed", { decided: { level: "low", action: "allow" } });
  await keepOrder(store, "tagged", { decided: { level: "medium", action: "tag" } });
  for (const orderId of ["warned", "accepted", "unseen"]) await keepOrder(store, orderId, HELD);
  await keepOrder(store, "cancelled", { decided: { level: "critical", action: "cancel" }, name: "=1+1" });
  await keepOrder(store, "undecided", { state: "received" });
  await keepOrder(store, "old", { ...HELD, receivedAtMs: NOW_MS - 15 * DAY_MS });
  await keepOrder(store, "other", { ...HELD, tenant: "fake:b.example" });
  await see(app, "warned", { platformRisk: "investigate" });
  await see(app, "accepted", { platformRisk: "accept", shipped: true });
  await see(app, "cancelled", { cancelled: true });
  await store.ledger.recordSaving(TENANT, "cached", 4, NOW_MS);
  return app;
}

interface Report {
  readonly declined: object;
  readonly rows: readonly { readonly orderId: string; readonly outcome: string }[];
}

describe("GET /api/report", () => {
  it("doesn't count Holdfast's own cancellations as agreement", async () => {
    const app = await startConsole({ now: () => NOW_MS });
    const critical: KeptOrder = { decided: { level: "critical", action: "cancel" } };
    await keepOrder(app.store, "ours", { ...critical, endings: [{ kind: "cancel-done" }] });
    await keepOrder(app.store, "ours-warned", { ...critical, endings: [{ kind: "cancel-done" }] });
    await keepOrder(app.store, "ours-unseen", { ...critical, endings: [{ kind: "cancel-done" }] });
    await keepOrder(app.store, "theirs", { ...critical, endings: [{ kind: "cancelled-on-platform" }] });
    await see(app, "ours", { cancelled: true, platformRisk: "accept" });
    await see(app, "ours-warned", { cancelled: true, platformRisk: "cancel" });

    const report = (await (await app.get("/api/report", AS_SHOP_A)).json()) as object;

    expect(report).toMatchObject({ agreed: { orders: 2, of: 4, pending: 1 } });
  });

  it("shows decisions, outcomes, and which of them the platform agreed with", async () => {
    const app = await startWithOrders();
    await app.store.policies.save(TENANT, { mode: "shadow" }, undefined, 1);

    const { rows, ...report } = (await (await app.get("/api/report", AS_SHOP_A)).json()) as Report;

    expect(report).toEqual({
      since: new Date(NOW_MS - 14 * DAY_MS).toISOString(),
      until: new Date(NOW_MS).toISOString(),
      days: 14,
      mode: "shadow",
      orders: 7,
      decided: 6,
      held: { orders: 3, amount: { USD: 179.7 } },
      cancelled: { orders: 1, amount: { USD: 59.9 } },
      tagged: { orders: 1, amount: { USD: 59.9 } },
      agreed: { orders: 2, of: 4, pending: 1 },
      credits: { spent: 0, saved: 4, cost: null },
      value: expect.objectContaining({ currency: null, decided: 6 }) as object,
      outcomes: expect.objectContaining({ undisputedDays: 60, decided: 6, disputed: 0 }) as object,
      byLevel: {
        low: { orders: 1, amount: { USD: 59.9 }, chargedBack: 0, cancelled: 0 },
        medium: { orders: 1, amount: { USD: 59.9 }, chargedBack: 0, cancelled: 0 },
        high: { orders: 3, amount: { USD: 179.7 }, chargedBack: 0, cancelled: 0 },
        critical: { orders: 1, amount: { USD: 59.9 }, chargedBack: 0, cancelled: 1 },
      },
      agents: null,
      declined: {},
      buyers: { asked: 0, answered: 0, right: 0, released: 0, chargedBack: 0 },
    });
    expect(rows.map(({ orderId, outcome }) => [orderId, outcome])).toEqual([
      ["warned", "open"],
      ["unseen", "unknown"],
      ["tagged", "unknown"],
      ["cancelled", "cancelled"],
      ["accepted", "shipped"],
    ]);
    expect(rows[0]).toEqual({
      orderId: "warned",
      name: "#warned",
      receivedAt: "2023-11-14T22:13:20.000Z",
      amount: 59.9,
      currency: "USD",
      riskLevel: "high",
      riskScore: 73,
      action: "hold",
      outcome: "open",
      platformRisk: "investigate",
      dispute: null,
    });
  });

  it("counts agents' orders separately once the policy names their channels", async () => {
    const app = await startWithOrders();
    const byAgent = (orderId: string, level: "low" | "high") =>
      keepOrder(app.store, orderId, {
        decided: { level, action: level === "low" ? "allow" : "hold" },
        channel: "agent",
      });
    await byAgent("by-agent", "low");
    await byAgent("by-agent-too", "high");
    await see(app, "by-agent-too", { cancelled: true });
    await app.store.policies.save(TENANT, { agentChannels: ["assistant"] }, undefined, 1);

    const none = { orders: 0, amount: {}, chargedBack: 0, cancelled: 0 };
    const one = { orders: 1, amount: { USD: 59.9 }, chargedBack: 0, cancelled: 0 };
    expect(await (await app.get("/api/report", AS_SHOP_A)).json()).toMatchObject({
      byLevel: { low: { orders: 2 }, high: { orders: 4 } },
      agents: { byLevel: { low: one, medium: none, high: { ...one, cancelled: 1 }, critical: none } },
    });
  });

  it("counts money in the currency that the owner chose, at the owner's rates and credit price", async () => {
    const app = await startWithOrders();
    const headers = { ...AS_SHOP_A, "content-type": "application/json" };
    const rates = [{ currency: "USD", from: "2023-11-01", rate: 0.5 }];
    const body = JSON.stringify({ money: { currency: "EUR", creditPrice: 0.02, rates } });
    await app.send("PUT", "/api/settings", { headers, body });

    const report = await (await app.get("/api/report", AS_SHOP_A)).json();

    expect(report).toMatchObject({
      credits: { spent: 0, cost: 0 },
      value: {
        currency: "EUR",
        rates,
        unknownStopped: { orders: 4, value: 119.8, apart: {} },
        falsePositives: { good: 0, known: 0, share: null },
        weeks: [
          { start: "2023-10-30", decided: 0 },
          { start: "2023-11-06", decided: 0 },
          { start: "2023-11-13", decided: 6 },
        ],
      },
    });
  });

  it("counts the reasons for which people declined orders", async () => {
    const app = await startWithOrders();
    const decline = async (orderId: string, body: object) => {
      const headers = { ...AS_SHOP_A, "content-type": "application/json" };
      await app.send("POST", `/api/orders/${orderId}/decline`, { headers, body: JSON.stringify(body) });
    };
    await decline("warned", { reason: "stolen-payment" });
    await decline("accepted", {});

    const { declined } = (await (await app.get("/api/report", AS_SHOP_A)).json()) as Report;

    expect(declined).toEqual({ "stolen-payment": 1, none: 1 });
  });

  it("covers the requested number of days", async () => {
    const app = await startWithOrders();
    expect(await (await app.get("/api/report?days=15", AS_SHOP_A)).json()).toMatchObject({
      days: 15,
      held: { orders: 4 },
    });
  });

  it("is empty for a shop without orders", async () => {
    const app = await startConsole();
    const none = { orders: 0, amount: {} };
    expect(await (await app.get("/api/report", AS_OPERATOR)).json()).toMatchObject({
      mode: "active",
      orders: 0,
      held: none,
      agreed: { orders: 0, of: 0, pending: 0 },
      rows: [],
    });
  });

  it.each(["days=0", "days=366", "days=1.5", "days=1&days=2", "since=1"])("refuses ?%s", async (query) => {
    const app = await startConsole();
    for (const path of ["report", "report.csv"]) {
      expect((await app.get(`/api/${path}?${query}`, AS_SHOP_A)).status).toBe(400);
    }
  });
});

/** A console whose store waits before it lists orders, and the requests to that store. */
async function startWithSlowStore() {
  const base = await startWithOrders();
  const listed: number[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let atOnce = 0;
  let most = 0;
  const app = await startConsole({
    now: () => NOW_MS,
    store: {
      ...base.store,
      close: async () => {},
      nextTurn(tenant, signal) {
        signals.push(signal);
        return base.store.nextTurn(tenant, signal);
      },
      figures: {
        ...base.store.figures,
        async listDecided(tenant, page) {
          listed.push(Math.round((page.untilMs - page.sinceMs) / DAY_MS));
          most = Math.max(most, (atOnce += 1));
          await released;
          atOnce -= 1;
          // As if there were always another page.
          const found = await base.store.figures.listDecided(tenant, { ...page, limit: 1 });
          return { ...found, next: found.orders.length === 0 ? null : found.next };
        },
      },
    },
  });
  return { app, listed, signals, release, most: () => most };
}

describe("reports with many callers", () => {
  it("are made once for all callers with the same request, one at a time per tenant", async () => {
    const { app, listed, release, most } = await startWithSlowStore();
    const answers = [14, 14, 14, 15, 16].map((days) => app.get(`/api/report?days=${days}`, AS_SHOP_A));
    await until(() => expect(listed).toHaveLength(1));
    release();

    const reports = await Promise.all(answers.map(async (answer) => (await answer).json()));

    expect(reports.map((report) => (report as { days: number }).days)).toEqual([14, 14, 14, 15, 16]);
    expect(most()).toBe(1);
    // Pages of one order: each window was read once from start to end.
    const pagesOf = (days: number) => listed.filter((asked) => asked === days).length;
    expect([pagesOf(14), pagesOf(15), pagesOf(16)]).toEqual([7, 8, 8]);
  });

  it("stop being read when the caller disconnects", async () => {
    const { app, listed, signals, release } = await startWithSlowStore();
    const callers = Array.from({ length: 50 }, (_, index) => {
      const gone = new AbortController();
      const { signal } = gone;
      const url = `${app.origin}/api/report?days=${(index % 5) + 1}`;
      return { gone, answer: fetch(url, { headers: AS_SHOP_A, signal }).catch(() => "gone") };
    });
    await until(() => expect(listed).toHaveLength(1));
    for (const { gone } of callers) gone.abort();
    await until(() => expect(signals.at(-1)?.aborted).toBe(true));
    release();
    expect(await Promise.all(callers.map(({ answer }) => answer))).toEqual(callers.map(() => "gone"));

    // The next report is made alone, after all earlier requests.
    expect((await app.get("/api/report?days=20", AS_SHOP_A)).status).toBe(200);
    expect(listed.filter((days) => days !== 20)).toHaveLength(1);
  });
});

describe("GET /api/report.csv", () => {
  it("is a file of the orders that weren't simply allowed, safe to open, and recorded as downloaded", async () => {
    const app = await startWithOrders();

    const response = await app.get("/api/report.csv?days=15", AS_SHOP_A);
    const bytes = Buffer.from(await response.arrayBuffer());

    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="holdfast-report-2023-11-14-15-days.csv"',
    );
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const rows = parse(bytes, { bom: true, columns: true, recordDelimiter: "\r\n" }) as Record<
      string,
      string
    >[];
    expect(rows.map((row) => row["order_id"])).toEqual([
      "warned",
      "unseen",
      "tagged",
      "cancelled",
      "accepted",
      "old",
    ]);
    expect(rows[3]).toEqual({
      order_id: "cancelled",
      name: "'=1+1",
      received_at: "2023-11-14T22:13:20.000Z",
      amount: "59.9",
      currency: "USD",
      risk_level: "critical",
      risk_score: "93",
      action: "cancel",
      outcome: "cancelled",
      platform_risk: "",
      dispute: "",
      buyer_answer: "",
    });
    const { entries } = await app.store.accessLog.list(TENANT, { limit: 5 });
    expect(entries).toEqual([{ atMs: NOW_MS, actor: "person:7", what: "export", subject: "report" }]);
  });

  it("includes an allowed order that was charged back: missed fraud", async () => {
    const app = await startWithOrders();
    const dispute = { disputeId: "1", orderId: "allowed", kind: "chargeback", status: "lost" } as const;
    const entry = toTimelineEntry(NOW_MS, { kind: "dispute" }, "", "platform");
    const key = { tenant: TENANT, orderId: "allowed" };
    const reason = { reason: "fraudulent", isFraud: true, initiatedAtMs: NOW_MS };
    await app.store.outcomes.recordDispute(key, { ...dispute, ...reason }, entry);

    const text = await (await app.get("/api/report.csv", AS_SHOP_A)).text();
    const report = await (await app.get("/api/report", AS_SHOP_A)).json();

    expect(text).toMatch(/^allowed,.*,allow,charged-back,,chargeback,\r$/m);
    expect(report).toMatchObject({
      value: { fraudMissed: { orders: 1, apart: { USD: 59.9 } } },
      outcomes: { disputed: 1, byLevel: { low: { fraud: 1, caught: 0 } } },
      byLevel: { low: { orders: 1, chargedBack: 1, cancelled: 0 } },
      agreed: { orders: 2, of: 4 },
    });
  });

  it("has every order of the window, however many pages that takes", async () => {
    const app = await startConsole({ now: () => NOW_MS });
    for (let index = 0; index < 250; index += 1) await keepOrder(app.store, String(index), HELD);

    const text = await (await app.get("/api/report.csv", AS_SHOP_A)).text();

    expect(new Set(text.trimEnd().split("\r\n")).size).toBe(251);
  });

  it("ends with an error if it can't continue, so that a part isn't mistaken for the whole", async () => {
    const base = await startWithOrders();
    const page = { sinceMs: 0, untilMs: NOW_MS, content: "none", limit: 1, after: null } as const;
    const first = await base.store.figures.listDecided(TENANT, page);
    let calls = 0;
    const app = await startConsole({
      store: {
        ...base.store,
        close: async () => {},
        figures: {
          ...base.store.figures,
          async listDecided() {
            calls += 1;
            if (calls > 1) throw new Error("the database is gone");
            return first;
          },
        },
      },
    });

    await expect(app.get("/api/report.csv", AS_SHOP_A).then((response) => response.text())).rejects.toThrow();
    expect(app.log()).toContain("a file couldn't be sent completely");
  });
});

describe("GET /api/report/disputes.csv", () => {
  /** A shop in Berlin, where a month has ten days left, with so many chargebacks on as many orders and one more order. */
  async function startWithDisputes(count: number): Promise<ConsoleApp> {
    const inBerlin = createFakePlatform({
      readLocale: async () => ({ timeZone: "Europe/Berlin", currency: "EUR" }),
    });
    const app = await startConsole({ now: () => MONTH_MS, platforms: [inBerlin] });
    await keepOrder(app.store, "good", {
      decided: { level: "low", action: "allow" },
      receivedAtMs: MONTH_MS - 1,
    });
    for (let index = 0; index < count; index += 1) {
      const orderId = `o${index}`;
      await keepOrder(app.store, orderId, {
        decided: { level: "low", action: "allow" },
        receivedAtMs: MONTH_MS - 1,
      });
      const dispute = { disputeId: orderId, orderId, kind: "chargeback", status: "open" } as const;
      const about = { reason: "fraudulent", isFraud: true, initiatedAtMs: MONTH_MS - 1 };
      const entry = toTimelineEntry(MONTH_MS, { kind: "dispute" }, "", "platform");
      await app.store.outcomes.recordDispute({ tenant: TENANT, orderId }, { ...dispute, ...about }, entry);
    }
    return app;
  }
  /** 2026-11-21 00:00 in Berlin. */
  const MONTH_MS = Date.UTC(2026, 10, 20, 23);

  it("has the month's figures in one row, and is recorded as downloaded", async () => {
    const app = await startWithDisputes(12);

    const response = await app.get("/api/report/disputes.csv", AS_SHOP_A);
    const bytes = Buffer.from(await response.arrayBuffer());
    const shown = (await (await app.get("/api/report/disputes", AS_SHOP_A)).json()) as Record<
      string,
      unknown
    >;

    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="holdfast-disputes-2026-11.csv"',
    );
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const rows: unknown = parse(bytes, { bom: true, columns: true, recordDelimiter: "\r\n" });
    expect(rows).toEqual([
      {
        month: "2026-11",
        until: "2026-11-21T00:00:00+01:00",
        state: "calm",
        disputes: "12",
        orders: "13",
        share: String(12 / 13),
        limit_share: "0.015",
        limit_count: "1500",
        forecast_disputes: "18",
        forecast_low: "12",
        forecast_high: "32",
      },
    ]);
    expect(shown).toMatchObject({ share: 12 / 13, forecast: { disputes: 18, low: 12, high: 32 } });
    const { entries } = await app.store.accessLog.list(TENANT, { limit: 5 });
    expect(entries).toMatchObject([{ what: "export", subject: "report" }]);
  });

  it("leaves empty what too few disputes don't tell", async () => {
    const app = await startWithDisputes(1);
    const text = await (await app.get("/api/report/disputes.csv", AS_SHOP_A)).text();
    expect(text).toMatch(/,few,1,2,,0\.015,1500,,,\r\n$/);
  });
});
