import { describe, expect, it } from "vitest";
import { AS_SHOP_A, keepOrder, startConsole } from "../console-app.ts";

describe("GET /api/orders/:orderId/linked", () => {
  it("shows what the orders share, masked, and how the others ended", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", { state: "review", decided: { level: "high", action: "hold" } });
    await keepOrder(app.store, "2", {
      decided: { level: "critical", action: "cancel" },
      endings: [{ kind: "cancel-done" }],
    });
    await keepOrder(app.store, "3", { tenant: "fake:b.example" });

    const response = await app.get("/api/orders/1/linked", AS_SHOP_A);
    const body = (await response.json()) as object;

    expect(response.status).toBe(200);
    expect(body).toMatchObject({
      links: [
        { kind: "mailbox", label: "j***@***", orders: 1 },
        { kind: "address", label: "Springfield, 62***, US", orders: 1 },
      ],
      orders: [
        {
          orderId: "2",
          riskLevel: "critical",
          action: "cancel",
          outcome: "cancelled",
          links: ["mailbox", "address"],
          buyer: "Jane Example",
          email: "jane@example.com",
          country: "US",
        },
      ],
    });
    expect(JSON.stringify(body)).not.toMatch(/Main Street/i);
  });

  it("doesn't find another tenant's order", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "3", { tenant: "fake:b.example" });

    expect((await app.get("/api/orders/3/linked", AS_SHOP_A)).status).toBe(404);
  });
});
