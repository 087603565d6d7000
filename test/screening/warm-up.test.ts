import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Agent } from "undici";
import { createScreener } from "../../src/index.ts";
import type { ScreenerOptions } from "../../src/screening/screener-options.ts";
import { createWarmUp } from "../../src/screening/warm-up.ts";
import { anOrder, aResult } from "../support/orders.ts";
import { sendJson, startServer } from "../service/loopback.ts";
import { createLogRecorder } from "../support/log-recorder.ts";

const FREE = "/api/organizations/get";
const ORGANIZATIONS = [{ id: "1", slug: "acme", name: "Acme", role: "owner" }];

async function startService(refused?: number) {
  const service = await startServer((response, { url }) => {
    if (refused !== undefined) return sendJson(response, refused, { success: false, message: "No" });
    const data = url === FREE ? { organizations: ORGANIZATIONS } : aResult();
    return sendJson(response, 200, { success: true, data });
  });
  return { ...service, readPaths: () => service.seen.map(({ url }) => url) };
}

function open(options: ScreenerOptions) {
  const screener = createScreener(options);
  onTestFinished(() => screener.close());
  return screener;
}

describe("ready", () => {
  it("makes the free call, which the first check then needn't make", async () => {
    const { url, readPaths } = await startService();
    const screener = open({ service: { url, apiKey: "key" } });

    await screener.ready();
    expect(readPaths()).toEqual([FREE]);

    expect(await screener.check(anOrder())).toMatchObject({ status: "verified", creditsSpent: 1 });
    expect(readPaths()).toEqual([FREE, "/api/acme/order-verification"]);
  });

  it("says that the key doesn't work, also if the organization is set", async () => {
    const { url } = await startService(401);
    for (const organization of [undefined, "acme"]) {
      const screener = open({ service: { url, apiKey: "key", organization } });
      await expect(screener.ready()).rejects.toMatchObject({
        code: "VERIFICATION_UNAUTHORIZED",
        metered: "no",
      });
    }
  });

  it("says that the key doesn't reach the organization", async () => {
    const { url } = await startService();
    await open({ service: { url, apiKey: "key", organization: "acme" } }).ready();

    const screener = open({ service: { url, apiKey: "key", organization: "acmee" } });
    await expect(screener.ready()).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("rejects once the screener is closed", async () => {
    const { url } = await startService();
    const screener = open({ service: { url, apiKey: "key", organization: "acme" } });
    await screener.close();

    await expect(screener.ready()).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
  });

  it("only logs an outage, since a shop can start without the service", async () => {
    const { url } = await startService(503);
    const log = createLogRecorder();
    const screener = open({ service: { url, apiKey: "key" }, logger: log.logger });

    await screener.ready();

    const warnings = log.lines.filter(({ level }) => level === "warn").map(({ message }) => message);
    expect(warnings).toEqual(["the verification service can't be reached yet"]);
  });

  it("needs no service", async () => {
    await open({ service: "local" }).ready();
  });
});

describe("a new screener", () => {
  it("finds the organization before the first check", async () => {
    const { url, readPaths } = await startService();
    open({ service: { url, apiKey: "key" } });

    await expect.poll(readPaths).toEqual([FREE]);
  });

  it("sends nothing ahead through a transport of the shop's own", async () => {
    const { url, readPaths } = await startService();
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.close());
    const screener = open({ service: { url, apiKey: "key", dispatcher } });

    await screener.check(anOrder());

    expect(readPaths()).toEqual([FREE, "/api/acme/order-verification"]);
  });
});

describe("close", () => {
  it("doesn't wait for a free call that nobody asked for", async () => {
    const asked = Promise.withResolvers<void>();
    const { url } = await startServer(() => asked.resolve());
    const screener = createScreener({ service: { url, apiKey: "key", timeoutMs: 600_000 } });
    await asked.promise;

    await screener.close();
  });
});

describe("createWarmUp", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function create() {
    const done: string[] = [];
    const note = (what: string) => async () => void done.push(what);
    return { done, warmUp: createWarmUp(note("prepare"), note("load")) };
  }

  it("prepares once, as soon as nothing else runs", async () => {
    const { done, warmUp } = create();
    expect(done).toEqual([]);
    await vi.runAllTimersAsync();
    await warmUp.during(async () => undefined);
    await vi.runAllTimersAsync();
    expect(done).toEqual(["prepare"]);
  });

  it("lets a check's request go first, and loads while it waits for the answer", async () => {
    const { done, warmUp } = create();
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = warmUp.during(() => promise);

    await vi.advanceTimersByTimeAsync(24);
    expect(done).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(done).toEqual(["load"]);

    resolve();
    await check;
    await vi.runAllTimersAsync();
    expect(done).toEqual(["load", "prepare"]);
  });

  it("doesn't wait until no check is under way: a busy shop always has one", async () => {
    const { done, warmUp } = create();
    const first = warmUp.during(async () => undefined);
    void warmUp.during(() => new Promise(() => {}));
    await first;

    await vi.advanceTimersByTimeAsync(1);

    expect(done).toEqual(["prepare"]);
  });

  it("does nothing once it is stopped", async () => {
    const { done, warmUp } = create();
    warmUp.stop();
    await vi.runAllTimersAsync();
    expect(done).toEqual([]);
  });
});
