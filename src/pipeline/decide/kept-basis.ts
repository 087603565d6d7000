import { HoldfastError, type ErrorCode } from "../../base/errors.ts";
import { toMachineDecision } from "../../order/decision.ts";
import { SKIP_REASONS } from "../../order/skip-reasons.ts";
import type { DecisionBasis } from "../../screening/judge-order.ts";
import type { OrderRecord } from "../../store/store.ts";

/** What the former decision was based on; null if that isn't stored. */
export function toKeptBasis({ decision, result, skipReason: reason }: OrderRecord): DecisionBasis | null {
  if (decision === null) return null;
  const { unchecked } = decision;
  // If the order is held for a bank's inquiry, use Holdfast's own decision below that.
  const { source, degraded } = toMachineDecision(decision);
  if (source === "service" || source === "cache") {
    return result === null || degraded ? null : { kind: "answered", result, source };
  }
  if (reason !== null) return { kind: "skipped", reason, hasService: unchecked !== undefined };
  if (unchecked === undefined) return { kind: "no-service" };
  const isError = !SKIP_REASONS.some((known) => known === unchecked);
  if (!isError) return null;
  const error = new HoldfastError(unchecked as ErrorCode, "not asked again", { retryable: false });
  return { kind: "unavailable", error };
}
