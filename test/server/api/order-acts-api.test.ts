import { describe, expect, it } from "vitest";
import { toOrderActionsJson } from "../../../src/server/api/orders/describe-actions.ts";
import { DECLINE_REASONS } from "../../../src/order/decision.ts";
import { HoldfastError } from "../../../src/base/errors.ts";
import type { ObservedOrder } from "../../../src/platform/platform.ts";
import { DEFAULT_POLICY, parsePolicy } from "../../../src/policy/policy.ts";
import { RECHECK_QUOTA } from "../../../src/store/quotas.ts";
import type { ReviewJudgement } from "../../../src/store/orders/reviews.ts";
import { claim } from "../../store/samples.ts";
import { AS_SHOP_A, createFakePlatform, keepOrder, startConsole, type ConsoleApp } from "../console-app.ts";
import { toTimelineEntry } from "../../../src/pipeline/timeline.ts";

const KEY = { tenant: "fake:a.example", orderId: "1" };
const HELD = { state: "review", decided: { level: "high", action: "hold" }, holdDeadlineMs: 1 } as const;

const CONTEXT = {
  policy: DEFAULT_POLICY,
  policyVersion: 0,
  actor: "person:7",
  hasService: true,
  nowMs: 1,
};

async function keepHeld() {
  const { store } = await startConsole();
  await keepOrder(store, "1", HELD);
  const order = await store.orders.get(KEY);
  if (order === null) throw new Error("the order is gone");
  return order;
}

interface Shown {
  readonly [field: string]: unknown;
  readonly version: string;
  readonly timeline: readonly {
    readonly kind: string;
    readonly actor: string;
    readonly note: string | null;
  }[];
}

function press(app: ConsoleApp, act: string, body?: unknown, headers: Record<string, string> = {}) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return app.send("POST", `/api/orders/1/${act}`, {
    headers: {
      ...AS_SHOP_A,
      ...headers,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...sent,
  });
}

async function acts(app: ConsoleApp): Promise<readonly string[]> {
  const { entries } = await app.store.accessLog.list(KEY.tenant, { limit: 20 });
  return entries.map(({ actor, what, subject }) => `${actor} ${what} ${subject}`).toReversed();
}

