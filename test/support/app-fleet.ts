import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { signDelivery } from "../../tools/emulators/shopify/sign-delivery.ts";
import { createAdminEmulator, type AdminEmulator } from "../../tools/emulators/shopify/admin-emulator.ts";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  type SandboxService,
  type SandboxServiceOptions,
} from "../../src/sandbox/sandbox-service.ts";
import { launchApp } from "./app-process.ts";
import { readRows, type DatabaseRow } from "./database-rows.ts";
import { createNewOrders, type NewOrders, type ShopOrder } from "./fleet-orders.ts";
import { APP_KEY, APP_SECRET, CONSOLE_TOKEN } from "./shopify-stage.ts";
import { readTlsFixture, SERVICE_CA_PATH } from "./tls.ts";
import { until } from "./until.ts";

/** Options of {@link createAppFleet}. */
export interface AppFleetOptions {
  /** Where all processes store everything. */
  readonly databaseUrl: string;
  readonly service?: Pick<SandboxServiceOptions, "latencyMs" | "engine">;
  /** Points per shop. @default so many that no call waits */
  readonly throttle?: { readonly maximumAvailable: number; readonly restoreRate: number };
  readonly environment?: Readonly<Record<string, string>>;
}

/** One answer to a delivery, and when it arrived by `performance.now()`. */
export interface TimedReceipt extends Receipt {
  readonly atMs: number;
}

/** Webhooks of new orders, one after the other, each delivered until it is stored. */
export interface OrderStream {
  readonly orders: readonly ShopOrder[];
  readonly receipts: readonly TimedReceipt[];
  /** Create no more orders, and wait until every one is stored. */
  end(): Promise<void>;
}

/** How a delivery was answered; status 0 if it wasn't. */
export interface Receipt {
  readonly status: number;
  /** Seconds. */
  readonly retryAfter: string | undefined;
}

