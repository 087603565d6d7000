import { alertOnce } from "../../alerts/alert-once.ts";
import type { Dispute } from "../../platform/platform.ts";
import type { DueDispute } from "../../store/outcomes/disputes.ts";
import type { PipelineParts } from "../tasks.ts";

/** How long before the bank's deadline people are alerted: two working days to gather what is missing. */
export const EVIDENCE_WARNING_MS = 48 * 3_600_000;
/** Longer than a bank takes to decide, so each dispute alerts once. */
const QUIET_MS = 180 * 86_400_000;

type Deadline = Pick<Dispute, "status" | "evidenceDueAtMs" | "evidenceSentAtMs">;

/** Until when a bank still waits for a dispute's evidence, milliseconds since the epoch; null if it doesn't. */
export function toEvidenceDueMs(dispute: Deadline, nowMs: number): number | null {
  const { status, evidenceDueAtMs, evidenceSentAtMs } = dispute;
  if (status !== "open" || evidenceSentAtMs !== undefined || evidenceDueAtMs === undefined) return null;
  return evidenceDueAtMs > nowMs ? evidenceDueAtMs : null;
}

/** The first of these deadlines. */
export function findEvidenceDueMs(disputes: readonly Deadline[], nowMs: number): number | null {
  const due = disputes.flatMap((dispute) => toEvidenceDueMs(dispute, nowMs) ?? []);
  return due.length === 0 ? null : Math.min(...due);
}

/**
 * Alert once that the bank's deadline is near, whichever process notices it first. An inquiry that becomes a chargeback has
 * a new deadline, and so a second alert.
 */
export async function alertEvidenceDue(
  parts: Pick<PipelineParts, "store" | "logger" | "now">,
  dispute: DueDispute,
): Promise<void> {
  const { tenant, orderId, disputeId, kind } = dispute;
  const dueMs = toEvidenceDueMs(dispute, parts.now());
  if (dueMs === null || dueMs > parts.now() + EVIDENCE_WARNING_MS) return;
  const incident = { tenant, name: `dispute_evidence_due:${kind}:${disputeId}`, quietMs: QUIET_MS };
  const facts = { tenant, orderId, dueAt: new Date(dueMs).toISOString() };
  const message = "a bank takes evidence about a dispute for less than 48 more hours";
  await alertOnce(parts, incident, "dispute_evidence_due", facts, message);
}
