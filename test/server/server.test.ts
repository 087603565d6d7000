import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import { createTestStore } from "../support/test-store.ts";
import { AS_OPERATOR, startConsole, type ConsoleApp } from "./console-app.ts";
import { connectRaw } from "./http/raw-client.ts";

const SECURITY_HEADERS = [
  "x-content-type-options",
  "referrer-policy",
  "x-frame-options",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "permissions-policy",
  "content-security-policy",
  "strict-transport-security",
];

describe("createServer", () => {
  it.each(["/nothing", "/api/nothing", "/healthz/more", "/api", "/HEALTHZ", "/assets/", "/%"])(
    "answers 404 to %s",
    async (path) => {
      const app = await startConsole();

      const response = await app.get(path, AS_OPERATOR);

      expect(response.status).toBe(404);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(await response.json()).toEqual({
        type: "about:blank",
        title: "Not Found",
        status: 404,
        detail: "Not found.",
        refusal: "not-found",
      });
    },
  );

  it.each([
    ["GET /api/orders/%E0%A4%A HTTP/1.1", "400 Bad Request"],
    ["GET http://[::1 HTTP/1.1", "400 Bad Request"],
    ["GET //evil.example/..;/ HTTP/1.1", "404 Not Found"],
    ["OPTIONS * HTTP/1.1", "404 Not Found"],
    ["OPTIONS /healthz HTTP/1.1", "405 Method Not Allowed"],
    ["TRACE / HTTP/1.1", "405 Method Not Allowed"],
  ])("answers %s with a problem", async (line, status) => {
    const app = await startConsole();
    const client = await connectRaw(app.port);

    client.write(
      `${line}\r\nHost: x\r\nAuthorization: ${AS_OPERATOR.authorization}\r\nConnection: close\r\n\r\n`,
    );

    const answer = await client.closed();
    expect(answer).toContain(`HTTP/1.1 ${status}`);
    expect(answer).toContain("application/problem+json");
    expect(answer).not.toContain("<html");
    expect(app.log()).not.toContain('"level":"error"');
  });

  it("doesn't reveal its software", async () => {
    const app = await startConsole();
    for (const path of ["/", "/healthz", "/api/orders", "/nothing"]) {
      const { headers } = await app.get(path);
      expect(headers.get("x-powered-by")).toBeNull();
      expect(headers.get("server")).toBeNull();
    }
  });

  it.each(["/", "/healthz", "/metrics", "/api/orders", "/assets/console.js", "/nothing"])(
    "sets the security headers on %s",
    async (path) => {
      const app = await startConsole();

      const { headers } = await app.get(path);

      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("permissions-policy")).toContain("camera=()");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("strict-transport-security")).toBeNull();
    },
  );

  it.each([
    ["405 to another method", 405, (app: ConsoleApp) => app.get("/webhooks/fake")],
    [
      "401 to a wrong signature",
      401,
      (app: ConsoleApp) => app.send("POST", "/webhooks/fake", { body: "{}" }),
    ],
    [
      "500 to what breaks",
      500,
      (app: ConsoleApp) =>
        app.send("POST", "/webhooks/fake", {
          body: "{}",
          headers: { "x-fake-signature": "good", "x-fake-id": "d-1" },
        }),
    ],
  ])("sets the same security headers on a webhook's %s", async (_, expected, ask) => {
    const intake = { accept: () => Promise.reject(new Error("broken")), stop: async () => {} };
    const app = await startConsole({ https: true, intake });
    const usual = (await app.get("/nothing")).headers;

    const { status, headers } = await ask(app);

    expect(status).toBe(expected);
    for (const name of SECURITY_HEADERS) expect([name, headers.get(name)]).toEqual([name, usual.get(name)]);
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
  });

  it("tells browsers to stay on https if people use https", async () => {
    const app = await startConsole({ https: true });
    expect((await app.get("/")).headers.get("strict-transport-security")).toBe("max-age=31536000");
  });

  it("has only health and metrics, as a worker", async () => {
    const app = await startConsole({ role: "worker" });

    for (const path of ["/healthz", "/readyz", "/metrics"]) expect((await app.get(path)).status).toBe(200);
    for (const path of ["/", "/api/orders", "/assets/console.js", "/webhooks/fake"]) {
      expect((await app.get(path, AS_OPERATOR)).status).toBe(404);
    }
    expect((await app.send("POST", "/webhooks/fake", { body: "{}" })).status).toBe(404);
  });

  it("has webhooks and the console, as an intake", async () => {
    const app = await startConsole({ role: "intake" });
    expect((await app.get("/")).status).toBe(200);
    expect((await app.get("/api/orders", AS_OPERATOR)).status).toBe(200);
    expect((await app.send("POST", "/webhooks/fake", { body: "{}" })).status).toBe(401);
  });

  it("answers 503 while the store is unavailable", async () => {
    const store = await createTestStore();
    const away = new HoldfastError("STORE_UNAVAILABLE", "connect 10.0.0.7:5432 refused", { retryable: true });
    const app = await startConsole({
      store: { ...store, orders: { ...store.orders, list: () => Promise.reject(away) } },
    });

    const response = await app.get("/api/orders", AS_OPERATOR);
    const text = await response.text();

    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(JSON.parse(text)).toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(text).not.toContain("10.0.0.7");
  });

  it("answers 500 with a random error id and no reason for anything unexpected", async () => {
    const credits = () => Promise.reject(new TypeError("cannot read jane@example.com of undefined"));
    const app = await startConsole({ credits });

    const first = await app.get("/api/credits?secret=1", AS_OPERATOR);
    const second = await app.get("/api/credits", AS_OPERATOR);
    const problems = [await first.json(), await second.json()] as { errorId: string }[];

    expect([first.status, second.status]).toEqual([500, 500]);
    expect(problems[0]).toEqual({
      type: "about:blank",
      title: "Internal Server Error",
      status: 500,
      detail: expect.any(String),
      refusal: "failed",
      errorId: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(problems[0]?.errorId).not.toBe(problems[1]?.errorId);
    expect(app.log()).toContain(problems[0]?.errorId);
    expect(app.log()).toContain('"route":"/api/credits"');
    expect(app.log()).toContain("TypeError");
    expect(app.log()).not.toMatch(/jane|secret=1|console-token/);
  });

  it("doesn't trust what a proxy says about the caller", async () => {
    const app = await startConsole();
    for (let guess = 0; guess < 20; guess += 1) {
      await app.get("/api/orders", { authorization: "Bearer wrong", "x-forwarded-for": `192.0.2.${guess}` });
    }
    const headers = { authorization: "Bearer wrong", "x-forwarded-for": "192.0.2.99" };
    expect((await app.get("/api/orders", headers)).status).toBe(429);
  });
});
