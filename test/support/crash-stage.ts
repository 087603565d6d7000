import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdminEmulator, type AdminEmulator } from "../../tools/emulators/shopify/admin-emulator.ts";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  type SandboxService,
} from "../../src/sandbox/sandbox-service.ts";
import { createFaultyApp, type CommitJournal, type FaultyApp } from "./faulty-app.ts";
import { createRequestFaults, type RequestFaults } from "./request-faults.ts";
import { APP_KEY, APP_SECRET } from "./shopify-stage.ts";

/** A verification service and an emulated Admin for apps that are killed. */
export interface CrashStage {
  readonly service: SandboxService;
  readonly emulator: AdminEmulator;
  /** The faults for the requests of all apps of this stage. */
  readonly requestFaults: RequestFaults;
  /** Where an app of this stage stores its SQLite database, unless told otherwise. */
  readonly databasePath: string;
  /** Everything the apps wrote to their standard output and error. */
  log(): string;
  /** An app of this stage, not started yet. It is closed with the stage. */
  addApp(options?: AppOptions): Promise<FaultyApp>;
  close(): Promise<void>;
}

/** What differs from an app on the stage's SQLite database. */
export interface AppOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly onRequest?: (name: string) => Promise<void>;
}

/** Points enough for any load: the shop's throttle isn't tested here. */
const NO_THROTTLE = { maximumAvailable: 1_000_000, restoreRate: 100_000 };

/** Set up the stage. */
export async function createCrashStage(options: { readonly latencyMs?: number } = {}): Promise<CrashStage> {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-crash-"));
  const databasePath = join(folder, "holdfast.db");
  const service = createSandboxService({ latencyMs: options.latencyMs ?? 0 });
  const servicePort = Number((await service.listen()).port);
  const emulator = createAdminEmulator({
    apiKey: APP_KEY,
    apiSecret: APP_SECRET,
    throttle: NO_THROTTLE,
    // The orders have fixed dates.
    grants: ["read_all_orders"],
  });
  await emulator.listen();
  const logPath = join(folder, "app.log");
  const requestFaults = createRequestFaults();
  const apps: FaultyApp[] = [];

  return {
    service,
    emulator,
    requestFaults,
    databasePath,
    log: () => (existsSync(logPath) ? readFileSync(logPath, "utf8") : ""),
    async addApp({ environment = {}, onRequest } = {}) {
      const app = await createFaultyApp({
        emulator,
        servicePort,
        requestFaults,
        journal: createJournal(join(folder, `commits-${apps.length}`)),
        onRequest,
        onOutput: (text) => appendFileSync(logPath, text),
        environment: {
          PORT: "0",
          DATABASE_URL: `sqlite:${databasePath}`,
          VERIFY_API_KEY: SANDBOX_API_KEY,
          SHOPIFY_API_KEY: APP_KEY,
          SHOPIFY_API_SECRET: APP_SECRET,
          SHOPIFY_APP_URL: "https://app.example",
          LOG_LEVEL: "info",
          NODE_COMPILE_CACHE: join(folder, "compile-cache"),
          ...environment,
        },
      });
      apps.push(app);
      return app;
    },
    async close() {
      await Promise.all(apps.map((app) => app.close()));
      await emulator.close();
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function createJournal(path: string): CommitJournal {
  return {
    path,
    read: () => readFileSync(path, "utf8").split("\n").slice(0, -1),
    empty: () => writeFileSync(path, ""),
  };
}
