import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dispatcher } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAdminEmulator, type AdminEmulator } from "../../tools/emulators/shopify/admin-emulator.ts";
import { createEmulatorDispatcher } from "../../tools/emulators/shopify/emulator-dispatcher.ts";
import { createShopifyPlatform } from "../../adapters/shopify/index.ts";
import type { PlatformFactory } from "../../src/app.ts";
import { backfill, type BackfillOptions } from "../../src/cli/backfill.ts";
import type { Terminal } from "../../src/cli/output.ts";
import { parseConfig, type Config } from "../../src/config.ts";
import type { Platform, TenantId } from "../../src/platform/platform.ts";
import { openConfiguredStore } from "../../src/store/opening/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { sampleOrder } from "../adapters/shopify/fixtures.ts";
import { createRunningClock } from "../support/running-clock.ts";

const API = { apiKey: "backfill-client-id", apiSecret: "backfill-client-secret" };
const SHOP = "one.myshopify.com";
const TENANT = `shopify:${SHOP}`;
const OTHER_SHOP = "two.myshopify.com";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const now = createRunningClock();

let folder: string;
let config: Config;
let emulator: AdminEmulator;
let dispatcher: Dispatcher;
let store: Store;
let factories: readonly PlatformFactory[];
let nextId: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-backfill-"));
  config = parseConfig({
    DATABASE_URL: `sqlite:${join(folder, "h.db")}`,
    VERIFY_URL: "https://verify.example",
    VERIFY_API_KEY: "key",
  });
  emulator = createAdminEmulator({ ...API, now });
  await emulator.listen();
  dispatcher = createEmulatorDispatcher(emulator);
  // As in the running app.
  store = await openConfiguredStore(config, { exclusive: true });
  factories = platforms;
  nextId = 5_000_000_000;
});

afterEach(async () => {
  await store.close();
  await dispatcher.destroy();
  await emulator.close();
  await rm(folder, { recursive: true });
});

const platforms: readonly PlatformFactory[] = [
  {
    name: "shopify",
    create: ({ config: _config, ...context }) =>
      createShopifyPlatform({ ...context, ...API, appUrl: "https://app.example", dispatcher }),
  },
];

/** The same platform, failing at its second page. */
function breakOff(platform: Platform | null): Platform | null {
  if (platform === null) return null;
  return {
    ...platform,
    recentOrders(tenant, window) {
      if (window.cursor !== undefined) emulator.fail(1, "500");
      return platform.recentOrders(tenant, window);
    },
  };
}

async function install(domain = SHOP): Promise<void> {
  const { access_token: accessToken, refresh_token: refreshToken } = emulator.shop(domain).tokens.issue();
  const secret = JSON.stringify({ accessToken, refreshToken, expiresAtMs: now() + HOUR_MS });
  await store.tenants.saveCredential(`shopify:${domain}`, "shopify", secret, "installed", now());
}

/** Put an order of a given age into a shop; resolves to its id. */
function addOrder(ageMs: number, changes: object = {}, domain = SHOP): string {
  nextId += 1;
  const orderId = String(nextId);
  const created_at = new Date(now() - ageMs).toISOString();
  const payload = sampleOrder({
    created_at,
    admin_graphql_api_id: `gid://shopify/Order/${orderId}`,
    ...changes,
  });
  emulator.shop(domain).addOrder({ orderId, payload });
  return orderId;
}

interface Session {
  readonly answers?: readonly boolean[];
  readonly isInteractive?: boolean;
}

/** Run a backfill of 30 days, as a person or a script would. */
async function run(options: Partial<BackfillOptions> = {}, session: Session = {}) {
  const lines: string[] = [];
  const questions: string[] = [];
  const answers = [...(session.answers ?? [])];
  const terminal: Terminal = {
    isInteractive: session.isInteractive ?? true,
    hasColors: false,
    line: (text) => void lines.push(text),
    problem: () => expect.unreachable(),
    progress: () => undefined,
    async confirm(question) {
      questions.push(question);
      return answers.shift() ?? false;
    },
  };
  const all: BackfillOptions = {
    sinceMs: now() - 30 * DAY_MS,
    tenant: undefined,
    yes: false,
    enforce: false,
    json: false,
    ...options,
  };
  const isComplete = await backfill(all, { config, platforms: factories, terminal, now });
  return { isComplete, lines, text: lines.join("\n"), questions };
}

