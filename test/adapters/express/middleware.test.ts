import { once } from "node:events";
import { request as sendRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import express5, { type NextFunction, type Request, type Response } from "express";
import express4 from "express4";
import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import { verifyOrder, type VerifyOrderOptions } from "../../../adapters/express/index.ts";
import { HoldfastError, parseVerificationRequest, type OrderCheck } from "../../../src/index.ts";
import { anOrder } from "../../support/orders.ts";
import { aCheck, createScriptedScreener, type ScriptedScreener } from "../../support/screener.ts";

const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map(async (server) => server[Symbol.asyncDispose]()));
});

/** What reached the handlers of an app. */
interface Seen {
  /** Checks seen by the handler after the middleware. */
  readonly fulfilled: (OrderCheck | undefined)[];
  /** Errors that reached the app's error handler. */
  readonly errors: unknown[];
}

interface RunningApp extends Seen {
  readonly url: string;
}

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What a shop does with an order, as a real app on a real port. */
async function start(express: typeof express5, options: VerifyOrderOptions): Promise<RunningApp> {
  const seen: Seen = { fulfilled: [], errors: [] };
  const app = express();
  app.post("/orders", express.json(), verifyOrder(options), (req: Request, res: Response) => {
    seen.fulfilled.push(req.orderCheck);
    res.status(201).json({ action: req.orderCheck?.action });
  });
  // Express recognises an error handler by its four parameters.
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    seen.errors.push(error);
    res.status(500).json({ failed: true });
  });
  return { ...seen, url: `${await listen(app.listen(0, "127.0.0.1"))}/orders` };
}

