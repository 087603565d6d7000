import { once } from "node:events";
import { connect } from "node:net";
import { request as httpsRequest } from "node:https";
import { afterEach, describe, expect, it } from "vitest";
import { isHoldfastError } from "../../src/errors.ts";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  type SandboxService,
  type SandboxServiceOptions,
} from "../../src/local/service.ts";
import { verificationResultSchema } from "../../src/verification/result.ts";
import { orderWith, PLAIN_ORDER } from "./sample-order.ts";
import { createSelfSigned } from "./self-signed.ts";

const started: SandboxService[] = [];

async function start(options?: SandboxServiceOptions): Promise<{ service: SandboxService; base: URL }> {
  const service = createSandboxService(options);
  started.push(service);
  return { service, base: await service.listen() };
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.close()));
});

const KEY = { "x-api-key": SANDBOX_API_KEY };

interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly organization?: string;
  readonly signal?: AbortSignal;
}

function verify(
  base: URL,
  { body = PLAIN_ORDER, headers = KEY, organization = "sandbox", signal }: Sent = {},
) {
  return fetch(new URL(`/api/${organization}/order-verification`, base), {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

const withEmail = (customerEmail: string): Sent => ({ body: orderWith({ customerEmail }) });

describe("POST /api/{organization}/order-verification", () => {
  it("answers 200 with exactly the fields of a verification result", async () => {
    const { base } = await start();

    const response = await verify(base);
    const body = (await response.json()) as { success: unknown; data: Record<string, unknown> };

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(Object.keys(body)).toEqual(["success", "data"]);
    expect(body.success).toBe(true);
    expect(Object.keys(body.data)).toEqual([
      "riskScore",
      "riskLevel",
      "riskFactors",
      "reasoning",
      "recommendations",
    ]);
    expect(verificationResultSchema.parse(body.data)).toEqual(body.data);
  });

  it("judges with the sandbox's e-mail addresses", async () => {
    const { base } = await start();

    const response = await verify(base, withEmail("score-61@risk.example"));

    await expect(response.json()).resolves.toMatchObject({ data: { riskScore: 61, riskLevel: "high" } });
  });

  it("judges with another engine when given one", async () => {
    const result = {
      riskScore: 7,
      riskLevel: "low" as const,
      riskFactors: [],
      reasoning: "Mine.",
      recommendations: [],
    };
    const scorecard = { base: 7, contributions: [], trust: 0, total: 7, score: 7, capped: false };
    const assess = () => ({ ...result, engine: { version: "x" }, confidence: 1, limitations: [], scorecard });
    const { base } = await start({ engine: { assess } });

    await expect((await verify(base)).json()).resolves.toEqual({ success: true, data: result });
  });

  it("answers 500 when the engine fails, and counts the call", async () => {
    const assess = (): never => {
      throw new Error("broken");
    };
    const { base, service } = await start({ engine: { assess }, credits: 5 });

    const response = await verify(base);

    expect(response.status).toBe(500);
    await expect(response.json()).resolves.toEqual({ success: false, message: "Internal Server Error" });
    expect(response.headers.get("x-ratelimit-limit")).toBe("100000");
    expect(service.calls).toMatchObject([{ status: 500, metered: true }]);
    expect(service.credits).toBe(4);
  });

  it.each([
    ["x-api-key", KEY],
    ["a bearer token", { authorization: `Bearer ${SANDBOX_API_KEY}` }],
    ["a bearer token in lower case", { authorization: `bearer ${SANDBOX_API_KEY}` }],
    ["both, of which x-api-key counts", { ...KEY, authorization: "Bearer other" }],
  ])("takes the key from %s", async (_where, headers) => {
    const { base } = await start();

    expect((await verify(base, { headers })).status).toBe(200);
  });

  it.each(["sandbox", "org_sandbox"])("knows the organization by %s", async (organization) => {
    const { base } = await start();

    expect((await verify(base, { organization })).status).toBe(200);
  });

  it.each<[number, string, string, Sent]>([
    [401, "Missing API Key", "no key", { headers: {} }],
    [401, "Missing API Key", "an empty key", { headers: { "x-api-key": " " } }],
    [401, "Missing API Key", "another scheme", { headers: { authorization: "Basic c2FuZGJveC1rZXk=" } }],
    [403, "Invalid API Key", "an unknown key", { headers: { "x-api-key": "nope" } }],
    [403, "Invalid API Key", "a key named like the prototype", { headers: { "x-api-key": "__proto__" } }],
    [403, "Invalid API Key", "an unknown organization", { organization: "elsewhere" }],
    [403, "Invalid API Key", "an organization that is no text", { organization: "%E0%A4%A" }],
  ])("answers %d %s for %s, unmetered", async (status, message, _what, sent) => {
    const { base, service } = await start({ credits: 5 });

    const response = await verify(base, sent);

    expect(response.status).toBe(status);
    await expect(response.json()).resolves.toEqual({ success: false, message });
    expect(service.credits).toBe(5);
    expect(service.calls).toMatchObject([{ status, metered: false }]);
  });

  it("answers 403 for an organization of another key", async () => {
    const of = (slug: string) => ({
      organizations: [{ id: `org_${slug}`, slug, name: slug, role: "member" as const }],
    });
    const { base } = await start({ apiKeys: { first: of("one"), second: of("two") } });

    const own = await verify(base, { headers: { "x-api-key": "first" }, organization: "one" });
    const other = await verify(base, { headers: { "x-api-key": "first" }, organization: "two" });

    expect([own.status, other.status]).toEqual([200, 403]);
  });

  it.each<[string, unknown, string]>([
    ["text that is no JSON", "{", "expected a JSON object"],
    ["an empty body", "", "expected a JSON object"],
    ["a list", [], "expected object"],
    ["a missing field", { ...PLAIN_ORDER, customerEmail: undefined }, "customerEmail: "],
    ["an amount of zero", orderWith({ orderAmount: 0 }), "orderAmount: expected a positive amount"],
    [
      "a name that is too long",
      orderWith({ customerName: "x".repeat(256) }),
      "customerName: expected at most 255",
    ],
    ["half a piece", orderWith({ items: [{ name: "Mug", quantity: 0.5, price: 3 }] }), "items[0].quantity: "],
    ["an unknown field", { ...PLAIN_ORDER, note: "gift" }, "note"],
    [
      "an unknown field of an address",
      { ...PLAIN_ORDER, shippingAddress: { ...PLAIN_ORDER.shippingAddress, zip: "1" } },
      "shippingAddress: ",
    ],
    ["an unknown field of the payment", { ...PLAIN_ORDER, paymentInfo: { cvv: "1" } }, "paymentInfo: "],
    [
      "an unknown field of an item",
      { ...PLAIN_ORDER, items: [{ name: "Mug", quantity: 1, price: 3, weight: 2 }] },
      "items[0]: ",
    ],
  ])("answers 400 for %s, naming the field, and counts the call", async (_what, body, detail) => {
    const { base, service } = await start({ credits: 5 });

    const response = await verify(base, { body });
    const answer = (await response.json()) as { success: boolean; message: string };

    expect(response.status).toBe(400);
    expect(answer.success).toBe(false);
    expect(answer.message).toMatch(/^Invalid request body: /);
    expect(answer.message).toContain(detail);
    expect(service.calls).toMatchObject([{ status: 400, metered: true }]);
    expect(service.credits).toBe(4);
  });

  it("answers 400 for a body that does not say it is JSON", async () => {
    const { base } = await start();

    const response = await verify(base, { headers: { ...KEY, "content-type": "text/plain" } });

    expect(response.status).toBe(400);
    await expect(response.json()).resolves.toMatchObject({
      message: expect.stringContaining("Content-Type"),
    });
  });

  it("answers 413 for a body of more than a megabyte", async () => {
    const { base, service } = await start();

    const response = await verify(base, { body: { ...PLAIN_ORDER, note: "x".repeat(1024 * 1024) } });

    expect(response.status).toBe(413);
    await expect(response.json()).resolves.toEqual({ success: false, message: "Payload Too Large" });
    expect(service.calls).toMatchObject([{ status: 413, customerEmail: undefined }]);
  });

  it("answers 402 once the credits are used up, until there are more", async () => {
    const { base, service } = await start({ credits: 1 });

    const statuses = [(await verify(base)).status, (await verify(base)).status];
    const refused = await verify(base);
    service.topUp(1);
    statuses.push((await verify(base)).status);

    expect(statuses).toEqual([200, 402, 200]);
    expect(((await refused.json()) as { message: string }).message).toMatch(
      /insufficient.*purchase credits/i,
    );
    expect(service.credits).toBe(0);
    expect(service.calls.map(({ metered }) => metered)).toEqual([true, false, false, true]);
  });

  it("never sells one credit twice", async () => {
    const { base, service } = await start({ credits: 3, latencyMs: 5 });

    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await verify(base)).status));

    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 402, 402, 402, 402, 402]);
    expect(service.credits).toBe(0);
  });

  it("records every call with what it said", async () => {
    const { base, service } = await start({ now: () => 1_700_000_000_000 });

    await verify(base, { body: orderWith({ orderId: "7", customerEmail: "low@risk.example" }) });
    await verify(base, { body: "{" });

    expect(service.calls).toEqual([
      {
        at: 1_700_000_000_000,
        status: 200,
        metered: true,
        orderId: "7",
        customerEmail: "low@risk.example",
        body: orderWith({ orderId: "7", customerEmail: "low@risk.example" }),
      },
      {
        at: 1_700_000_000_000,
        status: 400,
        metered: true,
        orderId: undefined,
        customerEmail: undefined,
        body: "{",
      },
    ]);
  });
});

