import { describe, expect, it } from "vitest";
import { toTimelineEntry } from "../../../src/pipeline/timeline.ts";
import { AS_SHOP_A, keepOrder, startConsole } from "../console-app.ts";

const SHOP_A = "fake:a.example";
const decided = { level: "high", action: "hold" } as const;

interface Shown {
  readonly orders: readonly {
    readonly orderId: string;
    readonly links: readonly string[];
    readonly [field: string]: unknown;
  }[];
  readonly cut: boolean;
}

describe("GET /api/orders/:orderId/buyer", () => {
  it("shows the buyer's orders with their contents, and what became of each", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", { state: "review", decided });
    await keepOrder(app.store, "2", {
      decided: { level: "critical", action: "cancel" },
      endings: [{ kind: "cancel-done" }, { kind: "refunded" }],
    });
    await keepOrder(app.store, "3", { tenant: "fake:b.example" });

    const { orders, cut } = (await (await app.get("/api/orders/1/buyer", AS_SHOP_A)).json()) as Shown;

    expect(cut).toBe(false);
    expect(orders.toSorted((a, b) => a.orderId.localeCompare(b.orderId))).toMatchObject([
      { orderId: "1", links: [], sameBuyer: true, outcome: "open", refunded: false },
      {
        orderId: "2",
        links: ["mailbox", "address", "customer"],
        sameBuyer: true,
        outcome: "cancelled",
        refunded: true,
        contents: { buyer: { email: "jane@example.com" } },
      },
    ]);
  });

  it("is in the access log once, with the order's name", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", { decided });
    await app.get("/api/orders/1/buyer", AS_SHOP_A);
    await app.get("/api/orders/1/buyer", AS_SHOP_A);

    const { entries } = (await (await app.get("/api/access-log", AS_SHOP_A)).json()) as { entries: unknown };

    expect(entries).toEqual([expect.objectContaining({ what: "buyer", subject: "1", orderName: "#1" })]);
  });

  it("shows nothing personal of an erased order, and finds no others by it", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", { decided });
    await keepOrder(app.store, "2", { decided });
    await app.store.retention.eraseOrders(
      { tenant: SHOP_A, orderIds: ["2"], customerId: undefined, email: undefined },
      toTimelineEntry(1, { kind: "erased" }, "", "platform"),
    );

    for (const id of ["1", "2"]) {
      const { orders } = (await (await app.get(`/api/orders/${id}/buyer`, AS_SHOP_A)).json()) as Shown;
      expect(orders.map(({ orderId }) => orderId)).toEqual([id]);
    }
  });

  it("doesn't find another tenant's order", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "3", { tenant: "fake:b.example" });

    expect((await app.get("/api/orders/3/buyer", AS_SHOP_A)).status).toBe(404);
  });
});
