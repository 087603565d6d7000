import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { Agent } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Logger } from "../../src/base/logger.ts";
import { createVerificationClient } from "../../src/service/client.ts";
import { DEFAULT_TIMEOUT_MS } from "../../src/service/client-options.ts";
import { clientOf, sendJson, startHttp2, startServer, TEST_CERTIFICATE } from "./loopback.ts";
import { API_KEY, CANARY_EMAIL, failureOf, REQUEST, RESULT, SUCCESS } from "./samples.ts";

describe("createVerificationClient", () => {
  it("asks about an order and returns the service's answer with its rate limit", async () => {
    const server = await startServer((response) =>
      sendJson(response, 200, SUCCESS, {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1800000000",
      }),
    );
    const client = clientOf(server.url);

    const answer = await client.verify(REQUEST);

    expect(answer).toEqual({
      result: RESULT,
      rateLimit: { limit: 60, remaining: 59, resetAtMs: 1_800_000_000_000 },
    });
    expect(server.seen).toHaveLength(1);
    const [seen] = server.seen;
    expect(seen).toMatchObject({ method: "POST", url: "/api/acme/order-verification" });
    expect(JSON.parse(seen?.body ?? "")).toEqual(REQUEST);
    expect(seen?.headers).toMatchObject({
      "x-api-key": API_KEY,
      "content-type": "application/json",
      accept: "application/json",
      "accept-encoding": "identity",
    });
    expect(seen?.headers.authorization).toBeUndefined();
  });

  it("speaks https to a server whose certificate it trusts", async () => {
    const server = await startServer((response) => sendJson(response, 200, SUCCESS), "https");
    const dispatcher = new Agent({ connect: { ca: TEST_CERTIFICATE } });
    onTestFinished(() => dispatcher.close());

    const answer = await clientOf(server.url, { dispatcher }).verify(REQUEST);

    expect(answer.result).toEqual(RESULT);
    expect(answer.rateLimit).toBeUndefined();
  });

  it("uses HTTP/1.1 even if the server offers HTTP/2, since undici repeats HTTP/2 requests on its own", async () => {
    const trusted = getCACertificates("default");
    setDefaultCACertificates([...trusted, TEST_CERTIFICATE.toString()]);
    onTestFinished(() => setDefaultCACertificates(trusted));
    const versions: string[] = [];
    const { port } = await startHttp2((request, response) => {
      versions.push(request.httpVersion);
      response.end(JSON.stringify(SUCCESS));
    });

    await clientOf(`https://localhost:${port}`).verify(REQUEST);

    expect(versions).toEqual(["1.1"]);
  });

  it("sends the key as a bearer token if configured", async () => {
    const server = await startServer((response) => sendJson(response, 200, SUCCESS));

    await clientOf(server.url, { auth: "bearer" }).verify(REQUEST);

    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`);
    expect(server.seen[0]?.headers).not.toHaveProperty("x-api-key");
  });

  it.each([
    ["", "/api/acme/order-verification"],
    ["/", "/api/acme/order-verification"],
    ["/verify", "/verify/api/acme/order-verification"],
    ["/verify/v2//", "/verify/v2/api/acme/order-verification"],
  ])("appends its paths to the base address's path %j", async (path, expected) => {
    const server = await startServer((response) => sendJson(response, 200, SUCCESS));

    await clientOf(server.url + path).verify(REQUEST);

    expect(server.seen[0]?.url).toBe(expected);
  });

  it("percent-encodes the organization", async () => {
    const server = await startServer((response) => sendJson(response, 200, SUCCESS));

    await clientOf(server.url, { organization: "a/b ü?#" }).verify(REQUEST);

    expect(server.seen[0]?.url).toBe("/api/a%2Fb%20%C3%BC%3F%23/order-verification");
  });

  it("sends nothing that the service's rules forbid, and no undeclared field", async () => {
    const server = await startServer((response) => sendJson(response, 200, SUCCESS));
    const client = clientOf(server.url);

    const error = await failureOf(client.verify({ ...REQUEST, orderAmount: 0, currency: "dollars" }));
    await client.verify({ ...REQUEST, internalNote: "not for them" } as typeof REQUEST);

    expect(error.code).toBe("ORDER_INVALID");
    expect(error.fields.map((field) => field.path)).toEqual(["orderAmount", "currency"]);
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]?.body).not.toContain("internalNote");
  });

  it("drops unknown parts of an answer, and accepts any 2xx and a byte order mark", async () => {
    const server = await startServer((response) => {
      response.writeHead(201, { "content-type": "text/plain" });
      response.end(`\uFEFF${JSON.stringify({ ...SUCCESS, extra: 1, data: { ...RESULT, extra: 1 } })}`);
    });

    expect((await clientOf(server.url).verify(REQUEST)).result).toEqual(RESULT);
  });

  it.each<[title: string, body: string]>([
    ["an empty body", ""],
    ["truncated JSON", JSON.stringify(SUCCESS).slice(0, -20)],
    ["JSON null", "null"],
    ["an array", "[]"],
    ["the bare result", JSON.stringify(RESULT)],
    ["an error envelope", JSON.stringify({ success: false, message: `about ${CANARY_EMAIL}` })],
    ["success false with data", JSON.stringify({ ...SUCCESS, success: false })],
    ["success as a string", JSON.stringify({ ...SUCCESS, success: "true" })],
    ["no data", JSON.stringify({ success: true })],
    ["the management interface's envelope", JSON.stringify({ ok: true, data: RESULT })],
  ])("treats %s with status 200 as no answer", async (_title, body) => {
    const server = await startServer((response) => response.end(body));

    const error = await failureOf(clientOf(server.url).verify(REQUEST));

    expect(error).toMatchObject({ code: "VERIFICATION_MALFORMED", retryable: true, metered: "yes" });
  });

  it.each<[path: string, change: object]>([
    ["riskLevel", { riskLevel: "severe" }],
    ["riskLevel", { riskLevel: "HIGH" }],
    ["riskLevel", { riskLevel: CANARY_EMAIL }],
    ["riskLevel", { riskLevel: undefined }],
    ["riskLevel", { riskLevel: ["high"] }],
  ])("treats a result with a wrong %s as no answer: %j", async (path, change) => {
    const server = await startServer((response) =>
      sendJson(response, 200, { success: true, data: { ...RESULT, ...change } }),
    );

    const error = await failureOf(clientOf(server.url).verify(REQUEST));

    expect(error).toMatchObject({ code: "VERIFICATION_MALFORMED", retryable: true, metered: "yes" });
    expect(error.fields.map((field) => field.path)).toEqual([path]);
  });

  it("accepts an answer with a readable level, and logs what it lacks once per shape, without content", async () => {
    const warnings: unknown[] = [];
    const logger: Logger = { debug() {}, info() {}, error() {}, warn: (...line) => warnings.push(line) };
    const factor = { factor: CANARY_EMAIL, severity: "info", category: "payment" };
    const answers = [
      { riskLevel: "critical", riskScore: 93, riskFactors: [factor] },
      { riskLevel: "critical", riskScore: 91, riskFactors: [{ ...factor, factor: "Card testing" }] },
      { riskLevel: "critical" },
    ];
    const server = await startServer((response, _seen, count) =>
      sendJson(response, 200, { success: true, data: answers[count - 1] }),
    );
    const client = clientOf(server.url, { logger });

    const results = [];
    for (const _answer of answers) results.push((await client.verify(REQUEST)).result);

    expect(results).toMatchObject([
      { riskLevel: "critical", riskScore: 93, riskFactors: [{ factor: CANARY_EMAIL }], reasoning: "" },
      { riskLevel: "critical", riskScore: 91, riskFactors: [{ factor: "Card testing" }] },
      { riskLevel: "critical", riskScore: 86, riskFactors: [], recommendations: [] },
    ]);
    expect(warnings).toEqual([
      [
        { unusable: ["reasoning", "riskFactors[].severity", "riskFactors[].category", "recommendations"] },
        expect.any(String),
      ],
      [{ unusable: ["reasoning", "riskScore", "riskFactors", "recommendations"] }, expect.any(String)],
    ]);
    expect(JSON.stringify(warnings)).not.toContain(CANARY_EMAIL);
  });

  it("follows the level if the score is outside its band, and logs it without personal data", async () => {
    const warnings: unknown[] = [];
    const logger: Logger = { debug() {}, info() {}, error() {}, warn: (...line) => warnings.push(line) };
    const data = { ...RESULT, riskLevel: "low", riskScore: 95 };
    const server = await startServer((response, _seen, count) =>
      sendJson(response, 200, count === 1 ? { success: true, data } : SUCCESS),
    );
    const client = clientOf(server.url, { logger });

    const { result } = await client.verify(REQUEST);
    await client.verify(REQUEST);

    expect(result).toMatchObject({ riskLevel: "low", riskScore: 95 });
    expect(warnings).toEqual([[{ level: "low", score: 95 }, expect.any(String)]]);
  });

  it("reuses a connection for the next call", async () => {
    const server = await startServer((response) => sendJson(response, 200, SUCCESS));
    const client = clientOf(server.url, { connections: 1 });

    await client.verify(REQUEST);
    await client.verify(REQUEST);
    await client.verify(REQUEST);

    expect(server.seen).toHaveLength(3);
    expect(server.connections()).toBe(1);
  });

  it("opens no more connections than its limit", async () => {
    const server = await startServer((response) => sendJson(response, 200, SUCCESS));
    const client = clientOf(server.url, { connections: 3 });

    await Promise.all(Array.from({ length: 40 }, () => client.verify(REQUEST)));

    expect(server.seen).toHaveLength(40);
    expect(server.connections()).toBe(3);
  });

  it("waits ten seconds for a call by default", () => {
    expect(DEFAULT_TIMEOUT_MS).toBe(10_000);
  });
});

describe("VerificationClient.close", () => {
  it("finishes calls under way, refuses later ones, and can be called twice", async () => {
    const held: (() => void)[] = [];
    const { promise: reached, resolve: onHeld } = Promise.withResolvers<void>();
    const server = await startServer((response) => {
      held.push(() => sendJson(response, 200, SUCCESS));
      if (held.length === 2) onHeld();
    });
    const client = createVerificationClient({ url: server.url, apiKey: API_KEY, organization: "acme" });
    const pending = [client.verify(REQUEST), client.verify(REQUEST)];
    await reached;

    const closed = Promise.all([client.close(), client.close()]);
    const refused = await failureOf(client.verify(REQUEST));
    const refusedToo = await failureOf(client.organizations());
    held[0]?.();
    await Promise.race(pending);
    held[1]?.();

    expect((await Promise.all(pending)).map((answer) => answer.result)).toEqual([RESULT, RESULT]);
    await closed;
    expect(refused).toMatchObject({ code: "SHUTTING_DOWN", metered: "no" });
    expect(refusedToo.code).toBe("SHUTTING_DOWN");
    expect(server.seen).toHaveLength(2);
  });

  it("leaves a dispatcher that was passed in open", async () => {
    const server = await startServer((response) => sendJson(response, 200, SUCCESS));
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.close());

    await clientOf(server.url, { dispatcher }).close();

    expect((await clientOf(server.url, { dispatcher }).verify(REQUEST)).result).toEqual(RESULT);
  });
});
