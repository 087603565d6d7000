import type { Dispatcher } from "undici";
import type { PlatformFactory } from "../../app.ts";
import type { Config } from "../../config.ts";
import type { Finding } from "../../platform/platform.ts";
import type { Store } from "../../store/store.ts";
import { openPlatforms } from "../open-platforms.ts";
import { checkConfiguration, checkNode } from "./configuration.ts";
import { checkCredits } from "./credits.ts";
import { checkDatabase } from "./database.ts";
import { problem, skipped } from "./findings.ts";
import { checkPlatforms } from "./platforms.ts";
import { checkService } from "./service.ts";
import { checkWork } from "./work.ts";

/** Parts of {@link examine}. */
export interface ExamineOptions {
  /** Reads the environment; throws what is wrong with it. */
  readonly readConfig: () => Config;
  readonly platforms: readonly PlatformFactory[];
  readonly now: () => number;
  /** As `process.versions.node`. */
  readonly nodeVersion: string;
  /** Carries the call to the verification service. Default: a connection of its own. */
  readonly serviceDispatcher?: Dispatcher | undefined;
}

const NEED_DATABASE = [
  "circuits",
  "credits",
  "credits.caps",
  "work.backlog",
  "work.failed",
  "work.holds",
  "work.deliveries",
  "work.webhooks",
  "work.degraded",
  "work.coverage",
  "tenants",
];

/** Look at every part of this installation that can be looked at. Never throws for what it finds. */
export async function examine(options: ExamineOptions): Promise<readonly Finding[]> {
  const { config, findings } = checkConfiguration(options.readConfig);
  const first = [checkNode(options.nodeVersion), ...findings];
  if (config === undefined) {
    const rest = ["database", "service", ...NEED_DATABASE];
    return [...first, ...rest.map((id) => skipped(id, "fix the configuration first"))];
  }
  const service = guard("service", () => checkService(config, toServiceOptions(options)));
  const { store, findings: database } = await checkDatabase(config);
  if (store === undefined) {
    const rest = NEED_DATABASE.map((id) => skipped(id, "fix the database first"));
    return [...first, ...database, ...(await service), ...rest];
  }
  try {
    const kept = await examineStore(store, config, options);
    return [...first, ...database, ...(await service), ...kept];
  } finally {
    await store.close();
  }
}

function toServiceOptions({ now, serviceDispatcher: dispatcher }: ExamineOptions) {
  return { now, dispatcher };
}

async function examineStore(
  store: Store,
  config: Config,
  { platforms: factories, now }: ExamineOptions,
): Promise<readonly Finding[]> {
  const platforms = openPlatforms({ config, store, factories, now });
  try {
    const parts = await Promise.all([
      guard("credits", () => checkCredits(store, now(), config.creditsPerTenantDaily)),
      guard("work", () => checkWork(store, now())),
      guard("tenants", () => checkPlatforms(store, platforms)),
    ]);
    return parts.flat();
  } finally {
    for (const platform of platforms) await platform.close();
  }
}

/** A look that fails is a finding too: the others go on. */
async function guard(id: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    const found = error instanceof Error ? error.name : "unknown";
    return [problem(id, `this check failed (${found})`, "run doctor again; if the error remains, report it")];
  }
}
