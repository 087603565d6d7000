import { afterEach, describe, expect, it } from "vitest";
import { createHoldfast, createMedusaShop } from "../../adapters/medusa/index.ts";
import { verifyOrder as verifyNestOrder } from "../../adapters/nestjs/index.ts";
import { verifyOrder as verifyNextOrder } from "../../adapters/next/index.ts";
import { createTelemetry } from "../../adapters/opentelemetry/index.ts";
import { createManualCapture } from "../../adapters/stripe/index.ts";
import { createShopifyPlatform, createWebhookAuthenticator } from "../../adapters/shopify/index.ts";
import { createHoldfastPlugin, createVendureShop } from "../../adapters/vendure/index.ts";
import {
  catalogWebhook,
  createCatalogClient,
  createOrderEnricher,
  openFileInbox,
} from "../../src/catalog.ts";
import { startInHost } from "../../src/in-host.ts";
import { createManagementClient } from "../../src/management.ts";
import { createOrderGuard } from "../../src/screening/order-guard.ts";
import { createScreener } from "../../src/screening/screener.ts";
import { createSqliteStore } from "../../src/store/opening/sqlite-store.ts";
import { createPostgresStore } from "../../src/store/opening/postgres-store.ts";
import { createHostPlatform } from "../../src/platform/host-platform.ts";
import {
  catalogServiceContract,
  createSandboxService,
  managementServiceContract,
  platformAdapterContract,
  verificationServiceContract,
} from "../../src/testing.ts";
import { anOrder } from "../support/orders.ts";

// Callers in plain JavaScript have no type checker, and a wrong option must not wait for the first order.
const screener = createScreener({ service: "local" });
const refusal = (message: string) => expect.objectContaining({ code: "CONFIG_INVALID", message }) as unknown;

afterEach(() => screener.close());

const service = { url: "http://127.0.0.1:9", apiKey: "key" };

/** Every public function with options, and the first thing it misses without any. */
const FUNCTIONS: readonly (readonly [string, (options: never) => unknown, string | undefined])[] = [
  ["createScreener", createScreener, '"service"'],
  ["verifyOrder", createOrderGuard, '"order"'],
  ["verifyOrder", (options) => verifyNextOrder(options, () => Response.json({})), '"order"'],
  ["verifyOrder", verifyNestOrder, '"order"'],
  ["createSqliteStore", createSqliteStore, "`path`"],
  ["createPostgresStore", createPostgresStore, "`dataKey`"],
  ["createCatalogClient", createCatalogClient, "`apiKey`"],
  ["createManagementClient", createManagementClient, "`token`"],
  ["createOrderEnricher", createOrderEnricher, '"catalog"'],
  ["catalogWebhook", catalogWebhook, '"client"'],
  ["createManualCapture", createManualCapture, '"stripe"'],
  ["createHoldfast", createHoldfast, '"settings"'],
  ["createHoldfastPlugin", (options) => createHoldfastPlugin({} as never, options), '"settings"'],
  ["createTelemetry", createTelemetry, undefined],
  ["createSandboxService", createSandboxService, undefined],
  ["createHostPlatform", createHostPlatform, '"shop"'],
  ["startInHost", startInHost, '"shop"'],
  ["createWebhookAuthenticator", createWebhookAuthenticator, '"secrets"'],
  ["createShopifyPlatform", createShopifyPlatform, '"apiKey"'],
  ["catalogServiceContract", catalogServiceContract, '"url"'],
  ["managementServiceContract", managementServiceContract, '"url"'],
  ["verificationServiceContract", verificationServiceContract, '"url"'],
];
// A store's function rejects, the others throw.
const calling = async (run: (options: never) => unknown, options: unknown) => run(options as never);

describe("every function with options", () => {
  it.each(FUNCTIONS)("%s refuses a misspelled one", async (name, run) => {
    const message = expect.stringMatching(
      `^"deadline": not an option of ${name}; expected one of `,
    ) as string;

    await expect(calling(run, { deadline: 2_500 })).rejects.toThrow(refusal(message));
  });

  it.each(FUNCTIONS.filter(([, , missing]) => missing))(
    "%s names what it misses without options",
    async (_, run, missing) => {
      for (const options of [undefined, null, {}]) {
        await expect(calling(run, options)).rejects.toThrow(
          refusal(expect.stringContaining(String(missing)) as string),
        );
      }
    },
  );

  it.each<[string, (value: never) => unknown, string]>([
    ["openFileInbox", openFileInbox, '"path": expected a file\'s path'],
    ["createMedusaShop", createMedusaShop, '"container": expected Medusa\'s container'],
    [
      "createVendureShop",
      (core) => createVendureShop(core, {} as never),
      '"core": expected the result of import * as core from "@vendure/core"',
    ],
    [
      "createHoldfastPlugin",
      (core) => createHoldfastPlugin(core, { settings: {} }),
      '"core": expected the result of import * as core from "@vendure/core"',
    ],
    [
      "createVendureShop",
      () => createVendureShop({ VendurePlugin() {} } as never, {} as never),
      '"injector": expected Vendure\'s Injector',
    ],
    ["platformAdapterContract", platformAdapterContract, '"createAdapterUnderTest": expected a function'],
  ])("%s names the argument that it misses", async (_, run, message) => {
    await expect(calling(run, undefined)).rejects.toThrow(refusal(message));
  });

  it("refuses to keep a function alive with a screener that announces no decisions", () => {
    const options = {
      screener: { check: () => screener.check(anOrder()) },
      order: () => anOrder(),
      waitUntil() {},
    };

    expect(() => createOrderGuard(options)).toThrow(
      refusal('"screener": expected the result of createScreener'),
    );
  });

  it("refuses something else than an object", () => {
    expect(() => createScreener("local" as never)).toThrow(
      refusal("createScreener: expected an object with options"),
    );
  });
});

