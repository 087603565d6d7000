import { describe, expect, it } from "vitest";
import { describeRefusal } from "../../../src/base/refusals.ts";
import type { ListEntry } from "../../../src/policy/lists.ts";
import { AS_SHOP_A, keepOrder, startConsole, type ConsoleApp } from "../console-app.ts";

const TENANT = "fake:a.example";
const NOW_MS = Date.UTC(2026, 10, 23, 12);
const HELD = { state: "review", decided: { level: "high", action: "hold" }, receivedAtMs: 1_000 } as const;
const BLOCK = { kinds: ["mailbox", "address"], reason: "Declined", until: "2027-01-31" };

async function start(policy: object | null = {}): Promise<ConsoleApp> {
  const app = await startConsole({ now: () => NOW_MS });
  await keepOrder(app.store, "1", HELD);
  if (policy !== null) await app.store.policies.save(TENANT, policy, undefined, 1);
  return app;
}

async function post(app: ConsoleApp, path: string, body: unknown = {}) {
  const headers = { ...AS_SHOP_A, "content-type": "application/json" };
  const response = await app.send("POST", `/api/${path}`, { headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const decline = (app: ConsoleApp, block: object = BLOCK, orderId = "1") =>
  post(app, `orders/${orderId}/decline`, { undoSeconds: 8, reason: "abuse", block });

const list = (app: ConsoleApp, entry: object) =>
  post(app, "policy/lists", { orderId: "1", list: "block", kinds: ["mailbox"], reason: "earlier", ...entry });

const undo = (app: ConsoleApp, orderId = "1") => post(app, `orders/${orderId}/undo`);

async function loadLists(app: ConsoleApp): Promise<readonly ListEntry[]> {
  const { document } = (await app.store.policies.load(TENANT)) ?? { document: { lists: [] } };
  return (document as { readonly lists?: readonly ListEntry[] }).lists ?? [];
}

async function listKinds(app: ConsoleApp): Promise<readonly string[]> {
  return (await loadLists(app)).map(({ list, kind, owner }) => `${list} ${kind} ${owner}`);
}

async function listEnds(app: ConsoleApp): Promise<readonly string[]> {
  return (await loadLists(app)).map(({ list, kind, until }) => `${list} ${kind} ${until}`);
}

/** Orders 1 and 2, of the same buyer. */
async function startWithTwo(): Promise<ConsoleApp> {
  const app = await start();
  await keepOrder(app.store, "2", HELD);
  return app;
}

const MAILBOX = { ...BLOCK, kinds: ["mailbox"] };

describe("a decline that blocks", () => {
  it("blocks in one version of the policy, and an undo takes that off the list again", async () => {
    const app = await start();

    const declined = await decline(app);
    expect(declined).toMatchObject({ status: 200, body: { pendingReview: { act: "decline" } } });
    expect(declined.body).not.toHaveProperty("listProblem");
    expect(await listKinds(app)).toEqual(["block mailbox person:7", "block address person:7"]);
    expect((await app.store.policies.load(TENANT))?.version).toBe(2);

    const undone = await post(app, "orders/1/undo");
    expect(undone).toMatchObject({ status: 200, body: { pendingReview: null } });
    expect(undone.body).not.toHaveProperty("listProblem");
    expect(await listKinds(app)).toEqual([]);
    const log = await (await app.get("/api/access-log", AS_SHOP_A)).json();
    expect(JSON.stringify(log)).toMatch(/"list".*"undo".*"list".*"decline"/);
  });

  it("leaves what anybody blocked before when it is undone", async () => {
    const app = await start();
    await list(app, { until: null });

    await decline(app);
    await post(app, "orders/1/undo");

    expect(await listKinds(app)).toEqual(["block mailbox person:7"]);
  });

  it("stands if only the block fails, and says why", async () => {
    const app = await start(null);

    expect(await decline(app)).toMatchObject({
      status: 200,
      body: {
        pendingReview: { act: "decline" },
        listProblem: describeRefusal("policy-unsaved"),
      },
    });
    expect(await post(app, "orders/1/undo")).toMatchObject({ status: 200, body: { pendingReview: null } });
  });

  it("isn't done if the order doesn't have what is to be blocked, or it is trusted", async () => {
    const app = await start();
    expect((await decline(app, { ...BLOCK, kinds: ["card"] })).status).toBe(409);
    expect((await decline(app, { ...BLOCK, kinds: [] })).status).toBe(422);
    expect((await decline(app, { ...BLOCK, reason: " " })).status).toBe(422);
    await list(app, { list: "trust", until: null });
    expect((await decline(app)).status).toBe(409);

    expect(await (await app.get("/api/orders/1", AS_SHOP_A)).json()).toMatchObject({ pendingReview: null });
    expect(await listKinds(app)).toEqual(["trust mailbox person:7"]);
  });
});

describe("an undo of a decline that blocked", () => {
  it("leaves the block that another pending decline asked for too", async () => {
    const app = await startWithTwo();
    await decline(app, MAILBOX, "1");
    expect((await decline(app, MAILBOX, "2")).body).not.toHaveProperty("listProblem");

    await undo(app, "1");
    expect(await listKinds(app)).toEqual(["block mailbox person:7"]);

    await undo(app, "2");
    expect(await listKinds(app)).toEqual([]);
  });

  it("needs no second block if the first decline can't be undone any more", async () => {
    const app = await startWithTwo();
    await post(app, "orders/1/decline", { block: MAILBOX });
    await decline(app, MAILBOX, "2");
    expect(await listKinds(app)).toEqual(["block mailbox person:7"]);

    await undo(app, "2");
    expect(await listKinds(app)).toEqual(["block mailbox person:7"]);
  });

  it("leaves a shorter block of the same person as it was", async () => {
    const app = await start();
    await list(app, { until: "2026-11-23" });
    await decline(app, { ...MAILBOX, until: null });
    expect(await listEnds(app)).toEqual(["block mailbox 2026-11-23", "block mailbox null"]);

    await undo(app);
    expect(await listEnds(app)).toEqual(["block mailbox 2026-11-23"]);
  });

  it("leaves an expired trust as it was, so that a replay gives the same result", async () => {
    const app = await start();
    await list(app, { list: "trust", until: "2026-11-20" });
    await decline(app, MAILBOX);
    await undo(app);

    expect(await listEnds(app)).toEqual(["trust mailbox 2026-11-20"]);
  });

  it("can be repeated if the block couldn't be lifted because the database failed", async () => {
    const app = await start();
    await decline(app);
    const policies = app.store.policies as { save: unknown };
    const { save } = policies;
    policies.save = () => Promise.reject(new Error("connection lost"));
    expect((await undo(app)).status).toBe(500);
    policies.save = save;

    expect((await undo(app)).status).toBe(200);
    expect(await listKinds(app)).toEqual([]);
  });

  it("puts the block back if the decline took effect first", async () => {
    const app = await start();
    await decline(app, MAILBOX);
    const reviews = app.store.reviews as { undo: unknown };
    reviews.undo = async () => {
      await applyDecline(app);
      return "none";
    };

    expect(await undo(app)).toMatchObject({ status: 409, body: { code: "UNDO_TOO_LATE" } });
    expect(await listKinds(app)).toEqual(["block mailbox person:7"]);
  });
});

describe("a decline that blocks, of an order that is already declined", () => {
  it("blocks nothing and says so, because an undo of the first decline wouldn't lift it", async () => {
    const app = await start();
    await post(app, "orders/1/decline", { undoSeconds: 8 });

    expect(await decline(app)).toMatchObject({
      status: 200,
      body: { listProblem: describeRefusal("already-declined") },
    });
    expect(await listKinds(app)).toEqual([]);
  });

  it("can be sent again with the same blocks", async () => {
    const app = await start();
    await decline(app);
    const again = await decline(app);

    expect(again).toMatchObject({ status: 200 });
    expect(again.body).not.toHaveProperty("listProblem");
    expect(await listKinds(app)).toEqual(["block mailbox person:7", "block address person:7"]);
  });

  it("blocks nothing if it was undone meanwhile", async () => {
    const app = await start();
    const policies = app.store.policies as { save: (...given: unknown[]) => Promise<unknown> };
    const { save } = policies;
    let isFirst = true;
    policies.save = async (...given) => {
      if (isFirst) {
        isFirst = false;
        await app.store.reviews.undo({ tenant: TENANT, orderId: "1" }, { actor: "person:8", atMs: NOW_MS });
      }
      return save(...given);
    };
    await decline(app);

    expect(await listKinds(app)).toEqual([]);
  });
});

it("blocks nothing of an order that changed since the person saw it", async () => {
  const app = await start();
  const headers = { ...AS_SHOP_A, "content-type": "application/json", "If-Match": '"older"' };
  const body = JSON.stringify({ undoSeconds: 8, block: BLOCK });
  expect((await app.send("POST", "/api/orders/1/decline", { headers, body })).status).toBe(412);
  expect(await listKinds(app)).toEqual([]);
});

/** As the pipeline would. */
async function applyDecline({ store }: ConsoleApp): Promise<void> {
  const key = { tenant: TENANT, orderId: "1" };
  const order = await store.orders.get(key);
  if (order?.decision == null) throw new Error("expected a decided order");
  const decision = { ...order.decision, action: "cancel", source: "person", actor: "person:7" } as const;
  const nowMs = NOW_MS + 60_000;
  await store.orders.claim({ owner: "test", nowMs, leaseMs: 60_000, limit: 10 });
  const changes = { state: "decided", review: null, decision, decidedAtMs: nowMs } as const;
  expect(await store.orders.save(key, "test", { changes, release: true })).toBe(true);
}
