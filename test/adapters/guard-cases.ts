import { once } from "node:events";
import { request as sendRequest } from "node:http";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { parseVerificationRequest } from "../../src/adapter-kit.ts";
import { createScreener, HoldfastError, type OrderCheck } from "../../src/index.ts";
import { anOrder } from "../support/orders.ts";
import { aCheck, createScriptedScreener, type ScriptedScreener } from "../support/screener.ts";
import { post, type Answer, type GuardHost, type GuardOptions, type RunningApp } from "./guard-host.ts";

const answering = (check: Partial<OrderCheck>): ScriptedScreener =>
  createScriptedScreener(() => aCheck(check));
const fails = (reason: unknown) => (): never => {
  throw reason;
};
const rejects = (reason: unknown) => async (): Promise<never> => {
  await setImmediate();
  throw reason;
};

const failure = new Error("failed");
const unreachable = new HoldfastError("STORE_UNAVAILABLE", "the store cannot be reached", {
  retryable: true,
});
const invalid = (): unknown => parseVerificationRequest({});

/** Ways to fail before the next handler runs, with the error that the app's error handler gets. */
const FAILURES: readonly (readonly [name: string, options: GuardOptions, expected: Error])[] = [
  ["a throw while reading the order", { screener: answering({}), order: fails(failure) }, failure],
  ["a rejection while reading the order", { screener: answering({}), order: rejects(failure) }, failure],
  ["a throw while reading the address", { screener: answering({}), ip: fails(failure) }, failure],
  ["a failed check", { screener: createScriptedScreener(rejects(unreachable)) }, unreachable],
  ["a throwing onHold", { screener: answering({ action: "hold" }), onHold: fails(failure) }, failure],
  ["a rejecting onHold", { screener: answering({ action: "hold" }), onHold: rejects(failure) }, failure],
  ["a throwing onCancel", { screener: answering({ action: "cancel" }), onCancel: fails(failure) }, failure],
  [
    "a rejecting onCancel",
    { screener: answering({ action: "cancel" }), onCancel: rejects(failure) },
    failure,
  ],
  ["a throwing onInvalid", { screener: answering({}), order: invalid, onInvalid: fails(failure) }, failure],
  [
    "a rejecting onInvalid",
    { screener: answering({}), order: invalid, onInvalid: rejects(failure) },
    failure,
  ],
];

/** The cases of every host. */
export function describeGuard(host: GuardHost): void {
  it("checks the order that was read and keeps the check for the handler", async () => {
    const check = aCheck({ tags: ["a"] });
    const screener = createScriptedScreener(() => check);
    const app = await host.start({ screener, deadlineMs: 2_500 });

    const response = await post(app.url, anOrder());

    expect(response.status).toBe(201);
    expect(app.fulfilled).toEqual([check]);
    expect(screener.asked).toMatchObject([{ order: anOrder(), options: { deadlineMs: 2_500 } }]);
    expect(screener.asked[0]?.options.signal).toBeInstanceOf(AbortSignal);
  });

  it.each(["allow", "tag", "hold"] as const)("continues after %s", async (action) => {
    const app = await host.start({ screener: answering({ action }) });

    const response = await post(app.url, anOrder());

    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ action });
    expect(app.fulfilled).toMatchObject([{ action }]);
  });

  describeAnswers(host);
  describeHostAnswers(host);
  describeErrors(host);

  it("uses only the configured address, not the order's own, and says that the order is placed now", async () => {
    const headers = { "x-forwarded-for": "203.0.113.9", forwarded: "for=203.0.113.9" };
    const told = createScriptedScreener();
    const untold = createScriptedScreener();
    const { ipAddress: _ip, ...order } = anOrder();
    const tellingApp = await host.start({ screener: told, ip: (address) => address });
    const silentApp = await host.start({ screener: untold });

    await post(tellingApp.url, order, headers);
    await post(tellingApp.url, { ...order, ipAddress: "192.0.2.7" }, headers);
    await post(silentApp.url, order, headers);

    expect(told.asked.map((asked) => (asked.order as { ipAddress?: string }).ipAddress)).toEqual([
      "127.0.0.1",
      "127.0.0.1",
    ]);
    expect(told.asked.every(({ options }) => options.placedNow)).toBe(true);
    expect(untold.asked[0]?.order).not.toHaveProperty("ipAddress");
  });

  it.each<unknown>([["203.0.113.9", "10.0.0.1"], "203.0.113.9, 10.0.0.1", "unknown"])(
    "checks an order without the address %j, which isn't one, and warns about it",
    async (address) => {
      const screener = createScreener({ service: "local" });
      const app = await host.start({ screener, ip: () => address as string });

      const response = await post(app.url, { ...anOrder(), ipAddress: "198.51.100.4" });

      expect(response.status).toBe(201);
      expect(app.fulfilled).toMatchObject([{ warnings: [{ code: "UNREADABLE_IP", path: "ipAddress" }] }]);
      await screener.close();
    },
  );

  it("checks an order whose details can't be used, and warns about them", async () => {
    const screener = createScreener({ service: "local" });
    const app = await host.start({ screener });
    const items = [{ name: null, quantity: 1.5, price: 39.9 }];

    const response = await post(app.url, { ...anOrder(), items, customerEmail: "nobody" });

    expect(response.status).toBe(201);
    expect(app.fulfilled[0]?.warnings.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["customerEmail", "items[0].quantity"]),
    );
    await screener.close();
  });

  it("runs no handler when the client disconnects and the check rejects", async () => {
    const app = await startAndHangUp(host, (signal) => {
      throw signal.reason;
    });

    expect(app.fulfilled).toHaveLength(1);
    expect(app.errors).toEqual([]);
  });

  it("runs no handler when the client disconnects and the check still succeeds", async () => {
    const app = await startAndHangUp(host, () => aCheck());

    expect(app.fulfilled).toHaveLength(1);
    expect(app.errors).toEqual([]);
  });

  it.each([
    ["during a check that accepts", {}, "check"],
    ["during a check that fails", { screener: createScriptedScreener(fails(unreachable)) }, "check"],
    ["during a check that refuses", { screener: answering({ action: "cancel" }) }, "check"],
    [
      "while the host handles a hold",
      { screener: answering({ action: "hold" }), onHold: () => "go on" as const },
      "onHold",
    ],
    [
      "while the host handles a cancel",
      { screener: answering({ action: "cancel" }), onCancel: () => "go on" as const },
      "onCancel",
    ],
  ] satisfies [string, Partial<GuardOptions>, Pause][])(
    "runs no handler when another layer of the app answers %s",
    async (_title, options, pause) => {
      const app = await startAndTimeOut(host, options, pause);

      expect(app.fulfilled).toHaveLength(1);
      expect(app.errors).toEqual([]);
    },
  );

  it.each([[0], [-5], [NaN], [Infinity]])("refuses deadlineMs %j when it is mounted", (deadlineMs) => {
    expect(() => host.mount({ screener: answering({}), deadlineMs })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });
}