describe("createScreener in plain JavaScript", () => {
  it.each([
    [{ service: { ...service, timeout: 500 } }, '"timeout": not an option of service'],
    [{ service: { ...service, dispatcher: {} } }, '"dispatcher": expected a Dispatcher of undici'],
    [{ service: "local", telemetry: {} }, '"telemetry": expected the result of createTelemetry'],
  ])("refuses %j, inside an option", (options, message) => {
    expect(() => createScreener(options as never)).toThrow(
      refusal(expect.stringContaining(message) as string),
    );
  });

  it.each([
    [{ deadline: 2_500 }, '"deadline": not an option of check'],
    [2_500, "check: expected an object with options"],
    [{ signal: new AbortController() }, '"signal": expected the signal of an AbortController'],
  ])("refuses %j for a check", async (options, message) => {
    const expected = refusal(expect.stringContaining(message) as string);

    await expect(screener.check(anOrder(), options as never)).rejects.toThrow(expected);
    await expect(screener.confirm(anOrder(), null, options as never)).rejects.toThrow(expected);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ store: null }, '"store": expected the result of createSqliteStore or createPostgresStore'],
    [{ store: {} }, '"store": expected the result of createSqliteStore or createPostgresStore'],
    [{ store: "sqlite:./x.db" }, '"store": expected the result of createSqliteStore or createPostgresStore'],
    [{ budget: 100 }, '"budget": expected an object such as { daily: 100 }'],
    [{ tenant: "" }, '"tenant": expected a text that isn\'t blank'],
    [{ logger: { info() {} } }, '"logger": expected functions debug, info, warn and error'],
    [{ now: 5 }, '"now": expected a function'],
    [
      { maxInFlight: "10" },
      '"maxInFlight" must be a positive whole number, got the text "10": write Number(…)',
    ],
  ])("refuses %j", (options, message) => {
    expect(() => createScreener({ service: "local", ...options })).toThrow(refusal(message));
  });

  it("says what it needs without options", () => {
    expect(() => (createScreener as () => unknown)()).toThrow(
      refusal('"service": expected { url, apiKey } or "local"'),
    );
  });

  it("refuses a deadline from the environment, which is a text", async () => {
    const message =
      '"deadlineMs" must be a positive number of milliseconds, at most 2147483647, got the text "2500": write Number(…)';

    await expect(screener.check(anOrder(), { deadlineMs: "2500" as never })).rejects.toThrow(
      refusal(message),
    );
  });

  it.each([["decided", () => {}], ["decision"]])(
    "refuses a listener that would hear nothing: %s",
    (...on) => {
      expect(() => screener.on(...(on as Parameters<typeof screener.on>))).toThrow(
        refusal('on: expected "decision", the only event, and a function'),
      );
    },
  );

  it("confirms an order without an earlier check as a check", async () => {
    expect(await screener.confirm(anOrder(), undefined)).toMatchObject({ status: "degraded" });
  });
});

describe("createOrderGuard in plain JavaScript", () => {
  it.each<[unknown, string]>([
    [{ order: () => anOrder() }, '"screener": expected the result of createScreener'],
    [{ screener, order: () => anOrder(), ip: "192.0.2.1" }, '"ip": expected a function'],
    [{ screener: Promise.resolve(screener) }, '"screener": expected the result of createScreener'],
    [{ screener }, '"order": expected a function that returns the order of a request'],
  ])("refuses %j", (options, message) => {
    expect(() => createOrderGuard(options as never)).toThrow(refusal(message));
  });
});

describe("stores in plain JavaScript", () => {
  const dataKey = new Uint8Array(32);

  it.each<[unknown, RegExp]>([
    [{ path: "./x.db" }, /^`dataKey`: expected 32 bytes, got none\. Create them once/],
    [{ path: "./x.db", dataKey: "secret" }, /^`dataKey`: expected 32 bytes, got a text\. Write Buffer/],
    [{ path: "sqlite:./x.db", dataKey }, /^`path`: expected a file such as .*, without "sqlite:"/],
    [{ path: "~/x.db", dataKey }, /^`path`: expected a file such as .*, without "sqlite:" or "~"/],
    [{ path: undefined, dataKey }, /^`path`: expected a file/],
  ])("refuses %j for SQLite, and creates no file", async (options, message) => {
    await expect(createSqliteStore(options as never)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message) as unknown,
    });
  });

  it.each([undefined, "mysql://db.example/shop", "db.example"])(
    "refuses the address %s for Postgres",
    async (url) => {
      await expect(createPostgresStore({ url: url as string, dataKey })).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringMatching(/^`url` \(DATABASE_URL\): expected postgres:\/\//) as unknown,
      });
    },
  );
});
