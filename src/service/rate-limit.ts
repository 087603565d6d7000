/** Response headers by lower-case name. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface RateLimit {
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  /** Milliseconds since the epoch. The service may use seconds. */
  readonly resetAtMs: number | undefined;
}

/** Longest pause a response can ask for, in milliseconds: a wrong clock must not stop a shop for days. */
export const MAX_PAUSE_MS = 3_600_000;
/** Shortest pause, in milliseconds: a reset in the past must not cause a busy loop. */
const MIN_PAUSE_MS = 1_000;

/** Timestamps below this are in seconds (up to the year 5138), others in milliseconds (from 1973). */
const MILLISECONDS_FROM = 100_000_000_000;

function parseInteger(value: string | readonly string[] | undefined): number | undefined {
  // 15 digits stay exact, and within the range of a date even when they are milliseconds.
  return typeof value === "string" && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : undefined;
}

function toTimestampMs(value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  return value < MILLISECONDS_FROM ? value * 1000 : value;
}

/** Fields that aren't plain integers are undefined, and so is the result if all are. */
export function parseRateLimit(headers: ResponseHeaders): RateLimit | undefined {
  const limit = parseInteger(headers["x-ratelimit-limit"]);
  const remaining = parseInteger(headers["x-ratelimit-remaining"]);
  const resetAtMs = toTimestampMs(parseInteger(headers["x-ratelimit-reset"]));
  if (limit === undefined && remaining === undefined && resetAtMs === undefined) return undefined;
  return { limit, remaining, resetAtMs };
}

/** Limit a time to between one second and one hour from now, in milliseconds since the epoch. */
export function clampRetryAtMs(retryAtMs: number, nowMs: number): number {
  return Math.min(Math.max(retryAtMs, nowMs + MIN_PAUSE_MS), nowMs + MAX_PAUSE_MS);
}

/** `Retry-After` as milliseconds since the epoch, from its seconds or its date (RFC 9110, section 10.2.3). */
export function parseRetryAfter(headers: ResponseHeaders, nowMs: number): number | undefined {
  const value = headers["retry-after"];
  const seconds = parseInteger(value);
  if (seconds !== undefined) return nowMs + seconds * 1000;
  // An HTTP date begins with its weekday. Date.parse alone would also read "-1" as a year.
  if (typeof value !== "string" || !/^\s*[A-Za-z]{3}/.test(value)) return undefined;
  const dateMs = Date.parse(value);
  return Number.isNaN(dateMs) ? undefined : dateMs;
}

/**
 * When a rate-limited key may call again, in milliseconds since the epoch: `X-RateLimit-Reset` when it lies ahead,
 * else `Retry-After`, else a second from now. Never more than an hour away.
 */
export function toRateLimitRetryAtMs(headers: ResponseHeaders, nowMs: number): number {
  const resetAtMs = parseRateLimit(headers)?.resetAtMs;
  if (resetAtMs !== undefined && resetAtMs > nowMs) return clampRetryAtMs(resetAtMs, nowMs);
  return clampRetryAtMs(parseRetryAfter(headers, nowMs) ?? nowMs, nowMs);
}
