import { describe, expect, it, vi } from "vitest";
import type { TrustedProxies } from "../../../src/server/parts/server-parts.ts";
import { createFailureLimiter } from "../../../src/server/sign-in/failure-limiter.ts";
import { HoldfastError } from "../../../src/base/errors.ts";
import {
  AS_OPERATOR,
  AS_SHOP_A,
  CONSOLE_TOKEN,
  createFakePlatform,
  keepOrder,
  startConsole,
} from "../console-app.ts";
import { toJsonCall } from "./signed-in.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("createAuthenticator", () => {
  it.each([
    ["nothing", {}],
    ["another scheme", { authorization: `Basic ${CONSOLE_TOKEN}` }],
    ["an empty token", { authorization: "Bearer " }],
    ["two tokens", { authorization: `Bearer ${CONSOLE_TOKEN} ${CONSOLE_TOKEN}` }],
    ["a shorter token", bearer(CONSOLE_TOKEN.slice(0, -1))],
    ["a longer token", bearer(`${CONSOLE_TOKEN}x`)],
    ["a token of the same length", bearer(`x${CONSOLE_TOKEN.slice(1)}`)],
    ["one character", bearer("c")],
    ["a very long token", bearer("c".repeat(8_000))],
    ["the token in another case", bearer(CONSOLE_TOKEN.toUpperCase())],
    ["a token with signs that no token has", bearer("a;b")],
  ])("refuses %s", async (_name, headers) => {
    const app = await startConsole();

    const response = await app.get("/api/orders", headers);

    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(response.headers.get("x-shopify-retry-invalid-session-request")).toBe("1");
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it.each(["/api/orders", "/api/orders/1", "/api/policy", "/api/credits"])("guards %s", async (path) => {
    const app = await startConsole();
    expect((await app.get(path)).status).toBe(401);
    expect((await app.send("PUT", path, { body: "{}" })).status).toBe(401);
  });

  it("accepts the operator, whatever the case of the scheme", async () => {
    const app = await startConsole();
    expect((await app.get("/api/orders", { authorization: `bearer ${CONSOLE_TOKEN}` })).status).toBe(200);
  });

  it("lets the operator in with every character that their token may contain", async () => {
    const consoleToken = `!"#$%&'()*+,-./09:;<=>?@AZ[\\]^_\`az{|}~`;
    const app = await startConsole({ consoleToken });
    expect((await app.get("/api/orders", bearer(consoleToken))).status).toBe(200);
  });

  it("shows a session its own tenant's orders, and the operator the console's", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", { tenant: "fake:a.example" });
    await keepOrder(app.store, "2", { tenant: "default" });

    const ids = async (headers: Record<string, string>) => {
      const { orders } = (await (await app.get("/api/orders", headers)).json()) as {
        orders: { orderId: string }[];
      };
      return orders.map(({ orderId }) => orderId);
    };

    expect(await ids(AS_SHOP_A)).toEqual(["1"]);
    expect(await ids(AS_OPERATOR)).toEqual(["2"]);
    expect(await ids(bearer("session.of.b"))).toEqual([]);
  });

  it("is closed to operators if there is no console token", async () => {
    const app = await startConsole({ consoleToken: undefined });
    expect((await app.get("/api/orders", bearer("undefined"))).status).toBe(401);
    expect((await app.get("/api/orders", AS_OPERATOR)).status).toBe(401);
    expect((await app.get("/api/orders", AS_SHOP_A)).status).toBe(200);
  });

  it("asks every platform, and uses the one that recognizes the session", async () => {
    const down = createFakePlatform({ name: "down", openSession: () => Promise.reject(new Error("down")) });
    const app = await startConsole({ platforms: [down, createFakePlatform()] });
    expect((await app.get("/api/orders", AS_SHOP_A)).status).toBe(200);
    expect((await app.get("/api/orders", AS_OPERATOR)).status).toBe(200);
    expect((await app.get("/api/orders", bearer("session.of.NOBODY"))).status).toBe(503);
  });

  it("asks a platform once for the name of somebody who has none", async () => {
    const readUserName = vi.fn(async () => " Ada\u202E Lovelace\n");
    const app = await startConsole({ platforms: [createFakePlatform({ readUserName })] });

    const session = await (await app.get("/api/session", AS_SHOP_A)).json();
    await app.get("/api/orders", AS_SHOP_A);

    expect(session).toMatchObject({ name: "Ada Lovelace", names: { "person:7": "Ada Lovelace" } });
    expect(readUserName).toHaveBeenCalledTimes(1);
  });

  it("keeps the name that an owner gave, and asks again after an hour where there is none", async () => {
    let nowMs = 1_000;
    const readUserName = vi.fn(() => Promise.reject(new Error("secret")));
    const platforms = [createFakePlatform({ readUserName })];
    const app = await startConsole({ platforms, now: () => nowMs });
    const name = async () =>
      ((await (await app.get("/api/session", AS_SHOP_A)).json()) as { name: string }).name;

    expect([await name(), await name()]).toEqual([null, null]);
    expect(readUserName).toHaveBeenCalledTimes(1);
    nowMs += 3_600_000;
    expect(await name()).toBeNull();
    expect(readUserName).toHaveBeenCalledTimes(2);
    expect(app.log()).not.toContain("secret");

    await app.send("PUT", "/api/people/person:7", toJsonCall({ name: "Grace" }, AS_SHOP_A));
    nowMs += 3_600_000;
    expect(await name()).toBe("Grace");
    expect(readUserName).toHaveBeenCalledTimes(2);
  });

  it("answers 503 if a session can't be checked", async () => {
    const error = new HoldfastError("PLATFORM_UNAVAILABLE", "no answer", {
      retryable: true,
      retryAtMs: 13_000,
    });
    const platform = createFakePlatform({ openSession: () => Promise.reject(error) });
    const app = await startConsole({ platforms: [platform], now: () => 6_000 });

    const response = await app.get("/api/orders", AS_SHOP_A);

    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(app.log()).toContain("PLATFORM_UNAVAILABLE");
  });

  it("slows down guessing for a minute, and accepts the right tokens all the while", async () => {
    let nowMs = 0;
    const app = await startConsole({ now: () => nowMs });
    for (let guess = 0; guess < 20; guess += 1) {
      expect((await app.get("/api/orders", bearer(`guess-${guess}`))).status).toBe(401);
    }
    nowMs = 20_000;

    const blocked = await app.get("/api/orders", bearer("guess-20"));
    expect(blocked.status).toBe(429);
    expect(blocked.headers.get("retry-after")).toBe("40");
    expect((await app.get("/api/orders", AS_OPERATOR)).status).toBe(200);
    expect((await app.get("/api/orders", AS_SHOP_A)).status).toBe(200);
    nowMs = 60_000;
    expect((await app.get("/api/orders", bearer("guess-21"))).status).toBe(401);
  });

  /** The response to the 21st wrong token, from `last`, after twenty from `first`. */
  async function guessFrom(
    trustProxy: TrustedProxies | undefined,
    first: (guess: number) => string,
    last: string,
  ): Promise<number> {
    const app = await startConsole({ trustProxy });
    const guess = async (forwardedFor: string) =>
      (await app.get("/api/orders", { ...bearer("guess"), "x-forwarded-for": forwardedFor })).status;
    for (let index = 0; index < 20; index += 1) expect(await guess(first(index))).toBe(401);
    return guess(last);
  }

  it.each<[string, TrustedProxies | undefined, (guess: number) => string, string, number]>([
    ["nobody's header without TRUST_PROXY", undefined, (guess) => `198.51.100.${guess}`, "203.0.113.1", 429],
    ["the address before one proxy", 1, () => "203.0.113.9", "203.0.113.1", 401],
    [
      "what the proxy wrote, not what the caller did",
      1,
      (guess) => `198.51.100.${guess}, 203.0.113.9`,
      "203.0.113.9",
      429,
    ],
    [
      "past two proxies",
      2,
      (guess) => `198.51.100.${guess}, 203.0.113.9, 10.0.0.1`,
      "203.0.113.9, 10.0.0.2",
      429,
    ],
    [
      "past the proxies of a network",
      ["127.0.0.1", "10.0.0.0/8"],
      (guess) => `198.51.100.${guess}, 203.0.113.9, 10.1.2.3`,
      "203.0.113.9",
      429,
    ],
    [
      "a caller that no trusted proxy passed on",
      ["10.0.0.0/8"],
      (guess) => `198.51.100.${guess}`,
      "203.0.113.1",
      429,
    ],
    ["what is no address as one caller", 1, (guess) => `nonsense-${guess}`, "other", 429],
  ])("counts guesses by the trusted address: %s", async (_case, trust, first, last, status) => {
    expect(await guessFrom(trust, first, last)).toBe(status);
  });

  it("doesn't count calls without a token as guesses", async () => {
    const app = await startConsole();
    for (let call = 0; call < 30; call += 1) await app.get("/api/orders");
    expect((await app.get("/api/orders", AS_OPERATOR)).status).toBe(200);
  });

  it("writes no token to the log", async () => {
    const platform = createFakePlatform({ openSession: () => Promise.reject(new Error(CONSOLE_TOKEN)) });
    const app = await startConsole({ platforms: [platform] });

    await app.get("/api/orders", bearer("secret-session-token"));

    expect(app.log()).toContain("a platform session couldn't be checked");
    expect(app.log()).not.toMatch(/secret-session-token|console-token/);
  });
});

