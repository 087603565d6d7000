import { HoldfastError, toUnsentError } from "../base/errors.ts";
import { fingerprintOrder } from "../order/fingerprint.ts";
import type { PartialVerificationRequest } from "../order/request.ts";
import type { TenantId } from "../platform/platform.ts";
import type { Keyring } from "../store/sealing/keyring.ts";
import type { ScreenerStore } from "../store/store.ts";
import { createAddressWatch } from "./address-watch.ts";
import { askWithRetries, toWaitMs } from "./ask-with-retries.ts";
import { brakeCheck } from "./burst.ts";
import { END_MARGIN_MS } from "./paid-call.ts";
import { createBackground, createSlots, unref, withinDeadline } from "../base/waiting.ts";
import { createKeptAnswers, type KeptAnswers } from "./kept-answers.ts";
import { createKeyTrust } from "./key-trust.ts";
import {
  type Progress,
  type SavingReason,
  type ScreeningParts,
  type ScreeningTask,
  type ScreeningInput,
  type Screened,
  toUnavailable,
} from "./screening-task.ts";
import type { Logger } from "../base/logger.ts";

/** Asks the service once per order state, across callers, processes and crashes. */
export type Screening = ReturnType<typeof createScreening>;

export function createScreening(options: ScreeningParts) {
  const { store, logger, now, observer } = options;
  const savings = createSavings(store, logger, now);
  const answers = createKeptAnswers(store, now, options.keepDays);
  const closing = new AbortController();
  const calls = createSharedCalls(options, answers, closing.signal, (tenant) => noteSaving(tenant, "brake"));
  let closed: Promise<void> | undefined;

  const fingerprintOf = createFingerprint(store.keyring);

  function noteSaving(tenant: TenantId, reason: SavingReason): void {
    observer?.saved(reason);
    savings.add(tenant, reason);
  }

  /** Find a stored answer or ask the service. The caller may be gone before it ends. Sets `own` to the call that it started. */
  async function answer(task: ScreeningTask, own: { call?: SharedCall }): Promise<Screened> {
    const { input, fingerprint } = task;
    let brakeError: unknown;
    const braked = await brakeCheck(options, input).catch((error: unknown) => void (brakeError = error));
    if (braked !== undefined) {
      noteSaving(input.tenant, "brake");
      return toUnavailable(braked, 0, fingerprint);
    }
    const known = calls.find(task) === undefined ? await answers.find(task) : null;
    if (known !== null) {
      noteSaving(input.tenant, "cached");
      return { outcome: "answered", result: known.result, source: "cache", creditsSpent: 0, fingerprint };
    }
    // Another caller may have started a call while the store was read.
    const underWay = calls.find(task);
    if (underWay !== undefined) {
      noteSaving(input.tenant, "duplicate");
      return joinCall(underWay, task, now());
    }
    // A check that couldn't be counted can use a stored answer, but spends no credit.
    if (brakeError !== undefined) throw brakeError;
    // Don't pay for an answer that nobody waits for.
    input.signal?.throwIfAborted();
    own.call = calls.start(task, { startedAtMs: now(), waitMs: toWaitMs(input) });
    return own.call.ended;
  }

  async function shutDown(): Promise<void> {
    closing.abort(toUnsentError("SHUTTING_DOWN", "Holdfast is shutting down and starts no new checks"));
    await withinDeadline(calls.settle(), options.timeoutMs + END_MARGIN_MS);
    await savings.close();
    await options.sharing?.settle();
  }

  return {
    fingerprint: fingerprintOf,
    /** Count a call that the caller didn't need to make. */
    noteSaving,
    /**
     * Check an order within its deadline, which starts now. Rejects only if the caller's signal fires, never because the
     * service or the store fails.
     */
    async screen(input: ScreeningInput): Promise<Screened> {
      input.signal?.throwIfAborted();
      const { tenant, fingerprint = fingerprintOf(tenant, input.request, input.recipientName) } = input;
      if (closing.signal.aborted) return toUnavailable(closing.signal.reason, 0, fingerprint);
      const own: { call?: SharedCall } = {};
      const task = { input, fingerprint, key: `${tenant}\0${fingerprint}` };
      const answered = answer(task, own).catch((error: unknown) => toUnavailable(error, 0, fingerprint));
      const screened = await waitForAnswer(answered, input, own);
      if (screened !== undefined) return screened;
      const creditsSpent = own.call?.progress.credits ?? 0;
      return { ...toUnavailable(toTooLate(calls.find(task)), creditsSpent, fingerprint), late: answered };
    },
    /** Drop a tenant's answers from memory, after some of them were erased from the store. */
    forget: (tenant: TenantId) => answers.forget(tenant),
    /**
     * Begin no new attempts, wait for running calls (at most a call's time limit and 5 seconds), and save what isn't saved
     * yet. Checks without an answer end as unavailable with `SHUTTING_DOWN`.
     */
    close: () => (closed ??= shutDown()),
  };
}