async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<globalThis.Response> {
  return await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

function optionsOf(
  screener: ScriptedScreener,
  changes: Partial<VerifyOrderOptions> = {},
): VerifyOrderOptions {
  return { screener, order: (req): unknown => req.body, ...changes };
}

describe.each([
  ["Express 4", express4],
  ["Express 5", express5],
])("verifyOrder on %s", (_name, express) => {
  it("asks about the order that was read and leaves the check in the request", async () => {
    const check = aCheck({ tags: ["a"] });
    const screener = createScriptedScreener(() => check);
    const app = await start(express, optionsOf(screener, { deadlineMs: 2_500 }));

    const response = await post(app.url, anOrder());

    expect(response.status).toBe(201);
    expect(app.fulfilled).toEqual([check]);
    expect(screener.asked).toMatchObject([{ order: anOrder(), options: { deadlineMs: 2_500 } }]);
    expect(screener.asked[0]?.options.signal?.aborted).toBe(false);
  });

  it.each(["allow", "tag", "hold"] as const)("goes on after %s", async (action) => {
    const app = await start(express, optionsOf(createScriptedScreener(() => aCheck({ action }))));

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
    const app = await start(express, optionsOf(createScriptedScreener(() => check)));

    const response = await post(app.url, anOrder());

    expect(response.status).toBe(403);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
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
    const app = await start(express, optionsOf(screener));

    const response = await post(app.url, { ...anOrder(), customerEmail: "nobody", orderAmount: 0 });

    expect(response.status).toBe(422);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
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
      express,
      optionsOf(screener, { order: (req) => parseVerificationRequest(req.body) }),
    );

    const response = await post(app.url, {});

    expect(response.status).toBe(422);
    expect(screener.asked).toEqual([]);
  });

  it("hands an invalid order to onInvalid instead", async () => {
    const app = await start(
      express,
      optionsOf(createScriptedScreener(), {
        order: (req) => parseVerificationRequest(req.body),
        onInvalid: (_req, res, error) => void res.status(400).json({ count: error.fields.length }),
      }),
    );

    const response = await post(app.url, { ...anOrder(), currency: "euro" });

    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ count: 1 });
  });

  it.each<[name: string, action: "hold" | "cancel", handler: "onHold" | "onCancel"]>([
    ["a held order", "hold", "onHold"],
    ["a cancelled order", "cancel", "onCancel"],
  ])("lets %s be answered by the host", async (_title, action, handler) => {
    const check = aCheck({ action });
    const app = await start(
      express,
      optionsOf(
        createScriptedScreener(() => check),
        {
          [handler]: async (req: Request, res: Response, given: OrderCheck) => {
            await Promise.resolve();
            res.status(202).json({ same: req.orderCheck === given, action: given.action });
          },
        },
      ),
    );

    const response = await post(app.url, anOrder());

    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ same: true, action });
    expect(app.fulfilled).toEqual([]);
  });

  it("lets the host go on after all", async () => {
    const app = await start(
      express,
      optionsOf(
        createScriptedScreener(() => aCheck({ action: "cancel" })),
        {
          onCancel: (_req, _res, _check, next) => next(),
        },
      ),
    );

    expect((await post(app.url, anOrder())).status).toBe(201);
    expect(app.fulfilled).toHaveLength(1);
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
    const app = await start(express, options);

    const response = await post(app.url, anOrder());

    expect(response.status).toBe(500);
    expect(app.errors).toEqual([expected]);
    expect(app.errors[0]).toBe(expected);
    expect(app.fulfilled).toEqual([]);
  });

  it.each([["route"], ["router"], [undefined], [null], [0]])(
    "does not take a rejection with %j for permission to go on",
    async (reason) => {
      const app = await start(express, optionsOf(createScriptedScreener(rejects(reason))));

      const response = await post(app.url, anOrder());

      expect(response.status).toBe(500);
      expect(app.errors).toMatchObject([{ code: "INTERNAL" }]);
      expect(app.fulfilled).toEqual([]);
    },
  );

  it("does not take an error of the next handler for its own", async () => {
    const screener = createScriptedScreener();
    const errors: unknown[] = [];
    const app = express();
    app.post("/orders", express.json(), verifyOrder(optionsOf(screener)), () => {
      throw new HoldfastError("ORDER_INVALID", "thrown by the shop", { retryable: false });
    });
    app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
      errors.push(error);
      res.sendStatus(500);
    });
    const url = await listen(app.listen(0, "127.0.0.1"));

    const response = await post(`${url}/orders`, anOrder());

    expect(response.status).toBe(500);
    expect(errors).toMatchObject([{ message: "thrown by the shop" }]);
  });

  it("takes the address only from where it is told, in place of the order's own, and says that the order is placed now", async () => {
    const headers = { "x-forwarded-for": "203.0.113.9", forwarded: "for=203.0.113.9" };
    const told = createScriptedScreener();
    const untold = createScriptedScreener();
    const { ipAddress: _ip, ...order } = anOrder();
    const tellingApp = await start(express, optionsOf(told, { ip: (req) => req.socket.remoteAddress }));
    const silentApp = await start(express, optionsOf(untold));

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
    const app = await start(express, optionsOf(screener));
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
    const fulfilled: unknown[] = [];
    const app = express();
    app.post("/gone", (_req: Request, res: Response, next: NextFunction) => {
      res.once("close", () => next());
      res.destroy();
    });
    app.use(
      express.json(),
      verifyOrder(optionsOf(createScriptedScreener())),
      (req: Request, res: Response) => {
        fulfilled.push(req.path);
        res.sendStatus(204);
      },
    );
    const url = await listen(app.listen(0, "127.0.0.1"));

    await expect(post(`${url}/gone`, anOrder())).rejects.toThrow("fetch failed");
    expect((await post(`${url}/orders`, anOrder())).status).toBe(204);
    expect(fulfilled).toEqual(["/orders"]);
  });

  it("leaves no listener behind on the response", async () => {
    const counts: number[] = [];
    const app = express();
    app.use((_req: Request, res: Response, next: NextFunction) => {
      counts.push(res.listenerCount("close"));
      next();
    });
    app.post(
      "/orders",
      express.json(),
      verifyOrder(optionsOf(createScriptedScreener())),
      (_req, res: Response) => {
        counts.push(res.listenerCount("close"));
        res.sendStatus(204);
      },
    );
    const url = await listen(app.listen(0, "127.0.0.1"));

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

  it("types the check on the request", () => {
    expectTypeOf<Request["orderCheck"]>().toEqualTypeOf<OrderCheck | undefined>();
  });
});
