import { inspect } from "node:util";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { Environment } from "../src/base/variables.ts";
import { parseConfig, readConfig, type Config } from "../src/config.ts";
import { HoldfastError } from "../src/base/errors.ts";

const KEY = Buffer.alloc(32, 0xfb);
const TOKEN = "0123456789abcdef";
const NAMES = (
  "PORT HOST DATABASE_URL DATA_KEY CONSOLE_TOKEN TRUST_PROXY PDF_FONTS CREDITS_PER_TENANT_DAILY ROLE LOG_LEVEL " +
  "VERIFY_URL VERIFY_API_KEY VERIFY_ORGANIZATION VERIFY_TIMEOUT_MS " +
  "CATALOG_URL CATALOG_API_KEY CATALOG_ORGANIZATION MANAGEMENT_URL MANAGEMENT_TOKEN " +
  "SHOPIFY_API_KEY SHOPIFY_API_SECRET SHOPIFY_API_SECRET_PREVIOUS SHOPIFY_APP_URL SHOPIFY_FLOW_TRIGGER " +
  "SHOPIFY_BILLING SHOPIFY_APP_HANDLE"
).split(" ");
const SERVICE = { VERIFY_URL: "https://verify.example.com", VERIFY_API_KEY: "service-key" };
const SHOPIFY = {
  SHOPIFY_API_KEY: "app-key",
  SHOPIFY_API_SECRET: "app-secret",
  SHOPIFY_APP_URL: "https://app.example.com",
};

/** The refused variables, with what was expected. */
function problemsOf(env: Environment): Record<string, string> {
  try {
    parseConfig(env);
    return {};
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    expect(error).toMatchObject({ code: "CONFIG_INVALID", retryable: false });
    for (const { path, message } of error.fields) expect(error.message).toContain(`${path}: ${message}`);
    return Object.fromEntries(error.fields.map(({ path, message }) => [path, message]));
  }
}

const TOKEN_EXPECTED = "expected at least 16 printable ASCII characters without white space";
const DATABASE_EXPECTED = expect.stringContaining("or postgres://USER:PASSWORD@HOST/NAME, percent-encoded");

