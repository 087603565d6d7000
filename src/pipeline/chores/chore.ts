import { isHoldfastError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { Platform, TenantId } from "../../platform/platform.ts";
import type { PipelineParts } from "../tasks.ts";

export interface ChoreOptions {
  readonly everyMs: number;
  /** When the first round starts, in milliseconds after the start. Default: `everyMs`. */
  readonly firstAfterMs?: number | undefined;
  /** One round. The signal fires when the app stops. */
  readonly round: (signal: AbortSignal) => Promise<unknown>;
  /** The log message for a failed round. */
  readonly failed: string;
  readonly logger: Logger;
}

/** Create a chore: work that is done at fixed times, one round at a time, from `start` until `stop`. */
export function createChore({ everyMs, firstAfterMs, round, failed, logger }: ChoreOptions) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timers: NodeJS.Timeout[] = [];
  let running: Promise<void> | undefined;

  async function runRound(): Promise<void> {
    try {
      await round(signal);
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, failed);
    } finally {
      running = undefined;
    }
  }

  function begin(): void {
    running ??= runRound();
  }

  return {
    start(): void {
      if (timers.length > 0) return;
      timers = [setInterval(begin, everyMs).unref()];
      if (firstAfterMs !== undefined) timers.push(setTimeout(begin, firstAfterMs).unref());
    },
    /** Tell the current round to stop, and wait for its end. */
    async stop(): Promise<void> {
      for (const timer of timers) clearTimeout(timer);
      stopping.abort(new Error("the app is stopping"));
      await running;
    },
  };
}

/** How often Holdfast looks for each tenant's missed orders and outcomes. */
export const VISIT_EVERY_MS = 10 * 60_000;
const VISIT_LEASE_MS = VISIT_EVERY_MS / 2;

export type VisitParts = Pick<PipelineParts, "store" | "platforms" | "owner" | "now" | "logger">;

export interface TenantVisit {
  readonly tenant: TenantId;
  readonly installedAtMs: number;
  readonly platform: Platform;
  /** Renew the lease; false if another process took over. */
  readonly hold: () => Promise<boolean>;
}

/**
 * Visit every installed tenant that no other process is visiting for the same reason. A visit that fails doesn't prevent the
 * others. Lost access is reported elsewhere.
 */
export async function visitTenants(
  { store, platforms, owner, now, logger }: VisitParts,
  { lease, failed }: { readonly lease: string; readonly failed: string },
  visit: (visited: TenantVisit) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  for (const { tenant, platform: name, installedAtMs, hasAccess } of await store.tenants.list()) {
    signal.throwIfAborted();
    if (!hasAccess) continue;
    const platform = platforms.find((candidate) => candidate.name === name);
    const hold = () => store.leases.acquire(`${lease}:${tenant}`, owner, now(), now() + VISIT_LEASE_MS);
    if (platform === undefined || !(await hold())) continue;
    try {
      await visit({ tenant, installedAtMs, platform, hold });
    } catch (error) {
      signal.throwIfAborted();
      if (!isHoldfastError(error, "PLATFORM_UNAUTHORIZED")) logger.warn({ err: error }, failed);
    }
  }
}