describe("POST /api/orders/:orderId/approve", () => {
  it("decides, wakes the worker, and returns the updated order", async () => {
    let woken = 0;
    const app = await startConsole({ wake: () => void (woken += 1) });
    await keepOrder(app.store, "1", HELD);

    const response = await press(app, "approve", { note: "  Known customer. " });
    const order = (await response.json()) as Shown;

    expect(response.status).toBe(200);
    expect(response.headers.get("etag")).toBe(`"${order.version}"`);
    expect(order).toMatchObject({
      state: "decided",
      action: "allow",
      source: "person",
      decidedBy: "person:7",
      riskLevel: "high",
      tags: [],
      reasons: ["person:approved"],
      pending: null,
      actions: { approve: { possible: false, consequence: "This order is already approved." } },
    });
    expect(order.timeline.slice(-2)).toMatchObject([
      { kind: "decided", actor: "person:7", note: null },
      { kind: "note", actor: "person:7", note: "Known customer." },
    ]);
    expect(woken).toBe(1);
    expect(
      await app.metric(
        'holdfast_decisions_total{platform="fake",level="high",action="allow",source="person"}',
      ),
    ).toBe(1);
    expect(app.log()).not.toContain("Known customer");
  });

  it("stores why an order is declined, even while it can be undone, and accepts no other reason", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", HELD);

    const made = await press(app, "decline", { reason: "it felt wrong" });
    const kept = await press(app, "decline", { reason: "abuse", undoSeconds: 60 });

    expect(made.status).toBe(422);
    expect(kept.status).toBe(200);
    expect((await app.store.orders.get(KEY))?.review).toMatchObject({ act: "decline", reason: "abuse" });
  });

  it("explains what each field expects", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", HELD);
    const errorsOf = async (act: string, body: unknown) =>
      ((await (await press(app, act, body)).json()) as Shown)["errors"];

    expect(await errorsOf("decline", { note: 5, reason: "x" })).toEqual([
      { path: "note", message: "expected text", code: "text" },
      {
        path: "reason",
        message: `expected one of ${DECLINE_REASONS.join(", ")}`,
        code: "one-of",
        params: { allowed: DECLINE_REASONS.join(", ") },
      },
    ]);
    expect(await errorsOf("claim", { takeOver: "yes" })).toEqual([
      { path: "takeOver", message: "expected true or false", code: "boolean" },
    ]);
    expect(await errorsOf("approve", [])).toEqual([
      { path: "", message: "expected an object", code: "object" },
    ]);
  });

  it("shows why an order was declined", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", HELD);

    const order = (await (await press(app, "decline", { reason: "abuse" })).json()) as Shown;

    expect(order).toMatchObject({ action: "cancel", declineReason: "abuse" });
  });

  it("does nothing to an approved order, and records every press", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", HELD);
    await press(app, "approve");
    const before = await app.store.orders.get(KEY);

    const again = await press(app, "approve");

    expect(again.status).toBe(200);
    expect(await app.store.orders.get(KEY)).toEqual(before);
    expect(await acts(app)).toEqual(["person:7 approve 1", "person:7 approve 1"]);
  });

  it.each([
    ["unknown orders", "2", 404],
    ["orders that are not decided", "3", 409],
    ["orders of other tenants", "4", 404],
  ])("refuses %s", async (_what, orderId, status) => {
    const app = await startConsole();
    await keepOrder(app.store, "3");
    await keepOrder(app.store, "4", { ...HELD, tenant: "fake:b.example" });

    const response = await app.send("POST", `/api/orders/${orderId}/approve`, { headers: AS_SHOP_A });

    expect(response.status).toBe(status);
  });

  it.each([
    [{ note: "n".repeat(501) }, "note"],
    [{ note: 7 }, "note"],
    [{ reason: "x" }, "reason"],
  ])("refuses a body with unknown fields: %j", async (body, path) => {
    const app = await startConsole();
    await keepOrder(app.store, "1", HELD);

    const response = await press(app, "approve", body);

    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: [{ path }] });
    expect((await app.store.orders.get(KEY))?.state).toBe("review");
  });

  it("refuses somebody who has seen another state of the order, by If-Match", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", HELD);
    const { version } = (await (await app.get("/api/orders/1", AS_SHOP_A)).json()) as Shown;

    expect((await press(app, "approve", {}, { "if-match": '"other"' })).status).toBe(412);
    expect((await press(app, "approve", {}, { "if-match": `"${version}"` })).status).toBe(200);
    const { version: next } = (await (await app.get("/api/orders/1", AS_SHOP_A)).json()) as Shown;
    expect(next).not.toBe(version);
  });

  it("stores a decision made while a worker has the order, and shows it", async () => {
    const app = await startConsole({ now: () => 2_000 });
    await keepOrder(app.store, "1", { ...HELD, receivedAtMs: 1_000 });
    await app.store.orders.wake(KEY, 2_000, toTimelineEntry(2_000, { kind: "ready" }, "", "platform"));
    await app.store.orders.claim({ owner: "worker", nowMs: 2_000, leaseMs: 60_000, limit: 1 });

    const order = (await (await press(app, "decline")).json()) as Shown;

    expect(order).toMatchObject({
      state: "review",
      action: "hold",
      pending: { act: "decline", actor: "person:7", at: "1970-01-01T00:00:02.000Z" },
    });
    const other = await press(app, "approve");
    expect(other.status).toBe(409);
    expect(await other.json()).toMatchObject({
      detail: "the order was already declined, and that is being carried out: try again in a moment",
      decision: { act: "decline", by: "person:7" },
    });
  });
});