describe("parseConfig", () => {
  it("uses the tunnel that Shopify CLI sets in HOST as the app's address, and listens on loopback", () => {
    const cli = {
      HOST: "https://tunnel.example",
      PORT: "4000",
      SHOPIFY_API_KEY: "id",
      SHOPIFY_API_SECRET: "secret",
    };

    expect(parseConfig(cli)).toMatchObject({
      host: "127.0.0.1",
      port: 4000,
      shopify: { appUrl: "https://tunnel.example/" },
    });
  });

  it("returns the documented defaults for an empty environment", () => {
    expect(parseConfig({})).toEqual({
      host: "127.0.0.1",
      port: 3_000,
      database: { kind: "sqlite", path: "./data/holdfast.db" },
      dataKey: undefined,
      service: undefined,
      catalog: undefined,
      management: undefined,
      shopify: undefined,
      consoleToken: undefined,
      trustProxy: undefined,
      creditsPerTenantDaily: undefined,
      keep: { contentDays: 30, ordersDays: 90 },
      role: "all",
      logLevel: "info",
    });
  });

  it("treats empty variables as absent", () => {
    expect(parseConfig(Object.fromEntries(NAMES.map((name) => [name, ""])))).toEqual(parseConfig({}));
  });

  it("reads every variable", () => {
    const config = parseConfig({
      ...SERVICE,
      ...SHOPIFY,
      HOST: "0.0.0.0",
      PORT: "0",
      DATABASE_URL: "postgres://db.example.com/holdfast",
      DATA_KEY: KEY.toString("base64"),
      VERIFY_ORGANIZATION: "example-shop",
      VERIFY_TIMEOUT_MS: "2500",
      CATALOG_URL: "https://catalog.example.com",
      CATALOG_API_KEY: "catalog-key",
      CATALOG_ORGANIZATION: "goods",
      MANAGEMENT_URL: "https://manage.example.com",
      MANAGEMENT_TOKEN: "management-token",
      SHOPIFY_API_SECRET_PREVIOUS: "old-secret",
      SHOPIFY_FLOW_TRIGGER: "on",
      CONSOLE_TOKEN: TOKEN,
      ROLE: "worker",
      LOG_LEVEL: "silent",
    });

    expect(config).toMatchObject({
      host: "0.0.0.0",
      port: 0,
      database: { kind: "postgres" },
      service: { url: "https://verify.example.com/", organization: "example-shop", timeoutMs: 2_500 },
      catalog: { url: "https://catalog.example.com/", organization: "goods" },
      management: { url: "https://manage.example.com/" },
      shopify: { apiKey: "app-key", appUrl: "https://app.example.com/", flowTrigger: true },
      role: "worker",
      logLevel: "silent",
    });
    expect(config.dataKey?.reveal()).toEqual(KEY);
    expect(config.service?.apiKey?.reveal()).toBe("service-key");
    expect(config.catalog?.apiKey?.reveal()).toBe("catalog-key");
    expect(config.management?.token.reveal()).toBe("management-token");
    expect(config.shopify?.apiSecret.reveal()).toBe("app-secret");
    expect(config.shopify?.previousApiSecret?.reveal()).toBe("old-secret");
    expect(config.consoleToken?.reveal()).toBe(TOKEN);
  });

  it("gives the service its default timeout and leaves the organization to be discovered", () => {
    expect(parseConfig(SERVICE).service).toMatchObject({ timeoutMs: 10_000, organization: undefined });
  });

  it("works without the previous Shopify secret", () => {
    expect(parseConfig(SHOPIFY).shopify?.previousApiSecret).toBeUndefined();
  });

  it("starts no Shopify Flow workflows unless configured", () => {
    expect(parseConfig(SHOPIFY).shopify?.flowTrigger).toBe(false);
    expect(parseConfig({ ...SHOPIFY, SHOPIFY_FLOW_TRIGGER: "off" }).shopify?.flowTrigger).toBe(false);
  });

  it("lets shops use the operator's key by default", () => {
    expect(parseConfig(SHOPIFY).shopify?.billing).toEqual({ mode: "included" });
    const plans = { SHOPIFY_BILLING: "app-pricing", SHOPIFY_APP_HANDLE: "order-check" };
    expect(parseConfig({ ...SHOPIFY, ...SERVICE, ...plans }).shopify?.billing).toEqual({
      mode: "app-pricing",
      appHandle: "order-check",
    });
  });

  it("needs only the service's address if every shop uses its own key", () => {
    const { VERIFY_URL } = SERVICE;
    const config = parseConfig({ ...SHOPIFY, VERIFY_URL, SHOPIFY_BILLING: "own-key" });

    expect(config.shopify?.billing).toEqual({ mode: "own-key" });
    expect(config.service).toMatchObject({ url: "https://verify.example.com/", apiKey: undefined });
  });

  it.each([
    ["1", 1],
    ["32", 32],
    ["10.0.0.0/8", ["10.0.0.0/8"]],
    ["127.0.0.1, ::1,fd00::/8", ["127.0.0.1", "::1", "fd00::/8"]],
  ])("reads TRUST_PROXY=%s", (text, trustProxy) => {
    expect(parseConfig({ TRUST_PROXY: text }).trustProxy).toEqual(trustProxy);
  });

  it.each([
    "0",
    "33",
    "-1",
    "true",
    "all",
    "10.0.0.0/33",
    "10.0.0/8",
    "::/129",
    "0.0.0.0/0",
    "10.0.0.1,::/00",
    "10.0.0.1/",
    "10.0.0.1,,::1",
    "fe80::1%eth0",
  ])("refuses TRUST_PROXY=%s", (text) => {
    expect(problemsOf({ TRUST_PROXY: text })).toEqual({
      TRUST_PROXY:
        "expected a number of proxies from 1 to 32, or IP addresses and networks (CIDR) with commas between",
    });
  });

  it("reads a tenant's cap on the operator's key, and only if there is such a key", () => {
    const cap = { CREDITS_PER_TENANT_DAILY: "250" };

    expect(parseConfig({ ...SERVICE, ...cap }).creditsPerTenantDaily).toBe(250);
    expect(problemsOf(cap)).toEqual({ CREDITS_PER_TENANT_DAILY: "expected only with VERIFY_URL" });
    expect(problemsOf({ ...SERVICE, CREDITS_PER_TENANT_DAILY: "0" })).toEqual({
      CREDITS_PER_TENANT_DAILY: "expected a whole number from 1 to 999999999",
    });
  });

  it.each([
    ["PORT", "65535"],
    ["VERIFY_TIMEOUT_MS", "100"],
    ["VERIFY_TIMEOUT_MS", "120000"],
    ["HOST", "::1"],
    ["HOST", "localhost"],
  ])("accepts %s=%s", (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual({});
  });

  it.each([
    ["sqlite::memory:", ":memory:"],
    ["sqlite:holdfast.db", "holdfast.db"],
    ["sqlite:./with spaces/and:colon.db", "./with spaces/and:colon.db"],
  ])("reads the database %s", (url, path) => {
    expect(parseConfig({ DATABASE_URL: url }).database).toEqual({ kind: "sqlite", path });
  });

  it.each([["base64"], ["base64url"]] as const)("reads a data key in %s, padded or not", (encoding) => {
    const text = KEY.toString(encoding).replace(/=+$/, "");

    expect(parseConfig({ DATA_KEY: text }).dataKey?.reveal()).toEqual(KEY);
    expect(parseConfig({ DATA_KEY: `${text}=` }).dataKey?.reveal()).toEqual(KEY);
  });

  it.each([
    "https://verify.example.com/base/path",
    "http://localhost:4000",
    "http://127.0.0.1:4000/",
    "http://127.8.9.10",
    "http://[::1]:4000",
  ])("accepts the service address %s", (url) => {
    expect(parseConfig({ ...SERVICE, VERIFY_URL: url }).service?.url).toBe(new URL(url).href);
    expect(parseConfig({ ...SHOPIFY, SHOPIFY_APP_URL: url }).shopify?.appUrl).toBe(new URL(url).href);
  });

  it.each<[name: string, value: string, expected: string]>([
    ["PORT", "3000abc", "expected a whole number from 0 to 65535"],
    ["PORT", "65536", "expected a whole number from 0 to 65535"],
    ["PORT", "-1", "expected a whole number from 0 to 65535"],
    ["PORT", "3e3", "expected a whole number from 0 to 65535"],
    ["PORT", "3000.0", "expected a whole number from 0 to 65535"],
    ["PORT", " 3000", "expected a whole number from 0 to 65535"],
    ["PORT", "0x50", "expected a whole number from 0 to 65535"],
    ["PORT", "080", "expected a whole number from 0 to 65535"],
    ["PORT", " ", "expected a whole number from 0 to 65535"],
    ["HOST", " ", "expected a host name or IP address"],
    ["HOST", "a b", "expected a host name or IP address"],
    ["HOST", "https://shop.example", "expected a host name or IP address"],
    ["DATABASE_URL", "mysql://localhost/x", DATABASE_EXPECTED],
    ["DATABASE_URL", "sqlite:", DATABASE_EXPECTED],
    ["DATABASE_URL", "sqlite://x.db", DATABASE_EXPECTED],
    ["DATABASE_URL", "sqlite:~/holdfast.db", expect.stringContaining("sqlite:PATH (not starting with ~)")],
    ["DATABASE_URL", "./holdfast.db", DATABASE_EXPECTED],
    ["DATABASE_URL", "postgres://[", DATABASE_EXPECTED],
    ["DATA_KEY", "short", "expected 32 bytes in base64"],
    ["DATA_KEY", Buffer.alloc(31).toString("base64"), "expected 32 bytes in base64"],
    ["DATA_KEY", Buffer.alloc(33).toString("base64"), "expected 32 bytes in base64"],
    ["DATA_KEY", KEY.toString("hex"), "expected 32 bytes in base64"],
    ["DATA_KEY", `${"A".repeat(42)}B`, "expected 32 bytes in base64"],
    ["DATA_KEY", ` ${KEY.toString("base64")}`, "expected 32 bytes in base64"],
    ["CONSOLE_TOKEN", "0123456789abcde", TOKEN_EXPECTED],
    ["CONSOLE_TOKEN", "0123456789 abcdef", TOKEN_EXPECTED],
    ["ROLE", "All", "expected one of all, intake, worker"],
    ["LOG_LEVEL", "verbose", "expected one of trace, debug, info, warn, error, fatal, silent"],
    ["VERIFY_TIMEOUT_MS", "99", "expected a whole number of milliseconds from 100 to 120000"],
    ["VERIFY_TIMEOUT_MS", "120001", "expected a whole number of milliseconds from 100 to 120000"],
    ["VERIFY_TIMEOUT_MS", "10s", "expected a whole number of milliseconds from 100 to 120000"],
  ])("refuses %s=%j", (name, value, expected) => {
    expect(problemsOf({ [name]: value })).toEqual({ [name]: expected });
  });

  it.each([
    ["postgres://user:hunter2hunter2@db.example.com/holdfast"],
    ["postgresql://db.example.com/holdfast?sslmode=verify-full"],
    ["postgres://user@%2Fvar%2Frun%2Fpostgresql/holdfast"],
  ])("accepts %s with a data key, and hides it", (url) => {
    const config = parseConfig({ DATABASE_URL: url, DATA_KEY: KEY.toString("base64") });

    expect(config.database.kind === "postgres" && config.database.url.reveal()).toBe(url);
    expect(inspect(config, { depth: 9, showHidden: true })).not.toContain(url);
  });

  it.each([["intake"], ["worker"]])("refuses the role %s with a database that one process owns", (ROLE) => {
    const expected = { ROLE: "expected all with a SQLite database (intake and worker need postgres)" };

    expect(problemsOf({ ROLE })).toEqual(expected);
    expect(problemsOf({ ROLE, DATABASE_URL: "sqlite:/var/lib/holdfast/holdfast.db" })).toEqual(expected);
    expect(problemsOf({ ROLE, DATABASE_URL: "sqlite::memory:" })).toEqual(expected);
    expect(problemsOf({ ROLE: "all", DATABASE_URL: "sqlite::memory:" })).toEqual({});
  });

  it.each([["intake"], ["worker"]])("accepts the role %s with a database that processes share", (ROLE) => {
    const env = {
      DATABASE_URL: "postgres://db.example.com/holdfast",
      DATA_KEY: KEY.toString("base64"),
      ROLE,
    };

    expect(parseConfig(env).role).toBe(ROLE);
  });

  it("doesn't blame the role for a database address that can't be read", () => {
    expect(Object.keys(problemsOf({ ROLE: "worker", DATABASE_URL: "postgres://[" }))).toEqual([
      "DATABASE_URL",
    ]);
  });

  it("requires a data key with a database that processes share", () => {
    expect(problemsOf({ DATABASE_URL: "postgres://db.example.com/holdfast" })).toEqual({
      DATA_KEY: "expected 32 bytes in base64 with a PostgreSQL database",
    });
  });

  it.each([
    "http://verify.example.com",
    "http://localhost.example.com",
    "http://127.0.0.1.example.com",
    "http://0.0.0.0",
    "ftp://localhost",
    "verify.example.com",
    "https://user:password@verify.example.com",
    "https://user@verify.example.com",
    "https://verify.example.com/?key=1",
    "https://verify.example.com/?",
    "https://verify.example.com/#x",
    "https://verify.example.com/a b",
  ])("refuses the address %s", (url) => {
    expect(Object.keys(problemsOf({ ...SERVICE, VERIFY_URL: url }))).toEqual(["VERIFY_URL"]);
    expect(Object.keys(problemsOf({ ...SHOPIFY, SHOPIFY_APP_URL: url }))).toEqual(["SHOPIFY_APP_URL"]);
  });

  it.each<[name: string, env: Environment, expected: Record<string, string>]>([
    [
      "an address without a key",
      { VERIFY_URL: "https://verify.example.com" },
      { VERIFY_API_KEY: "expected with VERIFY_URL" },
    ],
    [
      "a key without an address",
      { VERIFY_API_KEY: "k" },
      { VERIFY_API_KEY: "expected only with VERIFY_URL" },
    ],
    [
      "an organization without an address",
      { VERIFY_ORGANIZATION: "o" },
      { VERIFY_ORGANIZATION: "expected only with VERIFY_URL" },
    ],
    [
      "a catalog key without an address",
      { CATALOG_API_KEY: "k", CATALOG_ORGANIZATION: "o" },
      {
        CATALOG_API_KEY: "expected only with CATALOG_URL",
        CATALOG_ORGANIZATION: "expected only with CATALOG_URL",
      },
    ],
    [
      "a catalog organization without a key",
      { CATALOG_URL: "https://catalog.example.com", CATALOG_ORGANIZATION: "o" },
      { CATALOG_API_KEY: "expected with CATALOG_ORGANIZATION" },
    ],
    [
      "a management address without a token",
      { MANAGEMENT_URL: "https://manage.example.com" },
      { MANAGEMENT_TOKEN: "expected with MANAGEMENT_URL" },
    ],
    [
      "a management token without an address",
      { MANAGEMENT_TOKEN: "t" },
      { MANAGEMENT_URL: "expected with MANAGEMENT_TOKEN" },
    ],
    [
      "a key that no header can carry",
      { ...SERVICE, VERIFY_API_KEY: "a\nb" },
      { VERIFY_API_KEY: "expected printable ASCII characters without white space" },
    ],
    [
      "an organization with a space",
      { ...SERVICE, VERIFY_ORGANIZATION: "my shop" },
      { VERIFY_ORGANIZATION: "expected a slug or id without white space" },
    ],
    [
      "a Shopify key alone",
      { SHOPIFY_API_KEY: "k" },
      {
        SHOPIFY_API_SECRET: "expected with the other SHOPIFY variables",
        SHOPIFY_APP_URL: "expected with the other SHOPIFY variables",
      },
    ],
    [
      "a previous Shopify secret alone",
      { SHOPIFY_API_SECRET_PREVIOUS: "k" },
      {
        SHOPIFY_API_KEY: "expected with the other SHOPIFY variables",
        SHOPIFY_API_SECRET: "expected with the other SHOPIFY variables",
        SHOPIFY_APP_URL: "expected with the other SHOPIFY variables",
      },
    ],
    [
      "workflows without Shopify",
      { SHOPIFY_FLOW_TRIGGER: "on" },
      {
        SHOPIFY_API_KEY: "expected with the other SHOPIFY variables",
        SHOPIFY_API_SECRET: "expected with the other SHOPIFY variables",
        SHOPIFY_APP_URL: "expected with the other SHOPIFY variables",
      },
    ],
    [
      "a switch that is neither on nor off",
      { ...SHOPIFY, SHOPIFY_FLOW_TRIGGER: "yes" },
      { SHOPIFY_FLOW_TRIGGER: "expected on or off" },
    ],
    [
      "an unknown way to pay",
      { ...SHOPIFY, SHOPIFY_BILLING: "free" },
      { SHOPIFY_BILLING: "expected one of included, own-key, app-pricing" },
    ],
    [
      "plans without the app's handle, and without a service to pay for",
      { ...SHOPIFY, SHOPIFY_BILLING: "app-pricing" },
      {
        SHOPIFY_BILLING: "expected app-pricing only with VERIFY_URL",
        SHOPIFY_APP_HANDLE: "expected with SHOPIFY_BILLING=app-pricing",
      },
    ],
    [
      "an app's handle without plans",
      { ...SHOPIFY, SHOPIFY_APP_HANDLE: "order-check" },
      { SHOPIFY_APP_HANDLE: "expected only with SHOPIFY_BILLING=app-pricing" },
    ],
    [
      "an app's handle that is an address",
      {
        ...SHOPIFY,
        ...SERVICE,
        SHOPIFY_BILLING: "app-pricing",
        SHOPIFY_APP_HANDLE: "https://apps.example/x",
      },
      { SHOPIFY_APP_HANDLE: "expected the handle in the app's App Store address" },
    ],
    [
      "a Shopify secret with a space",
      { ...SHOPIFY, SHOPIFY_API_SECRET: "a b" },
      { SHOPIFY_API_SECRET: "expected printable ASCII characters without white space" },
    ],
  ])("refuses %s", (_name, env, expected) => {
    expect(problemsOf(env)).toEqual(expected);
  });

  it.each<[Environment, Config["keep"]]>([
    [
      { KEEP_CONTENT_DAYS: "1", KEEP_ORDERS_DAYS: "1" },
      { contentDays: 1, ordersDays: 1 },
    ],
    [{ KEEP_ORDERS_DAYS: "730" }, { contentDays: 30, ordersDays: 730 }],
    // Content is never kept for longer than its order.
    [{ KEEP_ORDERS_DAYS: "7" }, { contentDays: 7, ordersDays: 7 }],
    [{ KEEP_CONTENT_DAYS: "90" }, { contentDays: 90, ordersDays: 90 }],
  ])("reads the retention periods from %o", (env, keep) => {
    expect(parseConfig(env).keep).toEqual(keep);
  });

  it.each<[Environment, Record<string, string>]>([
    [{ KEEP_ORDERS_DAYS: "0" }, { KEEP_ORDERS_DAYS: "expected a whole number of days from 1 to 730" }],
    [{ KEEP_ORDERS_DAYS: "731" }, { KEEP_ORDERS_DAYS: "expected a whole number of days from 1 to 730" }],
    [{ KEEP_CONTENT_DAYS: "1.5" }, { KEEP_CONTENT_DAYS: "expected a whole number of days from 1 to 730" }],
    [{ KEEP_CONTENT_DAYS: "91" }, { KEEP_CONTENT_DAYS: "expected at most as many days as KEEP_ORDERS_DAYS" }],
    [
      { KEEP_CONTENT_DAYS: "9", KEEP_ORDERS_DAYS: "8" },
      { KEEP_CONTENT_DAYS: "expected at most as many days as KEEP_ORDERS_DAYS" },
    ],
    [
      { KEEP_CONTENT_DAYS: "100", KEEP_ORDERS_DAYS: "forever" },
      { KEEP_ORDERS_DAYS: "expected a whole number of days from 1 to 730" },
    ],
  ])("refuses the retention periods %o", (env, problems) => {
    expect(problemsOf(env)).toEqual(problems);
  });

  it("names every wrong variable at once", () => {
    const env = {
      PORT: "x",
      ROLE: "boss",
      DATA_KEY: "short",
      VERIFY_API_KEY: "k",
      LOG_LEVEL: "loud",
      HOST: "\t",
      HTTPS_PROXY: "proxy",
    };

    expect(Object.keys(problemsOf({ ...env, NODE_USE_ENV_PROXY: "1" })).toSorted()).toEqual(
      Object.keys(env).toSorted(),
    );
  });

  it("never repeats a value that it refuses", () => {
    const secret = "hunter2 hunter2";
    const env = Object.fromEntries(NAMES.map((name) => [name, secret]));

    let thrown: unknown;
    try {
      parseConfig(env);
    } catch (error) {
      thrown = error;
    }

    expect((thrown as HoldfastError).fields).toHaveLength(NAMES.length);
    expect(inspect(thrown, { depth: 9 })).not.toContain("hunter2");
  });

  it("hides every secret wherever the configuration is printed", () => {
    const config = parseConfig({
      ...SERVICE,
      ...SHOPIFY,
      DATA_KEY: KEY.toString("base64"),
      SHOPIFY_API_SECRET_PREVIOUS: "old-secret",
      CONSOLE_TOKEN: TOKEN,
    });

    const printed = `${JSON.stringify(config)} ${inspect(config, { depth: 9, showHidden: true })}`;

    for (const secret of [
      "service-key",
      "app-secret",
      "old-secret",
      TOKEN,
      KEY.toString("base64"),
      "251,251",
      "fb fb",
    ]) {
      expect(printed).not.toContain(secret);
    }
    expect(printed).toContain("[secret]");
  });

  it("freezes its result", () => {
    const config = parseConfig({ ...SERVICE, ...SHOPIFY });

    for (const part of [config, config.database, config.service, config.shopify]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    expectTypeOf(config).toEqualTypeOf<Config>();
    expectTypeOf<Config["role"]>().toEqualTypeOf<"all" | "intake" | "worker">();
  });
});

describe("readConfig", () => {
  it("reads the environment of this process", () => {
    const before = process.env["ROLE"];
    try {
      process.env["ROLE"] = "nobody";
      expect(() => readConfig()).toThrow("ROLE: expected one of all, intake, worker");
    } finally {
      if (before === undefined) delete process.env["ROLE"];
      else process.env["ROLE"] = before;
    }
  });
});
