import { describe, expect, it } from "vitest";
import { AS_OPERATOR, AS_SHOP_A, keepOrder, startConsole } from "../console-app.ts";

const DAY_MS = 86_400_000;
const NOW_MS = 1_700_000_100_000;
const NONE = { fraud: 0, caught: 0, good: 0, stopped: 0 };
const LEVELS = { low: NONE, medium: NONE, high: NONE, critical: NONE, none: NONE };

describe("GET /api/calibration", () => {
  it("counts outcomes of the last year's orders by level", async () => {
    const app = await startConsole({ now: () => NOW_MS });
    const old = { receivedAtMs: NOW_MS - 60 * DAY_MS };
    await keepOrder(app.store, "good", { ...old, decided: { level: "low", action: "allow" } });
    await keepOrder(app.store, "stopped", {
      ...old,
      decided: { level: "high", action: "hold" },
      endings: ["hold-overridden"],
    });
    await keepOrder(app.store, "young", { decided: { level: "low", action: "allow" } });
    const before = { receivedAtMs: NOW_MS - 366 * DAY_MS };
    await keepOrder(app.store, "before", { ...before, decided: { level: "low", action: "allow" } });
    const others = { ...old, tenant: "fake:b.example" };
    await keepOrder(app.store, "other", { ...others, decided: { level: "low", action: "allow" } });

    expect(await (await app.get("/api/calibration", AS_SHOP_A)).json()).toEqual({
      since: new Date(NOW_MS - 365 * DAY_MS).toISOString(),
      until: new Date(NOW_MS).toISOString(),
      days: 365,
      undisputedDays: 60,
      decided: 3,
      disputed: 0,
      byLevel: { ...LEVELS, low: { ...NONE, good: 1 }, high: { ...NONE, good: 1, stopped: 1 } },
    });
  });

  it("is empty for a shop without orders, and closed to whoever isn't signed in", async () => {
    const app = await startConsole();
    const empty = await (await app.get("/api/calibration", AS_OPERATOR)).json();
    expect(empty).toMatchObject({ decided: 0, disputed: 0, byLevel: LEVELS });
    expect((await app.get("/api/calibration")).status).toBe(401);
  });

  it("counts once for those who ask at the same time", async () => {
    const base = await startConsole({ now: () => NOW_MS });
    let turns = 0;
    const app = await startConsole({
      now: () => NOW_MS,
      store: {
        ...base.store,
        close: async () => {},
        nextTurn(tenant, signal) {
          turns += 1;
          return base.store.nextTurn(tenant, signal);
        },
      },
    });
    await Promise.all([1, 2, 3].map(() => app.get("/api/calibration", AS_SHOP_A)));
    expect(turns).toBe(1);
  });
});
