import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import { atMost } from "../base/entry-limit.ts";
import type { HoldfastError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { PERSON_CODES } from "../service/circuit.ts";
import { QUIET_MS } from "../store/credits/attempt-limit.ts";
import { makePaidCall, type PaidCallOutcome, type PaidCallOptions } from "./paid-call.ts";
import { pause, type Slots, withinDeadline } from "../base/waiting.ts";
import type { QuotaStore } from "../store/store.ts";
import type { KeptAnswers } from "./kept-answers.ts";
import {
  type ScreeningTask,
  type Progress,
  type ScreeningInput,
  type Screened,
  toUnavailable,
} from "./screening-task.ts";
import type { TenantId } from "../platform/platform.ts";
import type { KeyUser } from "../service/circuit-breaker.ts";

/** Parts of {@link findHealthy}. */
export interface HealthOptions {
  readonly store: QuotaStore;
  /** A free call with a key; rejects while the service does not work. Default: only answers tell that it works. */
  readonly probe?: ((keyId: string) => Promise<unknown>) | undefined;
  readonly logger: Logger;
  readonly now: () => number;
}

/** Parts of {@link askWithRetries}. */
type AskWithRetriesOptions = PaidCallOptions &
  HealthOptions & {
    /** Bound the calls under way at once. */
    readonly slots: Slots;
    readonly answers: KeptAnswers;
    readonly trust: KeyTrust;
  };

/** How long a question without a deadline waits for its next call, in all, in milliseconds. */
const WAIT_MS = 5_000;
/** The longest that a caller who asks again later by itself waits for its turn. */
const MOMENT_MS = 1_000;
/** Between two tries to reach the service, twice as long each time. */
const UNREACHABLE_RETRY_MS = 1_000;
/** Another process is asking: look again this often. */
const BUSY_POLL_MS = 100;

/** How long it is worth waiting for the next call of a question, in milliseconds from its beginning. */
export function toWaitMs({ deadlineMs, callerRetries }: ScreeningInput): number {
  return callerRetries === true ? WAIT_MS : (deadlineMs ?? WAIT_MS);
}

/**
 * Attempt until there is an answer, of whoever got it, or no attempt is worth making or waiting for.
 *
 * @throws {HoldfastError} the reason of `closing` as soon as that is aborted and no call is under way.
 */
export async function askWithRetries(
  options: AskWithRetriesOptions,
  task: ScreeningTask,
  progress: Progress,
): Promise<Screened> {
  const { answers, closing } = options;
  const { fingerprint } = task;
  const mark = answers.mark();
  const tries: Tries = { waitedMs: 0, unpaid: 0, healthyAtMs: undefined };
  for (;;) {
    const attempted = await attempt(options, task, progress, tries.healthyAtMs);
    const { credits: creditsSpent } = progress;
    if (attempted.kind === "answered" || attempted.kind === "kept") {
      const { kind, answer } = attempted;
      answers.remember(task, answer, mark);
      const source = kind === "answered" ? "service" : "cache";
      return { outcome: "answered", result: answer.result, source, creditsSpent, fingerprint };
    }
    const next = await toNext(options, task, attempted, { progress, tries });
    if (typeof next !== "number") return toUnavailable(next, creditsSpent, fingerprint);
    await pause(next, closing);
  }
}

interface Tries {
  /** Time spent waiting between attempts. */
  waitedMs: number;
  /** Calls that never left. */
  unpaid: number;
  /** When the service was found to work, for the call that is kept until then. */
  healthyAtMs: number | undefined;
}

type Unanswered = Exclude<PaidCallOutcome, { readonly kind: "answered" | "kept" }>;
type Unsuccessful = Extract<PaidCallOutcome, { readonly kind: "too-early" | "refused" | "failed" }>;

/** How long to wait before the next attempt, in milliseconds, or the error that the question ends with. */
async function toNext(
  options: AskWithRetriesOptions,
  task: ScreeningTask,
  attempted: Unanswered,
  { progress, tries }: { readonly progress: Progress; readonly tries: Tries },
): Promise<number | HoldfastError> {
  const { now } = options;
  if (attempted.kind === "busy") return BUSY_POLL_MS;
  if (attempted.kind === "reserved") {
    // One look is enough.
    if (tries.healthyAtMs !== undefined) return attempted.error;
    const { keyId } = task.input.access;
    const failedAtMs = Math.max(attempted.failedAtMs, options.trust.failedAtMs(keyId));
    tries.healthyAtMs = await findHealthy(options, task, failedAtMs);
    return tries.healthyAtMs === undefined ? attempted.error : 0;
  }
  const waitMs = toNextTryMs(attempted, tries, now());
  const about = { input: task.input, progress, tries, now };
  if (waitMs === undefined || !isWorthWaiting(attempted, waitMs, about)) return attempted.error;
  tries.waitedMs += waitMs;
  return waitMs;
}

async function attempt(
  options: AskWithRetriesOptions,
  task: ScreeningTask,
  progress: Progress,
  healthyAtMs = 0,
): Promise<PaidCallOutcome> {
  const { slots, trust, closing } = options;
  const { access, tenant } = task.input;
  const leaveTrust = await trust.enter({ keyId: access.keyId, tenant }, closing);
  let proven = false;
  try {
    const seenHealthyAtMs = Math.max(trust.seenHealthyAtMs(access.keyId), healthyAtMs);
    const attempted = await slots.run(
      tenant,
      (leave) => makePaidCall(options, task, { progress, seenHealthyAtMs, leave }),
      closing,
    );
    proven = isProof(attempted);
    if (attempted.kind === "failed" && attempted.error.metered !== "no") trust.noteFailure(access.keyId);
    return attempted;
  } finally {
    leaveTrust(proven);
  }
}

/** Whether the service looked at the order, so that the key works and has credits. */
function isProof(attempted: PaidCallOutcome): boolean {
  if (attempted.kind === "failed") return attempted.error.code === "VERIFICATION_REFUSED";
  return attempted.kind === "answered";
}

/** How long until another try may succeed, in milliseconds; undefined when none will soon. */
function toNextTryMs({ kind, error }: Unsuccessful, tries: Tries, nowMs: number): number | undefined {
  const { code, retryable, metered, retryAtMs } = error;
  if (!retryable || PERSON_CODES.has(code)) return undefined;
  if (retryAtMs !== undefined) return Math.max(retryAtMs - nowMs, 1);
  if (kind !== "failed") return undefined;
  // The ledger says when the next paid call may be made, and whether any.
  if (metered !== "no") return 0;
  tries.unpaid += 1;
  return UNREACHABLE_RETRY_MS * 2 ** (tries.unpaid - 1);
}

/** Whether to wait here for another try. */
function isWorthWaiting(
  { kind }: Unsuccessful,
  waitMs: number,
  about: {
    readonly input: ScreeningInput;
    readonly progress: Progress;
    readonly tries: Tries;
    readonly now: () => number;
  },
): boolean {
  const { input, progress, tries, now } = about;
  if (waitMs === 0) return true;
  if (input.callerRetries === true && (kind === "failed" || waitMs > MOMENT_MS)) return false;
  // A second call is made for a caller who has stopped waiting, too: its answer is kept and announced.
  if (kind === "too-early") return true;
  const elapsedMs = Math.max(now() - progress.startedAtMs, tries.waitedMs);
  return elapsedMs + waitMs <= progress.waitMs;
}

/** For so long after the last call failed, only an answer to another order says that the service works again. */
const ANSWERS_ONLY_MS = 3 * 60_000;
/** The free call may work while verification fails: so often one order of a tenant tries after it, in milliseconds. */
const PROBE_EVERY_MS = 10 * 60_000;

/**
 * Find out with the free call whether the service works again, for an order that has only its reserved attempt left and
 * whose tenant has no other orders to tell. Resolves to the moment at which it was seen to work; undefined when it was not,
 * or when another order of the tenant is finding out.
 *
 * @param failedAtMs - When a call for this order, or another one with its key, failed last.
 */
async function findHealthy(
  { store, probe, logger, now }: HealthOptions,
  { input: { tenant, access } }: ScreeningTask,
  failedAtMs: number,
): Promise<number | undefined> {
  const nowMs = now();
  if (probe === undefined || nowMs < failedAtMs + ANSWERS_ONLY_MS) return undefined;
  const quota = { tenant, name: "health-probe", key: randomUUID(), max: 1 };
  if (!(await store.takeQuota({ ...quota, sinceMs: nowMs - PROBE_EVERY_MS, nowMs }))) return undefined;
  try {
    await probe(access.keyId);
    return now();
  } catch (error) {
    logger.debug({ err: error }, "the verification service does not work yet");
    return undefined;
  }
}

/** Calls under way with a key that is not known to work. */
const UNPROVEN_CALLS = 2;
/** The same, when the others are other tenants': two calls of one tenant that hang must not keep everybody waiting. */
const UNPROVEN_CALLS_OF_ALL = 8;
/** An answer says for so long that a key works, in milliseconds. */
const PROVEN_MS = 5 * 60_000;
const KEYS_KEPT = 10_000;

interface KeyState {
  /** One entry for each call under way. */
  readonly callers: TenantId[];
  provenAtMs: number;
  failedAtMs: number;
  readonly waiting: Set<() => void>;
}

/** What {@link createKeyTrust} makes. */
type KeyTrust = ReturnType<typeof createKeyTrust>;

/**
 * Lets few calls out with an API key until one has been answered: whether a key works, and has credits, is known by its
 * first answer, and a whole backlog must not find it out each order for itself.
 */
export function createKeyTrust(now: () => number) {
  const keys = new LRUCache<string, KeyState>({
    ...atMost(KEYS_KEPT),
    memoMethod: () => ({ callers: [], provenAtMs: -Infinity, failedAtMs: 0, waiting: new Set() }),
  });

  function mayCall({ callers, provenAtMs }: KeyState, tenant: TenantId): boolean {
    if (callers.length < UNPROVEN_CALLS || Math.abs(now() - provenAtMs) < PROVEN_MS) return true;
    return callers.length < UNPROVEN_CALLS_OF_ALL && !callers.includes(tenant);
  }

  return {
    /** A call that may have been billed brought no answer. */
    noteFailure: (keyId: string) => void (keys.memo(keyId).failedAtMs = now()),
    /** When that was last, milliseconds since the epoch; 0: never. */
    failedAtMs: (keyId: string) => keys.peek(keyId)?.failedAtMs ?? 0,
    /** When the service last looked at an order that was sent with the key, milliseconds since the epoch; 0: never, or it failed since or a moment before. */
    seenHealthyAtMs(keyId: string): number {
      const { provenAtMs, failedAtMs } = keys.peek(keyId) ?? { provenAtMs: 0, failedAtMs: 0 };
      return provenAtMs < failedAtMs || Math.abs(now() - failedAtMs) < QUIET_MS ? 0 : Math.max(provenAtMs, 0);
    },
    /** Wait until a call may begin; resolves to what has to be called when it has ended, with whether it proved the key. */
    async enter({ keyId, tenant }: KeyUser, signal: AbortSignal) {
      const state = keys.memo(keyId);
      while (!mayCall(state, tenant)) await untilWoken(state, signal);
      state.callers.push(tenant);
      let left = false;
      return (proven: boolean): void => {
        if (left) return;
        left = true;
        state.callers.splice(state.callers.indexOf(tenant), 1);
        if (proven) state.provenAtMs = now();
        // Each looks again by itself; those that still may not go wait again, in the same order.
        for (const wake of state.waiting) wake();
      };
    },
  };
}

async function untilWoken({ waiting }: KeyState, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.add(resolve);
  try {
    await withinDeadline(promise, undefined, signal);
  } finally {
    waiting.delete(resolve);
  }
}
