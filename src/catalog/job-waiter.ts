import { HoldfastError, isHoldfastError, toUnsentError } from "../base/errors.ts";
import { checkOptions } from "../base/options.ts";
import { pause } from "../base/waiting.ts";
import { checkNumber } from "../service/client-options.ts";
import { fillPath, toInputError } from "../service/checked-data.ts";
import { JOB_KINDS, type CatalogMethods, type JobKind } from "./operations/catalog-operations.ts";
import { ENDED_STATUSES, type JOB_STATUSES, type Open } from "./operations/operation.ts";

/** A job of any kind, with the fields that all kinds have. */
export interface WatchedJob {
  readonly id: string;
  readonly status: Open<(typeof JOB_STATUSES)[number]>;
  /** Brands, categories or products in it; null if the service doesn't say, as for AI imports. */
  readonly total: number | null;
  readonly processedCount: number | null;
  readonly successCount: number | null;
  readonly failedCount: number | null;
  readonly errorSummary: string | null;
  /** The job as the service lists it. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** How a job ended. */
export interface JobEnd {
  readonly kind: JobKind;
  readonly job: WatchedJob;
  /** `partial`: some of it succeeded (completed with errors, or stopped midway); `unknown`: a status of a later version. */
  readonly outcome: "completed" | "partial" | "failed" | "stopped" | "unknown";
}

/** Options of {@link WaitForJob}. */
export interface WaitForJobOptions {
  /** Default: known for jobs that this client created; otherwise all kinds are searched. */
  readonly kind?: JobKind | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How long to wait, in milliseconds; then `SERVICE_TIMEOUT` is thrown, and the job continues. Default: until it ends. */
  readonly timeoutMs?: number | undefined;
  /** Called on every change of status or counters, including the first and the last. */
  readonly onProgress?: ((job: WatchedJob) => void) | undefined;
}

/** Options of a single read. */
export interface ReadJobOptions {
  /** The same as in {@link WaitForJobOptions}. */
  readonly kind?: JobKind | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Most pages of 100 jobs to search, newest first. Default: all. */
  readonly maxPages?: number | undefined;
}

/** Options of reading several jobs at once. */
export interface FindJobsOptions {
  readonly kind: JobKind;
  readonly signal?: AbortSignal | undefined;
  /** Most pages of 100 jobs to search, newest first. Default: all. */
  readonly maxPages?: number | undefined;
}

/**
 * Poll a job every 5 to 10 seconds until it has ended; `hint` makes it poll at once. Temporary failures don't end the
 * wait.
 *
 * @throws {HoldfastError} `INPUT_INVALID` without an id, `SERVICE_NOT_FOUND` when no list has the job, `SERVICE_ABORTED`
 * when the signal fires, `SERVICE_TIMEOUT` after `timeoutMs`, `SHUTTING_DOWN` when the client was closed, and the permanent errors of a read.
 */
export type WaitForJob = (jobId: string, options?: WaitForJobOptions) => Promise<JobEnd>;

export interface JobWaiterParts {
  readonly methods: CatalogMethods;
  /** Kinds of the jobs that were created here. */
  readonly kinds: ReadonlyMap<string, JobKind>;
  readonly wait?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  readonly now?: (() => number) | undefined;
}

const POLL_MS = 5_000;
const ALL_KINDS: readonly JobKind[] = ["enrichment", "brand", "category", "validation", "import"];
const RULES = {
  kind: {
    expected: `one of ${ALL_KINDS.join(", ")}`,
    is: (kind: unknown) => typeof kind === "string" && Object.hasOwn(JOB_KINDS, kind),
  },
  signal: "signal",
} as const;

const WAIT_RULES = { ...RULES, onProgress: "function", timeoutMs: true } as const;

export function createJobWaiter({ methods, kinds, wait = pause, now = Date.now }: JobWaiterParts) {
  const hints = new EventTarget();

  async function pauseOrHint(
    hint: AbortSignal,
    signal: AbortSignal | undefined,
    mostMs: number,
  ): Promise<void> {
    if (hint.aborted) return;
    const either = signal === undefined ? hint : AbortSignal.any([hint, signal]);
    await wait(Math.min(mostMs, POLL_MS * (1 + Math.random())), either).catch((error: unknown) => {
      if (!either.aborted) throw error;
    });
  }

  return {
    async waitForJob(jobId: string, given?: WaitForJobOptions): Promise<JobEnd> {
      const options = checkOptions("waitForJob", given, WAIT_RULES);
      const { kind = kinds.get(jobId), signal, onProgress, timeoutMs } = options;
      const readLeftMs = createLimit(timeoutMs, now);
      let known = kind;
      let last = "";
      let hint = new AbortController();
      const onHint = () => hint.abort();
      hints.addEventListener(jobId, onHint);
      try {
        for (;;) {
          if (signal?.aborted === true) throw aborted();
          const leftMs = readLeftMs();
          // A hint that arrives from here on may be newer than the job that is read.
          hint = new AbortController();
          try {
            const found = await findJob(methods, jobId, known, { signal: within(leftMs, signal) });
            known = found.kind;
            const { job } = found;
            const seen = JSON.stringify([job.status, job.processedCount, job.successCount, job.failedCount]);
            if (seen !== last) onProgress?.(job);
            last = seen;
            if (hasEnded(job)) return { ...found, outcome: toOutcome(job) };
          } catch (error) {
            if (!mayPass(error)) throw error;
          }
          await pauseOrHint(hint.signal, signal, readLeftMs());
        }
      } finally {
        hints.removeEventListener(jobId, onHint);
      }
    },
    async readOnce(jobId: string, given?: ReadJobOptions) {
      const options = checkOptions("job", given, { ...RULES, maxPages: true });
      const { kind = kinds.get(jobId), ...reading } = options;
      const found = await findJob(methods, jobId, kind, reading);
      return { ...found.job, kind: found.kind };
    },
    async findMany(jobIds: readonly string[], given: FindJobsOptions) {
      const { kind, ...reading } = checkOptions("findJobs", given, { ...RULES, maxPages: true });
      if (kind === undefined) throw toInputError([{ path: "kind", message: RULES.kind.expected }]);
      return readJobs(methods, kind, { ...reading, jobIds });
    },
    hint: (jobId: string) => void hints.dispatchEvent(new Event(jobId)),
  };
}

async function findJob(
  methods: CatalogMethods,
  jobId: string,
  kind: JobKind | undefined,
  reading: ReadJobOptions,
): Promise<{ readonly kind: JobKind; readonly job: WatchedJob }> {
  fillPath("/:jobId", [jobId]);
  for (const one of kind === undefined ? ALL_KINDS : [kind]) {
    const found = await readJobs(methods, one, { ...reading, jobIds: [jobId] });
    const job = found.get(jobId);
    if (job !== undefined) return { kind: one, job };
  }
  throw new HoldfastError("SERVICE_NOT_FOUND", "the catalog service has no such job", {
    retryable: false,
    metered: "no",
  });
}

/** A closed client can't read any more, so waiting would never end. */
function mayPass(error: unknown): boolean {
  return isHoldfastError(error) && error.retryable && error.code !== "SHUTTING_DOWN";
}

function aborted(): HoldfastError {
  return new HoldfastError("SERVICE_ABORTED", "waiting for the job was canceled; the job continues", {
    retryable: true,
    metered: "no",
  });
}

/** The longest that a timer of JavaScript runs, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A signal that also ends a read that would last longer than the whole wait may. */
function within(leftMs: number, signal: AbortSignal | undefined): AbortSignal | undefined {
  if (leftMs > LONGEST_TIMER_MS) return signal;
  const limit = AbortSignal.timeout(Math.ceil(leftMs));
  return signal === undefined ? limit : AbortSignal.any([signal, limit]);
}

/** How long to wait at most; throws once it's over. */
function createLimit(timeoutMs: number | undefined, now: () => number): () => number {
  if (timeoutMs === undefined) return () => Number.POSITIVE_INFINITY;
  const endsAtMs = now() + checkNumber("`timeoutMs`", timeoutMs, { isPositive: true });
  return () => {
    const leftMs = endsAtMs - now();
    if (leftMs > 0) return leftMs;
    throw toUnsentError("SERVICE_TIMEOUT", "the job didn't end within `timeoutMs`; the job continues");
  };
}

interface Reading {
  readonly jobIds: readonly string[];
  readonly signal?: AbortSignal | undefined;
  readonly maxPages?: number | undefined;
}

/**
 * The current state of those jobs that the service has. Brand and category jobs come with their items; the others are
 * searched for in their list.
 */
async function readJobs(
  methods: CatalogMethods,
  kind: JobKind,
  { jobIds, signal, maxPages = Infinity }: Reading,
): Promise<ReadonlyMap<string, WatchedJob>> {
  const found = new Map<string, WatchedJob>();
  const options = { signal };
  if (kind === "brand" || kind === "category") {
    for (const jobId of jobIds) {
      const job = await readListJob(methods[JOB_KINDS[kind]].items(jobId, { limit: 1 }, options));
      if (job !== undefined) found.set(jobId, job);
    }
    return found;
  }
  const missing = new Set(jobIds);
  for await (const { entries, page } of methods[JOB_KINDS[kind]].list({ limit: 100 }, options).pages()) {
    for (const job of entries) if (missing.delete(job.id)) found.set(job.id, toWatchedJob(job));
    if (missing.size === 0 || page >= maxPages) break;
  }
  return found;
}

type ListItems = ReturnType<CatalogMethods["brandJobs" | "categoryJobs"]["items"]>;

async function readListJob(items: ListItems): Promise<WatchedJob | undefined> {
  try {
    return toWatchedJob((await items.page()).data.job);
  } catch (error) {
    // A service may call an id of another kind of job invalid.
    if (isHoldfastError(error, "SERVICE_NOT_FOUND", "SERVICE_REFUSED")) return undefined;
    throw error;
  }
}

function toWatchedJob(data: { readonly id: string; readonly status: string }): WatchedJob {
  const job = data as Readonly<Record<string, unknown>>;
  const number = (...names: readonly string[]) =>
    names.map((name) => job[name]).find((value) => typeof value === "number") ?? null;
  return {
    id: data.id,
    status: data.status,
    total: number("totalBrands", "totalCategories", "totalProducts"),
    processedCount: number("processedCount", "totalExtracted"),
    successCount: number("successCount"),
    failedCount: number("failedCount"),
    errorSummary: typeof job["errorSummary"] === "string" ? job["errorSummary"] : null,
    data: job,
  };
}

/** A job with an unknown status has ended if it has a time of completion. */
function hasEnded({ status, data }: WatchedJob): boolean {
  if (status === "pending" || status === "processing") return false;
  return ENDED_STATUSES.has(status) || typeof data["completedAt"] === "string";
}

function toOutcome({ status, successCount, processedCount, data }: WatchedJob): JobEnd["outcome"] {
  // An import has no such counter. What it extracted is kept, however it ended.
  const succeeded = successCount ?? ("totalExtracted" in data ? processedCount : null);
  if (status === "completed") return "completed";
  if (status === "failed") return "failed";
  if (status === "completed_with_errors") return succeeded === 0 ? "failed" : "partial";
  if (status !== "stopped") return "unknown";
  return (succeeded ?? 0) > 0 ? "partial" : "stopped";
}
