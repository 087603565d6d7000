import { describe, expect, it } from "vitest";
import { createTestStore } from "../../support/test-store.ts";
import { AS_SHOP_A, keepOrder, startConsole } from "../console-app.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const HOUR_MS = 3_600_000;
const decided = { level: "low", action: "allow" } as const;

describe("the overview's coverage", () => {
  it("counts the shop's own orders of the last day that were decided on time", async () => {
    const app = await startConsole({ now: () => NOW });
    const receivedAtMs = NOW - HOUR_MS;
    for (const orderId of ["1", "2", "3"]) await keepOrder(app.store, orderId, { receivedAtMs, decided });
    await keepOrder(app.store, "undecided", { receivedAtMs });
    await keepOrder(app.store, "has-time-left", { receivedAtMs: NOW - 60_000 });
    await keepOrder(app.store, "yesterday", { receivedAtMs: NOW - 25 * HOUR_MS });
    await keepOrder(app.store, "theirs", { receivedAtMs, tenant: "fake:b.example" });

    const response = await app.get("/api/overview", AS_SHOP_A);

    const coverage = { windowHours: 24, eligible: 4, decidedInTime: 3, ratio: 0.75 };
    expect(await response.json()).toMatchObject({ coverage });
  });

  it("has no ratio without orders", async () => {
    const app = await startConsole({ now: () => NOW });

    expect(await (await app.get("/api/overview", AS_SHOP_A)).json()).toMatchObject({
      coverage: { eligible: 0, ratio: null },
    });
  });
});

describe("holdfast_coverage_ratio", () => {
  it("covers all shops, and is computed at most once a minute", async () => {
    let nowMs = NOW;
    const app = await startConsole({ now: () => nowMs });
    expect(await app.metric("holdfast_coverage_ratio")).toBeNaN();
    await keepOrder(app.store, "1", { receivedAtMs: NOW - HOUR_MS, decided });
    await keepOrder(app.store, "2", { receivedAtMs: NOW - HOUR_MS, tenant: "fake:b.example" });

    nowMs += 59_000;
    expect(await app.metric("holdfast_coverage_ratio")).toBeNaN();
    nowMs += 1_000;
    expect(await app.metric("holdfast_coverage_ratio")).toBe(0.5);
  });

  it("leaves the other metrics alone if it can't be measured", async () => {
    const store = await createTestStore();
    const coverage = () => Promise.reject(new Error("away"));
    const app = await startConsole({ store: { ...store, figures: { ...store.figures, coverage } } });

    expect(await app.metric("holdfast_coverage_ratio")).toBeNaN();
    expect(await app.metric("holdfast_backlog")).toBe(0);
  });
});
