import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../../src/base/errors.ts";
import { createTestStore } from "../../support/test-store.ts";
import { keepOrder, startConsole } from "../console-app.ts";

describe("createHealthRoutes", () => {
  it("reports that the process runs, whatever the state of the store", async () => {
    const app = await startConsole({ ready: async () => false, draining: () => true });

    const response = await app.get("/healthz");

    expect([response.status, await response.json()]).toEqual([200, { status: "ok" }]);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("reports when it can accept work", async () => {
    const app = await startConsole();
    const response = await app.get("/readyz");
    expect([response.status, await response.json()]).toEqual([200, { status: "ready" }]);
  });

  it.each([
    ["the store is away", { ready: async () => false }, "not-ready"],
    ["the check fails", { ready: () => Promise.reject(new Error("jane@example.com")) }, "check-failed"],
    ["the process stops", { draining: () => true }, "draining"],
  ])("says why it can't accept work: %s", async (_name, changes, reason) => {
    const app = await startConsole(changes);

    const response = await app.get("/readyz");

    expect([response.status, await response.json()]).toEqual([503, { status: "unready", reasons: [reason] }]);
    expect(app.log()).not.toContain("jane");
  });

  it("accepts no work while deliveries are lost, until one is stored again or a while has passed", async () => {
    let nowMs = 0;
    let error: HoldfastError | undefined;
    const accept = async () => {
      if (error !== undefined) throw error;
      return "duplicate" as const;
    };
    const app = await startConsole({ intake: { accept, stop: async () => {} }, now: () => nowMs });
    const deliver = async (code?: "STORE_UNAVAILABLE" | "SHUTTING_DOWN") => {
      error = code && new HoldfastError(code, "cannot keep it", { retryable: true });
      const headers = { "x-fake-signature": "good", "x-fake-id": "d-1" };
      await app.send("POST", "/webhooks/fake", { body: "{}", headers });
    };
    const readiness = async () => {
      const response = await app.get("/readyz");
      return [response.status, await response.json()];
    };
    const ready = [200, { status: "ready" }];
    const failing = [503, { status: "unready", reasons: ["writes-failing"] }];

    await deliver("SHUTTING_DOWN");
    expect(await readiness()).toEqual(ready);
    await deliver("STORE_UNAVAILABLE");
    expect(await readiness()).toEqual(failing);
    nowMs += 29_000;
    expect(await readiness()).toEqual(failing);
    nowMs += 1_000;
    expect(await readiness()).toEqual(ready);
    await deliver("STORE_UNAVAILABLE");
    expect(await readiness()).toEqual(failing);
    await deliver();
    expect(await readiness()).toEqual(ready);
  });

  it("doesn't wait forever for a check that hangs", async () => {
    const app = await startConsole({ ready: () => new Promise(() => {}) });

    const response = await app.get("/readyz");

    expect([response.status, await response.json()]).toEqual([
      503,
      { status: "unready", reasons: ["check-timed-out"] },
    ]);
  });

  it("asks once for concurrent probes, and again later", async () => {
    let nowMs = 0;
    let asked = 0;
    const ready = async () => {
      asked += 1;
      return asked > 1;
    };
    const app = await startConsole({ ready, now: () => nowMs });

    const statuses = await Promise.all([app.get("/readyz"), app.get("/readyz")]);
    expect(statuses.map(({ status }) => status)).toEqual([503, 503]);
    expect(asked).toBe(1);
    nowMs += 1_000;
    expect((await app.get("/readyz")).status).toBe(200);
  });

  it("measures the backlog on each scrape", async () => {
    let nowMs = 1_700_000_000_000;
    const app = await startConsole({ now: () => nowMs });
    expect(await app.metric("holdfast_backlog")).toBe(0);
    expect(await app.metric("holdfast_oldest_pending_seconds")).toBe(0);

    await keepOrder(app.store, "1", { receivedAtMs: nowMs });
    nowMs += 90_000;

    expect(await app.metric("holdfast_backlog")).toBe(1);
    expect(await app.metric("holdfast_oldest_pending_seconds")).toBe(90);
  });

  it("still returns the other metrics while the store is unavailable", async () => {
    const store = await createTestStore();
    const away = new HoldfastError("STORE_UNAVAILABLE", "the store cannot be reached", { retryable: true });
    const app = await startConsole({
      store: { ...store, figures: { ...store.figures, backlog: () => Promise.reject(away) } },
    });

    const response = await app.get("/metrics");

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4");
    expect(await response.text()).toMatch(/^holdfast_backlog nan$/im);
  });

  it.each(["/healthz", "/readyz", "/metrics"])(
    "answers HEAD and refuses other methods on %s",
    async (path) => {
      const app = await startConsole();

      const head = await app.send("HEAD", path);
      expect([head.status, await head.text()]).toEqual([200, ""]);
      const post = await app.send("POST", path, { body: "x" });
      expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    },
  );
});
