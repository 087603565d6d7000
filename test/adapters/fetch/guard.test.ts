import { EventEmitter } from "node:events";
import { describe, expect, expectTypeOf, it } from "vitest";
import { verifyOrder, type CheckedHandler, type VerifyOrderOptions } from "../../../adapters/fetch/index.ts";
import type { OrderCheck, VerificationOrder } from "../../../src/index.ts";
import { anOrder } from "../../support/orders.ts";
import { aCheck, createScriptedScreener, type ScriptedScreener } from "../../support/screener.ts";

function aRequest(body: unknown = anOrder(), init: RequestInit = {}): Request {
  const headers = { "content-type": "application/json", "x-forwarded-for": "203.0.113.9" };
  return new Request("https://shop.example.com/orders", {
    method: "POST",
    headers,
    body: JSON.stringify(body),
    ...init,
  });
}

function optionsOf(
  screener: ScriptedScreener,
  changes: Partial<VerifyOrderOptions> = {},
): VerifyOrderOptions {
  return { screener, order: async (request) => (await request.json()) as VerificationOrder, ...changes };
}

/** A handler that records what it gets. */
function createHandler(): CheckedHandler & { readonly checks: OrderCheck[] } {
  const checks: OrderCheck[] = [];
  const handler: CheckedHandler = (_request, check) => {
    checks.push(check);
    return new Response("placed", { status: 201 });
  };
  return Object.assign(handler, { checks });
}

describe("verifyOrder", () => {
  it("hands the request's own signal to the check, and the check to the handler", async () => {
    const check = aCheck();
    const screener = createScriptedScreener(() => check);
    const handler = createHandler();
    const request = aRequest();

    const response = await verifyOrder(optionsOf(screener))(request, handler);

    expect(response.status).toBe(201);
    expect(handler.checks[0]).toBe(check);
    expect(screener.asked[0]?.options.signal).toBe(request.signal);
  });

  describe("of a request that carries Node's response, as Nitro's do", () => {
    /** Nitro 3.0.0 aborts the request's own signal as soon as its body was read. */
    function aNitroRequest() {
      const ended = new AbortController();
      const res = Object.assign(new EventEmitter(), {
        closed: false,
        headersSent: false,
        writableEnded: false,
      });
      const request = Object.assign(aRequest(anOrder(), { signal: ended.signal }), {
        runtime: { node: { res } },
      });
      return { request, res, endBody: () => ended.abort() };
    }

    it("places the order although the request's own signal was aborted with its body", async () => {
      const { request, endBody } = aNitroRequest();
      const handler = createHandler();
      const screener = createScriptedScreener(({ options }) => {
        endBody();
        expect(options.signal?.aborted).toBe(false);
        return aCheck();
      });

      expect((await verifyOrder(optionsOf(screener))(request, handler)).status).toBe(201);
      expect(handler.checks).toHaveLength(1);
    });

    it.each(["before", "during"])("places nothing if the customer hung up %s the check", async (when) => {
      const { request, res } = aNitroRequest();
      const handler = createHandler();
      const hangUp = () => {
        res.closed = true;
        res.emit("close");
      };
      if (when === "before") hangUp();
      const screener = createScriptedScreener(() => {
        if (when === "during") hangUp();
        return aCheck();
      });

      await expect(verifyOrder(optionsOf(screener))(request, handler)).rejects.toThrow("aborted");
      expect(handler.checks).toEqual([]);
    });
  });

  it("refuses an order with a misspelled field", () => {
    const screener = createScriptedScreener();
    const buyer = { customerName: "Ann", shippingAddress: null };
    const order = { ...buyer, orderAmount: 5, currency: "EUR" };

    verifyOrder({ screener, order: () => ({ ...order, customerEmail: "a@example.com" }) });
    // @ts-expect-error -- the field is customerEmail
    verifyOrder({ screener, order: () => ({ ...order, customerEmial: "a@example.com" }) });
    // @ts-expect-error -- without its amount
    verifyOrder({ screener, order: () => ({ ...buyer, customerEmail: null, currency: "EUR" }) });
    verifyOrder({ screener, order: () => ({ orderAmount: 5, currency: "EUR", customerEmail: null }) });
    expect(screener.asked).toEqual([]);
  });

  it("works after a validator has read the body", async () => {
    const order = anOrder({ orderId: "body-2" });
    const request = aRequest(order);
    const parsed = (await request.json()) as typeof order;
    const screener = createScriptedScreener();
    const handler = createHandler();

    expect((await verifyOrder(optionsOf(screener, { order: () => parsed }))(request, handler)).status).toBe(
      201,
    );
    expect(screener.asked[0]?.order).toMatchObject({ orderId: "body-2" });
  });

  it("leaves the body for the handler", async () => {
    const order = anOrder({ orderId: "body-1" });
    const guard = verifyOrder(optionsOf(createScriptedScreener()));
    const request = aRequest(order);

    const response = await guard(request, async (given) => {
      expect(given).toBe(request);
      return Response.json(await given.json());
    });

    expect(await response.json()).toEqual(order);
  });

  it("refuses a request whose body was already read", async () => {
    const request = aRequest();
    const handler = createHandler();
    await request.text();

    await expect(verifyOrder(optionsOf(createScriptedScreener()))(request, handler)).rejects.toThrow(
      TypeError,
    );
    expect(handler.checks).toEqual([]);
  });

  it.each(["", "{", "cart=1"])("answers the body %j, which isn't JSON, with a 400", async (body) => {
    const screener = createScriptedScreener();
    const handler = createHandler();

    const response = await verifyOrder(optionsOf(screener))(aRequest({}, { body }), handler);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      detail: "The body isn't valid JSON.",
      code: "ORDER_INVALID",
      errors: [{ path: "", message: "expected JSON" }],
    });
    expect([...screener.asked, ...handler.checks]).toEqual([]);
  });

  it("passes on other errors of reading the body", async () => {
    const order = async () => JSON.parse("{") as VerificationOrder;
    const guarded = verifyOrder(optionsOf(createScriptedScreener(), { order }))(aRequest(), createHandler());

    await expect(guarded).rejects.toThrow(SyntaxError);
  });

  it("accepts a request without a signal, as some hosts and tests send", async () => {
    const handler = createHandler();
    const request = Object.defineProperty(aRequest(), "signal", { value: undefined });
    const body = (await request.json()) as VerificationOrder;
    const guard = verifyOrder(optionsOf(createScriptedScreener(), { order: () => body }));

    const response = await guard(request, handler);

    expect(response.status).toBe(201);
    expect(handler.checks).toHaveLength(1);
  });

  it("keeps the type of the request it is given", async () => {
    class ShopRequest extends Request {
      readonly shop = "example";
    }
    const guard = verifyOrder(optionsOf(createScriptedScreener()));
    const request = new ShopRequest("https://shop.example.com/", { method: "POST", body: "{}" });

    const response = await guard(request, (given, check) => {
      expectTypeOf(given).toEqualTypeOf<ShopRequest>();
      expectTypeOf(check).toEqualTypeOf<OrderCheck>();
      return new Response(given.shop);
    });

    expect(await response.text()).toBe("example");
  });
});
