import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startApp, type App } from "../../src/app.ts";
import { parseConfig } from "../../src/config.ts";
import { SETTINGS_KEPT_MS } from "../../src/settings/current-settings.ts";
import { createLogRecorder } from "../support/log-recorder.ts";
import { anOrder } from "../support/orders.ts";
import { createTestPlatform, orderEvent } from "../support/platform.ts";
import { createDatabase } from "../support/postgres-database.ts";
import { startServer } from "../service/loopback.ts";
import { startServiceFront, toKey, type ServiceFront } from "../support/service-front.ts";
import { until } from "../support/until.ts";

const OPERATOR = "token-of-the-operator";
const KEYS = {
  "key-of-the-app": toKey("app"),
  "key-of-a-0001-long": toKey("a"),
  "key-of-a-0002-long": toKey("a"),
  "key-of-b-0001-long": toKey("b"),
  "key-of-nobody": toKey(),
  "key-of-many": toKey("red", "green", "blue"),
};

interface Shown {
  readonly state: string;
  readonly source: string | null;
  readonly problem: string | null;
}

let front: ServiceFront;
let app: App;
let log: ReturnType<typeof createLogRecorder>;
let deliveries: number;
let install: (tenant: string) => Promise<void>;

async function start(environment: Record<string, string> = {}, now: () => number = Date.now): Promise<void> {
  log = createLogRecorder();
  const platform = createTestPlatform();
  app = await startApp({
    config: parseConfig({
      PORT: "0",
      DATABASE_URL: "sqlite::memory:",
      CONSOLE_TOKEN: OPERATOR,
      ...environment,
    }),
    platforms: [
      {
        name: "test",
        create({ credentials }) {
          // Everybody who opens the app has installed it.
          install = async (tenant) => {
            if ((await credentials.load(tenant)) === null)
              await credentials.save(tenant, "secret", "installed");
          };
          platform.openSession = async (bearer) => {
            await install(`test:${bearer}`);
            return { tenant: `test:${bearer}`, userId: "7" };
          };
          return platform;
        },
      },
    ],
    logger: log.logger,
    version: "0.0.0-test",
    now,
  });
}

beforeEach(async () => {
  deliveries = 0;
  front = await startServiceFront(KEYS);
  await start({ VERIFY_URL: front.url.href, VERIFY_API_KEY: "key-of-the-app" });
});

afterEach(async () => {
  await app.stop();
  await front.close();
});

