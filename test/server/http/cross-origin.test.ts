import { describe, expect, it } from "vitest";
import { AS_SHOP_A, createFakePlatform, keepOrder, startConsole, type ConsoleApp } from "../console-app.ts";

const ALLOWED = "https://extensions.fake.example";
const ORDER = "/api/orders/1";

async function start(apiOrigins: readonly string[] | undefined = [ALLOWED]): Promise<ConsoleApp> {
  const app = await startConsole({ platforms: [createFakePlatform({ apiOrigins })] });
  await keepOrder(app.store, "1", { tenant: "fake:a.example" });
  return app;
}

function grantsOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));
}

async function preflight(app: ConsoleApp, path: string, origin: string, method = "GET"): Promise<Response> {
  const headers = {
    origin,
    "access-control-request-method": method,
    "access-control-request-headers": "authorization",
  };
  return await app.send("OPTIONS", path, { headers });
}

describe("createCrossOrigin", () => {
  it("lets a platform's own page read one order with a session token", async () => {
    const app = await start();

    const asked = await preflight(app, ORDER, ALLOWED);
    expect(asked.status).toBe(204);
    expect(grantsOf(asked)).toEqual({
      "access-control-allow-origin": ALLOWED,
      "access-control-allow-methods": "GET, HEAD",
      "access-control-allow-headers": "authorization, content-type, if-match",
      "access-control-max-age": "600",
    });
    const answered = await app.get(ORDER, { ...AS_SHOP_A, origin: ALLOWED });
    expect(answered.status).toBe(200);
    expect(grantsOf(answered)).toEqual({ "access-control-allow-origin": ALLOWED });
    expect(answered.headers.get("vary")).toMatch(/\borigin\b/i);
  });

  it.each(["approve", "decline", "recheck"])("lets it %s an order with a session token", async (act) => {
    const app = await start();
    const path = `${ORDER}/${act}`;

    expect(grantsOf(await preflight(app, path, ALLOWED, "POST"))).toMatchObject({
      "access-control-allow-origin": ALLOWED,
      "access-control-allow-methods": "POST",
    });
    const answered = await app.send("POST", path, { headers: { ...AS_SHOP_A, origin: ALLOWED } });
    expect(grantsOf(answered)).toEqual({ "access-control-allow-origin": ALLOWED });
    const elsewhere = await preflight(app, path, "https://evil.example", "POST");
    expect(grantsOf(elsewhere)).toEqual({});
  });

  it.each(["undo", "note"])("allows no POST of %s", async (act) => {
    const app = await start();
    expect(grantsOf(await preflight(app, `${ORDER}/${act}`, ALLOWED, "POST"))).toEqual({});
  });

  it("also lets the page read why it was refused", async () => {
    const app = await start();

    const refused = await app.get(ORDER, { origin: ALLOWED });
    const unknown = await app.get("/api/orders/2", { ...AS_SHOP_A, origin: ALLOWED });

    expect([refused.status, unknown.status]).toEqual([401, 404]);
    for (const response of [refused, unknown]) {
      expect(grantsOf(response)).toEqual({ "access-control-allow-origin": ALLOWED });
    }
  });

  it.each([
    "null",
    "https://evil.example",
    "http://extensions.fake.example",
    "https://extensions.fake.example:8443",
    "https://extensions.fake.example.evil.example",
    "https://evil.extensions.fake.example",
    "https://extensions.fake.example/",
    "HTTPS://EXTENSIONS.FAKE.EXAMPLE",
    "*",
    `${ALLOWED}, https://evil.example`,
    `${ALLOWED} https://evil.example`,
  ])("allows nothing to %s, whatever token it has", async (origin) => {
    const app = await start();

    const asked = await preflight(app, ORDER, origin);
    expect(grantsOf(asked)).toEqual({});
    expect(asked.status).toBeGreaterThanOrEqual(400);
    const answered = await app.get(ORDER, { ...AS_SHOP_A, origin });
    expect(grantsOf(answered)).toEqual({});
    expect(answered.headers.get("vary")).toMatch(/\borigin\b/i);
  });

  it.each(["POST", "PUT", "DELETE", "PATCH", "get", ""])("allows no %s", async (method) => {
    const app = await start();
    expect(grantsOf(await preflight(app, ORDER, ALLOWED, method))).toEqual({});
  });

  it.each([
    "/api/orders",
    "/api/policy",
    "/api/credits",
    "/api/access-log",
    "/",
    "/healthz",
    "/assets/console.js",
  ])("allows nothing at %s", async (path) => {
    const app = await start();

    expect(grantsOf(await preflight(app, path, ALLOWED))).toEqual({});
    expect(grantsOf(await app.get(path, { ...AS_SHOP_A, origin: ALLOWED }))).toEqual({});
  });

  it("never allows cookies or every origin", async () => {
    const app = await start();
    for (const response of [
      await preflight(app, ORDER, ALLOWED),
      await app.get(ORDER, { ...AS_SHOP_A, origin: ALLOWED }),
    ]) {
      expect(response.headers.get("access-control-allow-credentials")).toBeNull();
      expect(response.headers.get("access-control-allow-origin")).not.toBe("*");
    }
  });

  it.each([[undefined], [[]], [["*"]], [["http://extensions.fake.example"]], [["null"]]])(
    "allows nothing if the platform names %j",
    async (apiOrigins) => {
      const app = await start(apiOrigins ?? []);
      for (const origin of [ALLOWED, "null", "*", "http://extensions.fake.example"]) {
        expect(grantsOf(await preflight(app, ORDER, origin))).toEqual({});
      }
    },
  );
});
