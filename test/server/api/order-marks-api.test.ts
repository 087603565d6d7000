import { describe, expect, it } from "vitest";
import type { ObservedOrder } from "../../../src/platform/platform.ts";
import { toTimelineEntry } from "../../../src/pipeline/timeline.ts";
import { createFakePlatform, keepOrder, startConsole, AS_SHOP_A, type ConsoleApp } from "../console-app.ts";
import { givePerson, toJsonCall } from "../sign-in/signed-in.ts";

const SHOP_A = "fake:a.example";
const HELD = { state: "review", decided: { level: "high", action: "hold" } } as const;
const SHIPPED = { ...HELD, endings: [{ kind: "hold-moot", ended: "shipped" }] } as const;

const send = (app: ConsoleApp, method: string, path: string, body: object = {}) =>
  app.send(method, `/api/orders/1${path}`, toJsonCall(body, AS_SHOP_A));

async function readOrder(app: ConsoleApp): Promise<Record<string, unknown>> {
  return (await (await app.get("/api/orders/1", AS_SHOP_A)).json()) as Record<string, unknown>;
}

async function readRow(app: ConsoleApp): Promise<Record<string, unknown> | undefined> {
  const { orders } = (await (await app.get("/api/orders", AS_SHOP_A)).json()) as {
    orders: Record<string, unknown>[];
  };
  return orders[0];
}

const kindsOf = async (app: ConsoleApp) =>
  (await app.store.accessLog.list(SHOP_A, { limit: 20 })).entries.map(({ what }) => what);

describe("POST /api/orders/:orderId/handle", () => {
  it("takes a shipped order out of the queue without a verdict", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", SHIPPED);
    expect((await readOrder(app))["actions"]).toMatchObject({
      handle: { possible: true, consequence: expect.stringContaining("don't count it as approved") },
    });

    const response = await send(app, "POST", "/handle");

    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      state: "decided",
      action: "allow",
      source: "person",
      tags: ["holdfast-high"],
      reasons: ["person:handled"],
      verdict: { kind: "handled", by: "person:7", cause: { code: "person", detail: "handled" } },
      actions: { handle: { possible: false }, approve: { possible: true }, decline: { possible: true } },
    });
    const report = (await (await app.get("/api/orders/1/buyer", AS_SHOP_A)).json()) as { orders: object[] };
    expect(report.orders).toMatchObject([{ outcome: "handled" }]);
    expect(await kindsOf(app)).toContain("handle");
  });

  it("can be undone", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", SHIPPED);
    await send(app, "POST", "/handle", { undoSeconds: 8 });
    expect((await readOrder(app))["verdict"]).toMatchObject({ kind: "to-be-handled" });

    expect((await send(app, "POST", "/undo")).status).toBe(200);

    expect(await readOrder(app)).toMatchObject({ state: "review", pendingReview: null });
  });

  it("isn't possible before the order has shipped, as far as the platform says", async () => {
    const seen = { cancelled: false, fulfilled: false, partlyFulfilled: false, holdable: true };
    const shown = { ...seen, tags: [], holds: [], assessment: null, platformRisk: null };
    let fulfilled = false;
    const platform = createFakePlatform({ observe: async () => ({ ...shown, fulfilled }) });
    const app = await startConsole({ platforms: [platform] });
    await keepOrder(app.store, "1", HELD);

    const early = await send(app, "POST", "/handle");
    expect(early.status).toBe(409);
    expect(await early.json()).toMatchObject({ detail: "the order hasn't shipped: approve or decline it" });

    // The webhook that says so is still on its way.
    fulfilled = true;
    expect((await send(app, "POST", "/handle")).status).toBe(200);
  });

  it("believes the platform more than a recorded shipment, which may have been canceled since", async () => {
    const seen = { cancelled: false, fulfilled: false, partlyFulfilled: false, holdable: true };
    let shown: object | "hidden" = { ...seen, tags: [], holds: [], assessment: null, platformRisk: null };
    const platform = createFakePlatform({ observe: async () => shown as ObservedOrder });
    const app = await startConsole({ platforms: [platform] });
    await keepOrder(app.store, "1", SHIPPED);

    const refused = await send(app, "POST", "/handle");
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      detail: "the order hasn't shipped: approve or decline it",
    });
    expect((await readOrder(app))["actions"]).toMatchObject({
      decline: { effect: { code: "records-decline", refunds: false } },
    });

    // It doesn't say: what is recorded counts.
    shown = "hidden";
    expect((await send(app, "POST", "/handle", { undoSeconds: 8 })).status).toBe(200);
    expect((await send(app, "POST", "/undo")).status).toBe(200);

    shown = { ...seen, tags: [], holds: [], assessment: null, platformRisk: null };
    expect((await send(app, "POST", "/decline")).status).toBe(200);
    const { decision } = (await app.store.orders.get({ tenant: SHOP_A, orderId: "1" }))!;
    expect(decision).toMatchObject({ action: "cancel", cancelsNothing: "unshipped" });
  });
});

