import type { VerificationOrder } from "../../../src/index.ts";
import { setImmediate } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import { verifyOrder, type VerifyOrderOptions } from "../../../adapters/fastify/index.ts";
import type { OrderCheck } from "../../../src/index.ts";
import { anOrder } from "../../support/orders.ts";
import { aCheck, createScriptedScreener } from "../../support/screener.ts";
import { post } from "../guard-host.ts";
import { closeAll, createApp, listen, optionsOf, serve, start } from "./fastify-app.ts";

afterEach(closeAll);

describe("verifyOrder on Fastify", () => {
  it("gives the same answers on a route whose response schema declares other fields", async () => {
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
  ])("lets the host continue anyway, %s", async (_title, onCancel) => {
    const app = await start(
      optionsOf(
        createScriptedScreener(() => aCheck({ action: "cancel" })),
        { onCancel },
      ),
    );

    expect((await post(app.url, anOrder())).status).toBe(201);
    expect(app.fulfilled).toHaveLength(1);
  });

  it("logs an error in the host's handler after it continued", async () => {
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

  it("doesn't mistake the end of the body for a disconnect", async () => {
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
          return request.body as VerificationOrder;
        },
      }),
    );
    serve(app, "/orders", { preHandler }, async (_request, reply) => reply.code(201).send());
    const url = await listen(app);

    expect((await post(`${url}/orders`, anOrder())).status).toBe(201);
    expect(screener.asked[0]?.options.signal?.aborted).toBe(false);
  });
});

describe("verifyOrder", () => {
  it("types the check on the request, and fits routes with their own body", () => {
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
