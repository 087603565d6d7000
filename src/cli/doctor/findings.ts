import { isHoldfastError } from "../../base/errors.ts";
import type { Finding } from "../../platform/platform.ts";

/** Nothing is wrong. */
export function ok(id: string, found: string): Finding {
  return { id, status: "ok", found, advice: null };
}

/** It works, but somebody should look at this. */
export function warning(id: string, found: string, advice: string): Finding {
  return { id, status: "warning", found, advice };
}

/** It doesn't work, or not correctly. */
export function problem(id: string, found: string, advice: string): Finding {
  return { id, status: "problem", found, advice };
}

/** The check itself failed. Another library's message may quote data. */
export function failed(id: string, error: unknown): Finding {
  const reason = error instanceof Error ? error[isHoldfastError(error) ? "message" : "name"] : "unknown";
  return problem(id, `this check failed (${reason})`, "run doctor again; if it fails again, report it");
}

/** It couldn't be checked, or doesn't apply. */
export function skipped(id: string, found: string): Finding {
  return { id, status: "skipped", found, advice: null };
}

/** A table of checks by the ids of their findings. A check that doesn't apply has no finding. */
export type Checks<T> = Readonly<
  Record<string, (id: string, about: T) => Finding | undefined | Promise<Finding | undefined>>
>;

export async function runChecks<T>(checks: Checks<T>, about: T): Promise<readonly Finding[]> {
  const findings = Object.entries(checks).map(async ([id, check]) => check(id, about));
  return (await Promise.all(findings)).filter((finding) => finding !== undefined);
}

/** `1 order`, `2 orders`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A time span in its most readable unit, e.g. `3 hours`. */
export function toSpan(ms: number): string {
  if (ms < MINUTE_MS) return count(Math.max(0, Math.round(ms / 1000)), "second");
  if (ms < 2 * HOUR_MS) return count(Math.round(ms / MINUTE_MS), "minute");
  return ms < 2 * DAY_MS ? count(Math.round(ms / HOUR_MS), "hour") : count(Math.round(ms / DAY_MS), "day");
}