function describeAnswers(host: GuardHost): void {
  it("answers a cancel with 403 and does not say why", async () => {
    const screener = answering({
      action: "cancel",
      riskLevel: "critical",
      reasons: ["rule:stolen-cards"],
      tags: ["fraud"],
    });
    const app = await host.start({ screener });

    const response = await post(app.url, anOrder());

    expect(response.status).toBe(403);
    expect(response.headers.get("content-type")).toMatch(
      host.addsCharset === true ? /^application\/problem\+json\b/ : /^application\/problem\+json$/,
    );
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
    const app = await host.start({ screener });

    const response = await post(app.url, { ...anOrder(), customerEmail: "nobody", orderAmount: 0 });

    expect(response.status).toBe(422);
    expect(response.headers.get("content-type")).toMatch(
      host.addsCharset === true ? /^application\/problem\+json\b/ : /^application\/problem\+json$/,
    );
    expect(await response.json()).toEqual({
      type: "about:blank",
      title: "Unprocessable Content",
      status: 422,
      detail: "This order cannot be checked as it is.",
      code: "ORDER_INVALID",
      errors: [
        { path: "orderAmount", message: "expected a positive amount, such as 19.99" },
        { path: "customerEmail", message: "expected an email address" },
      ],
    });
    expect(app).toMatchObject({ fulfilled: [], errors: [] });
  });

  it("answers 422 when reading the order finds it invalid", async () => {
    const screener = createScriptedScreener();
    const app = await host.start({ screener, order: parseVerificationRequest });

    const response = await post(app.url, {});

    expect(response.status).toBe(422);
    expect(screener.asked).toEqual([]);
  });
}

function describeHostAnswers(host: GuardHost): void {
  it("passes an invalid order to onInvalid", async () => {
    const app = await host.start({
      screener: answering({}),
      order: parseVerificationRequest,
      onInvalid: (count) => ({ status: 400, body: { count } }),
    });

    const response = await post(app.url, { ...anOrder(), currency: "euro" });

    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ count: 1 });
    expect(app).toMatchObject({ fulfilled: [], errors: [] });
  });

  it.each([
    ["hold", "onHold"],
    ["cancel", "onCancel"],
  ] as const)("lets the host answer a %s", async (action, handler) => {
    const app = await host.start({
      screener: answering({ action }),
      [handler]: async ({ check, kept }: { check: OrderCheck; kept: OrderCheck | undefined }) => {
        await setImmediate();
        return { status: 202, body: { same: kept === check, action: check.action } };
      },
    });

    const response = await post(app.url, anOrder());

    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ same: true, action });
    expect(app).toMatchObject({ fulfilled: [], errors: [] });
  });

  it.each([
    ["hold", "onHold"],
    ["cancel", "onCancel"],
  ] as const)("lets the host continue after a %s", async (action, handler) => {
    const app = await host.start({ screener: answering({ action }), [handler]: () => "go on" as const });

    expect((await post(app.url, anOrder())).status).toBe(201);
    expect(app.fulfilled).toMatchObject([{ action }]);
  });
}

