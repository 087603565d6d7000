import { request } from "undici";
import { signDelivery } from "../../tools/emulators/shopify/sign-delivery.ts";
import type { AdminEmulator } from "../../tools/emulators/shopify/admin-emulator.ts";
import { launchApp, type AppProcess } from "./app-process.ts";
import type { CommitFault } from "./commit-faults.child.ts";
import { createFaultProxy } from "./fault-proxy.ts";
import type { Moment, RequestFaults } from "./request-faults.ts";
import { APP_SECRET, type ListedOrder } from "./shopify-stage.ts";
import { readTlsFixture, SERVICE_CA_PATH } from "./tls.ts";

/** A webhook to deliver. */
export interface Delivery {
  readonly shop: string;
  readonly topic: string;
  readonly body: string;
  readonly webhookId: string;
}

/** The app in one process after another. Each can be killed at any of its steps. */
export interface FaultyApp {
  /** Start a process, which may die of `fault` while starting: resolves to whether it lives. Otherwise it has to. */
  start(fault?: CommitFault): Promise<boolean>;
  /** Kill the process at a commit of its SQLite database. */
  arm(fault: CommitFault): Promise<void>;
  /** Disarm the fault; resolves to whether the process still lives. */
  disarm(): Promise<boolean>;
  /** What the commits since it was armed have written. The process died at the last one. */
  commits(): readonly string[];
  isRunning(): boolean;
  /** Where the process listens. */
  url(path: string): URL;
  /** SIGKILL, unless it is dead already, and wait for its end. */
  kill(): Promise<void>;
  /** Tell this process, or the next one when it starts, that this much more time has passed, in milliseconds. */
  advanceClock(ms: number): Promise<void>;
  /** Deliver a signed webhook; whether it was acknowledged. */
  deliver(delivery: Delivery): Promise<boolean>;
  /** Install the app in a shop whose owner saves a policy: the default one, or `policy`. */
  install(shop: string, policy?: object): Promise<void>;
  /** The shop's owner approves an order, at once; returns whether the app confirmed it. */
  approve(shop: string, orderId: string): Promise<boolean>;
  /** One order as the API shows it; undefined if there is none, or no process to ask. */
  order(shop: string, orderId: string): Promise<ListedOrder | undefined>;
  /** A shop's orders, at most a hundred, as the API lists them; none if there is no process to ask. */
  orders(shop: string): Promise<readonly ListedOrder[]>;
  close(): Promise<void>;
}

/** Options of {@link createFaultyApp}. */
export interface FaultyAppOptions {
  readonly emulator: AdminEmulator;
  /** Where the verification service listens without TLS. */
  readonly servicePort: number;
  readonly requestFaults: RequestFaults;
  readonly journal: CommitJournal;
  readonly environment: Readonly<Record<string, string>>;
  /** Called when a request arrives; the request waits for what it awaits. */
  readonly onRequest?: ((name: string) => Promise<void>) | undefined;
  readonly onOutput: (text: string) => void;
}

/** Where a process records its commits, because it doesn't live to report them. */
export interface CommitJournal {
  readonly path: string;
  read(): readonly string[];
  empty(): void;
}

/** Length of the process's output that is shown when it didn't start. */
const OUTPUT_KEPT = 3_000;
const PRELOAD = new URL("commit-faults.child.ts", import.meta.url);

/** Create a {@link FaultyApp}. No process runs yet. */
export async function createFaultyApp(options: FaultyAppOptions): Promise<FaultyApp> {
  const { emulator, journal, onOutput } = options;
  let process: AppProcess | undefined;
  let base: URL | undefined;
  let output = "";
  let aheadMs = 0;
  const kill = async (): Promise<void> => process?.end("SIGKILL");

  async function onMoment(moment: Moment, name: string): Promise<boolean> {
    if (moment === "arrived") await options.onRequest?.(name);
    return options.requestFaults.onMoment(moment, name, kill);
  }

  const get = (shop: string, path: string): Promise<unknown> => call(shop, path, { method: "GET" });

  async function call(
    shop: string,
    path: string,
    sent: { readonly method: "GET" | "PUT" | "POST"; readonly body?: string },
  ): Promise<unknown> {
    const authorization = `Bearer ${emulator.createSessionToken(shop)}`;
    const headers = { authorization, "content-type": "application/json" };
    try {
      const answer = await request(new URL(path, base), { headers, ...sent });
      const body = await answer.body.json();
      return answer.statusCode === 200 ? body : undefined;
    } catch {
      return undefined;
    }
  }

  const service = await createFaultProxy({
    tls: readTlsFixture("service"),
    port: options.servicePort,
    toName: ({ path }) => (path.endsWith("/order-verification") ? "order-verification" : "organizations"),
    onMoment,
  });
  const admin = await createFaultProxy({
    tls: readTlsFixture("shop"),
    port: emulator.port,
    toName: ({ path, body }) =>
      path.endsWith("graphql.json") ? (/(?:query|mutation) (\w+)/.exec(body)?.[1] ?? "unnamed") : "token",
    onMoment,
  });
  const environment = {
    NODE_EXTRA_CA_CERTS: SERVICE_CA_PATH,
    VERIFY_URL: `https://localhost:${service.port}/`,
    EMULATOR_PORT: String(admin.port),
    COMMIT_JOURNAL: journal.path,
    ...options.environment,
  };

  return {
    async start(fault) {
      journal.empty();
      const first = fault === undefined ? {} : { COMMIT_FAULT: JSON.stringify(fault) };
      output = "";
      process = launchApp({
        environment: { ...environment, ...first, CLOCK_AHEAD_MS: String(aheadMs) },
        preload: PRELOAD,
        onOutput(text) {
          output = (output + text).slice(-OUTPUT_KEPT);
          onOutput(text);
        },
      });
      base = await process.started.catch(() => undefined);
      if (base === undefined && fault === undefined) throw new Error(`the app did not start: ${output}`);
      return base !== undefined;
    },
    async arm(fault) {
      journal.empty();
      await process?.ask({ commitFault: fault });
    },
    async disarm() {
      try {
        await process?.ask({ commitFault: null });
        return true;
      } catch {
        return false;
      }
    },
    commits: () => journal.read(),
    url: (path) => new URL(path, base),
    isRunning: () => process?.isRunning() === true,
    kill,
    async advanceClock(ms) {
      aheadMs += ms;
      if (process?.isRunning() === true) await process.ask({ clockAheadMs: aheadMs });
    },
    async deliver(delivery) {
      const { headers, body } = signDelivery(APP_SECRET, delivery);
      try {
        const answer = await request(new URL("webhooks/shopify", base), { method: "POST", headers, body });
        await answer.body.dump();
        return answer.statusCode === 200;
      } catch {
        return false;
      }
    },
    async install(shop, policy = {}) {
      emulator.shop(shop);
      await call(shop, "api/policy", { method: "PUT", body: JSON.stringify(policy) });
    },
    approve: async (shop, orderId) =>
      (await call(shop, `api/orders/${orderId}/approve`, { method: "POST", body: "{}" })) !== undefined,
    order: async (shop, orderId) => (await get(shop, `api/orders/${orderId}`)) as ListedOrder | undefined,
    async orders(shop) {
      const listed = (await get(shop, "api/orders?limit=100")) as
        | { readonly orders: readonly ListedOrder[] }
        | undefined;
      return listed?.orders ?? [];
    },
    async close() {
      await kill();
      await service.close();
      await admin.close();
    },
  };
}