describe("rate limit", () => {
  const standing = (response: Response): readonly (string | null)[] =>
    ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"].map((name) =>
      response.headers.get(name),
    );

  it("answers 429 past the limit and opens again at the reset", async () => {
    let nowMs = 1_700_000_000_500;
    const { base, service } = await start({ rateLimit: { limit: 2, windowMs: 60_000 }, now: () => nowMs });

    const first = await verify(base);
    const second = await verify(base);
    const third = await verify(base);
    nowMs = Number(third.headers.get("x-ratelimit-reset")) * 1000;
    const later = await verify(base);

    expect([first, second, third, later].map(({ status }) => status)).toEqual([200, 200, 429, 200]);
    expect([first, second, third].map(standing)).toEqual([
      ["2", "1", "1700000061"],
      ["2", "0", "1700000061"],
      ["2", "0", "1700000061"],
    ]);
    await expect(third.json()).resolves.toEqual({ success: false, message: "Rate limit exceeded" });
    expect(service.calls.map(({ metered }) => metered)).toEqual([true, true, false, true]);
  });

  it("counts every key for itself", async () => {
    const organizations = [{ id: "org_1", slug: "sandbox", name: "One", role: "owner" as const }];
    const rateLimit = { limit: 1, windowMs: 60_000 };
    const { base } = await start({ apiKeys: { a: { organizations }, b: { organizations } }, rateLimit });

    const statuses: number[] = [];
    for (const key of ["a", "b", "a"])
      statuses.push((await verify(base, { headers: { "x-api-key": key } })).status);

    expect(statuses).toEqual([200, 200, 429]);
  });

  it.each<[number, (base: URL) => Promise<Response>]>([
    [200, (base) => verify(base)],
    [200, (base) => fetch(new URL("/api/organizations/get", base), { headers: KEY })],
    [400, (base) => verify(base, { body: "{" })],
    [401, (base) => verify(base, { headers: {} })],
    [403, (base) => verify(base, { organization: "elsewhere" })],
    [404, (base) => fetch(new URL("/api/products/get", base))],
    [405, (base) => fetch(new URL("/api/organizations/get", base), { method: "POST" })],
    [429, (base) => verify(base, withEmail("error-429@risk.example"))],
    [500, (base) => verify(base, withEmail("error-500@risk.example"))],
  ])("is told with every %d", async (status, send) => {
    const { base } = await start();

    const response = await send(base);

    expect(response.status).toBe(status);
    expect(standing(response)).toEqual([
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/^\d{10}$/),
    ]);
  });
});