describe("POST /api/orders/:orderId/note", () => {
  it("stores a note, until the order's content is erased", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", HELD);

    const order = (await (await press(app, "note", { note: "Called twice." })).json()) as Shown;
    expect(order.timeline.at(-1)).toMatchObject({ kind: "note", actor: "person:7", note: "Called twice." });
    expect(order["state"]).toBe("review");
    await app.store.retention.eraseOrders(
      { tenant: KEY.tenant, orderIds: ["1"], customerId: undefined, email: undefined },
      toTimelineEntry(1, { kind: "erased" }, "", "platform"),
    );

    const after = (await (await app.get("/api/orders/1", AS_SHOP_A)).json()) as Shown;
    expect(after.timeline.map(({ note }) => note)).not.toContain("Called twice.");
    expect((await press(app, "note", { note: "Again." })).status).toBe(409);
    expect((await press(app, "approve", { note: "Again." })).status).toBe(409);
    expect((await press(app, "approve")).status).toBe(200);
  });

  it.each([undefined, {}, { note: "  " }])("refuses an empty note: %j", async (body) => {
    const app = await startConsole();
    await keepOrder(app.store, "1", HELD);

    expect([415, 422]).toContain((await press(app, "note", body)).status);
  });
});

describe("GET /api/orders", () => {
  const list = async (app: ConsoleApp, query: string) => {
    const response = await app.get(`/api/orders?${query}`, AS_SHOP_A);
    expect(response.status).toBe(200);
    return (await response.json()) as {
      readonly orders: readonly Record<string, unknown>[];
      readonly nextCursor: string | null;
    };
  };

  it("shows the queue page by page, urgent orders first, then the nearest deadline", async () => {
    const app = await startConsole();
    const high = { level: "high", action: "hold" } as const;
    await keepOrder(app.store, "failed", { state: "failed", decided: high, problem: "INTERNAL" });
    await keepOrder(app.store, "late", { state: "review", decided: high, holdDeadlineMs: 9_000 });
    await keepOrder(app.store, "soon", { state: "review", decided: high, holdDeadlineMs: 1_000 });
    await keepOrder(app.store, "done", { state: "settled", decided: high });

    const first = await list(app, "view=queue&limit=2");
    const second = await list(app, `view=queue&limit=2&cursor=${first.nextCursor ?? ""}`);

    const ids = [...first.orders, ...second.orders].map(({ orderId }) => orderId);
    expect(ids).toEqual(["failed", "soon", "late"]);
    expect(first.orders.map(({ urgent }) => urgent)).toEqual([true, false]);
    expect(second.nextCursor).toBeNull();
    expect(first.orders[0]).toMatchObject({
      amount: 59.9,
      currency: "USD",
      chips: [{ kind: "factor", factor: "Example", severity: "high", description: "Example description" }],
      decidedBy: null,
    });
    const newest = await app.get(`/api/orders?cursor=${first.nextCursor ?? ""}`, AS_SHOP_A);
    expect(newest.status).toBe(400);
    // The reasons for a decision may say something about the buyer.
    expect(await acts(app)).toEqual(["person:7 orders "]);
  });

  it.each(["%231001", "1001", "42", "JANE@example.com"])("finds an order by %s", async (q) => {
    const app = await startConsole();
    await keepOrder(app.store, "42", { name: "#1001" });
    await keepOrder(app.store, "1001-b", { name: "#10012", tenant: "fake:b.example" });

    expect((await list(app, `q=${q}`)).orders.map(({ orderId }) => orderId)).toEqual(["42"]);
    expect(app.log().toLowerCase()).not.toContain("jane@example.com");
  });

  it("finds numbers and names by their beginning and by no other part, and email addresses by any", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "42", { name: "#1001" });

    expect((await list(app, "q=100")).orders).toHaveLength(1);
    expect((await list(app, "q=jan%20ex")).orders).toHaveLength(1);
    expect((await list(app, "q=001")).orders).toEqual([]);
    expect((await list(app, "q=ane%20example")).orders).toEqual([]);
    expect((await list(app, "q=ane@exa")).orders).toHaveLength(1);
    expect((await list(app, "q=ane@shop")).orders).toEqual([]);
    expect((await app.get("/api/orders?view=all", AS_SHOP_A)).status).toBe(400);
    expect(app.log().toLowerCase()).not.toMatch(/jane? ex|jan%20ex/);
  });
});

