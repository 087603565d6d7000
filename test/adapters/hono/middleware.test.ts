import { EventEmitter } from "node:events";
import type { VerificationOrder } from "../../../src/index.ts";
import { Hono, type Context } from "hono";
import { timeout } from "hono/timeout";
import { validator } from "hono/validator";
import { describe, expect, it, onTestFinished } from "vitest";
import { verifyOrder, type OrderCheckVariables } from "../../../adapters/hono/index.ts";
import { createScreener } from "../../../src/index.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../../src/testing.ts";
import { anOrder } from "../../support/orders.ts";
import { aCheck } from "../../support/screener.ts";

const place = (order: object): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(order),
});

describe("verifyOrder in a Hono app", () => {
  it("fits an app's own types, and reads a body that a validator and the handler read too", async () => {
    await using screener = createDisposable();
    const app = new Hono<{ Variables: OrderCheckVariables & { shop: string } }>();
    app.post(
      "/orders",
      validator("json", (body: object) => body),
      // Without its own type: the code in `app.post` has to compile.
      verifyOrder({ screener, order: async (c) => (await c.req.json()) as VerificationOrder }),
      (c) =>
        c.json({
          action: c.get("orderCheck").action,
          id: (c.req.valid("json") as { orderId: string }).orderId,
        }),
    );

    const response = await app.request("/orders", place(anOrder({ orderId: "7" })));

    expect(await response.json()).toMatchObject({ action: "allow", id: "7" });
  });

  it("gives order the app's context, with its variables", async () => {
    interface Env {
      Variables: OrderCheckVariables & { cart: VerificationOrder };
    }
    await using screener = createDisposable();
    const app = new Hono<Env>();
    app.use(async (c, next) => {
      c.set("cart", anOrder());
      await next();
    });
    const check = verifyOrder<Context<Env>>({ screener, order: (c) => c.get("cart") });
    app.post("/orders", check, (c) => c.json(c.get("orderCheck").status));

    expect(await (await app.request("/orders", { method: "POST" })).json()).toBe("degraded");
  });

  it("places an order in Nitro 3.0.0, which aborts the request's signal with the body", async () => {
    await using screener = createDisposable();
    const app = new Hono<{ Variables: OrderCheckVariables }>();
    const ended = new AbortController();
    const order = (): VerificationOrder => {
      ended.abort();
      return anOrder();
    };
    app.post("/orders", verifyOrder({ screener, order }), (c) => c.json(c.get("orderCheck").status));
    const request = new Request("http://shop/orders", { method: "POST", signal: ended.signal });
    const res = Object.assign(new EventEmitter(), { closed: false, writableEnded: false });

    const response = await app.fetch(Object.assign(request, { runtime: { node: { res } } }));

    expect(await response.json()).toBe("degraded");
  });

  it.each(["", "{", "cart=1"])("answers the body %j, which isn't JSON, with a 400", async (body) => {
    await using screener = createDisposable();
    const app = new Hono();
    const order = async (c: Context) => (await c.req.json()) as VerificationOrder;
    app.post("/orders", verifyOrder({ screener, order }), (c) => c.text("placed"));

    const response = await app.request("/orders", { method: "POST", body });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "ORDER_INVALID",
      errors: [{ path: "", message: "expected JSON" }],
    });
  });

  it("leaves the body as Hono reads it to the handler", async () => {
    await using screener = createDisposable();
    const app = new Hono();
    app.post("/orders", verifyOrder({ screener, order: () => anOrder() }), async (c) => {
      await expect(c.req.json()).rejects.toThrow(SyntaxError);
      return c.text(await c.req.text());
    });

    const response = await app.request("/orders", { method: "POST", body: "cart=1" });

    expect(await response.text()).toBe("cart=1");
  });

  it("places no order after Hono's own timeout has answered 504", async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const screener = {
      check: async () => {
        await answered;
        return aCheck();
      },
      on: () => () => undefined,
    };
    let placed = 0;
    const app = new Hono<{ Variables: OrderCheckVariables }>();
    app.use(timeout(1));
    app.use(async (_c, next) => await next().finally(end));
    app.post("/orders", verifyOrder({ screener, order: () => anOrder() }), (c) => {
      placed += 1;
      return c.text("placed");
    });

    const response = await app.request("/orders", place(anOrder()));
    answer();
    await ended;

    expect(response.status).toBe(504);
    expect(placed).toBe(0);
  });

  it("passes on the answer that comes after the deadline, with the context", async () => {
    const service = createSandboxService();
    const url = await service.listen();
    const screener = createScreener({ service: { url, apiKey: SANDBOX_API_KEY } });
    onTestFinished(async () => {
      await screener.close();
      await service.close();
    });
    const kept: [Promise<unknown>, string][] = [];
    const app = new Hono<{ Variables: OrderCheckVariables }>();
    const check = verifyOrder({
      screener,
      order: async (c) => (await c.req.json()) as VerificationOrder,
      deadlineMs: 50,
      waitUntil: (promise, c) => void kept.push([promise, c.req.raw.method]),
    });
    app.post("/orders", check, (c) => c.json(c.get("orderCheck").status));

    const order = anOrder({ customerEmail: "slow-300@risk.example" });
    const response = await app.request("/orders", place(order));

    expect(await response.json()).toBe("pending");
    expect(kept).toEqual([[expect.any(Promise), "POST"]]);
    await kept[0]?.[0];
    expect(await screener.check(order)).toMatchObject({ status: "cached" });
  });
});

/** A screener without a service, closed at the end of its block. */
function createDisposable() {
  const screener = createScreener({ service: "local" });
  return { ...screener, [Symbol.asyncDispose]: async () => await screener.close() };
}
