import type { HoldfastError } from "../base/errors.ts";
import type { LocalEngine } from "../engine/engine.ts";
import type { VelocityCounts } from "../engine/velocity/velocity-store.ts";
import type { KeptSignals } from "../engine/own-weights.ts";
import type { PartialVerificationRequest, VerificationRequest, StandIn } from "../order/request.ts";
import type { Decision } from "../order/decision.ts";
import type { SkipReason } from "../order/skip-reasons.ts";
import type { OrderContext } from "../order/order-context.ts";
import { chooseAction, isLeftAlone, type DecisionInput } from "../policy/choose-action.ts";
import { toOrderFacts, type OrderFacts } from "../policy/order-facts.ts";
import { explainUnchecked } from "../policy/explain-unchecked.ts";
import type { VerificationResult } from "../order/result.ts";
import type { Screened } from "./screening-task.ts";

export type DecisionBasis =
  | {
      readonly kind: "answered";
      readonly result: VerificationResult;
      readonly source: "service" | "cache";
    }
  /** The service should have been asked but gave no answer. */
  | { readonly kind: "unavailable"; readonly error: HoldfastError }
  /** There is no service to ask. */
  | { readonly kind: "no-service" }
  /** The order isn't sent. */
  | {
      readonly kind: "skipped";
      readonly reason: SkipReason;
      readonly hasService: boolean;
      /** A sandbox order: it is judged even if it is incomplete, and isn't written anywhere. Default: no. */
      readonly isMadeUp?: boolean | undefined;
    };

export function toBasis(screened: Screened): DecisionBasis {
  if (screened.outcome === "unavailable") return { kind: "unavailable", error: screened.error };
  const { result, source } = screened;
  return { kind: "answered", result, source };
}

export interface UndecidedOrder extends Pick<
  DecisionInput,
  "policy" | "policyVersion" | "listed" | "snoozed"
> {
  readonly order: VerificationRequest | PartialVerificationRequest;
  /** The order's context, for rules and the local engine. Default: not known. */
  readonly context?: OrderContext | undefined;
  /** What rules can use. Default: read from `order` and `context`. */
  readonly facts?: OrderFacts | undefined;
  readonly basis: DecisionBasis;
  /** Fields of `order` that aren't evidence. Default: none. */
  readonly standIns?: readonly StandIn[] | undefined;
  /** What the order shares with earlier orders, for the local engine. Default: not known. */
  readonly velocity?: VelocityCounts | undefined;
}

/** The decision, and the answer that it is based on, if there is one. */
export interface DecisionWithResult {
  readonly decision: Decision;
  readonly result: VerificationResult | null;
  /** The local engine's signals, if it judged the order. */
  readonly signals?: KeptSignals | undefined;
}

/** Decide an order. Without an answer of the service, the local engine or the policy decides, and the decision says so. */
export function decideOrder(
  undecided: UndecidedOrder,
  engine: Pick<LocalEngine, "assess">,
): DecisionWithResult {
  const { order, context, standIns, policy, policyVersion, basis, listed, snoozed, velocity } = undecided;
  const { facts = toOrderFacts(order, context) } = undecided;
  const common = { policy, policyVersion, facts, listed, snoozed };
  const assess = () => {
    const { signals, ...result } = engine.assess(order, velocity, standIns, context, policy.localWeights);
    return { result, signals, missing: result.missing, source: "local" as const };
  };
  switch (basis.kind) {
    case "answered": {
      const { result, source } = basis;
      return { decision: chooseAction({ ...common, result, source, degraded: false }), result };
    }
    case "no-service":
      return toGuess({ ...common, ...assess(), degraded: true });
    case "unavailable": {
      const judged = policy.whenUnavailable === "local" ? assess() : UNJUDGED;
      return toGuess({ ...common, ...judged, degraded: true, hasService: true, problem: basis.error.code });
    }
    case "skipped": {
      const { reason: skipReason, hasService, isMadeUp = false } = basis;
      const judged = isLeftAlone(skipReason, policy) ? UNJUDGED : assess();
      const made = isMadeUp ? { hasService: false, missing: [] } : { hasService };
      return toGuess({ ...common, ...judged, ...made, degraded: false, skipReason });
    }
  }
}

const UNJUDGED = { result: null, source: "policy" } as const;

/** A decision without an answer of the service. If "low" isn't published, the texts don't say it either. */
function toGuess(
  input: Omit<DecisionInput, "result"> & {
    readonly result: VerificationResult | null;
    readonly signals?: KeptSignals;
  },
): DecisionWithResult {
  const { result, signals } = input;
  const decision = chooseAction(input);
  const explanation = explainUnchecked(decision);
  if (result === null || decision.guess === undefined || explanation === null)
    return { decision, result, signals };
  const titles = result.riskFactors.map(({ factor }) => factor).join("; ");
  const seen = titles === "" ? "nothing unusual." : `${titles}.`;
  return {
    decision,
    signals,
    result: {
      ...result,
      reasoning: `${explanation} With the available data, the local engine sees ${seen}`,
      recommendations: decision.unchecked === "TEST_ORDER" ? [] : [LOOK],
    },
  };
}

const LOOK = "Review the order before it ships: it has no risk level.";
