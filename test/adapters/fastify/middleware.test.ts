import { once } from "node:events";
import { request as sendRequest } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import { verifyOrder, type VerifyOrderOptions } from "../../../adapters/fastify/index.ts";
import { HoldfastError, parseVerificationRequest, type OrderCheck } from "../../../src/index.ts";
import { anOrder } from "../../support/orders.ts";
import { aCheck, createScriptedScreener } from "../../support/screener.ts";
import { closeAll, createApp, listen, optionsOf, post, serve, start } from "./fastify-app.ts";

afterEach(closeAll);

describe("verifyOrder on Fastify", () => {
  it("asks about the order that was read and leaves the check in the request", async () => {
    const check = aCheck({ tags: ["a"] });
    const screener = createScriptedScreener(() => check);
    const app = await start(optionsOf(screener, { deadlineMs: 2_500 }));

    const response = await post(app.url, anOrder());

    expect(response.status).toBe(201);
    expect(app.fulfilled).toEqual([check]);
    expect(screener.asked).toMatchObject([{ order: anOrder(), options: { deadlineMs: 2_500 } }]);
    expect(screener.asked[0]?.options.signal?.aborted).toBe(false);
  });

  it.each(["allow", "tag", "hold"] as const)("goes on after %s", async (action) => {
    const app = await start(optionsOf(createScriptedScreener(() => aCheck({ action }))));

    const response = await post(app.url, anOrder());

    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ action });
  });

  it("answers a cancel with 403 and tells nothing about why", async () => {
    const check = aCheck({
      action: "cancel",
      riskLevel: "critical",
      reasons: ["rule:stolen-cards"],
      tags: ["fraud"],
    });
    const app = await start(optionsOf(createScriptedScreener(() => check)));

    const response = await post(app.url, anOrder());

    expect(response.status).toBe(403);
    expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json\b/);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({
      type: "about:blank",
      title: "Forbidden",
      status: 403,
      detail: "This order cannot be accepted.",
    });
    expect([...response.headers.values()].join()).not.toMatch(/fingerprint-1|stolen|critical/);
    expect(app).toMatchObject({ fulfilled: [], errors: [] });
  });

  it("answers an order that cannot be checked with 422 and its fields", async () => {
    const screener = createScriptedScreener(({ order }) => {
      parseVerificationRequest(order);
      return aCheck();
    });
    const app = await start(optionsOf(screener));

    const response = await post(app.url, { ...anOrder(), customerEmail: "nobody", orderAmount: 0 });

    expect(response.status).toBe(422);
    expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json\b/);
    expect(await response.json()).toEqual({
      type: "about:blank",
      title: "Unprocessable Content",
      status: 422,
      detail: "This order cannot be checked as it is.",
      code: "ORDER_INVALID",
      errors: [
        { path: "orderAmount", message: "expected a positive amount" },
        { path: "customerEmail", message: "expected an e-mail address" },
      ],
    });
    expect(app).toMatchObject({ fulfilled: [], errors: [] });
  });

  it("answers 422 when reading the order finds it invalid", async () => {
    const screener = createScriptedScreener();
    const app = await start(
      optionsOf(screener, { order: (request) => parseVerificationRequest(request.body) }),
    );

    const response = await post(app.url, {});

    expect(response.status).toBe(422);
    expect(screener.asked).toEqual([]);
  });

  it("says the same on a route whose response schema knows other fields", async () => {
    const app = createApp();
    const schema = { response: { "4xx": { type: "object", properties: { message: { type: "string" } } } } };
    const preHandler = verifyOrder(optionsOf(createScriptedScreener(() => aCheck({ action: "cancel" }))));
    serve(app, "/orders", { schema, preHandler }, async () => ({}));
    const url = await listen(app);

    expect(await (await post(`${url}/orders`, anOrder())).json()).toMatchObject({
      title: "Forbidden",
      status: 403,
    });
  });

  it("hands an invalid order to onInvalid instead", async () => {
    const app = await start(
      optionsOf(createScriptedScreener(), {
        order: (request) => parseVerificationRequest(request.body),
        onInvalid: (_request, reply, error) => reply.code(400).send({ count: error.fields.length }),
      }),
    );

    const response = await post(app.url, { ...anOrder(), currency: "euro" });

    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ count: 1 });
    expect(app).toMatchObject({ fulfilled: [], errors: [] });
  });

  const answers = {
    "returned from an async function": async (
      request: FastifyRequest,
      reply: FastifyReply,
      check: OrderCheck,
    ) => {
      await setImmediate();
      reply.code(202);
      return { same: request.orderCheck === check, action: check.action };
    },
    "sent with the reply returned": async (
      request: FastifyRequest,
      reply: FastifyReply,
      check: OrderCheck,
    ) => {
      await setImmediate();
      return reply.code(202).send({ same: request.orderCheck === check, action: check.action });
    },
    "sent later, outside any promise": (
      request: FastifyRequest,
      reply: FastifyReply,
      check: OrderCheck,
    ): void => {
      globalThis.setImmediate(() =>
        reply.code(202).send({ same: request.orderCheck === check, action: check.action }),
      );
    },
  };

  it.each(
    Object.entries(answers).flatMap(([way, answer]) => [
      ["hold", way, "onHold", answer] as const,
      ["cancel", way, "onCancel", answer] as const,
    ]),
  )("lets the host answer a %s, %s", async (action, _way, option, answer) => {
    const app = await start(
      optionsOf(
        createScriptedScreener(() => aCheck({ action })),
        { [option]: answer },
      ),
    );

    const response = await post(app.url, anOrder());

    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ same: true, action });
    expect(app).toMatchObject({ fulfilled: [], errors: [] });
  });

  it.each<[string, VerifyOrderOptions["onCancel"]]>([
    ["at once", (_request, _reply, _check, next) => next()],
    [
      "later",
      (_request, _reply, _check, next) => {
        globalThis.setImmediate(next);
      },
    ],
    [
      "more than once",
      (_request, _reply, _check, next) => {
        next();
        next();
      },
    ],
  ])("lets the host go on after all, %s", async (_title, onCancel) => {
    const app = await start(
      optionsOf(
        createScriptedScreener(() => aCheck({ action: "cancel" })),
        { onCancel },
      ),
    );

    expect((await post(app.url, anOrder())).status).toBe(201);
    expect(app.fulfilled).toHaveLength(1);
  });

  it("logs what fails in the host's handler after it went on", async () => {
    const lines: string[] = [];
    const app = createApp({ logger: { stream: { write: (line: string) => void lines.push(line) } } });
    const screener = createScriptedScreener(() => aCheck({ action: "cancel" }));
    const onCancel: VerifyOrderOptions["onCancel"] = (_request, _reply, _check, next) => {
      next();
      throw new Error("after the fact");
    };
    serve(app, "/orders", { preHandler: verifyOrder(optionsOf(screener, { onCancel })) }, async () => "ok");
    const url = await listen(app);

    expect((await post(`${url}/orders`, anOrder())).status).toBe(200);
    expect(lines.join()).toContain("after the fact");
  });

  const failure = new Error("failed");
  const unreachable = new HoldfastError("STORE_UNAVAILABLE", "the store cannot be reached", {
    retryable: true,
  });
  const fails = (error: unknown) => (): never => {
    throw error;
  };
  const rejects = (reason: unknown) => async (): Promise<never> => {
    await setImmediate();
    throw reason;
  };

  it.each<[name: string, options: VerifyOrderOptions, expected: Error]>([
    [
      "a throw while reading the order",
      optionsOf(createScriptedScreener(), { order: fails(failure) }),
      failure,
    ],
    [
      "a rejection while reading the order",
      optionsOf(createScriptedScreener(), { order: rejects(failure) }),
      failure,
    ],
    [
      "a throw while reading the address",
      optionsOf(createScriptedScreener(), { ip: fails(failure) }),
      failure,
    ],
    ["a failed check", optionsOf(createScriptedScreener(rejects(unreachable))), unreachable],
    [
      "a failing onHold",
      optionsOf(
        createScriptedScreener(() => aCheck({ action: "hold" })),
        { onHold: rejects(failure) },
      ),
      failure,
    ],
    [
      "a failing onCancel",
      optionsOf(
        createScriptedScreener(() => aCheck({ action: "cancel" })),
        { onCancel: fails(failure) },
      ),
      failure,
    ],
    [
      "a failing onInvalid",
      optionsOf(createScriptedScreener(), {
        order: () => parseVerificationRequest({}),
        onInvalid: fails(failure),
      }),
      failure,
    ],
  ])("hands %s to the app's error handler", async (_title, options, expected) => {
    const app = await start(options);

    const response = await post(app.url, anOrder());

    expect(response.status).toBe(500);
    expect(app.errors).toEqual([expected]);
    expect(app.errors[0]).toBe(expected);
    expect(app.fulfilled).toEqual([]);
  });

  it.each([[undefined], [null], [0], [""], [{ statusCode: 200 }]])(
    "does not take a rejection with %j for permission to go on",
    async (reason) => {
      const app = await start(optionsOf(createScriptedScreener(rejects(reason))));

      const response = await post(app.url, anOrder());

      expect(response.status).toBe(500);
      expect(app.errors).toMatchObject([{ code: "INTERNAL" }]);
      expect(app.fulfilled).toEqual([]);
    },
  );

  it("does not take an error of the handler for its own", async () => {
    const app = createApp();
    const errors: unknown[] = [];
    app.setErrorHandler(async (error, _request, reply) => {
      errors.push(error);
      return reply.code(500).send();
    });
    serve(app, "/orders", { preHandler: verifyOrder(optionsOf(createScriptedScreener())) }, () => {
      throw new HoldfastError("ORDER_INVALID", "thrown by the shop", { retryable: false });
    });
    const url = await listen(app);

    expect((await post(`${url}/orders`, anOrder())).status).toBe(500);
    expect(errors).toMatchObject([{ message: "thrown by the shop" }]);
  });

  it("takes the address only from where it is told, in place of the order's own, and says that the order is placed now", async () => {
    const headers = { "x-forwarded-for": "203.0.113.9", forwarded: "for=203.0.113.9" };
    const told = createScriptedScreener();
    const untold = createScriptedScreener();
    const { ipAddress: _ip, ...order } = anOrder();
    const tellingApp = await start(optionsOf(told, { ip: (request) => request.ip }));
    const silentApp = await start(optionsOf(untold));

    await post(tellingApp.url, order, headers);
    await post(tellingApp.url, { ...order, ipAddress: "192.0.2.7" }, headers);
    await post(silentApp.url, order, headers);

    expect(told.asked.map((asked) => (asked.order as { ipAddress?: string }).ipAddress)).toEqual([
      "127.0.0.1",
      "127.0.0.1",
    ]);
    expect(told.asked.every(({ options }) => options?.placedNow)).toBe(true);
    expect(untold.asked[0]?.order).not.toHaveProperty("ipAddress");
  });

  it("does not take the end of the body for the end of the client", async () => {
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const screener = createScriptedScreener(async () => {
      await closed;
      return aCheck();
    });
    const app = createApp();
    const preHandler = verifyOrder(
      optionsOf(screener, {
        order: (request) => {
          request.raw.once("close", () => close());
          return request.body;
        },
      }),
    );
    serve(app, "/orders", { preHandler }, async (_request, reply) => reply.code(201).send());
    const url = await listen(app);

    expect((await post(`${url}/orders`, anOrder())).status).toBe(201);
    expect(screener.asked[0]?.options.signal?.aborted).toBe(false);
  });

  it.each<[name: string, end: (signal: AbortSignal) => OrderCheck]>([
    [
      "rejects",
      (signal) => {
        throw signal.reason;
      },
    ],
    ["comes out well", () => aCheck()],
  ])("runs nothing after a check that %s once the client has hung up", async (_title, end) => {
    const { promise: started, resolve: begin } = Promise.withResolvers<void>();
    const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
    const screener = createScriptedScreener(async ({ order, options: { signal } }) => {
      if ((order as { orderId: string }).orderId !== "slow" || signal === undefined) return aCheck();
      begin();
      await once(signal, "abort");
      abort();
      return end(signal);
    });
    const app = await start(optionsOf(screener));
    const request = sendRequest(app.url, { method: "POST", headers: { "content-type": "application/json" } });
    const hungUp = once(request, "error");
    request.end(JSON.stringify(anOrder({ orderId: "slow" })));
    await started;

    request.destroy();
    await Promise.all([hungUp, aborted]);

    // A whole request later, whatever the first one would have led to has happened.
    expect((await post(app.url, anOrder())).status).toBe(201);
    expect(app.fulfilled).toHaveLength(1);
    expect(app.errors).toEqual([]);
  });

  it("runs nothing for a response that was over before the check began", async () => {
    const app = createApp();
    const fulfilled: unknown[] = [];
    const hangUp = (_request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
      reply.raw.once("close", () => done());
      reply.raw.destroy();
    };
    const preHandler = verifyOrder(optionsOf(createScriptedScreener()));
    const handler = async (request: FastifyRequest): Promise<string> => {
      fulfilled.push(request.url);
      return "ok";
    };
    serve(app, "/gone", { preHandler: [hangUp, preHandler] }, handler);
    serve(app, "/orders", { preHandler }, handler);
    const url = await listen(app);

    await expect(post(`${url}/gone`, anOrder())).rejects.toThrow("fetch failed");
    expect((await post(`${url}/orders`, anOrder())).status).toBe(200);
    expect(fulfilled).toEqual(["/orders"]);
  });

  it("leaves no listener behind on the response", async () => {
    const counts: number[] = [];
    const app = createApp();
    const count = async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      counts.push(reply.raw.listenerCount("close"));
    };
    const preHandler = [count, verifyOrder(optionsOf(createScriptedScreener())), count];
    serve(app, "/orders", { preHandler }, async () => "ok");
    const url = await listen(app);

    await post(`${url}/orders`, anOrder());

    expect(counts).toHaveLength(2);
    expect(counts[1]).toBe(counts[0]);
  });
});

describe("verifyOrder", () => {
  it.each([[0], [-5], [NaN], [Infinity]])("refuses deadlineMs %j where it is mounted", (deadlineMs) => {
    expect(() => verifyOrder(optionsOf(createScriptedScreener(), { deadlineMs }))).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });

  it("types the check on the request, and fits routes with a body of their own", () => {
    expectTypeOf<FastifyRequest["orderCheck"]>().toEqualTypeOf<OrderCheck | undefined>();
    const app = createApp();
    app.route<{ Body: { readonly id: string } }>({
      method: "POST",
      url: "/typed",
      preHandler: [verifyOrder(optionsOf(createScriptedScreener()))],
      handler: async (request) => {
        expectTypeOf(request.body.id).toBeString();
        return request.orderCheck?.action;
      },
    });
    expect(app.hasRoute({ method: "POST", url: "/typed" })).toBe(true);
  });
});