describe("GET /api/organizations/get", () => {
  it("lists what the key reaches, for free", async () => {
    const { base, service } = await start({ credits: 0 });

    const response = await fetch(new URL("/api/organizations/get", base), { headers: KEY });

    expect(response.status).toBe(200);
    await expect(response.json()).resolves.toEqual({
      success: true,
      data: { organizations: [{ id: "org_sandbox", slug: "sandbox", name: "Sandbox", role: "owner" }] },
    });
    expect(service.calls).toEqual([]);
  });

  it.each([
    [401, "Missing API Key", {}],
    [403, "Invalid API Key", { "x-api-key": "nope" }],
  ])("answers %d %s", async (status, message, headers) => {
    const { base } = await start();

    const response = await fetch(new URL("/api/organizations/get", base), { headers });

    expect(response.status).toBe(status);
    await expect(response.json()).resolves.toEqual({ success: false, message });
  });
});

describe("other requests", () => {
  it.each([
    ["GET", "/", 404],
    ["POST", "/api/order-verification", 404],
    ["POST", "/api/sandbox/order-verification/", 404],
    ["POST", "/api/a/b/order-verification", 404],
    ["GET", "/api/sandbox/order-verification", 405],
    ["DELETE", "/api/organizations/get", 405],
  ])("%s %s get %d", async (method, path, status) => {
    const { base, service } = await start();

    const response = await fetch(new URL(path, base), { method, headers: KEY });

    expect(response.status).toBe(status);
    await expect(response.json()).resolves.toMatchObject({ success: false });
    expect(response.headers.has("allow")).toBe(status === 405);
    expect(service.calls).toEqual([]);
  });
});

