import { Agent } from "undici";
import { Agent as Agent5 } from "undici5";
import { Agent as Agent6 } from "undici6";
import { Agent as Agent7, RetryAgent as RetryAgent7 } from "undici7";
import { describe, expect, it, onTestFinished } from "vitest";
import { createScreener } from "../../src/index.ts";
import type { ServiceDispatcher } from "../../src/screening/screener-options.ts";
import { anOrder } from "../support/orders.ts";
import { clientOf, findClosedPort, sendJson, startServer, startTcp, TEST_CERTIFICATE } from "./loopback.ts";
import { API_KEY, failureOf, REQUEST, RESULT, SUCCESS } from "./samples.ts";

interface AgentOptions {
  readonly connect?: { readonly ca: Buffer };
  readonly connections?: number;
}

const AGENTS: Readonly<
  Record<string, (options: AgentOptions) => ServiceDispatcher & { destroy(): Promise<void> }>
> = {
  "undici 5": (options) => new Agent5(options),
  "undici 6": (options) => new Agent6(options),
  "undici 7": (options) => new Agent7(options),
  "undici 8": (options) => new Agent(options),
};

/** A client with the dispatcher of a version. The screener passes it on in the same way. */
function clientWith(url: string, agent: ServiceDispatcher, timeoutMs = 5_000) {
  return clientOf(url, { dispatcher: agent as Agent, timeoutMs });
}

describe.each(Object.entries(AGENTS))("a dispatcher of %s", (_version, createAgent) => {
  function open(options: AgentOptions = {}) {
    const agent = createAgent(options);
    onTestFinished(() => agent.destroy());
    return agent;
  }

  it("checks an order once", async () => {
    const server = await startServer((response) => sendJson(response, 200, SUCCESS));
    const service = { url: server.url, apiKey: API_KEY, organization: "acme", dispatcher: open() };
    const screener = createScreener({ service });
    onTestFinished(() => screener.close());

    const check = await screener.check(anOrder());

    expect(check).toMatchObject({ status: "verified", result: RESULT, creditsSpent: 1 });
    expect(server.seen).toHaveLength(1);
  });

  it("trusts its own certificate authority, and reads headers", async () => {
    const headers = { "X-RateLimit-Remaining": "7", "Set-Cookie": "a=1" };
    const server = await startServer(
      (response) => response.setHeader("vary", ["a", "b"]) && sendJson(response, 200, SUCCESS, headers),
      "https",
    );

    const answer = await clientWith(server.url, open({ connect: { ca: TEST_CERTIFICATE } })).verify(REQUEST);

    expect(answer).toMatchObject({ result: RESULT, rateLimit: { remaining: 7 } });
  });

  it("knows that nothing was sent without a connection", async () => {
    const port = await findClosedPort();

    const error = await failureOf(clientWith(`http://127.0.0.1:${port}`, open()).verify(REQUEST));

    expect(error).toMatchObject({ code: "VERIFICATION_UNREACHABLE", metered: "no" });
    expect(error.cause).toMatchObject({ code: "ECONNREFUSED" });
  });

  it("knows that a request was sent before its connection broke", async () => {
    const { url } = await startTcp((socket) => socket.on("data", () => socket.resetAndDestroy()));

    const error = await failureOf(clientWith(url, open()).verify(REQUEST));

    expect(error).toMatchObject({ code: "VERIFICATION_INTERRUPTED", metered: "unknown" });
  });

  it("sends nothing later for an attempt that ended while it waited for a connection", async () => {
    const agent = open({ connections: 1 });
    const server = await startServer((response, _seen, count) => {
      if (count > 1) sendJson(response, 200, SUCCESS);
    });
    const within = (timeoutMs: number) => clientWith(server.url, agent, timeoutMs).verify(REQUEST);

    const [hanging, waiting, last] = [failureOf(within(400)), failureOf(within(100)), within(5_000)];

    expect(await waiting).toMatchObject({ code: "VERIFICATION_UNREACHABLE", metered: "no" });
    expect(await hanging).toMatchObject({ code: "VERIFICATION_TIMEOUT", metered: "unknown" });
    expect((await last).result).toEqual(RESULT);
    expect(server.seen).toHaveLength(2);
  });

  it("reads a status, and leaves out the body of one that isn't a success", async () => {
    const server = await startServer((response) =>
      sendJson(response, 402, { success: false, message: "no" }),
    );

    const error = await failureOf(clientWith(server.url, open()).verify(REQUEST));

    expect(error).toMatchObject({ code: "VERIFICATION_NO_CREDITS", metered: "no" });
  });
});

describe("a dispatcher of Node", () => {
  it("checks an order", async () => {
    const server = await startServer((response) => sendJson(response, 200, SUCCESS));
    // Node creates it with the first call of its `fetch`.
    await fetch(server.url).then((response) => response.text());
    const agent = Reflect.get(globalThis, Symbol.for("undici.globalDispatcher.1")) as ServiceDispatcher;

    expect((await clientWith(server.url, agent).verify(REQUEST)).result).toEqual(RESULT);
  });
});

describe("a dispatcher of undici 7 that retries", () => {
  it("sends an attempt once", async () => {
    let requests = 0;
    const { url } = await startTcp((socket) =>
      socket.on("data", () => {
        requests += 1;
        socket.resetAndDestroy();
      }),
    );
    const agent = new RetryAgent7(new Agent7(), { methods: ["POST"], minTimeout: 1, maxRetries: 3 });
    onTestFinished(() => agent.destroy());

    const error = await failureOf(clientWith(url, agent).verify(REQUEST));

    expect(error).toMatchObject({ code: "VERIFICATION_INTERRUPTED", metered: "unknown" });
    expect(requests).toBe(1);
  });
});
