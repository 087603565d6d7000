import { describe, expect, it } from "vitest";
import { FOR_RECHECK } from "../../../src/pipeline/order-life/step-plan.ts";
import { createTestStore } from "../../support/test-store.ts";
import { ORDER_STATES, type Store } from "../../../src/store/store.ts";
import { AS_SHOP_A, keepOrder, startConsole, type ConsoleApp } from "../console-app.ts";
import { toTimelineEntry } from "../../../src/pipeline/timeline.ts";

const START_MS = 1_700_000_000_000;

interface Page {
  readonly orders: readonly { readonly orderId: string }[];
  readonly nextCursor: string | null;
}

async function list(app: ConsoleApp, query = ""): Promise<Page> {
  const response = await app.get(`/api/orders${query}`, AS_SHOP_A);
  expect(response.status).toBe(200);
  return (await response.json()) as Page;
}

/** What is special about an order that changed after its decision. */
interface ChangedOrder {
  readonly action?: "hold";
  readonly state?: "review";
  readonly held?: true;
  readonly rescreen?: false;
}

const ids = ({ orders }: Page) => orders.map(({ orderId }) => orderId);

describe("GET /api/orders", () => {
  it("shows an order with exactly the documented keys, null until decided", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "820982911946154508", { name: "#1001", receivedAtMs: START_MS });

    const response = await app.get("/api/orders", AS_SHOP_A);

    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({
      orders: [
        {
          orderId: "820982911946154508",
          name: "#1001",
          receivedAt: "2023-11-14T22:13:20.000Z",
          state: "received",
          riskLevel: null,
          riskScore: null,
          action: null,
          source: null,
          degraded: false,
          enforced: null,
          evidenceDueBy: null,
          buyerAnswer: null,
          skipReason: null,
          unchecked: null,
          creditsSpent: 0,
          holdDeadline: null,
          amount: 59.9,
          currency: "USD",
          buyer: "Jane Example",
          country: "US",
          urgent: false,
          chips: [],
          decidedBy: null,
          pendingReview: null,
          pendingRecheck: null,
          ended: null,
          notes: 0,
          assignee: null,
          claim: null,
        },
      ],
      nextCursor: null,
    });
  });

  it("shows the decision", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", { decided: { level: "high", action: "hold" }, state: "review" });

    expect((await list(app)).orders).toEqual([
      expect.objectContaining({
        state: "review",
        riskLevel: "high",
        riskScore: 73,
        action: "hold",
        source: "service",
        degraded: false,
      }),
    ]);
  });

  it.each<[string, ChangedOrder, { readonly held: boolean } | null]>([
    ["and isn't held", {}, { held: false }],
    ["and is held for that", { held: true }, { held: true }],
    ["and is held anyway", { action: "hold", state: "review" }, { held: true }],
    ["but needn't be checked again", { rescreen: false }, null],
  ])("shows that an order changed since it was decided %s", async (_, given, expected) => {
    const { action = "allow", state = "settled", held = false, rescreen = true } = given;
    const app = await startConsole();
    await keepOrder(app.store, "1", { decided: { level: "low", action }, state });
    const key = { tenant: "fake:a.example", orderId: "1" };
    const seen = await app.store.orders.get(key);
    if (seen?.mapped == null) throw new TypeError("kept");
    const { mapped, amount, currency } = seen;
    const changedAt = "2026-11-26T01:00:00.000Z";
    const nowMs = Date.parse(changedAt);
    await app.store.orders.revise(key, {
      asOfMs: nowMs,
      nowMs,
      revision: { mapped, amount, currency, rescreen, enriched: false, attempts: 0, sinceMs: nowMs },
      customerId: undefined,
      material: rescreen,
      fields: [],
      entry: toTimelineEntry(nowMs, { kind: "context-changed" }, "", "platform"),
      seen,
    });
    if (held) {
      await app.store.orders.claim({ owner: "test", nowMs, leaseMs: 60_000, limit: 1 });
      const step = {
        step: "hold",
        state: "done",
        detail: "",
        memory: {},
        notes: FOR_RECHECK,
        atMs: nowMs,
      } as const;
      await app.store.orders.save(key, "test", { changes: {}, step, release: true });
    }
    const response = await app.get("/api/orders/1", AS_SHOP_A);

    const shown = { state, pendingRecheck: expected && { changedAt, ...expected } };
    expect((await list(app)).orders).toMatchObject([shown]);
    expect(await response.json()).toMatchObject(shown);
  });

  it("filters by level, action and state", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "low", { decided: { level: "low", action: "allow" } });
    await keepOrder(app.store, "high", { decided: { level: "high", action: "hold" }, state: "review" });
    await keepOrder(app.store, "new");

    expect(ids(await list(app, "?level=high"))).toEqual(["high"]);
    expect(ids(await list(app, "?action=allow"))).toEqual(["low"]);
    expect(ids(await list(app, "?state=received"))).toEqual(["new"]);
    expect(ids(await list(app, "?level=high&action=allow"))).toEqual([]);
  });

  it("records who saw the names of buyers, and leaves out a made-up name", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", { standIns: ["customerName"] });

    const page = (await (await app.get("/api/orders", AS_SHOP_A)).json()) as { orders: { buyer: unknown }[] };

    expect(page.orders.map(({ buyer }) => buyer)).toEqual([null]);
    const { entries } = await app.store.accessLog.list("fake:a.example", { limit: 10 });
    expect(entries).toEqual([expect.objectContaining({ what: "orders", subject: "" })]);
  });

  it("lists orders that are due soon or overdue, and orders that the service didn't check", async () => {
    const app = await startConsole({ now: () => START_MS });
    const held = (hours: number) =>
      ({
        state: "review",
        decided: { level: "high", action: "hold" },
        holdDeadlineMs: START_MS + hours * 3_600_000,
      }) as const;
    await keepOrder(app.store, "past", held(-1));
    await keepOrder(app.store, "soon", { ...held(5), degraded: "X" });
    await keepOrder(app.store, "later", held(7));

    expect(ids(await list(app, "?view=queue&due=overdue"))).toEqual(["past"]);
    expect(ids(await list(app, "?view=queue&due=soon"))).toEqual(["soon"]);
    expect(ids(await list(app, "?view=queue&degraded=true"))).toEqual(["soon"]);
    expect(ids(await list(app, "?view=queue&sort=age"))).toHaveLength(3);
  });

  it("pages from newest to oldest without gaps or repeats", async () => {
    const app = await startConsole();
    for (let index = 0; index < 5; index += 1) {
      await keepOrder(app.store, `o${index}`, { receivedAtMs: START_MS + index });
    }

    const seen: string[] = [];
    let query = "?limit=2";
    for (let pages = 0; pages < 3; pages += 1) {
      const page = await list(app, query);
      seen.push(...ids(page));
      query = `?limit=2&cursor=${encodeURIComponent(page.nextCursor ?? "")}`;
      expect(page.nextCursor === null).toBe(pages === 2);
    }

    expect(seen).toEqual(["o4", "o3", "o2", "o1", "o0"]);
  });

  it("shows 50 orders by default, and up to 100", async () => {
    const app = await startConsole();
    for (let index = 0; index < 101; index += 1) {
      await keepOrder(app.store, `o${index}`, { receivedAtMs: START_MS + index });
    }
    expect(ids(await list(app))).toHaveLength(50);
    expect(ids(await list(app, "?limit=100"))).toHaveLength(100);
  });

  it.each(ORDER_STATES)("accepts the state %s", async (state) => {
    const app = await startConsole();
    expect(ids(await list(app, `?state=${state}`))).toEqual([]);
  });

  it.each([
    ["level", "level=none"],
    ["level", "level=HIGH"],
    ["action", "action=approve"],
    ["state", "state=done"],
    ["limit", "limit=0"],
    ["limit", "limit=101"],
    ["limit", "limit=ten"],
    ["limit", "limit=1e1"],
    ["limit", "limit=-1"],
    ["limit", "limit=5.0"],
    ["cursor", "cursor=made-up"],
    ["cursor", `cursor=${"x".repeat(2_000)}`],
    ["sort", "sort=price&view=queue"],
    ["due", "due=later"],
    ["degraded", "degraded=false"],
    ["colour", "colour=red"],
    ["level[]", "level[]=high"],
    ["level", "level=high&level=low"],
    ["__proto__", "__proto__=1"],
  ])("refuses a wrong %s by name: %s", async (field, query) => {
    const app = await startConsole();

    const response = await app.get(`/api/orders?${query}`, AS_SHOP_A);
    const problem = (await response.json()) as { errors: { path: string; message: string }[] };

    expect(response.status).toBe(400);
    expect(problem.errors.map(({ path }) => path)).toEqual([field]);
    expect(problem.errors[0]?.message).toMatch(/^expected/);
  });

  it("treats a parameter without a value as absent", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "o1", { receivedAtMs: START_MS });
    expect(ids(await list(app, "?level=&action=&state=&limit=&cursor="))).toEqual(["o1"]);
  });

  it("names every wrong field at once", async () => {
    const app = await startConsole();
    const response = await app.get("/api/orders?level=x&limit=x&y=1", AS_SHOP_A);
    const { errors } = (await response.json()) as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path).toSorted()).toEqual(["level", "limit", "y"]);
  });

  it("refuses other methods, and names the allowed ones", async () => {
    const app = await startConsole();
    const response = await app.send("POST", "/api/orders", { headers: AS_SHOP_A, body: "{}" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await app.send("HEAD", "/api/orders", { headers: AS_SHOP_A })).status).toBe(200);
  });
});

