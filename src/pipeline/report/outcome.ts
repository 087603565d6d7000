import type { Dispute } from "../../platform/platform.ts";
import type { Outcome } from "../../policy/replay-tally.ts";
import type { OrderTrace } from "../../store/outcomes/outcomes.ts";
import type { DecidedOrder } from "../../store/figures/replay-source.ts";
import { hasEndedAs } from "../timeline.ts";

/** States in which something is still to be decided or done. */
const UNDER_WAY: ReadonlySet<string> = new Set([
  "received",
  "screening",
  "decided",
  "enforcing",
  "waiting",
  "review",
]);

/**
 * What became of an order. A chargeback for fraud counts most, then a person's verdict, then what we saw of its end ourselves, then what the platform
 * showed when it was looked at. Pure.
 */
export function toOutcome(
  { decision, skipReason, state }: Pick<DecidedOrder, "decision" | "skipReason" | "state">,
  trace: OrderTrace | undefined,
): Outcome {
  if (trace?.disputes.some(isFraudLoss) === true) return "charged-back";
  if (decision.source === "person") return decision.action === "cancel" ? "declined" : "approved";
  if (skipReason === "CANCELLED") return "cancelled";
  const events = trace?.events ?? [];
  const ending = ENDINGS.find(({ isTold }) => events.some(isTold));
  return ending?.outcome ?? toSeen(trace?.observed ?? null, state);
}

/** Fraud that passed, unless the bank decided for the shop. */
function isFraudLoss({ kind, status, isFraud }: Dispute): boolean {
  return isFraud && kind === "chargeback" && status !== "won" && status !== "prevented";
}

type Event = OrderTrace["events"][number];

/** What entries of the timeline tell, the end that leaves least doubt first. */
const ENDINGS: readonly { readonly outcome: Outcome; readonly isTold: (event: Event) => boolean }[] = [
  {
    outcome: "cancelled",
    isTold: (event) => event.kind === "cancel-done" || hasEndedAs("cancelled", event),
  },
  // A person took our hold away on the platform: they let the order go.
  { outcome: "approved", isTold: ({ kind }) => kind === "hold-overridden" },
  { outcome: "shipped", isTold: (event) => hasEndedAs("shipped", event) },
];

function toSeen(observed: OrderTrace["observed"], state: string): Outcome {
  if (observed?.known === true) {
    if (observed.cancelled) return "cancelled";
    return observed.shipped ? "shipped" : "open";
  }
  return UNDER_WAY.has(state) ? "open" : "unknown";
}
