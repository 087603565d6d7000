import { describe, expect, it } from "vitest";
import { AS_SHOP_A, keepOrder, startConsole, type ConsoleApp } from "../console-app.ts";

const NOW_MS = 2_000;
const KEY = { tenant: "fake:a.example", orderId: "1" };
const HELD = {
  state: "review",
  decided: { level: "high", action: "hold" },
  holdDeadlineMs: 1,
  receivedAtMs: 1_000,
} as const;

interface Shown {
  readonly [field: string]: unknown;
  readonly timeline: readonly { readonly kind: string; readonly detail: string; readonly actor: string }[];
}

async function start(): Promise<ConsoleApp> {
  const app = await startConsole({ now: () => NOW_MS });
  await keepOrder(app.store, "1", HELD);
  return app;
}

async function post(app: ConsoleApp, path: string, body: unknown = {}) {
  const headers = { ...AS_SHOP_A, "content-type": "application/json" };
  const response = await app.send("POST", `/api/${path}`, { headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Shown };
}

describe("an approval with undoSeconds", () => {
  it("is stored and shown, and not carried out before its time", async () => {
    const app = await start();

    const { status, body } = await post(app, "orders/1/approve", { undoSeconds: 8 });

    expect(status).toBe(200);
    const pendingReview = {
      act: "approve",
      by: "person:7",
      at: "1970-01-01T00:00:02.000Z",
      effectiveAt: "1970-01-01T00:00:10.000Z",
    };
    expect(body).toMatchObject({ state: "review", action: "hold", decidedBy: null, pendingReview });
    expect(body.timeline.at(-1)).toEqual({
      at: "1970-01-01T00:00:02.000Z",
      kind: "approve",
      detail: "takes effect at 1970-01-01T00:00:10.000Z unless undone",
      event: { kind: "approve", effectiveAt: "1970-01-01T00:00:10.000Z" },
      actor: "person:7",
      note: null,
    });
    const queue = await app.get("/api/orders?view=queue", AS_SHOP_A);
    expect(await queue.json()).toMatchObject({ orders: [{ orderId: "1", pendingReview }] });
    expect((await app.store.orders.get(KEY))?.dueAtMs).toBe(10_000);
  });

  it("blocks another decision, and says who made it and when", async () => {
    const app = await start();
    await post(app, "orders/1/approve", { undoSeconds: 8 });

    const { status, body } = await post(app, "orders/1/decline", { undoSeconds: 8 });

    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: "ALREADY_DECIDED",
      detail: "the order was already approved, and that can still be undone: undo it first",
      decision: { act: "approve", by: "person:7", at: "1970-01-01T00:00:02.000Z" },
    });
  });

  it("takes effect immediately when repeated without undoSeconds", async () => {
    const app = await start();
    await post(app, "orders/1/approve", { undoSeconds: 8 });

    const { body } = await post(app, "orders/1/approve");

    expect(body["pendingReview"]).toMatchObject({ effectiveAt: "1970-01-01T00:00:02.000Z" });
    expect((await app.store.orders.get(KEY))?.dueAtMs).toBe(NOW_MS);
  });

  it.each([[{ undoSeconds: 61 }], [{ undoSeconds: -1 }], [{ undoSeconds: 1.5 }], [{ undoSeconds: "8" }]])(
    "refuses %j",
    async (body) => {
      const app = await start();

      const answer = await post(app, "orders/1/approve", body);

      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({
        errors: [{ path: "undoSeconds", message: "expected a whole number of seconds from 0 to 60" }],
      });
    },
  );

  it("isn't accepted for a recheck", async () => {
    const app = await start();

    expect((await post(app, "orders/1/recheck", { undoSeconds: 8 })).status).toBe(422);
  });
});

describe("POST /api/orders/:orderId/undo", () => {
  it("reverts the decision, says so in the timeline, and records who did it", async () => {
    const app = await start();
    await post(app, "orders/1/decline", { undoSeconds: 8 });

    const { status, body } = await post(app, "orders/1/undo");

    expect(status).toBe(200);
    expect(body).toMatchObject({ state: "review", pendingReview: null });
    expect(body.timeline.at(-1)).toMatchObject({ kind: "undone", detail: "decline", actor: "person:7" });
    const { entries } = await app.store.accessLog.list(KEY.tenant, { limit: 5, what: "undo" });
    expect(entries).toMatchObject([{ actor: "person:7", subject: "1" }]);
    expect((await post(app, "orders/1/approve")).body).toMatchObject({ action: "allow" });
  });

  it("is refused once the decision is being carried out, and says whose it was", async () => {
    const app = await start();
    await post(app, "orders/1/approve");

    const { status, body } = await post(app, "orders/1/undo");

    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: "UNDO_TOO_LATE",
      decision: { act: "approve", by: "person:7" },
    });
  });

  it("is refused without a decision, and for another tenant's order", async () => {
    const app = await start();
    await keepOrder(app.store, "2", { ...HELD, tenant: "fake:b.example" });

    expect((await post(app, "orders/1/undo")).body).toMatchObject({ status: 409, code: "NOTHING_TO_UNDO" });
    expect((await post(app, "orders/2/undo")).status).toBe(404);
  });
});

describe("POST /api/decisions/apply", () => {
  it("has the caller's own decisions carried out now, and no others", async () => {
    let woken = 0;
    const app = await startConsole({ now: () => NOW_MS, wake: () => void (woken += 1) });
    for (const id of ["1", "2", "3"]) await keepOrder(app.store, id, HELD);
    await keepOrder(app.store, "4", { ...HELD, tenant: "fake:b.example" });
    await post(app, "orders/1/approve", { undoSeconds: 8 });
    const colleague = { act: "decline", actor: "person:8", atMs: NOW_MS, note: null } as const;
    await app.store.reviews.decide({ ...KEY, orderId: "2" }, { ...colleague, effectiveAtMs: 10_000 }, () => ({
      outcome: "decided",
      transition: { changes: {} },
    }));
    woken = 0;

    const { status, body } = await post(app, "decisions/apply", { orderIds: ["1", "2", "3", "4", "5", "1"] });

    expect(status).toBe(200);
    expect(body).toEqual({ applied: ["1"] });
    expect(woken).toBe(1);
    expect((await app.store.orders.get(KEY))?.dueAtMs).toBe(NOW_MS);
    expect((await app.store.orders.get({ ...KEY, orderId: "2" }))?.dueAtMs).toBe(10_000);
  });

  it.each([{}, { orderIds: [] }, { orderIds: [7] }])("refuses %j", async (sent) => {
    const app = await start();

    expect((await post(app, "decisions/apply", sent)).status).toBe(422);
  });
});