describe("GET /api/orders/:orderId", () => {
  it("shows an order in one state, although it changes while its timeline is read", async () => {
    const store = await createTestStore();
    const key = { tenant: "fake:a.example", orderId: "1" };
    const cancelled = toTimelineEntry(START_MS + 9_000, { kind: "cancelled-on-platform" }, "", "platform");
    const changing: Store = {
      ...store,
      orders: {
        ...store.orders,
        async listTimeline(asked) {
          await store.orders.end(key, "fake", START_MS + 9_000, cancelled);
          return store.orders.listTimeline(asked);
        },
      },
    };
    const app = await startConsole({ store: changing });
    await keepOrder(store, "1", { decided: { level: "high", action: "hold" }, state: "review" });

    const order = (await (await app.get("/api/orders/1", AS_SHOP_A)).json()) as {
      readonly state: string;
      readonly timeline: readonly { readonly kind: string }[];
    };

    expect([order.state, order.timeline.at(-1)?.kind]).toEqual(["settled", "cancelled-on-platform"]);
  });

  it("explains the decision", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", { decided: { level: "high", action: "hold" }, receivedAtMs: START_MS });

    const response = await app.get("/api/orders/1", AS_SHOP_A);
    const order = (await response.json()) as Record<string, unknown>;

    expect(response.status).toBe(200);
    expect(order).toMatchObject({
      orderId: "1",
      riskLevel: "high",
      action: "hold",
      decidedAt: "2023-11-14T22:13:21.000Z",
      settledAt: "2023-11-14T22:13:22.000Z",
      problem: null,
      problems: [],
      enforced: true,
      tags: ["holdfast-high"],
      reasons: ["level:high"],
      policyVersion: 3,
      factors: [
        { factor: "Example", severity: "high", description: "Example description", category: "behavioral" },
      ],
      reasoning: "An example.",
      recommendations: ["Look at it."],
      steps: [{ step: "tag", state: "done", detail: "tag added", at: "2023-11-14T22:13:20.000Z" }],
    });
    expect(order["timeline"]).toEqual([
      {
        at: "2023-11-14T22:13:20.000Z",
        kind: "received",
        detail: "delivery",
        event: { kind: "received", topic: "orders/create" },
        actor: "platform",
        note: null,
      },
      {
        at: "2023-11-14T22:13:21.000Z",
        kind: "decided",
        detail: "hold",
        event: { kind: "decided", action: "hold", source: "service", reasons: ["level:high"] },
        actor: "holdfast",
        note: null,
      },
    ]);
  });

  it("leaves out what isn't decided yet", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1");

    expect(await (await app.get("/api/orders/1", AS_SHOP_A)).json()).toMatchObject({
      enforced: null,
      evidenceDueBy: null,
      buyerAnswer: null,
      decidedAt: null,
      policyVersion: null,
      reasons: [],
      factors: [],
      reasoning: null,
      recommendations: [],
      steps: [],
    });
  });

  it("lists only the buyer's name, shows the rest on the order itself, and never the adapter's memory", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", { decided: { level: "low", action: "allow" } });

    const one = await (await app.get("/api/orders/1", AS_SHOP_A)).text();
    const list = await (await app.get("/api/orders", AS_SHOP_A)).text();

    expect(list).not.toMatch(/jane@|example\.com|Main Street/i);
    expect(JSON.parse(one)).toMatchObject({ sent: null, contents: { buyer: { name: "Jane Example" } } });
    expect(`${one}${list}`).not.toMatch(/customer-1|secret-job|fake:a/i);
  });

  it.each(["2", "unknown", "1%00", "%2e%2e%2f1", "1' OR 1=1 --", "x".repeat(5_000)])(
    "answers 404 for an order that doesn't exist or belongs to another tenant: %s",
    async (orderId) => {
      const app = await startConsole();
      await keepOrder(app.store, "1");
      await keepOrder(app.store, "2", { tenant: "fake:b.example" });

      const response = await app.get(`/api/orders/${orderId}`, AS_SHOP_A);

      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ status: 404, detail: "Order not found." });
    },
  );

  it("finds an order whose id needs encoding", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "gid://a/b?c");
    expect((await app.get(`/api/orders/${encodeURIComponent("gid://a/b?c")}`, AS_SHOP_A)).status).toBe(200);
  });
});

describe("GET /api/credits", () => {
  it("shows the caller's spending and nothing else from the summary", async () => {
    const asked: string[] = [];
    const summary = {
      spentToday: 1,
      spentMonth: 20,
      savedMonth: 5,
      savedByReason: { cached: 5 },
      dailyCap: null,
      monthlyCap: 100,
      circuit: "open" as const,
      runsOutOn: "2026-11-30",
    };
    const app = await startConsole({
      credits: async (tenant) => {
        asked.push(tenant);
        return { ...summary, more: "internal" };
      },
    });

    const response = await app.get("/api/credits", AS_SHOP_A);

    expect(await response.json()).toEqual(summary);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(asked).toEqual(["fake:a.example"]);
  });
});
