import { once } from "node:events";
import { connect } from "node:http2";
import fastify from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { verifyOrder } from "../../../adapters/fastify/index.ts";
import { createScreener, HoldfastError, type OrderCheck } from "../../../src/index.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../../src/testing.ts";
import { anOrder } from "../../support/orders.ts";
import { aCheck, createScriptedScreener } from "../../support/screener.ts";
import { post } from "../guard-host.ts";
import {
  closeAll,
  closeLater,
  createApp,
  listen,
  optionsOf,
  serve,
  start,
  type StartedApp,
} from "./fastify-app.ts";

afterEach(closeAll);

describe("verifyOrder in a plugin", () => {
  it("guards the routes of the plugin it is added to, and no others", async () => {
    const screener = createScriptedScreener(() => aCheck({ action: "cancel" }));
    const app = createApp();
    app.register(async (shop) => {
      shop.addHook("preHandler", verifyOrder(optionsOf(screener)));
      serve(shop, "/orders", {}, async () => "placed");
    });
    serve(app, "/feedback", {}, async (request) => ({ checked: request.orderCheck !== undefined }));
    const url = await listen(app);

    expect((await post(`${url}/orders`, anOrder())).status).toBe(403);
    expect(await (await post(`${url}/feedback`, {})).json()).toEqual({ checked: false });
    expect(screener.asked).toHaveLength(1);
  });

  it("reaches the error handler of its own context", async () => {
    const app = createApp();
    const failing = createScriptedScreener(() => {
      throw new HoldfastError("STORE_UNAVAILABLE", "the store cannot be reached", { retryable: true });
    });
    app.setErrorHandler(async (_error, _request, reply) => reply.code(500).send({ by: "app" }));
    app.register(async (shop) => {
      shop.setErrorHandler(async (_error, _request, reply) => reply.code(503).send({ by: "shop" }));
      serve(shop, "/orders", { preHandler: verifyOrder(optionsOf(failing)) }, async () => "placed");
    });
    const url = await listen(app);

    const response = await post(`${url}/orders`, anOrder());

    expect([response.status, await response.json()]).toEqual([503, { by: "shop" }]);
  });

  it("works on requests that a host has decorated before", async () => {
    const check = aCheck();
    const app = createApp();
    app.decorateRequest("orderCheck", undefined);
    serve(
      app,
      "/orders",
      { preHandler: verifyOrder(optionsOf(createScriptedScreener(() => check))) },
      async (request) => request.orderCheck,
    );

    const response = await app.inject({ method: "POST", url: "/orders", payload: anOrder() });

    expect([response.statusCode, response.json<OrderCheck>()]).toEqual([200, check]);
  });
});

describe("verifyOrder over HTTP/2", () => {
  it.each([
    ["allow", 200],
    ["cancel", 403],
  ] as const)("answers %s with %d", async (action, status) => {
    const app = fastify({ http2: true });
    closeLater(app);
    const preHandler = verifyOrder(optionsOf(createScriptedScreener(() => aCheck({ action }))));
    app.route({ method: "POST", url: "/orders", preHandler, handler: async () => "placed" });
    const session = connect(await app.listen({ port: 0, host: "127.0.0.1" }));
    closeLater({ close: async () => session.close() });

    const stream = session.request({
      ":method": "POST",
      ":path": "/orders",
      "content-type": "application/json",
    });
    stream.end(JSON.stringify(anOrder()));
    const [headers] = (await once(stream, "response")) as [Record<string, unknown>];
    await stream.resume().toArray();

    expect(headers[":status"]).toBe(status);
  });
});

describe("verifyOrder with a real screener", () => {
  async function startReal(): Promise<StartedApp & { readonly calls: () => number }> {
    const service = createSandboxService();
    closeLater(service);
    const url = await service.listen();
    const screener = createScreener({ service: { url, apiKey: SANDBOX_API_KEY } });
    closeLater(screener);
    return { ...(await start(optionsOf(screener))), calls: () => service.calls.length };
  }

  it("pays once for an order that is sent three times and refuses a critical one", async () => {
    const app = await startReal();
    const good = anOrder({ customerEmail: "low@risk.example" });

    const statuses = [];
    for (const order of [good, good, good]) statuses.push((await post(app.url, order)).status);

    expect(statuses).toEqual([201, 201, 201]);
    expect(app.fulfilled.map((check) => check?.status)).toEqual(["verified", "cached", "cached"]);
    expect(app.calls()).toBe(1);
    expect((await post(app.url, anOrder({ customerEmail: "critical@risk.example" }))).status).toBe(403);
    expect(app.fulfilled).toHaveLength(3);
  });

  it.each<[name: string, body: string, type: string, status: number]>([
    ["an empty object", "{}", "application/json", 422],
    ["null", "null", "application/json", 422],
    ["a list", "[1,2]", "application/json", 422],
    ["a number", "7", "application/json", 422],
    ["text", "an order", "text/plain", 422],
    ["half a document", '{"orderId":', "application/json", 400],
    ["nothing", "", "application/json", 400],
    ["a form", "orderAmount=1", "application/x-www-form-urlencoded", 415],
    ["a poisoned prototype", '{"__proto__":{"orderAmount":1}}', "application/json", 400],
    ["very deep lists", "[".repeat(100_000) + "]".repeat(100_000), "application/json", 422],
    ["too much", `{"a":"${"x".repeat(1_100_000)}"}`, "application/json", 413],
  ])("sends %s to no client", async (_name, body, type, status) => {
    const app = await startReal();
    // The framework's own refusals of bodies that it couldn't read come before any hook.
    app.app.log.level = "silent";

    const response = await fetch(app.url, { method: "POST", headers: { "content-type": type }, body });

    expect(response.status === 500 ? toStatus(app.errors[0]) : response.status).toBe(status);
    expect(app.fulfilled).toEqual([]);
    expect(app.calls()).toBe(0);
  });
});

/** The status of Fastify's own errors; this test's error handler answers 500 to all. */
function toStatus(error: unknown): number | undefined {
  return (error as { statusCode?: number } | undefined)?.statusCode;
}
