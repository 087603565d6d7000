import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Finding } from "../../src/platform/platform.ts";
import { sampleOrder } from "../adapters/shopify/fixtures.ts";
import { runHoldfast } from "../support/command.ts";
import { createDatabase } from "../support/postgres-database.ts";
import { APP_SECRET, createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { readTlsFixture } from "../support/tls.ts";

const SHOP = "doctor.myshopify.com";

let stage: ShopifyStage;
let trusted: string;

beforeEach(async () => {
  stage = await createShopifyStage();
  trusted = `${stage.databasePath}.ca.pem`;
  writeFileSync(trusted, readTlsFixture("service").cert + readTlsFixture("shop").cert);
});
afterEach(() => stage.close());

/** Run the doctor on the stage, with changes to the environment. */
async function ask(changes: Record<string, string> = {}, ...flags: string[]) {
  const environment = { ...stage.environment, NODE_EXTRA_CA_CERTS: trusted, ...changes };
  return runHoldfast(["doctor", ...flags], environment);
}

async function examine(changes: Record<string, string> = {}) {
  const { stdout, stderr, code } = await ask(changes, "--json");
  expect(stderr).toBe("");
  const report = JSON.parse(stdout) as { ok: boolean; checks: readonly Finding[] };
  expect(code).toBe(report.ok ? 0 : 1);
  const checks = new Map(report.checks.map((check) => [check.id, check]));
  expect(checks.size, "each id once").toBe(report.checks.length);
  return { ...report, checks, stdout };
}

const worstOf = (checks: ReadonlyMap<string, Finding>) =>
  [...checks.values()].filter(({ status }) => status === "problem").map(({ id }) => id);

/** Start the app and open it in the shop, which has an order. */
async function open(): Promise<void> {
  await stage.start();
  const created_at = new Date(Date.now() - 3_600_000).toISOString();
  stage.emulator.shop(SHOP).addOrder({ orderId: "5000000001", payload: sampleOrder({ created_at }) });
  await stage.listOrders(SHOP);
}

describe("holdfast doctor", () => {
  it("finds nothing wrong beside a running app, and costs nothing", async () => {
    await open();

    const { ok, checks } = await examine();

    expect(worstOf(checks)).toEqual([]);
    expect(ok).toBe(true);
    const passed = [...checks.values()].filter(({ status }) => status === "ok").map(({ id }) => id);
    expect(passed).toEqual(
      expect.arrayContaining([
        "node",
        "configuration",
        "database",
        "database.schema",
        "database.key",
        "database.files",
        "service",
        "service.key",
        "service.organization",
        "service.clock",
        "service.rate-limit",
        "circuits",
        "work.backlog",
        "tenants",
        "shopify.app-url",
        "shopify.access",
        "shopify.scopes",
        "shopify.personal-data",
        "shopify.api-version",
      ]),
    );
    const documented = readFileSync("docs/operations.md", "utf8");
    expect([...checks.keys()].filter((id) => !documented.includes(`\`${id}\``))).toEqual([]);
    expect(stage.service.calls).toEqual([]);
    // The app hasn't noticed.
    expect((await stage.get(SHOP, "api/orders")).status).toBe(200);
  });

  it("prints the same for a person, in aligned lines without color outside a terminal", async () => {
    await open();

    const { stdout, code } = await ask();

    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok +shopify\.scopes +all required scopes are granted$/m);
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(
      /^working, with warnings: 0 problems, \d warnings?, /,
    );
    expect(stdout).not.toContain("\u001B");
  });

  it("prints neither secrets nor people", async () => {
    await open();
    const key = readFileSync(`${stage.databasePath}.key`, "utf8").trim();

    const { stdout } = await examine({ VERIFY_API_KEY: "another-key-of-mine", DATA_KEY: key });

    for (const secret of ["another-key-of-mine", key, APP_SECRET, "Jane", "jane@", "shpat_"]) {
      expect(stdout).not.toContain(secret);
    }
  });

  it("detects that the key is refused", async () => {
    await open();

    const { checks } = await examine({ VERIFY_API_KEY: "no-such-key" });

    expect(worstOf(checks)).toEqual(["service.key"]);
    expect(checks.get("service.key")).toMatchObject({ advice: expect.stringContaining("VERIFY_API_KEY") });
  });

  it("detects that the shop's token was revoked, each time it runs", async () => {
    await open();
    stage.emulator.shop(SHOP).tokens.revokeAll();

    for (const time of ["first", "second"]) {
      const { checks } = await examine();
      expect(worstOf(checks), time).toEqual(["shopify.access"]);
      expect(checks.get("shopify.access")).toMatchObject({
        found: expect.stringContaining(`shopify:${SHOP}`),
        advice: expect.stringContaining("open the app once"),
      });
    }
  });

  it("saves access that it had to refresh, so that the app can continue with it", async () => {
    await open();
    stage.emulator.shop(SHOP).tokens.revokeAccess();

    expect(worstOf((await examine()).checks)).toEqual([]);
    expect(worstOf((await examine()).checks)).toEqual([]);
  });

  it("detects that the data key is not the database's", async () => {
    await open();

    const { checks } = await examine({ DATA_KEY: randomBytes(32).toString("base64") });

    expect(worstOf(checks)).toEqual(["database.key"]);
    expect(checks.get("tenants")).toMatchObject({ status: "skipped" });
    expect(checks.get("service.key")).toMatchObject({ status: "ok" });
  });

  it("detects that the database doesn't answer, and doesn't wait for it", async () => {
    const silent = createServer();
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;

    const { checks, stdout } = await examine({
      DATABASE_URL: `postgres://holdfast:not-to-be-told@127.0.0.1:${port}/holdfast`,
      DATA_KEY: randomBytes(32).toString("base64"),
    });
    silent.close();

    expect(worstOf(checks)).toEqual(["database"]);
    expect(stdout).not.toContain("not-to-be-told");
  });

  it("checks a Postgres that processes share", async () => {
    const database = await createDatabase();
    const DATA_KEY = randomBytes(32).toString("base64");
    const shared = { DATABASE_URL: database.url, DATA_KEY };
    // The server of the tests doesn't wait for its disk.
    const worst = ({ checks }: Awaited<ReturnType<typeof examine>>) =>
      worstOf(checks).filter((id) => id !== "database.durability");
    try {
      await stage.start(shared);
      await stage.listOrders(SHOP);

      const examined = await examine(shared);
      const { checks } = examined;

      expect(worst(examined)).toEqual([]);
      expect(checks.get("database.key")).toMatchObject({ status: "ok" });
      expect(checks.has("database.files")).toBe(false);
      expect(worst(await examine({ ...shared, DATA_KEY: "A".repeat(43) }))).toEqual(["database.key"]);
    } finally {
      await stage.stop();
      await database.drop();
    }
  });

  it("creates nothing where there is nothing yet", async () => {
    const { checks, ok } = await examine();

    expect(ok).toBe(true);
    expect(checks.get("database.schema")).toMatchObject({ status: "warning" });
    expect(() => readFileSync(stage.databasePath)).toThrow("ENOENT");
    expect(() => readFileSync(`${stage.databasePath}.key`)).toThrow("ENOENT");
  });

  it("lists every wrong variable at once", async () => {
    const { checks } = await examine({ PORT: "many", VERIFY_TIMEOUT_MS: "1" });

    expect(worstOf(checks)).toEqual(["configuration"]);
    expect(checks.get("configuration")?.found).toMatch(/PORT: .*; VERIFY_TIMEOUT_MS: /);
  });
});