function describeErrors(host: GuardHost): void {
  it.each(FAILURES)("passes %s to the app's error handler", async (_title, options, expected) => {
    const app = await host.start(options);

    const response = await post(app.url, anOrder());

    expect(response.status).toBe(500);
    expect(app.errors).toHaveLength(1);
    expect(app.errors[0]).toBe(expected);
    expect(app.fulfilled).toEqual([]);
  });

  it("leaves an error of the next handler to the app", async () => {
    const thrown = new HoldfastError("ORDER_INVALID", "thrown by the shop", { retryable: false });
    const app = await host.start({ screener: answering({}), fulfil: fails(thrown) });

    const response = await post(app.url, anOrder());

    expect(response.status).toBe(500);
    expect(app.errors).toHaveLength(1);
    expect(app.errors[0]).toBe(thrown);
  });
}

/** The cases of hosts that take callbacks and have a Node response to watch. */
export function describeNodeGuard(host: GuardHost): void {
  it.each([["route"], ["router"], [undefined], [null], [0], [""], [{ statusCode: 200 }]])(
    "doesn't continue after a rejection with %j",
    async (reason) => {
      const app = await host.start({ screener: createScriptedScreener(rejects(reason)) });

      const response = await post(app.url, anOrder());

      expect(response.status).toBe(500);
      expect(app.errors).toMatchObject([{ code: "INTERNAL" }]);
      expect(app.fulfilled).toEqual([]);
    },
  );

  it("gives the check a signal that isn't aborted while the client is connected", async () => {
    const screener = createScriptedScreener();
    const app = await host.start({ screener });

    await post(app.url, anOrder());

    expect(screener.asked[0]?.options.signal?.aborted).toBe(false);
  });

  it("runs no handler for a response that ended before the check began", async () => {
    let requests = 0;
    const screener = createScriptedScreener();
    const app = await host.start(
      { screener },
      {
        before(response, next) {
          requests += 1;
          if (requests > 1) return next();
          response.once("close", () => next());
          return void response.destroy();
        },
      },
    );

    await expect(post(app.url, anOrder())).rejects.toThrow("fetch failed");
    expect((await post(app.url, anOrder())).status).toBe(201);
    expect(app.fulfilled).toHaveLength(1);
  });

  it("leaves no listener on the response", async () => {
    const counts: number[] = [];
    const app = await host.start(
      { screener: answering({}) },
      {
        before(response, next) {
          counts.push(response.listenerCount("close"));
          next();
        },
        after: (response) => void counts.push(response.listenerCount("close")),
      },
    );

    await post(app.url, anOrder());

    expect(counts).toHaveLength(2);
    expect(counts[1]).toBe(counts[0]);
  });
}

/** Start an app, hang up on its check of one order, let that check `end`, and place a second order. */
async function startAndHangUp(
  host: GuardHost,
  end: (signal: AbortSignal) => OrderCheck,
): Promise<RunningApp> {
  const { promise: started, resolve: begin } = Promise.withResolvers<void>();
  const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
  const screener = createScriptedScreener(async ({ order, options: { signal } }) => {
    if ((order as { orderId: string }).orderId !== "slow" || signal === undefined) return aCheck();
    begin();
    await once(signal, "abort");
    abort();
    return end(signal);
  });
  const app = await host.start({ screener });
  const request = sendRequest(app.url, { method: "POST", headers: { "content-type": "application/json" } });
  const hungUp = once(request, "error");
  request.end(JSON.stringify(anOrder({ orderId: "slow" })));
  await started;

  request.destroy();
  await Promise.all([hungUp, aborted]);

  // A whole request later, any effect of the first one has happened.
  expect((await post(app.url, anOrder())).status).toBe(201);
  return app;
}

/** Where a guarded order waits until its client has the answer of another layer. */
type Pause = "check" | "onHold" | "onCancel";

/** Start an app with a timeout that answers the first order in the middle of the guard's work, and place a second order. */
async function startAndTimeOut(
  host: GuardHost,
  { screener = createScriptedScreener(), ...options }: Partial<GuardOptions>,
  pause: Pause,
): Promise<RunningApp> {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const waitAt = async (name: Pause): Promise<void> => {
    if (name !== pause) return;
    begin();
    await answered;
  };
  const waiting = (name: "onHold" | "onCancel"): Partial<GuardOptions> => {
    const { [name]: handler } = options;
    if (handler === undefined) return {};
    const handle: Answer = async (given) => {
      await waitAt(name);
      return await handler(given);
    };
    return { [name]: handle };
  };
  const [first, second] = [screener, createScriptedScreener()];
  let [checks, requests] = [0, 0];
  const check: ScriptedScreener["check"] = async (order, given) => {
    checks += 1;
    if (checks > 1) return await second.check(order, given);
    await waitAt("check");
    return await first.check(order, given);
  };
  const app = await host.start(
    { ...options, ...waiting("onHold"), ...waiting("onCancel"), screener: { check } },
    undefined,
    async () => {
      requests += 1;
      await (requests === 1 ? begun : new Promise(() => undefined));
    },
  );

  expect((await post(app.url, anOrder())).status).toBe(504);
  answer();

  // A whole request later, any effect of the first one has happened.
  expect((await post(app.url, anOrder())).status).toBe(201);
  return app;
}
