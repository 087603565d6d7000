import { LRUCache } from "lru-cache";
import { isHoldfastError } from "../base/errors.ts";
import { withinDeadline } from "../base/waiting.ts";
import type { VerificationRequest } from "../order/request.ts";
import type { TenantId } from "../platform/platform.ts";
import { DEFAULT_KEEPING_TIMES } from "../store/retention/keeping-times.ts";
import type { KeptAnswer, Ledger } from "../store/store.ts";
import type { ScreeningTask, ScreeningInput } from "./screening-task.ts";

/** Answers of the service: all of them in the store, the latest also in memory. */
export type KeptAnswers = ReturnType<typeof createKeptAnswers>;

/** How much memory the answers may take, roughly. */
const MEMORY_BYTES = 64 * 1024 * 1024;
/** After this, an answer in memory is read again, so that answers that another process erased disappear from memory too. */
const MEMORY_MS = 3_600_000;
/** How long an answer in memory waits for the store's. */
const COMPARED_WITHIN_MS = 250;
/** How many tenants' erasures are remembered, in case calls are still under way. Erasures are rare. */
const TENANTS_FORGOTTEN = 1_000;
const DAY_MS = 86_400_000;
/** Without an id, the same cart later is a new order. */
const KEPT_WITHOUT_ID_MS = 15 * 60_000;
/** Without an id, calls without an answer count towards the attempt limit for longer than an answer does. */
const FAILURES_WITHOUT_ID_MS = DAY_MS;

/**
 * An order's answer counts if it was given after this time, in milliseconds since the epoch.
 *
 * @param keepDays - How long orders are kept. Default `DEFAULT_KEEPING_TIMES`.
 */
export function toKeptSinceMs(
  request: VerificationRequest,
  nowMs: number,
  keepDays = DEFAULT_KEEPING_TIMES.ordersDays,
): number {
  return nowMs - (request.orderId === undefined ? KEPT_WITHOUT_ID_MS : keepDays * DAY_MS);
}

/** An answer counts for this check if it was given after this time, in milliseconds since the epoch. */
export function toAnswersSinceMs(
  { request, answersSinceMs = 0 }: Pick<ScreeningInput, "request" | "answersSinceMs">,
  nowMs: number,
  keepDays?: number,
): number {
  return Math.max(toKeptSinceMs(request, nowMs, keepDays), answersSinceMs);
}

/**
 * Calls without an answer after this time count towards the attempt limit, in milliseconds since the epoch.
 * A recheck starts a new count.
 */
export function toFailuresSinceMs(
  input: Pick<ScreeningInput, "request" | "answersSinceMs">,
  nowMs: number,
  keepDays?: number,
): number {
  const answersSinceMs = toAnswersSinceMs(input, nowMs, keepDays);
  if (input.answersSinceMs !== undefined || input.request.orderId !== undefined) return answersSinceMs;
  return nowMs - FAILURES_WITHOUT_ID_MS;
}

/** @param keepDays - How long orders, and so their answers, are kept. Default `DEFAULT_KEEPING_TIMES`. */
export function createKeptAnswers(
  store: { readonly ledger: Pick<Ledger, "findAnswer"> },
  now: () => number,
  keepDays?: number,
) {
  const kept = new LRUCache<string, KeptAnswer>({
    maxSize: MEMORY_BYTES,
    sizeCalculation: ({ result }) => 200 + result.reasoning.length * 2 + result.riskFactors.length * 400,
    ttl: MEMORY_MS,
    ttlResolution: 0,
    perf: { now },
  });
  let purgedAtMs = now();

  /** When each tenant was last forgotten. An answer that was read before then may have been erased. */
  const forgotten = new LRUCache<TenantId, number>({ max: TENANTS_FORGOTTEN });
  let marks = 0;

  /** Keep an answer in memory that the store has, unless the tenant was forgotten after `sinceMark`. */
  function remember({ input, key }: ScreeningTask, answer: KeptAnswer, sinceMark: number): void {
    if ((forgotten.get(input.tenant) ?? 0) <= sinceMark) kept.set(key, answer);
    // Otherwise stale answers would stay in memory until somebody asks for them.
    if (Math.abs(now() - purgedAtMs) < MEMORY_MS) return;
    purgedAtMs = now();
    kept.purgeStale();
  }

  async function read(task: ScreeningTask, sinceMs: number): Promise<KeptAnswer | null> {
    const mark = marks;
    const stored = await store.ledger.findAnswer(task.input.tenant, task.fingerprint, sinceMs);
    if (stored !== null) remember(task, stored, mark);
    return stored;
  }

  return {
    remember,
    /** Take a mark before reading or changing the store, for `remember`. */
    mark: () => marks,
    /**
     * The stored answer for an order state, or null if there is none that still counts. An answer in memory is compared with
     * the store first: another process may have rechecked the order since. If the store doesn't answer soon, it counts.
     */
    async find(task: ScreeningTask): Promise<KeptAnswer | null> {
      const { input, key } = task;
      const sinceMs = toAnswersSinceMs(input, now(), keepDays);
      const known = kept.get(key);
      // A recheck wants an answer that is newer than the moment that it names.
      const { answersSinceMs = -Infinity } = input;
      const counts =
        known !== undefined && known.answeredAtMs >= sinceMs && known.answeredAtMs > answersSinceMs;
      if (!counts) return await read(task, sinceMs);
      const stored = await withinDeadline(read(task, known.answeredAtMs), COMPARED_WITHIN_MS).catch(
        (error: unknown) => {
          if (isHoldfastError(error, "STORE_UNAVAILABLE")) return null;
          throw error;
        },
      );
      return stored ?? known;
    },
    forget(tenant: TenantId) {
      marks += 1;
      forgotten.set(tenant, marks);
      for (const key of kept.keys()) if (key.startsWith(`${tenant}\0`)) kept.delete(key);
    },
  };
}
