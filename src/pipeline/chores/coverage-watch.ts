import { alertOnce, reportOver } from "../../alerts/alert-once.ts";
import type { Coverage, CoverageWindow } from "../../store/figures/statistics.ts";
import type { PipelineParts } from "../tasks.ts";
import { createChore } from "./chore.ts";

export const COVERAGE_WINDOW_HOURS = 24;
/** An order is decided on time within this, in milliseconds: packing it takes longer in nearly every shop. */
const IN_TIME_MS = 5 * 60_000;

/** The window that ends now. An order counts once its time limit has passed. */
export function toCoverageWindow(nowMs: number): CoverageWindow {
  const untilMs = nowMs - IN_TIME_MS;
  return { sinceMs: untilMs - COVERAGE_WINDOW_HOURS * 3_600_000, untilMs, withinMs: IN_TIME_MS };
}

/** The share of orders that were decided on time; null without any orders. */
export function toCoverageRatio({ eligible, decidedInTime }: Coverage): number | null {
  return eligible === 0 ? null : decidedInTime / eligible;
}

type CoverageWatchParts = Pick<PipelineParts, "store" | "logger" | "now" | "owner">;

const EVERY_MS = 5 * 60_000;
const LOW_BELOW = 0.95;
/** With fewer orders, one or two late ones would already alert. */
const MIN_ELIGIBLE = 20;
const INCIDENT = { name: "coverage_low" };

/** Create the watch that alerts when orders aren't decided on time. `run` is one look, by one process at a time. */
export function createCoverageWatch(parts: CoverageWatchParts) {
  const { store, logger, now, owner } = parts;

  async function run(): Promise<void> {
    if (!(await store.leases.acquire("coverage", owner, now(), now() + EVERY_MS / 2))) return;
    const coverage = await store.figures.coverage(null, toCoverageWindow(now()));
    const ratio = toCoverageRatio(coverage);
    const isLow = ratio !== null && ratio < LOW_BELOW;
    if (isLow) {
      if (coverage.eligible < MIN_ELIGIBLE) return;
      const message = "too many orders of the last 24 hours weren't decided within 5 minutes";
      await alertOnce(parts, INCIDENT, "coverage_low", { ...coverage }, message);
    } else {
      const message = "orders are decided on time again";
      await reportOver(parts, INCIDENT, "coverage_low", { ...coverage }, message);
    }
  }

  const failed = "couldn't measure how many orders are decided on time";
  return { run, ...createChore({ everyMs: EVERY_MS, round: run, failed, logger }) };
}