describe("the sandbox's failures", () => {
  it.each([
    [400, true, /^Invalid request body: customerEmail/],
    [401, false, /^Missing API Key$/],
    [402, false, /purchase credits/],
    [403, false, /^Invalid API Key$/],
    [429, false, /^Rate limit exceeded$/],
    [500, true, /^Internal Server Error$/],
    [503, true, /^Service Unavailable$/],
  ])("error-%d@ answers so, metered %s", async (status, metered, message) => {
    const { base, service } = await start({ credits: 5 });

    const response = await verify(base, withEmail(`Error-${status}@risk.example`));

    expect(response.status).toBe(status);
    await expect(response.json()).resolves.toEqual({
      success: false,
      message: expect.stringMatching(message),
    });
    expect(service.calls).toMatchObject([{ status, metered }]);
    expect(service.credits).toBe(metered ? 4 : 5);
  });

  it("error-429@ says when to come back", async () => {
    const nowMs = 1_700_000_000_500;
    const { base } = await start({ now: () => nowMs });

    const response = await verify(base, withEmail("error-429@risk.example"));

    expect(response.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(response.headers.get("x-ratelimit-reset")).toBe("1700000002");
  });

  it("malformed@ answers 200 with JSON that breaks off", async () => {
    const { base, service } = await start();

    const response = await verify(base, withEmail("malformed@risk.example"));

    expect(response.status).toBe(200);
    await expect(response.json()).rejects.toThrow(SyntaxError);
    expect(service.calls).toMatchObject([{ status: 200, metered: true }]);
  });

  it("slow-2500@ answers two and a half seconds later", async () => {
    const { base } = await start();
    const startedAt = performance.now();

    const response = await verify(base, withEmail("slow-2500@risk.example"));

    expect(response.status).toBe(200);
    // Timers count whole milliseconds.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2_499);
  });

  it("timeout@ never answers, and costs a credit", async () => {
    const { base, service } = await start({ credits: 5 });
    const caller = new AbortController();
    const call = verify(base, { ...withEmail("timeout@risk.example"), signal: caller.signal });
    const ended = expect(call).rejects.toThrow();
    await expect.poll(() => service.credits).toBe(4);

    // An order that comes later is answered in the meantime.
    expect((await verify(base)).status).toBe(200);
    expect(service.calls.map(({ status }) => status)).toEqual([null, 200]);
    caller.abort();
    await ended;
  });
});

describe("SandboxService", () => {
  it("ends calls without an answer when it closes", async () => {
    const { base, service } = await start({ credits: 5, latencyMs: 60_000 });
    const call = verify(base);
    const ended = expect(call).rejects.toThrow();
    await expect.poll(() => service.credits).toBe(4);

    await service.close();

    await ended;
    expect(service.calls).toMatchObject([{ status: null, metered: true }]);
  });

  it("can listen again, on the same port, after it was closed", async () => {
    const { base, service } = await start();
    await service.close();
    await expect(verify(base)).rejects.toThrow();

    const again = await service.listen(Number(base.port));

    expect(again.href).toBe(base.href);
    expect((await verify(again)).status).toBe(200);
  });

  it("closes twice without complaint", async () => {
    const { service } = await start();

    await service.close();

    await expect(service.close()).resolves.toBeUndefined();
  });

  it("rejects with Node's own error when the port is taken", async () => {
    const { base } = await start();

    await expect(createSandboxService().listen(Number(base.port))).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
  });

  it("survives a caller that leaves in the middle of its body", async () => {
    const { base, service } = await start();
    const socket = connect(Number(base.port), "127.0.0.1");
    await once(socket, "connect");
    socket.write(
      "POST /api/sandbox/order-verification HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{",
    );
    socket.destroy();

    expect((await verify(base)).status).toBe(200);
    expect(service.calls).toHaveLength(1);
  });

  it("speaks HTTPS with a certificate", async () => {
    const tls = createSelfSigned();
    const { base } = await start({ tls });

    const request = httpsRequest(new URL("/api/organizations/get", base), { headers: KEY, ca: tls.cert });
    request.end();
    const [response] = (await once(request, "response")) as [{ statusCode: number; resume: () => void }];
    response.resume();

    expect(base.protocol).toBe("https:");
    expect(response.statusCode).toBe(200);
  });

  it.each<[string, SandboxServiceOptions]>([
    ["credits", { credits: -1 }],
    ["credits", { credits: Number.NaN }],
    ["latencyMs", { latencyMs: -5 }],
    ["rateLimit.limit", { rateLimit: { limit: 0, windowMs: 1_000 } }],
    ["rateLimit.windowMs", { rateLimit: { limit: 1, windowMs: 0 } }],
  ])("refuses %s that make no sense", (option, options) => {
    expect(() => createSandboxService(options)).toThrow(
      expect.toSatisfy(
        (error: unknown) => isHoldfastError(error, "CONFIG_INVALID") && error.message.startsWith(option),
      ),
    );
  });
});