describe("createFailureLimiter", () => {
  const create = (now = () => 0) => createFailureLimiter({ failures: 2, windowMs: 100, now });

  it("counts each IPv4 address separately, even when written as IPv6", () => {
    const limiter = create();
    limiter.fail("192.0.2.1");
    limiter.fail("::ffff:192.0.2.1");
    expect(limiter.blockedUntilMs("192.0.2.1")).toBe(100);
    expect(limiter.blockedUntilMs("192.0.2.2")).toBeUndefined();
  });

  it("counts an IPv6 network as one, since its hosts choose their addresses", () => {
    const limiter = create();
    limiter.fail("2001:db8:0:1::1");
    limiter.fail("2001:db8:0:1:ffff::2");
    expect(limiter.blockedUntilMs("2001:db8:0:1::3")).toBe(100);
    expect(limiter.blockedUntilMs("2001:db8:0:2::1")).toBeUndefined();
  });

  it("counts an address that a gateway wrote with its port like one without", () => {
    const limiter = create();
    limiter.fail("192.0.2.1:50001");
    limiter.fail("192.0.2.1:50002");
    expect(limiter.blockedUntilMs("192.0.2.1")).toBe(100);
    expect(limiter.blockedUntilMs("192.0.2.2:50001")).toBeUndefined();
    limiter.fail("[2001:db8:0:1::1]:50001");
    limiter.fail("[2001:db8:0:1::2]:50001");
    expect(limiter.blockedUntilMs("2001:db8:0:1::3")).toBe(100);
  });

  it("counts callers without an address together", () => {
    const limiter = create();
    limiter.fail(undefined);
    limiter.fail("not an address");
    expect(limiter.blockedUntilMs(undefined)).toBe(100);
  });

  it("starts a new window after the old one, not with each failure", () => {
    let nowMs = 0;
    const limiter = create(() => nowMs);
    limiter.fail("192.0.2.1");
    nowMs = 99;
    limiter.fail("192.0.2.1");
    expect(limiter.blockedUntilMs("192.0.2.1")).toBe(100);
    nowMs = 100;
    expect(limiter.blockedUntilMs("192.0.2.1")).toBeUndefined();
    limiter.fail("192.0.2.1");
    expect(limiter.blockedUntilMs("192.0.2.1")).toBeUndefined();
  });
});