describe("GET /api/orders/:orderId/platform", () => {
  const OBSERVED: ObservedOrder = {
    cancelled: false,
    fulfilled: false,
    partlyFulfilled: true,
    holdable: false,
    tags: ["vip"],
    holds: [{ holdId: "h", reference: "f" }],
    assessment: "HIGH",
    platformRisk: "investigate",
  };

  it("shows what the platform shows", async () => {
    const observe = async () => OBSERVED;
    const app = await startConsole({ platforms: [createFakePlatform({ observe })], now: () => 0 });
    await keepOrder(app.store, "1", { ...HELD, receivedAtMs: 0 });

    const response = await app.get("/api/orders/1/platform", AS_SHOP_A);

    expect(await response.json()).toEqual({
      observedAt: "1970-01-01T00:00:00.000Z",
      cancelled: false,
      fulfilled: false,
      partlyFulfilled: true,
      tags: ["vip"],
      holds: 1,
      assessment: "HIGH",
      platformRisk: "investigate",
      adminUrl: null,
    });
  });

  it.each(["PLATFORM_UNAVAILABLE", "PLATFORM_REFUSED"] as const)(
    "says when it can't be asked: %s",
    async (code) => {
      const observe = () => Promise.reject(new HoldfastError(code, "no", { retryable: false }));
      const app = await startConsole({ platforms: [createFakePlatform({ observe })] });
      await keepOrder(app.store, "1", HELD);

      const response = await app.get("/api/orders/1/platform", AS_SHOP_A);

      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ code });
      expect(response.headers.get("retry-after")).toBe("10");
    },
  );

  it("doesn't find orders that the platform doesn't have", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", HELD);

    expect((await app.get("/api/orders/1/platform", AS_SHOP_A)).status).toBe(404);
    expect((await app.get("/api/orders/2/platform", AS_SHOP_A)).status).toBe(404);
  });
});