async function runJson(options: Partial<BackfillOptions> = {}) {
  const { text, isComplete } = await run({ json: true, yes: true, ...options }, { isInteractive: false });
  return { isComplete, ...(JSON.parse(text) as { readonly tenants: unknown }) };
}

const kept = (orderId: string, tenant: TenantId = TENANT) => store.orders.get({ tenant, orderId });

describe("backfill", () => {
  it("imports orders without a webhook, old ones for the record, after a summary and a question", async () => {
    await install();
    const old = addOrder(10 * DAY_MS);
    const fresh = addOrder(HOUR_MS);
    addOrder(31 * DAY_MS);

    const { questions, lines } = await run({}, { answers: [true] });

    expect(questions).toEqual(["Import these orders?"]);
    expect(lines).toEqual([
      `${TENANT}: 2 orders, of which 0 known, 0 shipped, 0 canceled; 2 to import`,
      "  1 of them are older than 24 hours: recorded only, nothing changes in the shop",
      "2 credits, at most 6 if calls are retried",
      "2 orders imported; the running app decides them",
    ]);
    expect(await kept(old)).toMatchObject({ state: "received", effects: "record" });
    expect(await kept(fresh)).toMatchObject({ state: "received", effects: "live" });
    expect(await store.orders.listTimeline({ tenant: TENANT, orderId: old })).toMatchObject([
      { kind: "found", detail: "by backfill, for the record" },
    ]);
  });

  it("remembers when the orders were last changed, so that earlier updates are no news", async () => {
    await install();
    const orderId = addOrder(HOUR_MS, { updated_at: "2026-11-20T10:00:07Z" });

    await run({ yes: true });

    expect(await kept(orderId)).toMatchObject({ asOfMs: Date.UTC(2026, 10, 20, 10, 0, 7) });
  });

  it("leaves alone what is known, shipped or canceled, and is idempotent", async () => {
    await install();
    const open = addOrder(5 * DAY_MS);
    emulator.shop(SHOP).fulfillOrder(addOrder(5 * DAY_MS));
    addOrder(4 * DAY_MS, { cancelled_at: "2026-11-19T12:00:00Z" });

    const tenant = { listed: 3, known: 0, shipped: 1, cancelled: 1, toTakeIn: 1, recordOnly: 1, paid: 1 };
    expect(await runJson()).toMatchObject({
      tenants: [tenant],
      takenIn: 1,
      credits: { expected: 1, atMost: 3 },
    });
    expect(await runJson()).toMatchObject({
      tenants: [{ ...tenant, known: 1, toTakeIn: 0, recordOnly: 0, paid: 0 }],
      takenIn: 0,
      credits: { expected: 0, atMost: 0 },
    });
    expect((await store.orders.list(TENANT, { limit: 10 })).orders.map(({ orderId }) => orderId)).toEqual([
      open,
    ]);
  });

  it("imports nothing without a yes, or without orders", async () => {
    await install();
    expect((await run({})).text).toContain("there are no orders to import");
    addOrder(DAY_MS / 2);

    expect((await run({}, { answers: [false] })).lines.at(-1)).toBe("no orders were imported");
    expect((await store.orders.list(TENANT, { limit: 10 })).orders).toEqual([]);
  });

  it.each([
    ["without a terminal", {}, { isInteractive: false }],
    ["for a machine", { json: true }, { isInteractive: true }],
  ])("asks for --yes %s, if there are orders", async (_where, options, session) => {
    await install();
    expect((await run(options, session)).isComplete).toBe(true);
    addOrder(DAY_MS / 2);

    await expect(run(options, session)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("--yes"),
    });
    expect((await store.orders.list(TENANT, { limit: 10 })).orders).toEqual([]);
  });

  it("enforces old orders too on request", async () => {
    await install();
    const old = addOrder(10 * DAY_MS);

    expect(await runJson({ enforce: true })).toMatchObject({ tenants: [{ recordOnly: 0, toTakeIn: 1 }] });
    expect(await kept(old)).toMatchObject({ effects: "live" });
  });

  it("counts only the orders that the service will be asked about and that the budget covers", async () => {
    await install();
    addOrder(3 * DAY_MS, { test: true });
    addOrder(3 * DAY_MS, { email: "" });
    for (let index = 0; index < 3; index += 1) addOrder(3 * DAY_MS);
    await store.policies.save(TENANT, { budget: { daily: 2 } }, undefined, now());

    const { lines } = await run();

    expect(lines.slice(2)).toEqual([
      "2 credits, at most 2 if calls are retried",
      `${TENANT}: 2 credits left in the budget; the policy decides the other 1 without the service`,
      "no orders were imported",
    ]);
  });

  it("costs nothing without a service", async () => {
    await install();
    addOrder(DAY_MS / 2);
    config = { ...config, service: undefined };

    expect((await run()).text).toContain("for free");
  });

  it("surveys one shop when you name it, and only an installed one", async () => {
    await install();
    await install(OTHER_SHOP);
    addOrder(DAY_MS / 2);
    const theirs = addOrder(DAY_MS / 2, {}, OTHER_SHOP);

    const { tenants } = await runJson({ tenant: `shopify:${OTHER_SHOP}` });

    expect(tenants).toMatchObject([{ tenant: `shopify:${OTHER_SHOP}`, toTakeIn: 1 }]);
    expect(await kept(theirs, `shopify:${OTHER_SHOP}`)).not.toBeNull();
    await expect(run({ tenant: "shopify:three.myshopify.com", yes: true })).rejects.toMatchObject({
      message: expect.stringContaining("--tenant: expected an installed shop"),
    });
  });

  it("continues with the other shops when one can't be surveyed, and says so", async () => {
    await install();
    await install(OTHER_SHOP);
    emulator.shop(SHOP).tokens.revokeAll();
    addOrder(DAY_MS / 2, {}, OTHER_SHOP);

    const report = await runJson();

    expect(report).toMatchObject({
      isComplete: false,
      takenIn: 1,
      tenants: [
        { tenant: TENANT, problem: expect.stringContaining("PLATFORM_UNAUTHORIZED"), toTakeIn: 0 },
        { problem: null, toTakeIn: 1 },
      ],
    });
  });

  it("doesn't say that there is nothing to import if it couldn't look", async () => {
    await install();
    emulator.shop(SHOP).tokens.revokeAll();
    addOrder(DAY_MS / 2);

    const { isComplete, lines } = await run();

    expect(isComplete).toBe(false);
    expect(lines.at(0)).toContain("couldn't be read");
    expect(lines.at(-1)).toBe("no orders were imported");
  });

  it("imports nothing from a shop whose listing breaks off", async () => {
    await install();
    for (let index = 0; index < 25; index += 1) addOrder(3 * DAY_MS - index * 1_000);
    factories = platforms.map((factory) => ({
      name: factory.name,
      create: (context) => breakOff(factory.create(context)),
    }));

    expect(await runJson()).toMatchObject({ takenIn: 0, tenants: [{ listed: 20, toTakeIn: 0 }] });
    expect((await store.orders.list(TENANT, { limit: 10 })).orders).toEqual([]);
  });

  it("names the platform whose variables are missing", async () => {
    await install();
    factories = [];

    await expect(run({ yes: true })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining('"shopify"'),
    });
  });

  it("spreads the orders, so that new ones don't wait behind them", async () => {
    await install();
    for (let index = 0; index < 21; index += 1) addOrder(3 * DAY_MS - index * 1_000);
    const startMs = now();

    await run({ yes: true });

    const { orders } = await store.orders.list(TENANT, { limit: 100 });
    const waits = orders.map(({ dueAtMs }) => (dueAtMs ?? 0) - startMs).toSorted((a, b) => a - b);
    expect(waits.length).toBe(21);
    expect((waits.at(-1) ?? 0) - (waits[0] ?? 0)).toBe(2_000);
  });

  it("neither creates nor migrates a database", async () => {
    const elsewhere = parseConfig({ DATABASE_URL: `sqlite:${join(folder, "other.db")}` });
    config = elsewhere;

    await expect(run({ yes: true })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("migrated to this version"),
    });
  });
});