/** The app in a separate process. */
export interface AppProcess {
  readonly pid: number;
  readonly url: URL;
  /** Lines of its log, parsed, oldest first. */
  readonly lines: readonly LogLine[];
  /** Lines with that `alert`. */
  alerts(name: string): readonly LogLine[];
  /** Set its clock this far ahead of the real one; negative for behind. */
  setClock(aheadMs: number): Promise<void>;
  /** Signal it and wait until it has ended. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
}

export type LogLine = Readonly<Record<string, unknown>>;

/** Any number of app processes between one verification service and one emulated Admin, all over TLS. */
export interface AppFleet {
  readonly service: SandboxService;
  readonly serviceUrl: URL;
  readonly emulator: AdminEmulator;
  readonly newOrders: NewOrders;
  start(environment?: Readonly<Record<string, string>>): Promise<AppProcess>;
  startMany(count: number): Promise<readonly AppProcess[]>;
  /** Open the app in the shops, which gives it access to them. */
  install(to: AppProcess, ...shops: readonly string[]): Promise<void>;
  /** Deliver an order's webhook to a process. Never rejects, because a platform doesn't care. */
  deliver(to: AppProcess, order: ShopOrder, webhookId?: string): Promise<Receipt>;
  /** Deliver until it is acknowledged, as a platform does, each time to the next process. */
  deliverUntilKept(
    to: readonly AppProcess[],
    order: ShopOrder,
    onReceipt?: (receipt: Receipt) => void,
  ): Promise<void>;
  /** Start an {@link OrderStream}: to every process in turn, an order every `spacingMs`. */
  stream(to: readonly AppProcess[], shop: string, spacingMs: number): OrderStream;
  /** Read the app's data directly from the database. */
  query(statement: string): Promise<readonly DatabaseRow[]>;
  /** `select count(*) from …` */
  count(what: string): Promise<number>;
  /** Wait until these orders, which must be all orders, were followed through and no process works on one. */
  untilAtRest(orders: readonly ShopOrder[]): Promise<void>;
  close(): Promise<void>;
}

/** An order without anything to do for now. */
const IS_AT_REST = "state in ('settled', 'review') and lease_owner is null";

const AMPLE = { maximumAvailable: 1_000_000, restoreRate: 100_000 };
/** The orders of these tests come from one place, and aren't one person's flood. */
const POLICY = { budget: { perSourceHourly: null } };
/** A platform waits longer; a test would only last longer. */
const REDELIVER_MS = 200;

/** Create an {@link AppFleet} without processes. */
export async function createAppFleet(options: AppFleetOptions): Promise<AppFleet> {
  const service = createSandboxService({ tls: readTlsFixture("service"), ...options.service });
  const serviceUrl = await service.listen();
  const emulator = createAdminEmulator({
    apiKey: APP_KEY,
    apiSecret: APP_SECRET,
    tls: readTlsFixture("shop"),
    throttle: options.throttle ?? AMPLE,
  });
  await emulator.listen();
  const environment = {
    NODE_EXTRA_CA_CERTS: SERVICE_CA_PATH,
    EMULATOR_PORT: String(emulator.port),
    PORT: "0",
    DATABASE_URL: options.databaseUrl,
    DATA_KEY: randomBytes(32).toString("base64"),
    VERIFY_URL: serviceUrl.href.replace("127.0.0.1", "localhost"),
    VERIFY_API_KEY: SANDBOX_API_KEY,
    SHOPIFY_API_KEY: APP_KEY,
    SHOPIFY_API_SECRET: APP_SECRET,
    SHOPIFY_APP_URL: "https://app.example",
    CONSOLE_TOKEN,
    LOG_LEVEL: "info",
    ...options.environment,
  };
  const processes: AppProcess[] = [];
  const dispatcher = new Agent();

  const fleet: AppFleet = {
    service,
    serviceUrl,
    emulator,
    newOrders: createNewOrders(emulator),
    async start(more = {}) {
      const started = await startProcess({ ...environment, ...more });
      processes.push(started);
      return started;
    },
    startMany: (count) => Promise.all(Array.from({ length: count }, () => fleet.start())),
    async install(to, ...shops) {
      for (const shop of shops) {
        emulator.shop(shop);
        const answer = await request(new URL("api/policy", to.url), {
          method: "PUT",
          headers: {
            authorization: `Bearer ${emulator.createSessionToken(shop)}`,
            "content-type": "application/json",
          },
          body: JSON.stringify(POLICY),
          dispatcher,
        });
        await answer.body.dump();
        if (answer.statusCode !== 200) throw new Error(`${shop} was not installed: ${answer.statusCode}`);
      }
    },
    async deliver(to, { shop, body }, webhookId) {
      const signed = signDelivery(APP_SECRET, {
        shop,
        topic: "orders/create",
        body,
        ...(webhookId === undefined ? {} : { webhookId }),
      });
      try {
        const url = new URL("webhooks/shopify", to.url);
        const answer = await request(url, { method: "POST", ...signed, dispatcher });
        await answer.body.dump();
        const retryAfter = answer.headers["retry-after"];
        return { status: answer.statusCode, retryAfter: retryAfter?.toString() };
      } catch {
        return { status: 0, retryAfter: undefined };
      }
    },
    async deliverUntilKept(to, order, onReceipt) {
      for (let turn = 0; ; turn += 1) {
        const target = to[turn % to.length];
        if (target === undefined) throw new Error("there is no process to deliver to");
        const receipt = await fleet.deliver(target, order, `w-${order.orderId}`);
        onReceipt?.(receipt);
        if (receipt.status === 200) return;
        await sleep(REDELIVER_MS);
      }
    },
    stream(to, shop, spacingMs) {
      const orders: ShopOrder[] = [];
      const receipts: TimedReceipt[] = [];
      const delivered: Promise<void>[] = [];
      const stopping = new AbortController();
      const making = (async () => {
        while (!stopping.signal.aborted) {
          const made = fleet.newOrders(shop, 1);
          orders.push(...made);
          const targets = orders.length % 2 === 0 ? to : to.toReversed();
          const note = (receipt: Receipt) => void receipts.push({ ...receipt, atMs: performance.now() });
          delivered.push(...made.map((order) => fleet.deliverUntilKept(targets, order, note)));
          await sleep(spacingMs);
        }
      })();
      return {
        orders,
        receipts,
        async end() {
          stopping.abort();
          await making;
          await Promise.all(delivered);
        },
      };
    },
    query: (statement) => readRows(options.databaseUrl, statement),
    async count(what) {
      const [row] = await fleet.query(`select count(*) as count from ${what}`);
      return Number(row?.["count"]);
    },
    async untilAtRest(orders) {
      // A busy machine may take long, so patience begins again with each order that comes to rest.
      for (let atRest = -1; atRest !== orders.length;) {
        const before = atRest;
        const more = async () => {
          const count = await fleet.count(`orders where ${IS_AT_REST}`);
          return count > before && count;
        };
        atRest = await until(more, { what: `more than ${before} of ${orders.length} orders at rest` });
      }
    },
    async close() {
      await Promise.all(processes.map((one) => one.end("SIGKILL")));
      await dispatcher.close();
      await emulator.close();
      await service.close();
    },
  };
  return fleet;
}

async function startProcess(environment: Readonly<Record<string, string>>): Promise<AppProcess> {
  const lines: LogLine[] = [];
  let rest = "";
  const app = launchApp({
    environment,
    onOutput(text) {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts.map(parseLine));
    },
  });
  const url = await app.started.catch(() => {
    throw new Error(`the app did not start: ${JSON.stringify(lines)} ${rest}`);
  });
  return {
    pid: app.pid,
    url,
    lines,
    alerts: (name) => lines.filter(({ alert }) => alert === name),
    setClock: (aheadMs) => app.ask({ clockAheadMs: aheadMs }),
    end: (signal) => app.end(signal),
  };
}

/** Other output, such as Node's stack traces, stays text. */
function parseLine(text: string): LogLine {
  return text.startsWith("{") ? (JSON.parse(text) as LogLine) : { text };
}