describe("GET /api/orders/:orderId", () => {
  it("says what was sent, what was left out, and what each button would do", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", HELD);
    const attempt = await app.store.ledger.begin({
      tenant: KEY.tenant,
      fingerprint: "f",
      answersSinceMs: 0,
      orderId: "1",
      owner: "test",
      nowMs: 1_000,
      leaseMs: 1_000,
      maxPaidAttempts: 2,
      failuresSinceMs: 0,
      retryAfterMs: 0,
      reserveAfterMs: 0,
      seenHealthyAtMs: 0,
      budget: { daily: null, monthly: null, dayStartMs: 0, monthStartMs: 0 },
      amount: undefined,
      currency: undefined,
      burst: { limit: null, atMs: 1_000, sources: [] },
      circuit: "c",
      trialUntilMs: 0,
    });
    expect(attempt.outcome).toBe("granted");

    const order = (await (await app.get("/api/orders/1", AS_SHOP_A)).json()) as Shown;

    expect(order["sent"]).toEqual(
      expect.arrayContaining([
        { path: "orderId", value: "1" },
        { path: "items[0].name", value: "Mug" },
        { path: "shippingAddress.country", value: "US" },
        { path: "isFirstTimeCustomer", value: false },
      ]),
    );
    expect(order["leftOut"]).toContainEqual({ path: "ipAddress", reason: "unknown" });
    expect(order["calls"]).toEqual([
      { at: "1970-01-01T00:00:01.000Z", state: "sent", metered: null, error: null },
    ]);
    expect(order["actions"]).toMatchObject({
      approve: { possible: true, consequence: "Removes holdfast-high. The order can ship." },
      decline: {
        possible: true,
        consequence: expect.stringMatching(/^Cancels the order on Fake, refunds 59\.90 USD, /) as unknown,
      },
      recheck: { possible: true },
    });
  });

  it("promises neither a charge nor a refund for a sandbox order", async () => {
    const order = await keepHeld();
    const standing = {
      order: { ...order, platform: "sandbox", effects: "none" as const },
      steps: [],
      timeline: [],
    };

    const { decline, recheck } = toOrderActionsJson(standing, CONTEXT);

    expect(decline.consequence).toBe(
      "Cancels the sandbox order. No money moves, and nothing changes on the platform.",
    );
    expect(recheck.consequence).toMatch(/Uses no credits/);
  });

  it("promises neither a cancellation nor a refund of an order that has shipped", async () => {
    const order = await keepHeld();
    const timeline = [
      { kind: "settled", event: { kind: "settled", problems: [], ended: "shipped" } },
    ] as const;

    const { approve, decline, handle } = toOrderActionsJson({ order, steps: [], timeline }, CONTEXT);

    expect(approve.consequence).toBe("Records that the order is good. It has shipped already.");
    expect(handle.consequence).toMatch(/^Takes the order, which has shipped, out of the queue\./);
    expect(decline.consequence).toMatch(/cancels and refunds nothing/);
  });

  it.each([
    [1_999.5, "HUF", "1,999.50 HUF"],
    [2_000, "HUF", "2,000 HUF"],
    [1.234, "KWD", "1.234 KWD"],
  ])("states the refund to the last unit: %s %s", async (amount, currency, refund) => {
    const order = await keepHeld();
    const standing = { order: { ...order, amount, currency }, steps: [], timeline: [] };

    expect(toOrderActionsJson(standing, CONTEXT).decline.consequence).toContain(`refunds ${refund},`);
  });

  it.each([
    ["costs a credit", false, [], /^Uses 1 credit/],
    ["costs nothing for a test order", true, [], /Uses no credits/],
    [
      "costs nothing for an order that a rule skips",
      false,
      [{ name: "all", when: { minAmount: 1 }, then: { skip: true } }],
      /Uses no credits/,
    ],
  ] as const)("says that a recheck %s", async (_what, test, rules, words) => {
    const order = await keepHeld();
    if (order.mapped?.outcome !== "screenable") throw new Error("the order is gone");
    const policy = parsePolicy({ rules });
    const standing = { order: { ...order, mapped: { ...order.mapped, test } }, steps: [], timeline: [] };

    expect(toOrderActionsJson(standing, { ...CONTEXT, policy }).recheck.consequence).toMatch(words);
  });

  it("shows nothing as sent for an order that wasn't sent", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", HELD);

    const order = (await (await app.get("/api/orders/1", AS_SHOP_A)).json()) as Shown;

    expect(order["sent"]).toBeNull();
    expect(order["calls"]).toEqual([]);
  });
});

describe("POST /api/orders/:orderId/recheck", () => {
  it("says how long to wait once the order has been checked again as often as allowed", async () => {
    const nowMs = Date.UTC(2026, 10, 20, 12);
    const app = await startConsole({ now: () => nowMs });
    await keepOrder(app.store, "1", HELD);
    const ask = (): ReviewJudgement => ({ outcome: "asked" });
    for (let time = 0; time < RECHECK_QUOTA.perOrder; time += 1) {
      const atMs = nowMs - 90 * 60_000;
      await app.store.reviews.decide(KEY, { act: "recheck", actor: "person:7", atMs, note: null }, ask);
    }
    // Carried out, so that the next one is a separate recheck.
    await app.store.orders.claim(claim("p1", { nowMs }));
    await app.store.orders.save(KEY, "p1", { changes: { review: null }, release: true });

    const response = await press(app, "recheck");

    expect(response.status).toBe(429);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("retry-after")).toBe(String(22.5 * 3_600));
    expect(await response.json()).toMatchObject({
      code: "RECHECK_LIMITED",
      detail: expect.stringMatching(
        /^This order was rechecked 5 times in 24 hours, which is the limit\. Try again after 2\d{3}-.*Z\.$/,
      ) as unknown,
      refusal: "order-recheck-limit",
      params: { max: 5, time: expect.stringMatching(/^2\d{3}-.*Z$/) as unknown },
    });
  });
});
