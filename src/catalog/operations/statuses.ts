/** Every status of a job, of all kinds. */
export const JOB_STATUSES = [
  "pending",
  "processing",
  "completed",
  "completed_with_errors",
  "failed",
  "stopped",
] as const;
/** Statuses that a job does not leave. */
export const ENDED_STATUSES: ReadonlySet<string> = new Set([
  "completed",
  "completed_with_errors",
  "failed",
  "stopped",
]);
export const ITEM_STATUSES = ["pending", "processing", "completed", "failed"] as const;