async function call(shop: string, method: string, path: string, body?: object, headers = {}) {
  const answer = await fetch(new URL(`api${path}`, app.url), {
    method,
    headers: { authorization: `Bearer ${shop}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, etag: answer.headers.get("etag"), json: JSON.parse(text) as never, text };
}

const setKey = (shop: string, apiKey: string) => call(shop, "PUT", "/settings", { service: { apiKey } });

/** Deliver an order, and wait until it is decided. */
async function order(shop: string): Promise<Shown> {
  const [tenant, bearer] = shop === "default" ? [shop, OPERATOR] : [`test:${shop}`, shop];
  await install(tenant);
  const orderId = String((deliveries += 1));
  const request = anOrder({ orderId, customerEmail: `customer-${orderId}@example.com` });
  const answer = await fetch(new URL("webhooks/test", app.url), {
    method: "POST",
    headers: { "x-tenant": tenant, "x-id": orderId, "x-topic": "orders/create" },
    body: new Uint8Array(orderEvent({ orderId, mapped: { outcome: "screenable", request, test: false } })),
  });
  expect(answer.status).toBe(200);
  return until(async () => {
    const { status, json } = await call(bearer, "GET", `/orders/${orderId}`);
    const shown = json as Shown & { action: string | null };
    return status === 200 && shown.action !== null && shown;
  });
}

const paid = () => front.calls.filter((line) => line.endsWith("order-verification"));

describe("a tenant's own service key", () => {
  it("is used for its calls, and the environment's key for tenants without one", async () => {
    expect((await setKey("a", "key-of-a-0001-long")).json).toMatchObject({
      version: 1,
      service: { from: "own", url: front.url.href, organization: "a", keyHint: "…long", problem: null },
    });
    await setKey("b", "key-of-b-0001-long");

    for (const shop of ["a", "b", "c"]) expect(await order(shop)).toMatchObject({ source: "service" });

    expect(paid()).toEqual([
      "key-of-a-0001-long order-verification",
      "key-of-b-0001-long order-verification",
      "key-of-the-app order-verification",
    ]);
    expect((await call("c", "GET", "/settings")).json).toMatchObject({
      version: 0,
      service: { from: "environment", organization: null, keyHint: null, savedAt: null },
    });
    expect(JSON.stringify(log.lines)).not.toContain("key-of-a");
  });

  it("is replaced and removed while the app runs", async () => {
    await setKey("a", "key-of-a-0001-long");
    await order("a");

    await setKey("a", "key-of-a-0002-long");
    await order("a");
    await call("a", "PUT", "/settings", { service: null });
    await order("a");

    expect(paid()).toEqual([
      "key-of-a-0001-long order-verification",
      "key-of-a-0002-long order-verification",
      "key-of-the-app order-verification",
    ]);
  });

  it("blocks only its tenant's calls when it is revoked, with the shop in the alert, and can be replaced", async () => {
    await setKey("a", "key-of-a-0001-long");
    front.revoked.add("key-of-a-0001-long");

    expect(await order("a")).toMatchObject({ source: "local" });
    expect(await order("b")).toMatchObject({ source: "service" });

    expect(await call("a", "GET", "/credits")).toMatchObject({ json: { circuit: "open" } });
    expect(await call("b", "GET", "/credits")).toMatchObject({ json: { circuit: "closed" } });
    const refused = log.lines.filter(({ alert }) => alert === "verification_key_refused");
    expect(refused).toEqual([expect.objectContaining({ tenant: "test:a" })]);

    await setKey("a", "key-of-a-0002-long");
    expect(await order("a")).toMatchObject({ source: "service" });
    expect(await call("a", "GET", "/credits")).toMatchObject({ json: { circuit: "closed" } });
    expect(log.lines.filter(({ resolved }) => resolved === "verification_key_refused")[0]).toMatchObject({
      tenant: "test:a",
      keyId: refused[0]?.["keyId"],
    });
  });

  it("is refused, and the former one kept, if it leads to no organization or to many", async () => {
    await setKey("a", "key-of-a-0001-long");

    for (const [apiKey, path, message] of [
      ["key-unknown", "service.apiKey", /rejected this key/],
      ["key-of-nobody", "service.apiKey", /no access to an organization/],
      ["key-of-many", "service.organization", /red, green, blue/],
    ] as const) {
      const refused = await setKey("a", apiKey);

      expect(refused, apiKey).toMatchObject({
        status: 422,
        json: { errors: [{ path, message: expect.stringMatching(message) }] },
      });
      expect(refused.text).not.toContain(apiKey);
      expect((await call("a", "GET", "/settings")).json).toMatchObject({
        version: 1,
        service: { organization: "a" },
      });
    }
  });

  it("uses the named organization, and is refused if it doesn't reach it", async () => {
    const name = (organization: string) =>
      call("a", "PUT", "/settings", { service: { apiKey: "key-of-many", organization } });

    expect(await name("yellow")).toMatchObject({
      status: 422,
      json: { errors: [{ path: "service.organization" }] },
    });
    expect(await name("green")).toMatchObject({ status: 200, json: { service: { organization: "green" } } });
  });

  it("isn't saved when the service can't be asked", async () => {
    await front.close();

    expect(await setKey("a", "key-of-a-0001-long")).toMatchObject({
      status: 503,
      json: { code: "VERIFICATION_UNREACHABLE" },
    });

    expect((await call("a", "GET", "/settings")).json).toMatchObject({ version: 0 });
    front = await startServiceFront(KEYS);
  });

  it("lets no tenant choose the address", async () => {
    const other = await startServiceFront(KEYS);
    const service = { url: other.url.href, apiKey: "key-of-a-0001-long" };

    expect(await call("a", "PUT", "/settings", { service })).toMatchObject({
      status: 422,
      json: { errors: [{ path: "service.url" }] },
    });
    expect(
      await call("a", "PUT", "/settings", { service: { ...service, url: front.url.href } }),
    ).toMatchObject({
      status: 200,
    });

    expect(other.calls).toEqual([]);
    await other.close();
  });

  it("is refused when somebody else changed the settings meanwhile", async () => {
    const { etag } = await call("a", "GET", "/settings");
    await setKey("a", "key-of-a-0001-long");

    const late = await call("a", "PUT", "/settings", { service: null }, { "if-match": String(etag) });

    expect(late.status).toBe(412);
    expect((await call("a", "GET", "/settings")).json).toMatchObject({ service: { from: "own" } });
  });
});

describe("a tenant's key without a service in the environment", () => {
  beforeEach(async () => {
    await app.stop();
    await start();
  });

  const asOperator = (method: string, path: string, body?: object) => call(OPERATOR, method, path, body);

  it("is used with the operator's named service; others are pointed to the operator", async () => {
    const service = { url: front.url.href, apiKey: "key-of-b-0001-long" };

    expect(await asOperator("PUT", "/settings", { service })).toMatchObject({
      status: 200,
      json: { service: { from: "own", url: front.url.href, organization: "b" } },
    });
    expect(await call("a", "PUT", "/settings", { service })).toMatchObject({
      status: 422,
      json: { errors: [{ path: "service.url", message: expect.stringContaining("VERIFY_URL") }] },
    });

    expect(await order("a")).toMatchObject({ source: "local" });
    expect((await call("a", "GET", "/settings")).json).toMatchObject({
      service: { from: "none", url: null },
    });
  });

  it("alerts its owner's addresses when it is refused, and when that is over", async () => {
    const hook = await startServer((response) => response.end("ok"));
    const service = { url: front.url.href, apiKey: "key-of-b-0001-long" };
    await asOperator("PUT", "/settings", { service, alerts: { webhookUrl: hook.url } });
    front.revoked.add("key-of-b-0001-long");
    const told = () => hook.seen.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

    expect(await order("default")).toMatchObject({ source: "local" });
    await until(() => told().length === 1);
    await asOperator("PUT", "/settings", { service: { ...service, apiKey: "key-of-a-0001-long" } });
    await until(() => told().length === 2);

    const alert = { alert: "verification_key_refused", tenant: "default" };
    expect(told()).toMatchObject([
      { ...alert, event: "opened" },
      { ...alert, event: "resolved" },
    ]);
    expect(await order("default")).toMatchObject({ source: "service" });
  });

  it("is used only with a public address over TLS", async () => {
    for (const url of [
      "https://10.0.0.1/",
      "https://169.254.169.254/",
      "https://[fd00::1]/",
      "https://[::ffff:10.0.0.1]/",
      "https://0x7f.1:8443/x?y",
      "http://service.example/",
      "ftp://service.example/",
      "https://user:pass@service.example/",
      "nonsense",
    ]) {
      const service = { url, apiKey: "key-of-b-0001-long" };

      expect(await asOperator("PUT", "/settings", { service }), url).toMatchObject({
        status: 422,
        json: { errors: [{ path: "service.url" }] },
      });
    }
  });
});

describe("a tenant's new key among processes that share a database", () => {
  it("is used by processes that have called with the former one", async () => {
    await app.stop();
    const database = await createDatabase();
    onTestFinished(() => database.drop());
    const environment = {
      DATABASE_URL: database.url,
      DATA_KEY: randomBytes(32).toString("base64"),
      VERIFY_URL: front.url.href,
      VERIFY_API_KEY: "key-of-the-app",
    };
    let aheadMs = 0;
    const now = () => Date.now() + aheadMs;
    await start({ ...environment, ROLE: "worker" }, now);
    const worker = app;
    await start({ ...environment, ROLE: "intake" }, now);
    await setKey("a", "key-of-a-0001-long");
    await order("a");

    await setKey("a", "key-of-a-0002-long");
    aheadMs += SETTINGS_KEPT_MS;
    await order("a");
    await worker.stop();

    expect(paid()).toEqual([
      "key-of-a-0001-long order-verification",
      "key-of-a-0002-long order-verification",
    ]);
  });
});
