import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import { request } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import { verifyOrder } from "../../adapters/express/index.ts";
import { DEMO_ORDERS, toPayload } from "../../tools/demo/demo-orders.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { createScreener } from "../../src/screening/screener.ts";
import { atRest, createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { anOrder } from "../support/orders.ts";

const SHOP = "crowd.myshopify.com";
let stage: ShopifyStage | undefined;

afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

describe("a hundred deliveries or requests at once for one order", () => {
  it("cost one paid call and have one effect as webhook deliveries", async () => {
    const order = DEMO_ORDERS[2];
    if (order === undefined) throw new Error("the demo has no third order");
    const crowded = await createShopifyStage({ latencyMs: 50 });
    stage = crowded;
    crowded.emulator.shop(SHOP).addOrder({ orderId: order.orderId });
    await crowded.start();
    await crowded.listOrders(SHOP);

    const statuses = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        crowded.deliver({
          shop: SHOP,
          topic: "orders/create",
          body: toPayload(order, 1),
          webhookId: `w-${index}`,
        }),
      ),
    );
    const orders = await crowded.until(SHOP, atRest(1));

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(crowded.service.calls).toHaveLength(1);
    expect(orders[0]).toMatchObject({ action: "hold", creditsSpent: 1 });
    expect(crowded.emulator.operations.filter(({ name }) => name.includes("Hold"))).toHaveLength(1);
  });

  it("cost one paid call as requests to a storefront", async () => {
    const service = createSandboxService({ latencyMs: 50 });
    const url = await service.listen();
    const screener = createScreener({ service: { url, apiKey: SANDBOX_API_KEY } });
    const app = express();
    app.post("/orders", express.json(), verifyOrder({ screener, order: (req) => req.body }), (req, res) => {
      res.json(req.orderCheck);
    });
    const server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;

    const checks = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const answer = await request(`http://127.0.0.1:${port}/orders`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(anOrder({ customerEmail: "high@risk.example" })),
        });
        return (await answer.body.json()) as { status: string; action: string; creditsSpent: number };
      }),
    );

    expect(service.calls).toHaveLength(1);
    expect(checks.every(({ action }) => action === "hold")).toBe(true);
    expect(checks.filter(({ status }) => status === "verified")).toHaveLength(1);
    expect(checks.reduce((sum, { creditsSpent }) => sum + creditsSpent, 0)).toBe(1);
    server.close();
    server.closeAllConnections();
    await screener.close();
    await service.close();
  });
});
