import { describe, expect, it } from "vitest";
import { AS_SHOP_A, keepOrder, startConsole, type ConsoleApp } from "../console-app.ts";

const TENANT = "fake:a.example";
const NOW_MS = 1_700_000_100_000;
const CANCEL_HIGH = { levels: { high: { action: "cancel" } } };

function put(app: ConsoleApp, body: unknown) {
  const headers = { ...AS_SHOP_A, "content-type": "application/json" };
  return app.send("PUT", "/api/policy/phantom", { headers, body: JSON.stringify(body) });
}

const show = async (app: ConsoleApp) =>
  ((await (await app.get("/api/policy/phantom", AS_SHOP_A)).json()) as { phantom: unknown }).phantom;

describe("/api/policy/phantom", () => {
  it("stores a second policy beside the one in use, which doesn't change, and removes it", async () => {
    const app = await startConsole({ now: () => NOW_MS });
    await app.store.policies.save(TENANT, {}, undefined, 1);
    expect(await show(app)).toBeNull();

    expect((await put(app, CANCEL_HIGH)).status).toBe(200);

    expect(await show(app)).toMatchObject({
      savedAt: new Date(NOW_MS).toISOString(),
      actor: "person:7",
      policy: { ...CANCEL_HIGH, mode: "active" },
    });
    expect(await app.store.policies.load(TENANT)).toMatchObject({ version: 1, document: {} });

    const removed = await app.send("DELETE", "/api/policy/phantom", { headers: AS_SHOP_A });
    expect(removed.status).toBe(204);
    expect(await show(app)).toBeNull();
  });

  it("survives a change of the settings, and doesn't change them", async () => {
    const app = await startConsole({ now: () => NOW_MS });
    const send = (email: readonly string[]) =>
      app.send("PUT", "/api/settings", {
        headers: { ...AS_SHOP_A, "content-type": "application/json" },
        body: JSON.stringify({ alerts: { email } }),
      });
    await send(["one@shop.example"]);
    await put(app, CANCEL_HIGH);
    expect(await (await app.get("/api/settings", AS_SHOP_A)).json()).toMatchObject({
      alerts: { email: ["one@shop.example"] },
    });

    await send(["two@shop.example"]);

    expect(await show(app)).toMatchObject({ policy: CANCEL_HIGH });
  });

  it("refuses an invalid policy by field and keeps the former one", async () => {
    const app = await startConsole({ now: () => NOW_MS });
    await put(app, CANCEL_HIGH);

    const response = await put(app, { mode: "loud" });

    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "POLICY_INVALID", errors: [{ path: "mode" }] });
    expect(await show(app)).toMatchObject({ policy: CANCEL_HIGH });
  });

  it("stores no list entries, so that nobody has to be erased from it", async () => {
    const app = await startConsole({ now: () => NOW_MS });
    const entry = {
      list: "block",
      kind: "mailbox",
      digest: "a".repeat(22),
      label: "j",
      owner: "o",
      reason: "r",
    };

    await put(app, { lists: [entry] });

    expect(await show(app)).toMatchObject({ policy: { lists: [] } });
  });

  it("isn't saved over settings that can't be decrypted, which contain the shop's key", async () => {
    const app = await startConsole({ now: () => NOW_MS });
    await app.store.settings.save(TENANT, "not settings", undefined, 1);

    expect((await put(app, CANCEL_HIGH)).status).toBe(409);
    expect((await app.store.settings.load(TENANT))?.content).toBe("not settings");
  });
});

describe("GET /api/policy/phantom/differences", () => {
  const compare = (app: ConsoleApp) => app.get("/api/policy/phantom/differences", AS_SHOP_A);

  it("shows what it decides differently for orders received since it was saved, and spends nothing", async () => {
    let nowMs = NOW_MS;
    const app = await startConsole({ now: () => nowMs });
    const high = { level: "high", action: "hold" } as const;
    await keepOrder(app.store, "before", { receivedAtMs: NOW_MS - 1, decided: high });
    await put(app, CANCEL_HIGH);
    await keepOrder(app.store, "held", { receivedAtMs: NOW_MS, decided: high });
    const low = { level: "low", action: "allow" } as const;
    await keepOrder(app.store, "allowed", { receivedAtMs: NOW_MS + 1, decided: low });
    await keepOrder(app.store, "other", { tenant: "fake:b.example", receivedAtMs: NOW_MS, decided: high });
    nowMs += 60_000;

    const response = await compare(app);

    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      since: new Date(NOW_MS).toISOString(),
      until: new Date(NOW_MS + 60_000).toISOString(),
      orders: 2,
      replayed: 2,
      changes: [{ from: "hold", to: "cancel", orders: 1 }],
      examples: [{ orderId: "held", from: "hold", to: "cancel" }],
      credits: 0,
    });
    expect(await app.store.orders.get({ tenant: TENANT, orderId: "held" })).toMatchObject({
      decision: { action: "hold" },
    });
  });

  it("counts the lists of the policy in use", async () => {
    let nowMs = NOW_MS;
    const app = await startConsole({ now: () => nowMs });
    await put(app, {});
    await keepOrder(app.store, "1", {
      receivedAtMs: NOW_MS,
      decided: { level: "low", action: "allow" },
    });
    await app.store.policies.save(TENANT, {}, undefined, 1);
    nowMs += 60_000;
    const body = { orderId: "1", list: "block", kinds: ["mailbox"], reason: "r", until: null };
    await app.send("POST", "/api/policy/lists", {
      headers: { ...AS_SHOP_A, "content-type": "application/json" },
      body: JSON.stringify(body),
    });

    expect(await (await compare(app)).json()).toMatchObject({ changes: [{ from: "allow", to: "hold" }] });
  });

  it("don't exist without a phantom policy", async () => {
    const app = await startConsole();
    expect((await compare(app)).status).toBe(404);
  });
});
