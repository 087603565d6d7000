import { LRUCache } from "lru-cache";
import type { VerificationRequest } from "../order/request.ts";
import type { TenantId } from "../platform/platform.ts";
import { DEFAULT_KEEPING_TIMES } from "../store/retention/keeping-times.ts";
import type { KeptAnswer, ScreeningStore } from "../store/store.ts";
import type { ScreeningTask, ScreeningInput } from "./screening-task.ts";

/** Answers of the service that are kept: all of them in the store, the latest in memory too. */
export interface KeptAnswers {
  /** The kept answer for an order state, or null when there is none that still counts. */
  find(task: ScreeningTask): Promise<KeptAnswer | null>;
  /** Hold in memory an answer that the store has, unless the tenant was forgotten after `sinceMark`. */
  remember(task: ScreeningTask, answer: KeptAnswer, sinceMark: number): void;
  /** Taken before the store is asked or changed, for {@link KeptAnswers.remember}. */
  mark(): number;
  /** Drop what is kept in memory of a tenant's answers. */
  forget(tenant: TenantId): void;
}

/** Answers kept in memory. The store has them all; this saves the read. */
const L1_BYTES = 64 * 1024 * 1024;
/** Then the store is asked again: what another process, or age, has erased from it is gone from memory too. */
const L1_MS = 3_600_000;
/** Erasures are rare; this many tenants' are remembered for as long as a call can be under way. */
const TENANTS_FORGOTTEN = 1_000;
const DAY_MS = 86_400_000;
/** Without an id the same basket later is a new order. */
const KEPT_WITHOUT_ID_MS = 15 * 60_000;
/** Calls that brought no answer to an order without an id count towards the attempt limit for longer than its answer. */
const FAILURES_WITHOUT_ID_MS = DAY_MS;

/**
 * The moment after which an order's answer must have been given to still count, in milliseconds since the epoch.
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

/** The moment after which an answer must have been given to be one to the question, in milliseconds since the epoch. */
export function toAnswersSinceMs(
  { request, answersSinceMs = 0 }: Pick<ScreeningInput, "request" | "answersSinceMs">,
  nowMs: number,
  keepDays?: number,
): number {
  return Math.max(toKeptSinceMs(request, nowMs, keepDays), answersSinceMs);
}

/**
 * The moment after which calls that brought no answer count towards the attempt limit, in milliseconds since the epoch.
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

/**
 * Create {@link KeptAnswers}.
 *
 * @param keepDays - How long orders, and so their answers, are kept. Default `DEFAULT_KEEPING_TIMES`.
 */
export function createKeptAnswers(
  store: Pick<ScreeningStore, "findAnswer">,
  now: () => number,
  keepDays?: number,
): KeptAnswers {
  const kept = new LRUCache<string, KeptAnswer>({
    maxSize: L1_BYTES,
    sizeCalculation: ({ result }) => 200 + result.reasoning.length * 2 + result.riskFactors.length * 400,
    ttl: L1_MS,
    ttlResolution: 0,
    perf: { now },
  });
  let purgedAtMs = now();

  /** When each tenant was last forgotten: what was read before then may be what was erased. */
  const forgotten = new LRUCache<TenantId, number>({ max: TENANTS_FORGOTTEN });
  let marks = 0;

  function remember({ input, key }: ScreeningTask, answer: KeptAnswer, sinceMark: number): void {
    if ((forgotten.get(input.tenant) ?? 0) <= sinceMark) kept.set(key, answer);
    // What nobody asks for again would stay otherwise, though nobody gets it.
    if (Math.abs(now() - purgedAtMs) < L1_MS) return;
    purgedAtMs = now();
    kept.purgeStale();
  }

  return {
    remember,
    mark: () => marks,
    async find(task) {
      const { input, fingerprint, key } = task;
      const sinceMs = toAnswersSinceMs(input, now(), keepDays);
      const known = kept.get(key);
      if (known !== undefined && isNewEnough(known, input, sinceMs)) return known;
      const mark = marks;
      const stored = await store.findAnswer(input.tenant, fingerprint, sinceMs);
      if (stored !== null) remember(task, stored, mark);
      return stored;
    },
    forget(tenant) {
      marks += 1;
      forgotten.set(tenant, marks);
      for (const key of kept.keys()) if (key.startsWith(`${tenant}\0`)) kept.delete(key);
    },
  };
}

function isNewEnough(
  { answeredAtMs }: KeptAnswer,
  { answersSinceMs }: ScreeningInput,
  sinceMs: number,
): boolean {
  return answeredAtMs >= sinceMs && (answersSinceMs === undefined || answeredAtMs > answersSinceMs);
}
