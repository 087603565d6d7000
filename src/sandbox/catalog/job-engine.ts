import type { CreditBalance } from "../credits.ts";
import type { EventSender } from "./events.ts";
import { fail, isBroken, keepNameHistory, processItem, type ItemOutcome } from "./process-item.ts";
import { toText, toTime, type OrganizationRecords, type Records, type SandboxRecord } from "./records.ts";

/** Kinds of jobs, by the client's group. */
export type SandboxJobKind =
  | "brandJobs"
  | "categoryJobs"
  | "enrichmentJobs"
  | "validationJobs"
  | "importJobs";

export interface JobEngineParts {
  readonly records: Records;
  readonly creditsOf: (organization: string) => CreditBalance;
  readonly send: EventSender;
  readonly itemMs: number;
  readonly now: () => number;
}

/** Items that a job processes at the same time (the interface, Limits). */
const AT_ONCE = 5;
/** An import reads one file at a time, so that it can be stopped between two. */
const FILES_AT_ONCE = 1;
const STOPPED = "Job was stopped by user";
const BROKEN = "The job failed before processing";
const NO_CREDITS = "Credit balance limit has been reached.";

/** Events of each kind; brand and category jobs have none. */
const EVENTS: Readonly<Partial<Record<SandboxJobKind, string>>> = {
  enrichmentJobs: "product_enrichment",
  validationJobs: "product_validation",
  importJobs: "ai_import",
};

export function isOpen(job: SandboxRecord): boolean {
  return job["status"] === "pending" || job["status"] === "processing";
}

/** Advances jobs as time passes. */
export type JobEngine = ReturnType<typeof createJobEngine>;

export function createJobEngine(parts: JobEngineParts) {
  const { records, now } = parts;
  const openJobs = () => records.everywhere("job", "open");
  return {
    of: (organization: string) => new OrganizationJobs(parts, organization),
    /** Do everything that is due by now. */
    advance() {
      const nowMs = now();
      records.transaction(() => {
        for (const { organization, record } of openJobs()) {
          new OrganizationJobs(parts, organization).advance(record, nowMs);
        }
      });
    },
    /** When something is due next; undefined if no job is running. */
    get nextAtMs() {
      const due = openJobs().map(({ record }) => record["nextAtMs"] as number);
      return due.length === 0 ? undefined : Math.min(...due);
    },
  };
}

export class OrganizationJobs {
  readonly #parts: JobEngineParts;
  readonly #organization: string;
  readonly #recordsOf: OrganizationRecords;

  constructor(parts: JobEngineParts, organization: string) {
    this.#parts = parts;
    this.#organization = organization;
    this.#recordsOf = (kind) => parts.records.of(organization, kind);
  }

  /** Queue a job with its items. */
  start(job: SandboxRecord, items: readonly SandboxRecord[]): void {
    const { records, now, itemMs } = this.#parts;
    records.transaction(() => {
      this.#save({ ...job, nextAtMs: now() + itemMs });
      for (const item of items) this.#saveItem(item);
    });
  }

  /** The job's unfinished items fail. */
  stop(job: SandboxRecord): SandboxRecord {
    const { records, now } = this.#parts;
    const nowMs = now();
    return records.transaction(() => {
      const isProductJob = job["kind"] === "enrichmentJobs" || job["kind"] === "validationJobs";
      // In product jobs, the items in progress are finished first (States and transitions, note 3).
      const current = isProductJob ? this.#finish(job, nowMs) : job;
      const ended = this.#abandon({ ...current, status: "stopped" }, STOPPED, nowMs);
      this.#emit(ended, "stopped");
      return ended;
    });
  }

