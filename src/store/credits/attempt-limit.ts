import type { Selectable } from "kysely";
import type { ErrorCode } from "../../base/errors.ts";
import type { Schema } from "../schema/schema.ts";
import type { AttemptGrant, AttemptRequest, StoredBlock } from "./attempt.ts";

// A storefront without a database uses this too, so it loads no SQL.

/** An earlier call for the same fingerprint, made or prevented. */
export type EarlierAttempt = Pick<
  Selectable<Schema["attempts"]>,
  "state" | "metered" | "error" | "started_at" | "ended_at" | "lease_until"
>;

/** Default limit of calls for one order state that were billed or may have been. */
export const DEFAULT_MAX_PAID_ATTEMPTS = 3;
/** From this limit on, the last attempt is the reserve: it is used only once the service is known to work again. */
const LIMIT_WITH_RESERVE = 3;
/** A service that fails now and then works in between, so the reserve waits until nothing failed for this long. */
export const QUIET_MS = 30_000;
/** A service that fails now and then is never quiet. After this many times `reserveAfterMs`, one answer is enough. */
const WAITS_FOR_QUIET = 10;

/**
 * Why no further attempt for a fingerprint is allowed now; undefined if one is. Attempts are spread over time, so that
 * one bad minute can't use them all.
 *
 * @param attempts - None of them open.
 * @param isAnsweringSince - Whether the service works for the tenant: among its calls that began after `atMs`, the
 *   newest that ended was answered, and none that began after `quietSinceMs` failed.
 */
export async function findAttemptLimit(
  request: AttemptRequest,
  attempts: readonly EarlierAttempt[],
  isAnsweringSince: (atMs: number, quietSinceMs: number) => Promise<boolean>,
): Promise<AttemptGrant | undefined> {
  const paid = attempts.filter(({ state, metered }) => state !== "failed" || metered !== "no");
  if (paid.length === 0) return undefined;
  // The service would refuse the order again, and bill it again.
  const refused = paid.find(({ error }) => error === "VERIFICATION_REFUSED");
  if (refused !== undefined) return { outcome: "exhausted", error: "VERIFICATION_REFUSED" };
  const { maxPaidAttempts, retryAfterMs, nowMs } = request;
  const error = toLastError(paid);
  if (paid.length >= maxPaidAttempts) return { outcome: "exhausted", error };
  const failedAtMs = Math.max(...paid.map(toEndMs));
  if (maxPaidAttempts >= LIMIT_WITH_RESERVE && paid.length === maxPaidAttempts - 1) {
    const needsQuiet = !isSince(failedAtMs, WAITS_FOR_QUIET * request.reserveAfterMs, nowMs);
    const quietSinceMs = needsQuiet ? nowMs - QUIET_MS : Number.MAX_SAFE_INTEGER;
    const isFree =
      isSince(failedAtMs, request.reserveAfterMs, nowMs) &&
      (request.seenHealthyAtMs > failedAtMs || (await isAnsweringSince(failedAtMs, quietSinceMs)));
    return isFree ? undefined : { outcome: "reserved", failedAtMs, error };
  }
  const waitMs = retryAfterMs * 2 ** (paid.length - 1);
  // If the order was erased during the call, its answer wasn't stored, but the service did answer.
  const hasFailed = paid.some(({ state }) => state !== "answered");
  return hasFailed && !isSince(failedAtMs, waitMs, nowMs)
    ? { outcome: "too-early", retryAtMs: failedAtMs + waitMs, error }
    : undefined;
}

/** Whether this much time has passed since a moment. A moment further ahead was written before the clock was set back. */
function isSince(atMs: number, waitMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - atMs) >= waitMs;
}

/** When an attempt ended. For one that was cut off, when it began: nothing else is known. */
function toEndMs({ started_at: startedAtMs, ended_at: endedAtMs }: EarlierAttempt): number {
  return endedAtMs ?? startedAtMs;
}

function toLastError(paid: readonly EarlierAttempt[]): ErrorCode | undefined {
  const failed = paid.filter(({ error }) => error !== null).toSorted((a, b) => toEndMs(b) - toEndMs(a));
  return failed[0]?.error as ErrorCode | undefined;
}

/** The longest a block can last from now, in milliseconds. A longer one was written by a wrong clock. */
const LONGEST_PAUSE_MS = 3_600_000;
/** The same, for a block that isn't a pause, and for a trial. */
export const LONGEST_BLOCK_MS = 180_000;

/** The blocks that apply now, without pauses that are over and times that a wrong clock put far ahead. */
export function toCounting(blocks: readonly StoredBlock[], nowMs: number): readonly StoredBlock[] {
  return blocks
    .map((block) => {
      const longestMs = block.pause ? LONGEST_PAUSE_MS : LONGEST_BLOCK_MS;
      return {
        ...block,
        untilMs: block.untilMs > nowMs + longestMs ? 0 : block.untilMs,
        trialUntilMs: block.trialUntilMs > nowMs + LONGEST_BLOCK_MS ? 0 : block.trialUntilMs,
      };
    })
    .filter(({ pause, untilMs }) => !pause || untilMs > nowMs);
}

export function toBlocked(block: StoredBlock | undefined, nowMs: number): AttemptGrant | undefined {
  if (block === undefined) return undefined;
  const { code, untilMs, pause, trialUntilMs } = block;
  const retryAtMs = Math.max(untilMs, trialUntilMs);
  return retryAtMs > nowMs ? { outcome: "blocked", code, retryAtMs, pause } : undefined;
}
