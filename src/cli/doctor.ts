import type { PlatformFactory } from "../app.ts";
import type { Config } from "../config.ts";
import type { Finding } from "../platform/platform.ts";
import type { Store } from "../store/store.ts";
import { withPlatforms } from "./installation.ts";
import { checkCheckouts } from "./doctor/checkouts.ts";
import { checkConfiguration, checkNode } from "./doctor/configuration.ts";
import { checkCredits, CREDIT_CHECKS } from "./doctor/credits.ts";
import { checkDatabase } from "./doctor/database.ts";
import { failed, skipped } from "./doctor/findings.ts";
import { checkOtherServices } from "./doctor/other-services.ts";
import { checkPlatforms } from "./doctor/platforms.ts";
import { isSound, toJsonReport, toTextReport } from "./doctor/report.ts";
import { checkService } from "./doctor/service.ts";
import { checkWork, WORK_CHECKS } from "./doctor/work.ts";
import type { Terminal } from "./output.ts";

export interface DoctorOptions {
  /** Reads the environment; throws if it's invalid. */
  readonly readConfig: () => Config;
  readonly platforms: readonly PlatformFactory[];
  readonly now: () => number;
  /** As `process.versions.node`. */
  readonly nodeVersion: string;
}

/**
 * `holdfast doctor`: check that this installation works, and say what to do if it doesn't. Resolves to whether nothing
 * is wrong. Warnings don't count.
 */
export async function doctor(options: DoctorOptions, json: boolean, terminal: Terminal): Promise<boolean> {
  const findings = await examine(options);
  const lines = json ? [toJsonReport(findings)] : toTextReport(findings, terminal.hasColors);
  for (const line of lines) terminal.line(line);
  return isSound(findings);
}

const NEED_DATABASE = [...Object.keys({ ...CREDIT_CHECKS, ...WORK_CHECKS }), "tenants"];

/** Check every part of this installation that can be checked. Never throws because of what it finds. */
async function examine(options: DoctorOptions): Promise<readonly Finding[]> {
  const { config, findings } = checkConfiguration(options.readConfig);
  const first = [checkNode(options.nodeVersion), ...findings];
  if (config === undefined) {
    const rest = ["database", "service", ...NEED_DATABASE];
    return [...first, ...rest.map((id) => skipped(id, "fix the configuration first"))];
  }
  const service = Promise.all([
    guard("service", () => checkService(config, { now: options.now })),
    guard("other-services", () => checkOtherServices(config)),
  ]).then((findings) => findings.flat());
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

function examineStore(store: Store, config: Config, { platforms, now }: DoctorOptions) {
  return withPlatforms(store, { config, platforms, now }, async (opened) => {
    const parts = await Promise.all([
      guard("credits", () => checkCredits(store, now(), config.creditsPerTenantDaily)),
      guard("work", () =>
        checkWork(
          store,
          now(),
          platforms.map(({ name }) => name),
        ),
      ),
      guard("tenants", () => checkPlatforms(store, opened)),
      guard("checkouts", () => checkCheckouts(store, opened, now())),
    ]);
    return parts.flat();
  });
}

/** A failed check is a finding, too, and the others continue. */
async function guard(id: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [failed(id, error)];
  }
}