/** Undefined after the deadline. Rejects when the caller cancels, and then passes its running call to `onAbandoned`. */
async function waitForAnswer(
  answered: Promise<Screened>,
  { deadlineMs, signal, onAbandoned }: ScreeningInput,
  own: { readonly call?: SharedCall },
): Promise<Screened | undefined> {
  try {
    return await withinDeadline(answered, deadlineMs, signal);
  } catch (reason) {
    if (own.call !== undefined) onAbandoned?.(own.call.ended);
    throw reason;
  }
}

/** The answer to a check that another caller started, at no cost. The call waits as long as its most patient caller. */
async function joinCall(
  { ended, progress }: SharedCall,
  { input, fingerprint }: ScreeningTask,
  nowMs: number,
): Promise<Screened> {
  progress.waitMs = Math.max(progress.waitMs, nowMs - progress.startedAtMs + toWaitMs(input));
  const screened = await ended;
  return screened.outcome === "answered"
    ? { ...screened, source: "cache", creditsSpent: 0 }
    : toUnavailable(screened.error, 0, fingerprint);
}

function createFingerprint(keyring: Pick<Keyring, "digest">) {
  return (tenant: TenantId, request: PartialVerificationRequest, recipientName?: string) =>
    fingerprintOrder(request, (text) => keyring.digest(tenant, "fingerprint", text), recipientName);
}

/** A check in progress. Callers with the same content share it. It continues when they leave. */
interface SharedCall {
  /** Never rejects. */
  readonly ended: Promise<Screened>;
  readonly progress: Progress;
}

/** The checks in progress in this process, at most one per order state. */
function createSharedCalls(
  options: ScreeningParts,
  answers: KeptAnswers,
  closing: AbortSignal,
  onBraked: (tenant: TenantId) => void,
) {
  const slots = createSlots(options.maxInFlight);
  const unsavedEnds = createBackground();
  const asking = { ...options, answers, slots, trust: createKeyTrust(options.now), closing, unsavedEnds };
  const calls = new Map<string, SharedCall>();
  const watchAddress = createAddressWatch(options.logger, options.now);

  async function ask(task: ScreeningTask, progress: Progress): Promise<Screened> {
    task.input.onUnanswered?.();
    watchAddress(task.input.tenant, task.input.request);
    const screened = await askWithRetries(asking, task, progress);
    const isBraked = screened.outcome === "unavailable" && screened.error.code === "BURST_BRAKED";
    if (isBraked) onBraked(task.input.tenant);
    return screened;
  }

  return {
    find: (task: ScreeningTask) => calls.get(toCallKey(task)),
    start(task: ScreeningTask, limits: Pick<Progress, "startedAtMs" | "waitMs">): SharedCall {
      const { fingerprint } = task;
      const key = toCallKey(task);
      const none = { credits: 0, waitedMs: 0, unpaid: 0, healthyAtMs: 0, failure: undefined };
      const progress: Progress = { ...none, ...limits };
      const ended = ask(task, progress)
        .catch((error: unknown) => toUnavailable(error, progress.credits, fingerprint))
        .finally(() => calls.delete(key));
      const call = { ended, progress };
      calls.set(key, call);
      options.onCall?.(ended);
      return call;
    },
    async settle(): Promise<void> {
      await Promise.allSettled([...calls.values()].map(({ ended }) => ended));
      await unsavedEnds.settle();
    },
  };
}

/** A caller that wants a new answer doesn't share a call with callers that accept an older one. */
function toCallKey({ key, input }: ScreeningTask): string {
  return input.answersSinceMs === undefined ? key : `${key}\0${input.answersSinceMs}`;
}

/** Between two calls, the failure of the last one says more than the deadline. */
function toTooLate(call: SharedCall | undefined): HoldfastError {
  if (call?.progress.failure !== undefined) return call.progress.failure;
  return new HoldfastError("VERIFICATION_TIMEOUT", "no answer within the deadline", {
    retryable: true,
    metered: "unknown",
  });
}

const FLUSH_MS = 1_000;

/** Counts saved calls in memory and writes the sums once a second, so that a saved call doesn't cost a commit. */
function createSavings(store: Pick<ScreenerStore, "ledger">, logger: Logger, now: () => number) {
  const sums = new Map<string, { readonly tenant: TenantId; readonly reason: SavingReason; count: number }>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const due = [...sums.values()];
    sums.clear();
    for (const { tenant, reason, count } of due)
      await store.ledger.recordSaving(tenant, reason, count, now());
  }

  function flush(): Promise<void> {
    timer = undefined;
    writing = writing.then(write).catch((error: unknown) => {
      logger.warn({ err: error }, "saved credits couldn't be recorded");
    });
    return writing;
  }

  return {
    add(tenant: TenantId, reason: SavingReason): void {
      const key = `${reason}\0${tenant}`;
      const sum = sums.get(key);
      if (sum === undefined) sums.set(key, { tenant, reason, count: 1 });
      else sum.count += 1;
      timer ??= unref(setTimeout(() => void flush(), FLUSH_MS));
    },
    close(): Promise<void> {
      clearTimeout(timer);
      return flush();
    },
  };
}
