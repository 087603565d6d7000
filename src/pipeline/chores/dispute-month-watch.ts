import { alertOnce } from "../../alerts/alert-once.ts";
import { toKnownZone } from "../../base/day-spans.ts";
import type { TenantId } from "../../platform/platform.ts";
import { loadSettings } from "../../settings/current-settings.ts";
import {
  countDisputeMonth,
  toDisputeGauge,
  toDisputeMonth,
  type DisputeMonth,
} from "../watch/dispute-gauge.ts";
import { createChore, visitTenants, type TenantVisit, type VisitParts } from "./chore.ts";

/** It is about a month: hours don't matter, and it reads a month of a shop's index. */
const EVERY_MS = 6 * 3_600_000;
/** A month's last disputes may arrive after its end, and no look may have come in its last hours. */
const LATE_MS = 2 * 86_400_000;
const FIRST_AFTER_MS = 5 * 60_000;
const LOCALE_WITHIN_MS = 10_000;
/** Longer than a month, so each month alerts once. */
const QUIET_MS = 40 * 86_400_000;

/** Create the watch over the share of disputes. `run` is one round over every installed tenant. */
export function createDisputeMonthWatch(parts: VisitParts) {
  async function run(signal: AbortSignal): Promise<void> {
    const about = { lease: "dispute-month", failed: "couldn't count a shop's disputes of the month" };
    await visitTenants(parts, about, (visited) => look(parts, visited, signal), signal);
  }

  const failed = "couldn't count the disputes of the month";
  const times = { everyMs: EVERY_MS, firstAfterMs: FIRST_AFTER_MS };
  return { run, ...createChore({ ...times, round: run, failed, logger: parts.logger }) };
}

async function look(
  parts: VisitParts,
  { tenant, platform }: TenantVisit,
  signal: AbortSignal,
): Promise<void> {
  const timeZone = await readTimeZone(parts, { tenant, platform }, signal);
  const nowMs = parts.now();
  const present = toDisputeMonth(nowMs, timeZone);
  const past = toDisputeMonth(nowMs - LATE_MS, timeZone);
  if (past.month !== present.month) await lookAt(parts, tenant, past, { nowMs, signal });
  await lookAt(parts, tenant, present, { nowMs, signal });
}

/** Without the shop's time zone, months are those of UTC. */
async function readTimeZone(
  { logger }: VisitParts,
  { tenant, platform }: Pick<TenantVisit, "tenant" | "platform">,
  signal: AbortSignal,
): Promise<string | null> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(LOCALE_WITHIN_MS)]);
  try {
    return toKnownZone((await platform.readLocale?.(tenant, { signal: within }))?.timeZone ?? null);
  } catch (error) {
    signal.throwIfAborted();
    logger.debug({ err: error }, "a shop's time zone couldn't be read, so its month is UTC's");
    return null;
  }
}

async function lookAt(
  parts: VisitParts,
  tenant: TenantId,
  { month, window }: DisputeMonth,
  { nowMs, signal }: { readonly nowMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const { store } = parts;
  const untilMs = Math.min(nowMs, window.untilMs);
  const counts = await countDisputeMonth(store, tenant, { ...window, untilMs }, signal);
  const { disputes: limits } = await loadSettings(store, tenant);
  const { state, disputes, orders } = toDisputeGauge(counts, window, limits, nowMs);
  if (state !== "watch" && state !== "over") return;
  const incident = { tenant, name: `disputes_high:${month}`, quietMs: QUIET_MS };
  const facts = { tenant, month, disputes, orders };
  await alertOnce(
    parts,
    incident,
    "disputes_high",
    facts,
    "a month's disputes are close to a card network's limits",
  );
}
