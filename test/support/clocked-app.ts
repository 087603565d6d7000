import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { signDelivery } from "../../tools/emulators/shopify/sign-delivery.ts";
import { createAdminEmulator, type AdminEmulator } from "../../tools/emulators/shopify/admin-emulator.ts";
import { createEmulatorDispatcher } from "../../tools/emulators/shopify/emulator-dispatcher.ts";
import { createShopifyPlatform } from "../../adapters/shopify/index.ts";
import { startApp } from "../../src/app.ts";
import { parseConfig } from "../../src/config.ts";
import { createLogRecorder, type RecordedLine } from "./log-recorder.ts";
import { readTlsFixture } from "./tls.ts";
import { until } from "./until.ts";

const APP_KEY = "clocked-client-id";
const APP_SECRET = "clocked-client-secret";

/** An order as the API shows it. */
export interface ShownOrder {
  readonly orderId: string;
  readonly state: string;
  readonly riskLevel: string | null;
  readonly action: string | null;
  readonly source: string | null;
  readonly degraded: boolean;
  readonly creditsSpent: number;
}

/** The whole app in this process, on a clock that a test can move forward. */
export interface ClockedApp {
  readonly emulator: AdminEmulator;
  readonly lines: readonly RecordedLine[];
  /** The app's clock, milliseconds since the epoch. */
  now(): number;
  /** Let this much time pass. */
  pass(ms: number): void;
  /** Stop the clock. From here on only {@link pass} moves it. */
  stopClock(): void;
  deliver(shop: string, topic: string, body: string): Promise<number>;
  orders(shop: string): Promise<readonly ShownOrder[]>;
  get(shop: string, path: string): Promise<unknown>;
  put(shop: string, path: string, body: object): Promise<number>;
  post(shop: string, path: string, body: object): Promise<number>;
  /** Wait until a shop's orders satisfy `condition`. */
  until(shop: string, condition: (orders: readonly ShownOrder[]) => boolean): Promise<readonly ShownOrder[]>;
  /** Lines with an `alert` of this name. */
  alerts(name: string): readonly RecordedLine[];
  close(): Promise<void>;
}

/** Start the app on a new SQLite file, or on `environment.DATABASE_URL`. */
export async function startClockedApp(options: {
  readonly serviceUrl: URL;
  readonly environment?: Readonly<Record<string, string>>;
  readonly emulator?: AdminEmulator;
  /** The emulated shops have the app's clock, and hide orders from day 60 on. Default: neither. */
  readonly hidesOldOrders?: boolean;
}): Promise<ClockedApp> {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-clocked-"));
  let aheadMs = 0;
  let stoppedAtMs: number | undefined;
  const now = (): number => (stoppedAtMs ?? Date.now()) + aheadMs;
  const emulator =
    options.emulator ??
    createAdminEmulator({
      apiKey: APP_KEY,
      apiSecret: APP_SECRET,
      tls: readTlsFixture("shop"),
      // Most tests' orders have fixed dates.
      ...(options.hidesOldOrders === true ? { now } : { grants: ["read_all_orders"] }),
    });
  if (options.emulator === undefined) await emulator.listen();
  const { lines, logger } = createLogRecorder();
  const config = parseConfig({
    PORT: "0",
    DATABASE_URL: `sqlite:${join(folder, "holdfast.db")}`,
    VERIFY_URL: options.serviceUrl.href,
    VERIFY_API_KEY: "a-key",
    SHOPIFY_API_KEY: APP_KEY,
    SHOPIFY_API_SECRET: APP_SECRET,
    SHOPIFY_APP_URL: "https://app.example",
    VERIFY_TIMEOUT_MS: "1000",
    ...options.environment,
  });
  const shopDispatcher = createEmulatorDispatcher(emulator, { ca: readTlsFixture("shop").cert });
  const app = await startApp({
    config,
    now,
    logger,
    version: "0.0.0-test",
    serviceDispatcher: new Agent({ connect: { ca: readTlsFixture("service").cert } }),
    platforms: [
      {
        name: "shopify",
        create({ config: { shopify }, ...context }) {
          if (shopify === undefined) return null;
          const { apiKey, apiSecret, appUrl } = shopify;
          const secret = apiSecret.reveal();
          return createShopifyPlatform({
            ...context,
            apiKey,
            apiSecret: secret,
            appUrl,
            dispatcher: shopDispatcher,
          });
        },
      },
    ],
  });

  async function ask(shop: string, path: string, method: "GET" | "PUT" | "POST" = "GET", body?: object) {
    emulator.shop(shop);
    return request(new URL(path, app.url), {
      method,
      headers: {
        authorization: `Bearer ${emulator.createSessionToken(shop, { claims: toTimes() })}`,
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  const clocked: ClockedApp = {
    emulator,
    lines,
    now,
    pass: (ms) => (aheadMs += ms),
    stopClock: () => void (stoppedAtMs ??= Date.now()),
    async deliver(shop, topic, body) {
      const signed = signDelivery(APP_SECRET, { shop, topic, body });
      const url = new URL("webhooks/shopify", app.url);
      const answer = await request(url, { method: "POST", headers: signed.headers, body: signed.body });
      await answer.body.dump();
      return answer.statusCode;
    },
    async get(shop, path) {
      return (await ask(shop, path)).body.json();
    },
    async put(shop, path, body) {
      const answer = await ask(shop, path, "PUT", body);
      await answer.body.dump();
      return answer.statusCode;
    },
    async post(shop, path, body) {
      const answer = await ask(shop, path, "POST", body);
      await answer.body.dump();
      return answer.statusCode;
    },
    async orders(shop) {
      const page = (await clocked.get(shop, "api/orders?limit=100")) as { orders: readonly ShownOrder[] };
      return page.orders;
    },
    until: (shop, condition) =>
      until(
        async () => {
          const orders = await clocked.orders(shop);
          return condition(orders) && orders;
        },
        { what: `the orders of ${shop}: ${condition.toString()}` },
      ),
    alerts: (name) => lines.filter(({ alert }) => alert === name),
    async close() {
      await app.stop();
      if (options.emulator === undefined) await emulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return clocked;
}

/** Sessions are checked by the real clock. */
function toTimes() {
  const seconds = Math.floor(Date.now() / 1000);
  return { iat: seconds, nbf: seconds, exp: seconds + 60 };
}