  /** End a job whose open items fail. */
  #abandon(job: SandboxRecord, errorMessage: string, nowMs: number): SandboxRecord {
    const open = ["pending", "processing"].flatMap((state) =>
      this.#recordsOf("item").list({ parent: job.id, state }),
    );
    const completedAt = toTime(nowMs);
    for (const item of open) this.#endItem(job, { ...item, status: "failed", errorMessage, completedAt });
    return this.#save({
      ...job,
      completedAt,
      processedCount: (job["processedCount"] as number) + open.length,
      failedCount: (job["failedCount"] as number) + open.length,
    });
  }

  /** Do everything that is due for a job. */
  advance(job: SandboxRecord, nowMs: number): void {
    let current = job;
    while (isOpen(current) && (current["nextAtMs"] as number) <= nowMs) current = this.#step(current);
  }

  #save(job: SandboxRecord): SandboxRecord {
    const keys = { parent: toText(job["kind"]), state: isOpen(job) ? "open" : "ended" };
    this.#recordsOf("job").put(job, keys);
    return job;
  }

  #saveItem(item: SandboxRecord): void {
    this.#recordsOf("item").put(item, { parent: toText(item["jobId"]), state: toText(item["status"]) });
  }

  #endItem(job: SandboxRecord, item: SandboxRecord): void {
    this.#saveItem(item);
    keepNameHistory({ records: this.#recordsOf, job }, item);
  }

  #emit(job: SandboxRecord, what: "start" | "completed" | "stopped"): void {
    const name = EVENTS[job["kind"] as SandboxJobKind];
    // A finished import is never announced: clients poll.
    if (name === undefined || (name === "ai_import" && what === "completed")) return;
    this.#parts.send(this.#organization, `${name}.${what}`, toPayload(name, job, what));
  }

  #step(job: SandboxRecord): SandboxRecord {
    const nowMs = job["nextAtMs"] as number;
    if (job["status"] === "pending") {
      const [first] = this.#recordsOf("item").list({ parent: job.id, limit: 1 });
      if (isBroken({ records: this.#recordsOf }, first)) {
        const failed = { ...job, status: "failed", errorSummary: BROKEN };
        const ended = this.#abandon(failed, BROKEN, nowMs);
        this.#emit(ended, "completed");
        return ended;
      }
      this.#emit(job, "start");
    }
    return this.#begin(this.#finish(job, nowMs), nowMs);
  }

  /** Start the first waiting items. Without any, the job ends. */
  #begin(job: SandboxRecord, nowMs: number): SandboxRecord {
    const limit = job["kind"] === "importJobs" ? FILES_AT_ONCE : AT_ONCE;
    const waiting = this.#recordsOf("item").list({ parent: job.id, state: "pending", limit });
    const startedAt = toTime(nowMs);
    for (const item of waiting) this.#saveItem({ ...item, status: "processing", startedAt });
    const started = { ...job, status: "processing", startedAt: job["startedAt"] ?? startedAt };
    if (waiting.length > 0) return this.#save({ ...started, nextAtMs: nowMs + this.#parts.itemMs });
    const ended = this.#save({
      ...started,
      status: (job["failedCount"] as number) > 0 ? "completed_with_errors" : "completed",
      completedAt: startedAt,
    });
    this.#emit(ended, "completed");
    return ended;
  }

  #finish(job: SandboxRecord, nowMs: number): SandboxRecord {
    const working = this.#recordsOf("item").list({ parent: job.id, state: "processing" });
    const counts = { done: 0, failed: 0, extracted: 0, errorSummary: job["errorSummary"] };
    for (const item of working) {
      const outcome = this.#workOn(job, item, nowMs);
      this.#endItem(job, { ...item, ...outcome.item, completedAt: toTime(nowMs) });
      counts[outcome.item["status"] === "failed" ? "failed" : "done"] += 1;
      counts.extracted += outcome.extracted ?? 0;
      if (outcome.item["errorMessage"] === NO_CREDITS) counts.errorSummary = NO_CREDITS;
    }
    return {
      ...job,
      processedCount: (job["processedCount"] as number) + working.length,
      successCount: (job["successCount"] as number) + counts.done,
      failedCount: (job["failedCount"] as number) + counts.failed,
      totalExtracted: (job["totalExtracted"] as number) + counts.extracted,
      errorSummary: counts.errorSummary,
    };
  }

  #workOn(job: SandboxRecord, item: SandboxRecord, nowMs: number): ItemOutcome {
    const outcome = processItem({ records: this.#recordsOf, job, nowMs }, item);
    if (outcome.item["status"] === "failed") return outcome;
    if (!this.#parts.creditsOf(this.#organization).spend(outcome.cost)) return fail(NO_CREDITS);
    outcome.keep?.();
    return outcome;
  }
}

/** What an event says about its job; only `ai_import.start` calls it `jobId`. */
function toPayload(name: string, job: SandboxRecord, what: "start" | "completed" | "stopped"): object {
  if (what === "start") return name === "ai_import" ? { jobId: job.id } : { id: job.id };
  const moment = what === "completed" ? "completedAt" : "stoppedAt";
  return { id: job.id, status: job["status"], [moment]: job["completedAt"] };
}
