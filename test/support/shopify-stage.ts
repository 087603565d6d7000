import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { request } from "undici";
import { signDelivery } from "../../tools/emulators/shopify/sign-delivery.ts";
import { createAdminEmulator, type AdminEmulator } from "../../tools/emulators/shopify/admin-emulator.ts";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  type SandboxService,
} from "../../src/sandbox/sandbox-service.ts";
import { launchApp, type AppProcess } from "./app-process.ts";
import { readTlsFixture, SERVICE_CA_PATH } from "./tls.ts";
import { until } from "./until.ts";

/** The client id and secret of the app under test. */
export const APP_KEY = "acceptance-client-id";
export const APP_SECRET = "acceptance-client-secret";
export const CONSOLE_TOKEN = "acceptance-console-token";

/** An order as `GET /api/orders` lists it. */
export interface ListedOrder {
  readonly orderId: string;
  readonly state: string;
  readonly riskLevel: string | null;
  readonly action: string | null;
  readonly source: string | null;
  readonly skipReason: string | null;
  readonly creditsSpent: number;
}

/** The app in its own process between a verification service and an emulated Admin, both over TLS. */
export interface ShopifyStage {
  readonly service: SandboxService;
  readonly emulator: AdminEmulator;
  readonly databasePath: string;
  /** Every delivery was carried out. Read from the database: the metric of the backlog may be some seconds old. */
  untilHeard(): Promise<void>;
  /** The app's start options, for a command beside it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Everything the app wrote to its standard output and error. */
  readonly log: () => string;
  /** Start the app, or start it again on the same database. */
  start(environment?: Readonly<Record<string, string>>): Promise<void>;
  /** Set the app's clock this far ahead of the real one. */
  setClock(aheadMs: number): Promise<void>;
  /** SIGKILL: nothing is finished, nothing is written. */
  kill(): Promise<void>;
  /** SIGTERM, and wait until it has stopped. */
  stop(): Promise<void>;
  url(): URL;
  /** Deliver a signed webhook and return the status it was answered with. */
  deliver(delivery: {
    readonly shop: string;
    readonly topic: string;
    readonly body: string;
    readonly webhookId?: string;
  }): Promise<number>;
  /** The orders that a shop's session sees. */
  listOrders(shop: string): Promise<readonly ListedOrder[]>;
  /** Call the API as a shop's session. */
  get(shop: string, path: string): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Send something to the API as one of a shop's users. */
  send(
    shop: string,
    method: "POST" | "PUT",
    path: string,
    call?: {
      readonly body?: unknown;
      readonly userId?: string;
      readonly headers?: Readonly<Record<string, string>>;
    },
  ): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Open the app in a shop. The first time, the app asks the platform for a token: a slow machine may need several tries. */
  admit(shop: string): Promise<void>;
  /** Install the app in a shop whose owner saves a policy: the defaults, changed by `policy`. */
  install(shop: string, policy?: object): Promise<void>;
  /** Wait until a shop's orders satisfy `condition`. */
  until(
    shop: string,
    condition: (orders: readonly ListedOrder[]) => boolean,
  ): Promise<readonly ListedOrder[]>;
  close(): Promise<void>;
}

