import type { Decision } from "../policy/decision.ts";
import type { OrderState, StepRecord } from "../store/store.ts";
import type { EnforcementStep, SkipReason } from "./platform.ts";

/**
 * What has to become true on the platform, most urgent first: a hold races with fulfilment, and a cancelled order
 * should already say why when it is cancelled.
 */
export function toSteps(
  decision: Decision,
  skipReason: SkipReason | null,
  records: readonly StepRecord[],
): readonly EnforcementStep[] {
  if (!decision.enforce || isLeftAlone(decision, skipReason)) return [];
  const explain: EnforcementStep[] = decision.tags.length > 0 ? ["assess", "tag"] : ["assess"];
  switch (decision.action) {
    case "allow":
    case "tag":
      return explain;
    case "hold":
      return ["hold", ...explain];
    case "cancel":
      // An order that cannot be cancelled must not ship either.
      return isImpossible(records, "cancel") ? [...explain, "cancel", "hold"] : [...explain, "cancel"];
  }
}

/** Where an order stands once every step has ended. */
export function toFinalState(records: readonly StepRecord[]): OrderState {
  const held = records.some(({ step, state }) => step === "hold" && state === "done");
  if (held) return "review";
  return records.some(({ state }) => state === "impossible") ? "failed" : "settled";
}

/** What could not be done, e.g. `cancel:already-fulfilled`; null when nothing failed. */
export function toProblem(records: readonly StepRecord[]): string | null {
  const failed = records.filter(({ state }) => state === "impossible");
  return failed.length === 0 ? null : failed.map(({ step, detail }) => `${step}:${detail}`).join(" ");
}

/** An order that was not sent and that nobody judged instead: nothing is written, not even an assessment. */
function isLeftAlone(decision: Decision, skipReason: SkipReason | null): boolean {
  return skipReason !== null && decision.source === "policy";
}

function isImpossible(records: readonly StepRecord[], step: EnforcementStep): boolean {
  return records.some((record) => record.step === step && record.state === "impossible");
}
