import type { DueDispute } from "../../store/outcomes/disputes.ts";
import type { PipelineParts } from "../tasks.ts";
import { alertEvidenceDue, EVIDENCE_WARNING_MS } from "../watch/evidence-due.ts";
import { createChore } from "./chore.ts";

type EvidenceWatchParts = Pick<PipelineParts, "store" | "logger" | "now">;

/** The alert is about two days: ten minutes more or less don't matter. */
const EVERY_MS = 10 * 60_000;
/** Also look soon after a start, in case the app was off when the time came. */
const FIRST_AFTER_MS = 30_000;
const DISPUTES_PER_LOOK = 500;

/**
 * Create the watch that alerts before a bank's deadline for evidence. `run` is one look at the disputes of all shops; an
 * incident per dispute keeps processes from alerting twice.
 */
export function createEvidenceWatch(parts: EvidenceWatchParts) {
  const { store, logger, now } = parts;

  async function run(signal?: AbortSignal): Promise<void> {
    const installed = new Set((await store.tenants.list()).map(({ tenant }) => tenant));
    const window = { afterMs: now(), untilMs: now() + EVIDENCE_WARNING_MS, limit: DISPUTES_PER_LOOK };
    let after: DueDispute | undefined;
    do {
      const due = await store.outcomes.listDue({ ...window, after });
      for (const dispute of due) {
        signal?.throwIfAborted();
        if (installed.has(dispute.tenant)) await alertEvidenceDue(parts, dispute);
      }
      after = due.length < DISPUTES_PER_LOOK ? undefined : due.at(-1);
    } while (after !== undefined);
  }

  const failed = "couldn't look for the deadlines of disputes";
  return {
    run,
    ...createChore({ everyMs: EVERY_MS, firstAfterMs: FIRST_AFTER_MS, round: run, failed, logger }),
  };
}