/** Set up the stage. The app isn't started yet. */
export async function createShopifyStage(
  options: { readonly latencyMs?: number } = {},
): Promise<ShopifyStage> {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-acceptance-"));
  const databasePath = join(folder, "holdfast.db");
  const service = createSandboxService({ tls: readTlsFixture("service"), latencyMs: options.latencyMs ?? 0 });
  const serviceUrl = await service.listen();
  const emulator = createAdminEmulator({
    apiKey: APP_KEY,
    apiSecret: APP_SECRET,
    tls: readTlsFixture("shop"),
    // The orders have fixed dates.
    grants: ["read_all_orders"],
  });
  await emulator.listen();
  const output: string[] = [];
  let app: AppProcess | undefined;
  let base: URL | undefined;

  const own = {
    PATH: process.env["PATH"] ?? "",
    NODE_EXTRA_CA_CERTS: SERVICE_CA_PATH,
    EMULATOR_PORT: String(emulator.port),
    PORT: "0",
    DATABASE_URL: `sqlite:${databasePath}`,
    VERIFY_URL: serviceUrl.href.replace("127.0.0.1", "localhost"),
    VERIFY_API_KEY: SANDBOX_API_KEY,
    SHOPIFY_API_KEY: APP_KEY,
    SHOPIFY_API_SECRET: APP_SECRET,
    SHOPIFY_APP_URL: "https://app.example",
    CONSOLE_TOKEN,
    LOG_LEVEL: "trace",
  };

  const stage: ShopifyStage = {
    service,
    emulator,
    databasePath,
    untilHeard: () => untilHeard(databasePath),
    environment: own,
    log: () => output.join(""),
    async start(environment = {}) {
      app = launchApp({
        environment: { ...own, ...environment },
        onOutput: (text) => void output.push(text),
      });
      base = await app.started.catch((cause: unknown) => {
        throw new Error(`the app did not start: ${stage.log()}`, { cause });
      });
    },
    setClock: async (aheadMs) => app?.ask({ clockAheadMs: aheadMs }),
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    url: () => base as URL,
    async deliver(delivery) {
      const { headers, body } = signDelivery(APP_SECRET, delivery);
      const answer = await request(new URL("webhooks/shopify", base), { method: "POST", headers, body });
      await answer.body.dump();
      return answer.statusCode;
    },
    async get(shop, path) {
      emulator.shop(shop);
      const authorization = `Bearer ${emulator.createSessionToken(shop, { userId: "7" })}`;
      const answer = await request(new URL(path, base), { headers: { authorization } });
      return { status: answer.statusCode, body: await answer.body.json() };
    },
    async send(shop, method, path, { body = {}, userId = "7", headers = {} } = {}) {
      emulator.shop(shop);
      const authorization = `Bearer ${emulator.createSessionToken(shop, { userId })}`;
      const answer = await request(new URL(path, base), {
        method,
        headers: { ...headers, authorization, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return { status: answer.statusCode, body: await answer.body.json() };
    },
    async listOrders(shop) {
      const { status, body } = await stage.get(shop, "api/orders?limit=100");
      if (status !== 200) throw new Error(`/api/orders answered ${status}`);
      return (body as { orders: readonly ListedOrder[] }).orders;
    },
    async admit(shop) {
      const status = await until(async () => {
        const answer = await stage.get(shop, "api/session");
        return answer.status !== 503 && answer.status;
      });
      if (status !== 200) throw new Error(`/api/session answered ${status}`);
    },
    async install(shop, policy = {}) {
      await stage.admit(shop);
      const { status } = await stage.send(shop, "PUT", "api/policy", { body: policy });
      if (status !== 200) throw new Error(`/api/policy answered ${status}`);
    },
    until: (shop, condition) =>
      until(
        async () => {
          const orders = await stage.listOrders(shop);
          return condition(orders) && orders;
        },
        { what: `the orders of ${shop}: ${condition.toString()}` },
      ),
    async close() {
      await end("SIGKILL");
      await emulator.close();
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };

  async function end(signal: NodeJS.Signals): Promise<void> {
    await app?.end(signal);
  }

  return stage;
}

/** Whether nothing is left to do for each of `count` orders. */
export function atRest(count: number): (orders: readonly ListedOrder[]) => boolean {
  const rest = new Set(["settled", "review", "failed"]);
  return (orders) => orders.length === count && orders.every(({ state }) => rest.has(state));
}

async function untilHeard(databasePath: string): Promise<void> {
  const database = new DatabaseSync(databasePath, { readOnly: true });
  const waiting = database.prepare("select count(*) as count from deliveries where ready_at is not null");
  try {
    await until(() => expect(waiting.get()).toEqual({ count: 0 }));
  } finally {
    database.close();
  }
}
