import type { VerificationOrder } from "../../../src/index.ts";
import "reflect-metadata";
import { EventEmitter } from "node:events";
import { Injectable, Module, UseGuards, type ExecutionContext } from "@nestjs/common";
// What @nestjs/graphql itself calls resolvers with.
import { ExternalContextCreator, NestFactory } from "@nestjs/core";
import { ROUTE_ARGS_METADATA } from "@nestjs/common/constants.js";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  CheckedOrder,
  verifyOrder,
  type NestRequest,
  type VerifyOrderOptions,
} from "../../../adapters/nestjs/index.ts";
import type { OrderCheck } from "../../../src/index.ts";
import { anOrder } from "../../support/orders.ts";
import { aCheck, createScriptedScreener } from "../../support/screener.ts";

type Resolve = (args: object, context: object | undefined) => Promise<unknown>;

/** A guarded field of an app's GraphQL schema, or a handler of another `type` of context. */
async function createResolver(
  options: Partial<VerifyOrderOptions<NestRequest>> = {},
  type = "graphql",
): Promise<Resolve> {
  class OrdersResolver {
    place(check: OrderCheck | undefined): object {
      return { placed: check?.fingerprint };
    }
  }
  const place = Object.getOwnPropertyDescriptor(OrdersResolver.prototype, "place") as PropertyDescriptor;
  Injectable()(OrdersResolver);
  CheckedOrder()(OrdersResolver.prototype, "place", 0);
  const order = (_request: NestRequest, context: ExecutionContext) =>
    context.getArgByIndex<{ order: VerificationOrder }>(1).order;
  UseGuards(verifyOrder({ screener: createScriptedScreener(), order, ...options }))(
    OrdersResolver.prototype,
    "place",
    place,
  );
  // oxlint-disable-next-line typescript/no-extraneous-class -- Nest takes a module as a class
  class AppModule {}
  Module({ providers: [OrdersResolver] })(AppModule);
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  onTestFinished(async () => await app.close());
  const resolver = app.get(OrdersResolver);
  const handler = app
    .get(ExternalContextCreator)
    .create(
      resolver,
      place.value as (...given: unknown[]) => unknown,
      "place",
      ROUTE_ARGS_METADATA,
      { exchangeKeyForValue: () => undefined },
      undefined,
      undefined,
      { guards: true, interceptors: true, filters: false },
      type,
    );
  return async (args, context) => await handler(undefined, args, context, {});
}

/** An Express response, as far as the guard uses it. It refuses headers: a GraphQL response has its own. */
function createResponse(): EventEmitter {
  return Object.assign(new EventEmitter(), { closed: false, headersSent: false, writableEnded: false });
}

describe("verifyOrder on a GraphQL resolver of NestJS", () => {
  it.each([
    ["Apollo on Express or Fastify", () => ({ req: {}, res: createResponse() })],
    ["Express without its response", () => ({ req: { res: createResponse() } })],
    ["Mercurius", () => ({ reply: Object.assign(createResponse(), { request: {} }) })],
  ])("checks the field's order, and gives the resolver its check: %s", async (_title, createContext) => {
    const screener = createScriptedScreener(() => aCheck({ fingerprint: "checked" }));
    const resolve = await createResolver({ screener });

    expect(await resolve({ order: anOrder() }, createContext())).toEqual({ placed: "checked" });
    expect(screener.asked).toMatchObject([{ order: anOrder() }]);
  });

  it("keeps the checks of one request's fields apart", async () => {
    const screener = createScriptedScreener(({ order }) =>
      aCheck({ fingerprint: (order as { orderId: string }).orderId }),
    );
    const resolve = await createResolver({ screener });
    const context = { req: {}, res: createResponse() };

    const placed = await Promise.all(
      ["1", "2"].map(async (orderId) => await resolve({ order: anOrder({ orderId }) }, context)),
    );

    expect(placed).toEqual([{ placed: "1" }, { placed: "2" }]);
  });

  it("refuses an order with an exception that GraphQL reports, and sets no header", async () => {
    const resolve = await createResolver({
      screener: createScriptedScreener(() => aCheck({ action: "cancel" })),
    });

    await expect(resolve({ order: anOrder() }, { req: {}, res: createResponse() })).rejects.toMatchObject({
      status: 403,
      response: { detail: "This order cannot be accepted." },
    });
  });

  it("passes on the promise that a serverless function must wait for, with the request", async () => {
    const late = Promise.resolve();
    const scripted = createScriptedScreener(({ options }) => {
      options.onAbandoned?.(late);
      return aCheck();
    });
    const kept: unknown[] = [];
    const resolve = await createResolver({
      screener: { ...scripted, on: () => () => {} },
      waitUntil: (promise, request) => void kept.push([promise, request]),
    });
    const req = { body: "the request" };

    await resolve({ order: anOrder() }, { req, res: createResponse() });

    expect(kept).toEqual([[late, req]]);
  });

  it("runs no resolver once the client has its answer", async () => {
    const response = createResponse();
    const screener = createScriptedScreener(() => {
      Object.assign(response, { writableEnded: true });
      return aCheck();
    });
    const resolve = await createResolver({ screener });

    await expect(resolve({ order: anOrder() }, { req: {}, res: response })).rejects.toMatchObject({
      status: 403,
    });
  });

  it.each([[undefined], [{}], [{ req: {} }]])("says what the GraphQL context %j lacks", async (context) => {
    const resolve = await createResolver();

    await expect(resolve({ order: anOrder() }, context)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("({ req, res }) => ({ req, res })") as unknown,
    });
  });
});

describe("verifyOrder on another kind of handler of NestJS", () => {
  it.each(["rpc", "ws"])("refuses a context of type %s by name", async (type) => {
    const screener = createScriptedScreener();
    const resolve = await createResolver({ screener }, type);

    await expect(resolve({ order: anOrder() }, {})).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(`"${type}"`) as unknown,
    });
    expect(screener.asked).toEqual([]);
  });
});
