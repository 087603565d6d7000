import { randomUUID } from "node:crypto";
import type { HoldfastError } from "../base/errors.ts";
import { PERSON_CODES } from "../service/circuit-rules.ts";
import { makePaidCall, type PaidCallOutcome } from "./paid-call.ts";
import { pause, type Slots } from "../base/waiting.ts";
import type { KeptAnswers } from "./kept-answers.ts";
import type { KeyTrust } from "./key-trust.ts";
import {
  type CallParts,
  type ScreeningTask,
  type Progress,
  type ScreeningInput,
  type Screened,
  toUnavailable,
} from "./screening-task.ts";

interface AskWithRetriesOptions extends CallParts {
  readonly slots: Slots;
  readonly answers: KeptAnswers;
  readonly trust: KeyTrust;
}

/** How long a check without a deadline waits for its next calls in total, in milliseconds. */
const WAIT_MS = 5_000;
/** How long a caller that asks again later waits for its turn. */
const MOMENT_MS = 1_000;
/** The pause between two tries to reach the service. It doubles each time. */
const UNREACHABLE_RETRY_MS = 1_000;
/** How often to check again while another process is asking. */
const BUSY_POLL_MS = 100;

/** How long a check waits for its next call, in milliseconds from its beginning. */
export function toWaitMs({ deadlineMs, callerRetries }: ScreeningInput): number {
  return callerRetries === true ? WAIT_MS : (deadlineMs ?? WAIT_MS);
}

/**
 * Attempt until there is an answer, from this or another caller, or no further attempt is worth waiting for.
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
  for (;;) {
    const attempted = await attempt(options, task, progress);
    const { credits: creditsSpent } = progress;
    if (attempted.kind === "answered" || attempted.kind === "kept") {
      const { kind, answer } = attempted;
      answers.remember(task, answer, mark);
      const source = kind === "answered" ? "service" : "cache";
      return { outcome: "answered", result: answer.result, source, creditsSpent, fingerprint };
    }
    const next = await toNext(options, task, attempted, progress);
    if (typeof next !== "number") return toUnavailable(next, creditsSpent, fingerprint);
    await pause(next, closing);
  }
}

type Unanswered = Exclude<PaidCallOutcome, { readonly kind: "answered" | "kept" }>;
type Unsuccessful = Extract<PaidCallOutcome, { readonly kind: "too-early" | "refused" | "failed" }>;

/** How long to wait before the next attempt, in milliseconds, or the error that the check ends with. */
async function toNext(
  options: AskWithRetriesOptions,
  task: ScreeningTask,
  attempted: Unanswered,
  progress: Progress,
): Promise<number | HoldfastError> {
  const { now } = options;
  if (attempted.kind === "busy") return BUSY_POLL_MS;
  if (attempted.kind === "reserved") {
    // Only one look.
    if (progress.healthyAtMs > 0) return attempted.error;
    const { keyId } = task.input.access;
    const failedAtMs = Math.max(attempted.failedAtMs, options.trust.failedAtMs(keyId));
    progress.healthyAtMs = await findHealthy(options, task, failedAtMs);
    return progress.healthyAtMs > 0 ? 0 : attempted.error;
  }
  const waitMs = toNextTryMs(attempted, progress, now());
  if (waitMs === undefined || !isWorthWaiting(attempted, waitMs, task.input, progress, now()))
    return attempted.error;
  progress.waitedMs += waitMs;
  return waitMs;
}

async function attempt(options: AskWithRetriesOptions, task: ScreeningTask, progress: Progress) {
  const { slots, trust, closing } = options;
  const { access, tenant } = task.input;
  const leaveTrust = await trust.enter({ keyId: access.keyId, tenant }, closing);
  let proven = false;
  let remaining: number | undefined;
  try {
    const seenHealthyAtMs = Math.max(trust.seenHealthyAtMs(access.keyId), progress.healthyAtMs);
    const call = (leave: () => void) => makePaidCall(options, task, progress, seenHealthyAtMs, leave);
    const attempted = await slots.run(tenant, call, closing);
    proven = isProof(attempted);
    if (attempted.kind === "answered") ({ remaining } = attempted);
    if (attempted.kind !== "failed") return attempted;
    const { code, metered } = attempted.error;
    if (metered !== "no") trust.noteFailure(access.keyId);
    if (code === "VERIFICATION_RATE_LIMITED") trust.notePause(access.keyId);
    return attempted;
  } finally {
    leaveTrust(proven, remaining);
  }
}

/** Whether the service looked at the order, which proves that the key works and has credits. */
function isProof(attempted: PaidCallOutcome): boolean {
  if (attempted.kind === "failed") return attempted.error.code === "VERIFICATION_REFUSED";
  return attempted.kind === "answered";
}

/** How long until another try may succeed, in milliseconds; undefined if none will soon. */
function toNextTryMs({ kind, error }: Unsuccessful, progress: Progress, nowMs: number): number | undefined {
  const { code, retryable, metered, retryAtMs } = error;
  if (!retryable || PERSON_CODES.has(code)) return undefined;
  if (retryAtMs !== undefined) return Math.max(retryAtMs - nowMs, 1);
  if (kind !== "failed") return undefined;
  // The ledger says whether and when the next paid call may be made.
  if (metered !== "no") return 0;
  progress.unpaid += 1;
  return UNREACHABLE_RETRY_MS * 2 ** (progress.unpaid - 1);
}

function isWorthWaiting(
  { kind }: Unsuccessful,
  waitMs: number,
  input: ScreeningInput,
  progress: Progress,
  nowMs: number,
): boolean {
  if (waitMs === 0) return true;
  if (input.callerRetries === true && (kind === "failed" || waitMs > MOMENT_MS)) return false;
  // Make the second call even if the caller has stopped waiting: its answer is stored and announced.
  if (kind === "too-early") return true;
  const elapsedMs = Math.max(nowMs - progress.startedAtMs, progress.waitedMs);
  return elapsedMs + waitMs <= progress.waitMs;
}

/** For this long after the last failed call, only an answer to another order shows that the service works again. */
const ANSWERS_ONLY_MS = 3 * 60_000;
/** The free call may work while verification fails. So after it, one order of a tenant tries this often, in milliseconds. */
const PROBE_EVERY_MS = 10 * 60_000;

/**
 * Find out with the free call whether the service works again, for an order that has only its reserved call left. Resolves to
 * the time at which the service worked; 0 if it didn't, or if another order of the tenant is finding out.
 *
 * @param failedAtMs - When a call for this order, or another one with its key, failed last.
 */
async function findHealthy(
  { store, probe, logger, now }: CallParts,
  { input: { tenant, access } }: ScreeningTask,
  failedAtMs: number,
): Promise<number> {
  const nowMs = now();
  if (probe === undefined || nowMs < failedAtMs + ANSWERS_ONLY_MS) return 0;
  const quota = { tenant, name: "health-probe", key: randomUUID(), max: 1 };
  if (!(await store.ledger.takeQuota({ ...quota, sinceMs: nowMs - PROBE_EVERY_MS, nowMs }))) return 0;
  try {
    await probe(access.keyId);
    return now();
  } catch (error) {
    logger.debug({ err: error }, "the verification service doesn't work yet");
    return 0;
  }
}
