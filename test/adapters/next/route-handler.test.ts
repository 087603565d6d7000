import type { VerificationOrder } from "../../../src/index.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { verifyOrder } from "../../../adapters/next/index.ts";
import { createScreener, type Screener } from "../../../src/index.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../../src/testing.ts";
import { anOrder } from "../../support/orders.ts";

const toRequest = (order: object): Request =>
  new Request("http://shop.example/orders", { method: "POST", body: JSON.stringify(order) });

async function openScreener(): Promise<Screener> {
  const service = createSandboxService();
  const screener = createScreener({ service: { url: await service.listen(), apiKey: SANDBOX_API_KEY } });
  onTestFinished(async () => {
    await screener.close();
    await service.close();
  });
  return screener;
}

describe("verifyOrder in a route of Next", () => {
  it("gives the handler the request, the check and Next's context", async () => {
    const screener = await openScreener();
    const order = anOrder({ customerEmail: "high@risk.example" });
    const POST = verifyOrder(
      { screener, order: async (request) => await request.json() },
      async (request, check, context: { params: Promise<{ id: string }> }) =>
        Response.json([await request.json(), check.action, await context.params]),
    );

    const response = await POST(toRequest(order), { params: Promise.resolve({ id: "7" }) });

    expect(await response.json()).toEqual([order, "hold", { id: "7" }]);
  });

  it("accepts a request whose body was already read", async () => {
    const screener = await openScreener();
    const request = toRequest(anOrder());
    const body: unknown = await request.json();
    const POST = verifyOrder({ screener, order: () => body as VerificationOrder }, () =>
      Response.json("placed"),
    );

    expect((await POST(request, {})).status).toBe(200);
  });

  it("answers a body that isn't JSON with a 400", async () => {
    const screener = await openScreener();
    const request = new Request("http://shop.example/orders", { method: "POST", body: "{" });
    const POST = verifyOrder({ screener, order: async (copy) => await copy.json() }, () =>
      Response.json("placed"),
    );

    expect((await POST(request, {})).status).toBe(400);
  });

  it("passes on the answer that comes after the deadline", async () => {
    const screener = await openScreener();
    const order = anOrder({ customerEmail: "slow-300@risk.example" });
    const kept: Promise<unknown>[] = [];
    const POST = verifyOrder(
      {
        screener,
        order: async (request) => await request.json(),
        deadlineMs: 50,
        waitUntil: (promise) => void kept.push(promise),
      },
      (_request, check) => Response.json(check.status),
    );

    expect(await (await POST(toRequest(order), {})).json()).toBe("pending");
    expect(kept).toHaveLength(1);
    await kept[0];
    expect(await screener.check(order)).toMatchObject({ status: "cached" });
  });
});
