import { gzipSync } from "node:zlib";
import { Agent } from "undici";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { MAX_RESPONSE_BYTES } from "../../src/service/send-once.ts";
import { clientOf, sendJson, startServer } from "./loopback.ts";
import { failureOf, REQUEST, RESULT, SUCCESS } from "./samples.ts";

const UNUSED = "http://127.0.0.1:9";

describe("a client on Cloudflare Workers", () => {
  beforeEach(() => vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" }));
  afterEach(() => vi.unstubAllGlobals());

  it("asks with the platform's fetch, with the same request", async () => {
    const answer = (response: Parameters<Parameters<typeof startServer>[0]>[0]) =>
      sendJson(response, 200, SUCCESS);
    const onCloudflare = await startServer(answer);
    expect((await clientOf(onCloudflare.url).verify(REQUEST)).result).toEqual(RESULT);

    vi.unstubAllGlobals();
    const onNode = await startServer(answer);
    await clientOf(onNode.url).verify(REQUEST);

    const [seen, expected] = [onCloudflare, onNode].map(({ seen: [first] }) => first);
    expect(seen?.body).toBe(expected?.body);
    expect(seen?.url).toBe(expected?.url);
    const { host: _host, connection: _connection, ...headers } = expected?.headers ?? {};
    expect(seen?.headers).toMatchObject(headers);
  });

  it("counts a call as sent if fetch fails, because it doesn't say when", async () => {
    const error = await failureOf(clientOf(UNUSED).verify(REQUEST));

    expect(error).toMatchObject({ code: "VERIFICATION_INTERRUPTED", metered: "unknown", retryable: true });
    expect(error.message).toBe(
      "the platform's fetch failed without an answer of the verification service, and the request may have been sent",
    );
  });

  it("doesn't call fetch for a caller that has already canceled", async () => {
    const fetching = vi.spyOn(globalThis, "fetch");
    onTestFinished(() => fetching.mockRestore());

    const error = await failureOf(clientOf(UNUSED).verify(REQUEST, { signal: AbortSignal.abort() }));

    expect(error).toMatchObject({ code: "VERIFICATION_ABORTED", metered: "no" });
    expect(fetching).not.toHaveBeenCalled();
  });

  it("ends a call at its time limit, and closes its connection", async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await startServer((response) => void response.on("close", () => closed.resolve()));

    const error = await failureOf(clientOf(url, { timeoutMs: 50 }).verify(REQUEST));

    expect(error).toMatchObject({ code: "VERIFICATION_TIMEOUT", metered: "unknown" });
    await closed.promise;
  });

  it("reads no more of a response than an answer can have", async () => {
    const { url } = await startServer((response) => response.end(Buffer.alloc(MAX_RESPONSE_BYTES + 1, " ")));

    const error = await failureOf(clientOf(url).verify(REQUEST));

    expect(error).toMatchObject({ code: "VERIFICATION_MALFORMED", metered: "yes" });
  });

  it("reads an answer that fetch has decompressed", async () => {
    const body = gzipSync(JSON.stringify(SUCCESS));
    const { url } = await startServer((response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(body),
    );

    expect((await clientOf(url).verify(REQUEST)).result).toEqual(RESULT);
  });

  it("follows no redirect", async () => {
    const { url, seen } = await startServer((response) =>
      response.writeHead(307, { location: "/elsewhere" }).end(),
    );

    const error = await failureOf(clientOf(url).verify(REQUEST));

    // The free call got a redirect, too, so it's another server.
    expect(error).toMatchObject({ code: "CONFIG_INVALID", metered: "unknown" });
    expect(seen.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  it("finds its organization by itself for each of two requests, and keeps it for the third", async () => {
    const { url, seen } = await startServer((response, { method }) => {
      const organizations = [{ id: "org_1", slug: "shop", name: "Shop", role: "owner" }];
      sendJson(
        response,
        200,
        method === "GET" ? { success: true, message: "", data: { organizations } } : SUCCESS,
      );
    });
    const client = clientOf(url, { organization: undefined });

    await Promise.all([client.verify(REQUEST), client.verify(REQUEST)]);
    await client.verify(REQUEST);

    expect(seen.filter(({ method }) => method === "GET")).toHaveLength(2);
    expect(seen.filter(({ method }) => method === "POST")).toHaveLength(3);
  });

  it("refuses a dispatcher of undici when it's created", () => {
    const create = () => clientOf(UNUSED, { dispatcher: new Agent() });

    expect(create).toThrow("`dispatcher`: undici doesn't work on Cloudflare Workers");
  });
});
