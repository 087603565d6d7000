import type { CreditBalance } from "../credits.ts";
import { toText, toTime, type CatalogCall, type JobEngine } from "./catalog-call.ts";
import type { EventSender } from "./events.ts";
import { keepNameHistory, processItem, type ItemOutcome } from "./process-item.ts";
import type { Records, SandboxRecord } from "./records.ts";

/** Kinds of jobs, by the client's group. */
export type SandboxJobKind =
  | "brandJobs"
  | "categoryJobs"
  | "enrichmentJobs"
  | "validationJobs"
  | "importJobs";

/** Parts of {@link createJobEngine}. */
export interface JobEngineParts {
  readonly records: Records;
  readonly creditsOf: (organization: string) => CreditBalance;
  readonly send: EventSender;
  readonly itemMs: number;
  readonly now: () => number;
}

/** Items that a job processes at the same time (the interface, Limits). */
const AT_ONCE = 5;
const STOPPED = "Job was stopped by user";
const NO_CREDITS = "Credit balance limit has been reached.";

/** Events of each kind; brand and category jobs have none. */
const EVENTS: Readonly<Partial<Record<SandboxJobKind, string>>> = {
  enrichmentJobs: "product_enrichment",
  validationJobs: "product_validation",
  importJobs: "ai_import",
};

/** Whether a job hasn't ended. */
export function isOpen(job: SandboxRecord): boolean {
  return job["status"] === "pending" || job["status"] === "processing";
}

/** Create the {@link JobEngine}. */
export function createJobEngine(parts: JobEngineParts): JobEngine {
  return new Engine(parts);
}

class Engine implements JobEngine {
  readonly #parts: JobEngineParts;

  constructor(parts: JobEngineParts) {
    this.#parts = parts;
  }

  start(organization: string, job: SandboxRecord, items: readonly SandboxRecord[]): void {
    const { records, now, itemMs } = this.#parts;
    records.transaction(() => {
      this.#save(organization, { ...job, nextAtMs: now() + itemMs });
      for (const item of items) this.#saveItem(organization, item);
    });
  }

  stop(organization: string, job: SandboxRecord): SandboxRecord {
    const { records, now } = this.#parts;
    const nowMs = now();
    return records.transaction(() => {
      const isProductJob = job["kind"] === "enrichmentJobs" || job["kind"] === "validationJobs";
      // In product jobs, the items in progress are finished first (States and transitions, note 3).
      const current = isProductJob ? this.#finish(organization, job, nowMs) : job;
      const open = ["pending", "processing"].flatMap((state) =>
        records.of(organization, "item").list({ parent: job.id, state }),
      );
      const failure = { status: "failed", errorMessage: STOPPED, completedAt: toTime(nowMs) };
      for (const item of open) this.#endItem(organization, job, { ...item, ...failure });
      const ended = this.#save(organization, {
        ...current,
        status: "stopped",
        completedAt: toTime(nowMs),
        processedCount: (current["processedCount"] as number) + open.length,
        failedCount: (current["failedCount"] as number) + open.length,
      });
      this.#emit(organization, ended, "stopped");
      return ended;
    });
  }

  advance(): void {
    const { records, now } = this.#parts;
    const nowMs = now();
    records.transaction(() => {
      for (const { organization, record } of records.everywhere("job", "open")) {
        let job = record;
        while (isOpen(job) && (job["nextAtMs"] as number) <= nowMs) job = this.#step(organization, job);
      }
    });
  }

  get nextAtMs(): number | undefined {
    const due = this.#parts.records
      .everywhere("job", "open")
      .map(({ record }) => record["nextAtMs"] as number);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  #recordsOf(organization: string): CatalogCall["records"] {
    return (kind) => this.#parts.records.of(organization, kind);
  }

  #save(organization: string, job: SandboxRecord): SandboxRecord {
    const keys = { parent: toText(job["kind"]), state: isOpen(job) ? "open" : "ended" };
    this.#parts.records.of(organization, "job").put(job, keys);
    return job;
  }

  #saveItem(organization: string, item: SandboxRecord): void {
    const keys = { parent: toText(item["jobId"]), state: toText(item["status"]) };
    this.#parts.records.of(organization, "item").put(item, keys);
  }

  #endItem(organization: string, job: SandboxRecord, item: SandboxRecord): void {
    this.#saveItem(organization, item);
    keepNameHistory({ records: this.#recordsOf(organization), job }, item);
  }

  #emit(organization: string, job: SandboxRecord, what: "start" | "completed" | "stopped"): void {
    const name = EVENTS[job["kind"] as SandboxJobKind];
    // A finished import is never announced: clients poll.
    if (name === undefined || (name === "ai_import" && what === "completed")) return;
    this.#parts.send(organization, `${name}.${what}`, toPayload(name, job, what));
  }

  #step(organization: string, job: SandboxRecord): SandboxRecord {
    const nowMs = job["nextAtMs"] as number;
    if (job["status"] === "pending") this.#emit(organization, job, "start");
    return this.#begin(organization, this.#finish(organization, job, nowMs), nowMs);
  }

  /** Start the first waiting items. Without any, the job ends. */
  #begin(organization: string, job: SandboxRecord, nowMs: number): SandboxRecord {
    const { records, itemMs } = this.#parts;
    const filter = { parent: job.id, state: "pending", limit: AT_ONCE };
    const waiting = records.of(organization, "item").list(filter);
    const startedAt = toTime(nowMs);
    for (const item of waiting) this.#saveItem(organization, { ...item, status: "processing", startedAt });
    const started = { ...job, status: "processing", startedAt: job["startedAt"] ?? startedAt };
    if (waiting.length > 0) return this.#save(organization, { ...started, nextAtMs: nowMs + itemMs });
    const ended = this.#save(organization, {
      ...started,
      status: (job["failedCount"] as number) > 0 ? "completed_with_errors" : "completed",
      completedAt: startedAt,
    });
    this.#emit(organization, ended, "completed");
    return ended;
  }

  #finish(organization: string, job: SandboxRecord, nowMs: number): SandboxRecord {
    const working = this.#recordsOf(organization)("item").list({ parent: job.id, state: "processing" });
    const counts = { done: 0, failed: 0, extracted: 0, errorSummary: job["errorSummary"] };
    for (const item of working) {
      const outcome = this.#workOn(organization, { job, item, nowMs });
      this.#endItem(organization, job, { ...item, ...outcome.item, completedAt: toTime(nowMs) });
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

  #workOn(
    organization: string,
    { job, item, nowMs }: { job: SandboxRecord; item: SandboxRecord; nowMs: number },
  ): ItemOutcome {
    const outcome = processItem({ records: this.#recordsOf(organization), job, nowMs }, item);
    if (outcome.item["status"] === "failed") return outcome;
    if (!this.#parts.creditsOf(organization).spend(outcome.cost)) {
      return { item: { status: "failed", errorMessage: NO_CREDITS }, cost: 0 };
    }
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