describe("a list of orders", () => {
  it.each([
    ["shipped", SHIPPED],
    ["cancelled", { ...HELD, endings: [{ kind: "cancelled-on-platform" }] }],
    [null, HELD],
  ] as const)("says how each ended on the platform: %s", async (ended, kept) => {
    const app = await startConsole();
    await keepOrder(app.store, "1", kept);

    expect(await readRow(app)).toMatchObject({ ended, notes: 0, assignee: null });
  });

  it("says how many notes each has, and who should review it", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", HELD);
    await keepOrder(app.store, "2", { ...HELD, tenant: "fake:b.example" });
    await send(app, "POST", "/note", { note: "Called, no answer." });
    await send(app, "POST", "/note", { note: "Again." });
    await send(app, "PUT", "/assignee", { assignee: "person:7" });

    expect(await readRow(app)).toMatchObject({ notes: 2, assignee: "person:7" });
  });
});

describe("PUT /api/orders/:orderId/assignee", () => {
  it("assigns the order to a colleague and back to nobody, and writes its history", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", HELD);
    const { actor } = await givePerson(app.store, "reviewer", SHOP_A);

    const response = await send(app, "PUT", "/assignee", { assignee: actor });
    expect(await response.json()).toMatchObject({ assignee: actor });
    await send(app, "PUT", "/assignee", { assignee: actor });
    await send(app, "PUT", "/assignee", { assignee: null });

    const shown = await readOrder(app);
    expect(shown["assignee"]).toBeNull();
    expect(shown["timeline"]).toMatchObject([
      { kind: "received" },
      { kind: "decided" },
      { kind: "assigned", actor: "person:7", event: { to: actor } },
      { kind: "assigned", actor: "person:7", event: { to: null } },
    ]);
    expect(await kindsOf(app)).toEqual(["order", "assign", "assign", "assign", "people"]);
  });

  it("refuses people who can't decide on orders here", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", HELD);
    const stranger = await givePerson(app.store, "owner", "fake:b.example");
    const viewer = await givePerson(app.store, "viewer", SHOP_A);

    for (const assignee of [stranger.actor, viewer.actor, "person:nobody"]) {
      const response = await send(app, "PUT", "/assignee", { assignee });
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ errors: [{ path: "assignee" }] });
    }
    expect((await send(app, "PUT", "/assignee", { assignee: "ann" })).status).toBe(422);
    expect((await readOrder(app))["assignee"]).toBeNull();
  });
});

describe("POST /api/orders/:orderId/note", () => {
  it("names the people that the note mentions, once each", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", HELD);
    const { actor } = await givePerson(app.store, "reviewer", SHOP_A);

    const response = await send(app, "POST", "/note", { note: "@Ann, look", mentions: [actor, actor] });

    const { timeline } = (await response.json()) as { timeline: object[] };
    expect(timeline.at(-1)).toMatchObject({
      kind: "note",
      note: "@Ann, look",
      event: { kind: "note", mentions: [actor] },
    });
    const refused = await send(app, "POST", "/note", { note: "Hi", mentions: ["person:nobody"] });
    expect(await refused.json()).toMatchObject({ status: 422, errors: [{ path: "mentions" }] });
  });
});

describe("PUT /api/orders/:orderId/draft", () => {
  it("keeps what a person is writing, for them alone, and drops it when it's blank", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", HELD);
    const { token } = await givePerson(app.store, "owner", SHOP_A);
    const drafts = async (headers: Record<string, string> = AS_SHOP_A) =>
      ((await (await app.get("/api/drafts", headers)).json()) as { drafts: object }).drafts;

    expect((await send(app, "PUT", "/draft", { note: "Called, " })).status).toBe(204);
    await send(app, "PUT", "/draft", { note: "Called, no answer" });

    expect(await drafts()).toEqual({ 1: "Called, no answer" });
    expect(await drafts({ authorization: `Bearer ${token}` })).toEqual({});
    expect((await readOrder(app))["timeline"]).toHaveLength(2);
    await send(app, "PUT", "/draft", { note: " " });
    expect(await drafts()).toEqual({});
  });

  it("keeps nothing about an erased or unknown order", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", HELD);
    await send(app, "PUT", "/draft", { note: "Jane called" });
    await app.store.retention.eraseOrders(
      { tenant: SHOP_A, orderIds: ["1"], customerId: undefined, email: undefined },
      toTimelineEntry(1, { kind: "erased" }, "", "platform"),
    );

    expect(await app.store.reviews.listDrafts(SHOP_A, "person:7")).toEqual(new Map());
    expect((await send(app, "PUT", "/draft", { note: "Jane again" })).status).toBe(409);
    const unknown = await app.send("PUT", "/api/orders/2/draft", toJsonCall({ note: "x" }, AS_SHOP_A));
    expect(unknown.status).toBe(404);
  });
});
