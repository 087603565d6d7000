import { toUsageError } from "../arguments.ts";

const UNITS_MS = { d: 86_400_000, h: 3_600_000 } as const;
const EXPECTED = "--since: expected days or hours such as 30d or 12h, or a date such as 2026-11-01";

/**
 * The moment that `--since` names, in milliseconds since the epoch: so long ago, or an ISO 8601 date or time (UTC unless
 * it says otherwise).
 *
 * @param keptDays - for how long orders are kept: one that is older may have been here and erased, and would be paid for
 *   again.
 * @throws {HoldfastError} `CONFIG_INVALID` when it names none, one that is yet to come, or one before what is kept.
 */
export function parseSince(text: string | undefined, nowMs: number, keptDays: number): number {
  const sinceMs = text === undefined ? Number.NaN : (parseAge(text, nowMs) ?? parseDate(text));
  if (Number.isNaN(sinceMs)) throw toUsageError(EXPECTED);
  if (sinceMs >= nowMs) throw toUsageError("--since: expected a moment that has passed");
  if (sinceMs < nowMs - keptDays * UNITS_MS.d)
    throw toUsageError(`--since: expected at most ${keptDays} days ago (KEEP_ORDERS_DAYS), got ${text}`);
  return sinceMs;
}

function parseAge(text: string, nowMs: number): number | undefined {
  const [, number, unit] = /^([1-9]\d{0,3})([dh])$/.exec(text) ?? [];
  return number === undefined ? undefined : nowMs - Number(number) * UNITS_MS[unit === "d" ? "d" : "h"];
}

/** Only what begins with a whole date: `Date.parse` takes almost anything for a year. */
function parseDate(text: string): number {
  const parts = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text);
  if (parts === null) return Number.NaN;
  const [, date = "", time = "T00:00", zone = "Z"] = parts;
  const ms = Date.parse(`${date}${time}${zone}`);
  // The 31st of February would become a day in March.
  const isReal = new Date(`${date}T00:00Z`).toJSON()?.startsWith(date) ?? false;
  return isReal ? ms : Number.NaN;
}
