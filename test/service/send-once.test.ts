import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { Agent, Dispatcher, MockAgent, RetryAgent } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { MAX_RESPONSE_BYTES, sendOnce } from "../../src/service/send-once.ts";
import { clientOf, sendJson, startHttp2, startServer, startTcp, TEST_CERTIFICATE } from "./loopback.ts";
import { API_KEY, failureOf, REQUEST, RESULT, SUCCESS } from "./samples.ts";

describe("sendOnce", () => {
  it("stops a retrying dispatcher from sending a second time", async () => {
    let requests = 0;
    const { url } = await startTcp((socket) =>
      socket.on("data", () => {
        requests += 1;
        socket.resetAndDestroy();
      }),
    );
    const dispatcher = new RetryAgent(new Agent(), { methods: ["POST"], minTimeout: 1, maxRetries: 3 });
    onTestFinished(() => dispatcher.destroy());

    const error = await failureOf(clientOf(url, { dispatcher }).verify(REQUEST));

    expect(error).toMatchObject({ code: "VERIFICATION_INTERRUPTED", metered: "unknown" });
    expect(requests).toBe(1);
  });

  it("works over HTTP/2, and doesn't repeat a request whose session breaks", async () => {
    let requests = 0;
    const { port } = await startHttp2((request, response) => {
      expect(request.httpVersion).toBe("2.0");
      requests += 1;
      if (requests === 2) request.stream.session?.destroy();
      else response.end(JSON.stringify(SUCCESS));
    });
    const dispatcher = new Agent({ connect: { ca: TEST_CERTIFICATE } });
    onTestFinished(() => dispatcher.destroy());
    const client = clientOf(`https://127.0.0.1:${port}`, { dispatcher });

    expect((await client.verify(REQUEST)).result).toEqual(RESULT);
    const error = await failureOf(client.verify(REQUEST));

    expect(error).toMatchObject({ code: "VERIFICATION_INTERRUPTED", metered: "unknown" });
    expect(requests).toBe(2);
  });

  it.each([
    ["gzip", gzipSync],
    ["X-GZIP", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["identity", (body: Buffer) => body],
  ] as const)("reads an answer that came as %s, although that wasn't requested", async (encoding, encode) => {
    const { url } = await startServer((response) =>
      response
        .writeHead(200, { "content-encoding": encoding })
        .end(encode(Buffer.from(JSON.stringify(SUCCESS)))),
    );

    expect((await clientOf(url).verify(REQUEST)).result).toEqual(RESULT);
  });

  it.each([
    ["one that isn't compressed", Buffer.from("plain")],
    ["one that is cut off", gzipSync(JSON.stringify(SUCCESS)).subarray(0, -20)],
    ["one that would be larger than any answer", gzipSync(Buffer.alloc(16 * MAX_RESPONSE_BYTES, " "))],
  ])("accepts no compressed answer: %s", async (_title, body) => {
    const { url } = await startServer((response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(body),
    );

    const error = await failureOf(clientOf(url).verify(REQUEST));

    expect(error).toMatchObject({ code: "VERIFICATION_MALFORMED", metered: "yes" });
  });

  it("works through an interceptor", async () => {
    const server = await startServer((response) => sendJson(response, 200, SUCCESS));
    const agent = new Agent();
    onTestFinished(() => agent.destroy());
    const dispatcher = agent.compose((dispatch) => (options, handler) => dispatch(options, handler));

    expect((await clientOf(server.url, { dispatcher }).verify(REQUEST)).result).toEqual(RESULT);
  });

  it("keeps the key out of a mock's error about headers that don't match", async () => {
    const dispatcher = new MockAgent();
    dispatcher.disableNetConnect();
    onTestFinished(() => dispatcher.close());
    dispatcher
      .get("https://verify.example.com")
      .intercept({
        path: "/api/acme/order-verification",
        method: "POST",
        headers: { "x-api-key": "another" },
      })
      .reply(200, SUCCESS);

    const error = await failureOf(clientOf("https://verify.example.com", { dispatcher }).verify(REQUEST));

    expect(error).toMatchObject({ code: "CONFIG_INVALID", metered: "no" });
    expect(error.cause).toMatchObject({ code: "UND_MOCK_ERR_MOCK_NOT_MATCHED" });
  });

  it.each<[thrown: unknown, why: string]>([
    [new TypeError(`broken by ${API_KEY}`), "(TypeError)"],
    [Object.assign(new Error("odd"), { code: `code ${API_KEY}` }), "(Error)"],
    [Object.assign(new Error("odd"), { name: `name ${API_KEY}`, stack: undefined }), "(unknown error)"],
    [`text with ${API_KEY}`, "(unknown error)"],
    [{ code: "EODD" }, "EODD"],
    [null, "(unknown error)"],
  ])("turns what a dispatcher throws into one of our errors: %s", async (thrown, why) => {
    class ThrowingDispatcher extends Dispatcher {
      override dispatch(): boolean {
        throw thrown;
      }
    }
    const dispatcher = new ThrowingDispatcher();

    const error = await failureOf(clientOf("https://verify.example.com", { dispatcher }).verify(REQUEST));

    expect(error).toMatchObject({ code: "CONFIG_INVALID", metered: "no" });
    expect(error.message).toContain(why);
  });

  it("recognizes a dispatcher's own timeout, and ignores events after an end", async () => {
    class ScriptedDispatcher extends Dispatcher {
      override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
        const controller = {
          aborted: false,
          paused: false,
          reason: null,
          abort() {},
          pause() {},
          resume() {},
        };
        handler.onRequestStart?.(controller, null);
        const late = Object.assign(new Error("late"), { code: "UND_ERR_BODY_TIMEOUT" });
        handler.onResponseError?.(controller, late);
        handler.onResponseStart?.(controller, 200, {});
        handler.onResponseData?.(controller, Buffer.from(JSON.stringify(SUCCESS)));
        handler.onResponseEnd?.(controller, {});
        return true;
      }
    }
    const dispatcher = new ScriptedDispatcher();

    const error = await failureOf(clientOf("https://verify.example.com", { dispatcher }).verify(REQUEST));

    expect(error).toMatchObject({ code: "VERIFICATION_TIMEOUT", metered: "unknown" });
  });

  it("resolves with the whole body, decoded", async () => {
    const server = await startServer((response, seen) =>
      response.end(`${seen.method} ü ${"x".repeat(200_000)}`),
    );
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.destroy());
    const request = { origin: server.url, path: "/", method: "GET", headers: {}, body: undefined } as const;

    const outcome = await sendOnce(dispatcher, request, { timeoutMs: 5_000, signal: undefined });

    expect(outcome).toMatchObject({ outcome: "replied", status: 200, body: `GET ü ${"x".repeat(200_000)}` });
  });
});
