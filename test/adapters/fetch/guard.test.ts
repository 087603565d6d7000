import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { Hono } from "hono";
import { describe, expect, expectTypeOf, it } from "vitest";
import { verifyOrder, type CheckedHandler, type VerifyOrderOptions } from "../../../adapters/fetch/index.ts";
import { HoldfastError, parseVerificationRequest, type OrderCheck } from "../../../src/index.ts";
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
  return { screener, order: async (request): Promise<unknown> => await request.json(), ...changes };
}

const answering = (check: Partial<OrderCheck>): ScriptedScreener =>
  createScriptedScreener(() => aCheck(check));

/** A handler that records what it gets. */
function createHandler(): CheckedHandler & { readonly checks: OrderCheck[] } {
  const checks: OrderCheck[] = [];
  const handler: CheckedHandler = (_request, check) => {
    checks.push(check);
    return new Response("placed", { status: 201 });
  };
  return Object.assign(handler, { checks });
}

const fails = (reason: unknown) => (): never => {
  throw reason;
};
const rejects = (reason: unknown) => async (): Promise<never> => {
  await setImmediate();
  throw reason;
};

describe("verifyOrder", () => {
  it("asks about the order that was read and hands the check to the handler", async () => {
    const check = aCheck({ tags: ["a"] });
    const screener = createScriptedScreener(() => check);
    const handler = createHandler();
    const request = aRequest();

    const response = await verifyOrder(optionsOf(screener, { deadlineMs: 2_500 }))(request, handler);

    expect(response.status).toBe(201);
    expect(handler.checks).toEqual([check]);
    expect(screener.asked).toMatchObject([{ order: anOrder(), options: { deadlineMs: 2_500 } }]);
    expect(screener.asked[0]?.options.signal).toBe(request.signal);
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

  it.each(["allow", "tag", "hold"] as const)("runs the handler after %s", async (action) => {
    const handler = createHandler();

    const response = await verifyOrder(optionsOf(answering({ action })))(aRequest(), handler);

    expect(response.status).toBe(201);
    expect(handler.checks).toMatchObject([{ action }]);
  });

  it("answers a cancel with 403 and tells nothing about why", async () => {
    const handler = createHandler();
    const screener = answering({ action: "cancel", riskLevel: "critical", reasons: ["rule:stolen-cards"] });

    const response = await verifyOrder(optionsOf(screener))(aRequest(), handler);

    expect(response.status).toBe(403);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({
      type: "about:blank",
      title: "Forbidden",
      status: 403,
      detail: "This order cannot be accepted.",
    });
    expect(handler.checks).toEqual([]);
  });

  it("answers an order that cannot be checked with 422 and its fields", async () => {
    const handler = createHandler();
    const screener = createScriptedScreener(({ order }) => {
      parseVerificationRequest(order);
      return aCheck();
    });

    const response = await verifyOrder(optionsOf(screener))(
      aRequest({ ...anOrder(), orderAmount: 0 }),
      handler,
    );

    expect(response.status).toBe(422);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({
      code: "ORDER_INVALID",
      errors: [{ path: "orderAmount", message: "expected a positive amount" }],
    });
    expect(handler.checks).toEqual([]);
  });

  it("hands an invalid order to onInvalid instead", async () => {
    const guard = verifyOrder(
      optionsOf(createScriptedScreener(), {
        order: async (request) => parseVerificationRequest(await request.json()),
        onInvalid: async (_request, error) => Response.json({ count: error.fields.length }, { status: 400 }),
      }),
    );

    const response = await guard(aRequest({ ...anOrder(), currency: "euro" }), createHandler());

    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ count: 1 });
  });

  it.each([
    ["hold", "onHold"],
    ["cancel", "onCancel"],
  ] as const)("lets the host answer a %s", async (action, name) => {
    const handler = createHandler();
    const guard = verifyOrder(
      optionsOf(answering({ action }), {
        [name]: async (_request: Request, check: OrderCheck) => Response.json(check.action, { status: 202 }),
      }),
    );

    const response = await guard(aRequest(), handler);

    expect(response.status).toBe(202);
    expect(await response.json()).toBe(action);
    expect(handler.checks).toEqual([]);
  });

  it.each([
    ["hold", "onHold"],
    ["cancel", "onCancel"],
  ] as const)("lets the host run the handler after a %s after all", async (action, name) => {
    const handler = createHandler();
    const guard = verifyOrder(
      optionsOf(answering({ action }), {
        [name]: async (_request: Request, _check: OrderCheck, next: () => Promise<Response>) => await next(),
      }),
    );

    expect((await guard(aRequest(), handler)).status).toBe(201);
    expect(handler.checks).toMatchObject([{ action }]);
  });

  const failure = new Error("failed");
  const unreachable = new HoldfastError("STORE_UNAVAILABLE", "the store cannot be reached", {
    retryable: true,
  });

  it.each<[name: string, options: VerifyOrderOptions, expected: Error]>([
    ["reading the order throws", optionsOf(createScriptedScreener(), { order: fails(failure) }), failure],
    ["reading the order rejects", optionsOf(createScriptedScreener(), { order: rejects(failure) }), failure],
    ["reading the address throws", optionsOf(createScriptedScreener(), { ip: fails(failure) }), failure],
    ["the check fails", optionsOf(createScriptedScreener(rejects(unreachable))), unreachable],
    ["onHold fails", optionsOf(answering({ action: "hold" }), { onHold: fails(failure) }), failure],
    ["onCancel fails", optionsOf(answering({ action: "cancel" }), { onCancel: rejects(failure) }), failure],
    [
      "onInvalid fails",
      optionsOf(createScriptedScreener(), {
        order: () => parseVerificationRequest({}),
        onInvalid: rejects(failure),
      }),
      failure,
    ],
  ])("rejects when %s, without running the handler", async (_title, options, expected) => {
    const handler = createHandler();

    await expect(verifyOrder(options)(aRequest(), handler)).rejects.toBe(expected);
    expect(handler.checks).toEqual([]);
  });

  it("does not take an error of the handler for its own", async () => {
    const invalid = new HoldfastError("ORDER_INVALID", "thrown by the shop", { retryable: false });

    await expect(verifyOrder(optionsOf(createScriptedScreener()))(aRequest(), fails(invalid))).rejects.toBe(
      invalid,
    );
  });

  it("refuses a request whose body was read before", async () => {
    const request = aRequest();
    const handler = createHandler();
    await request.text();

    await expect(verifyOrder(optionsOf(createScriptedScreener()))(request, handler)).rejects.toThrow(
      TypeError,
    );
    expect(handler.checks).toEqual([]);
  });

  it("tells the check when the client hangs up", async () => {
    const client = new AbortController();
    const handler = createHandler();
    const { promise: started, resolve: begin } = Promise.withResolvers<void>();
    const screener = createScriptedScreener(async ({ options: { signal } }) => {
      if (signal === undefined) throw new Error("no signal was given");
      begin();
      await once(signal, "abort");
      throw signal.reason;
    });
    const answer = verifyOrder(optionsOf(screener))(aRequest(anOrder(), { signal: client.signal }), handler);
    const rejected = expect(answer).rejects.toThrow("gone");

    await started;
    client.abort(new Error("gone"));

    await rejected;
    expect(handler.checks).toEqual([]);
  });

  it("takes the address only from where it is told, in place of the order's own, and says that the order is placed now", async () => {
    const told = createScriptedScreener();
    const untold = createScriptedScreener();
    const { ipAddress: _ip, ...order } = anOrder();
    const addresses = new WeakMap<Request, string>();
    const guard = verifyOrder(optionsOf(told, { ip: (request) => addresses.get(request) }));
    const [plain, own] = [aRequest(order), aRequest({ ...order, ipAddress: "192.0.2.7" })];
    addresses.set(plain, "::ffff:192.0.2.1").set(own, "192.0.2.1");

    await guard(plain, createHandler());
    await guard(own, createHandler());
    await verifyOrder(optionsOf(untold))(aRequest(order), createHandler());

    expect(told.asked.map((asked) => (asked.order as { ipAddress?: string }).ipAddress)).toEqual([
      "192.0.2.1",
      "192.0.2.1",
    ]);
    expect(told.asked.every(({ options }) => options?.placedNow)).toBe(true);
    expect(untold.asked[0]?.order).not.toHaveProperty("ipAddress");
  });

  it.each([[0], [-5], [NaN], [Infinity]])("refuses deadlineMs %j where it is made", (deadlineMs) => {
    expect(() => verifyOrder(optionsOf(createScriptedScreener(), { deadlineMs }))).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
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

describe("verifyOrder under Hono", () => {
  function createShop(screener: ScriptedScreener): Hono {
    const guard = verifyOrder(optionsOf(screener));
    const app = new Hono();
    app.post("/orders", (context) =>
      guard(context.req.raw, async (_request, check) => {
        const order = await context.req.json<{ orderId: string }>();
        return context.json({ orderId: order.orderId, action: check.action }, 201);
      }),
    );
    app.onError((error, context) => context.json({ failed: error.message }, 500));
    return app;
  }

  it("places an order that is allowed", async () => {
    const response = await createShop(createScriptedScreener()).request(aRequest());

    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ orderId: "1001", action: "allow" });
  });

  it("refuses one that is not", async () => {
    const response = await createShop(answering({ action: "cancel" })).request(aRequest());

    expect(response.status).toBe(403);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  });

  it("reaches the app's error handler", async () => {
    const response = await createShop(createScriptedScreener(rejects(new Error("down")))).request(aRequest());

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ failed: "down" });
  });
});

describe("verifyOrder in a route handler", () => {
  /** What a Next route module exports. */
  function createRoute(screener: ScriptedScreener): { POST(request: Request): Promise<Response> } {
    const guard = verifyOrder(optionsOf(screener));
    return {
      POST: (request) =>
        guard(request, async (checked, { action }) => {
          const order = (await checked.json()) as { orderId: string };
          return Response.json({ orderId: order.orderId, review: action === "hold" }, { status: 201 });
        }),
    };
  }

  it("places an order for review", async () => {
    const response = await createRoute(answering({ action: "hold" })).POST(aRequest());

    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ orderId: "1001", review: true });
  });

  it("refuses one that is cancelled", async () => {
    expect((await createRoute(answering({ action: "cancel" })).POST(aRequest())).status).toBe(403);
  });
});
