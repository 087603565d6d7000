import { describe, expect, it } from "vitest";
import { AS_SHOP_A, startConsole } from "../console-app.ts";

describe("GET /api/data-requests", () => {
  it("lists data requests and returns each report, only to its own shop", async () => {
    const app = await startConsole();
    await app.store.reports.save(
      "fake:a.example",
      "77",
      JSON.stringify({ requestId: "77", orders: [] }),
      1_000,
    );
    await app.store.reports.save(
      "fake:b.example",
      "88",
      JSON.stringify({ requestId: "88", orders: [] }),
      1_000,
    );

    const list = await app.get("/api/data-requests", AS_SHOP_A);
    expect(await list.json()).toEqual({
      requests: [{ requestId: "77", preparedAt: "1970-01-01T00:00:01.000Z" }],
    });
    const own = await app.get("/api/data-requests/77", AS_SHOP_A);
    expect(await own.json()).toEqual({ requestId: "77", orders: [] });
    expect(app.log()).toContain("data was downloaded");

    expect((await app.get("/api/data-requests/88", AS_SHOP_A)).status).toBe(404);
    expect((await app.get("/api/data-requests/77")).status).toBe(401);
  });
});
