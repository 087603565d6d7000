import { HoldfastError } from "../base/errors.ts";
import type { LocalEngine } from "../engine/engine.ts";
import type { KeptSignals } from "../engine/model/kept-signals.ts";
import type { VelocityCounts } from "../engine/velocity/velocity-store.ts";
import type { Decision } from "../order/decision.ts";
import type { VerificationResult } from "../order/result.ts";
import type { SkipReason } from "../order/skip-reasons.ts";
import { toKnown, type MappedOrder, type TenantId } from "../platform/platform.ts";
import { chooseAction, isLeftAlone } from "../policy/choose-action.ts";
import type { DecisionInput } from "../policy/rating.ts";
import { explainUnchecked } from "../policy/explain-unchecked.ts";
import { asksForCounts } from "../policy/rules.ts";
import { toCheckFacts, type CheckFacts } from "../policy/check-facts.ts";
import { toMappedFacts } from "../policy/order-facts.ts";
import type { Policy } from "../policy/policy.ts";
import { toSendable } from "../policy/sendable.ts";
import type { CheckStatus, OrderCheck } from "./order-check.ts";
import type { Screening } from "./screening.ts";
import type { Screened, ScreeningInput, ServiceAccess } from "./screening-task.ts";
import type { OrderCounts } from "./velocity.ts";

/** What a decision is based on. */
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
    };

/** An order, and the policy as it applies to its buyer. */
export interface UndecidedOrder extends Pick<
  DecisionInput,
  "policy" | "policyVersion" | "listed" | "snoozed" | "isPolicyUnsaved"
> {
  readonly mapped: MappedOrder;
  /** A sandbox order: it is judged even if it is incomplete, and isn't written anywhere. Default: no. */
  readonly isMadeUp?: boolean | undefined;
}

/** An order to ask the service about, and to decide. */
export interface OrderToJudge extends UndecidedOrder {
  readonly tenant: TenantId;
  /** How to ask the service; null if there is none to ask. */
  readonly access: ServiceAccess | null;
  /** What the order shares with others, for the local engine. */
  readonly counts: OrderCounts;
  /** Whether to wait for the counts even if nothing asks for them, to store them. @default false */
  readonly keepsCounts?: boolean | undefined;
  /** Decide on this, without asking the service. Default: ask it. */
  readonly kept?: DecisionBasis | undefined;
}

/** How to ask the service. Without a `budget`, the policy's counts. */
export type AskOptions = Omit<
  ScreeningInput,
  "tenant" | "request" | "recipientName" | "access" | "budget" | "onUnanswered"
> &
  Partial<Pick<ScreeningInput, "budget">>;

export interface JudgeParts {
  readonly screening: Pick<Screening, "screen">;
  readonly engine: Pick<LocalEngine, "assess">;
  /**
   * Gets what the local engine threw. The order is then held, or allowed if `whenUnavailable` says so. Default: it is thrown.
   */
  readonly onEngineFailure?: ((cause: unknown) => void) | undefined;
}

/** The decision, and the answer that it is based on, if there is one. */
export interface DecisionWithResult {
  readonly decision: Decision;
  readonly result: VerificationResult | null;
  /** The local engine's signals, if it judged the order. */
  readonly signals?: KeptSignals | undefined;
  /** What rules can use about the check. */
  readonly seen: CheckFacts;
}

export interface Judgement extends DecisionWithResult {
  readonly basis: DecisionBasis;
  readonly status: CheckStatus;
  /** Undefined if the service wasn't asked. */
  readonly screened: Screened | undefined;
  /** Present if the deadline passed while the service was asked: waits for the end of that, and decides again. */
  readonly judgeLate?: (() => Promise<Judgement>) | undefined;
}

/** Judge an order, whoever asks: skip it or ask the service, then decide by the policy, with an answer or without. */
export async function judgeOrder(
  parts: JudgeParts,
  order: OrderToJudge,
  how: AskOptions = {},
): Promise<Judgement> {
  const asked = await findBasis(parts, order, how);
  const late = asked.screened?.outcome === "unavailable" ? asked.screened.late : undefined;
  if (late === undefined) return judge(parts, order, asked, how.deadlineMs);
  // The deadline has passed: use only counts that are there already.
  const judged = await judge(parts, order, asked, 0);
  // Use the same counts, so the late decision isn't less strict.
  const judgeLate = async () => judge(parts, order, toAsked(await late));
  return { ...judged, status: "pending", judgeLate };
}

type Asked = Pick<Judgement, "basis" | "screened">;

/** Ask the service, unless something speaks against it. */
async function findBasis({ screening }: JudgeParts, order: OrderToJudge, how: AskOptions): Promise<Asked> {
  const { tenant, mapped, policy, listed, access, counts, kept } = order;
  if (kept !== undefined) return { basis: kept, screened: undefined };
  const sendable = toSendable(mapped, policy, listed);
  if ("skipReason" in sendable) {
    const { skipReason: reason } = sendable;
    const hasService = access !== null;
    return { basis: { kind: "skipped", reason, hasService }, screened: undefined };
  }
  if (access === null) return { basis: { kind: "no-service" }, screened: undefined };
  const { recipientName } = mapped;
  const { budget = policy.budget } = how;
  const onUnanswered = () => counts.begin();
  const sent = { tenant, request: sendable.request, recipientName, access, budget, onUnanswered };
  return toAsked(await screening.screen({ ...how, ...sent }));
}

function toAsked(screened: Screened): Asked {
  if (screened.outcome === "unavailable") {
    return { basis: { kind: "unavailable", error: screened.error }, screened };
  }
  const { result, source } = screened;
  return { basis: { kind: "answered", result, source }, screened };
}

/** An answer of the service needs no counts, unless a rule asks for them. Others wait for them. */
async function judge(
  { engine, onEngineFailure }: JudgeParts,
  order: OrderToJudge,
  { basis, screened }: Asked,
  waitMs?: number,
): Promise<Judgement> {
  const isCounted = basis.kind !== "answered" || order.keepsCounts === true || asksForCounts(order.policy);
  const velocity = isCounted ? await order.counts.within(waitMs) : undefined;
  const about = { basis, screened, status: toStatus(basis, order.policy) };
  try {
    return { ...decideOn(basis, order, engine, velocity), ...about };
  } catch (cause) {
    if (onEngineFailure === undefined) throw cause;
    onEngineFailure(cause);
    const error = new HoldfastError("INTERNAL", "the local engine failed", { retryable: false, cause });
    const whenUnavailable = order.policy.whenUnavailable === "allow" ? "allow" : "hold";
    const policy = { ...order.policy, whenUnavailable } as const;
    return { ...decideOn({ kind: "unavailable", error }, { ...order, policy }, engine), ...about };
  }
}

function toStatus(basis: DecisionBasis, policy: Policy): CheckStatus {
  if (basis.kind === "answered") return basis.source === "service" ? "verified" : "cached";
  return basis.kind === "skipped" && isLeftAlone(basis.reason, policy) ? "skipped" : "degraded";
}

/** Decide. Without an answer of the service, the local engine or the policy decides, and the decision says so. */
export function decideOn(
  basis: DecisionBasis,
  { mapped, policy, policyVersion, listed, snoozed, isPolicyUnsaved, isMadeUp }: UndecidedOrder,
  engine: Pick<LocalEngine, "assess">,
  velocity?: VelocityCounts,
): DecisionWithResult {
  const order = toKnown(mapped);
  const { context, standIns } = mapped;
  const facts = toMappedFacts(mapped);
  const common = { policy, policyVersion, facts, listed, snoozed, isPolicyUnsaved };
  const assess = () => {
    const { signals, ...result } = engine.assess(order, velocity, standIns, context, policy.localModel);
    const seen = toCheckFacts(result.riskFactors, velocity);
    return { result, signals, seen, missing: result.missing, source: "local" as const };
  };
  const unjudged = { result: null, seen: toCheckFacts(undefined, velocity), source: "policy" } as const;
  switch (basis.kind) {
    case "answered": {
      const { result, source } = basis;
      const seen = toCheckFacts(result.riskFactors, velocity);
      return { decision: chooseAction({ ...common, result, source, seen, degraded: false }), result, seen };
    }
    case "no-service":
      return toGuess({ ...common, ...assess(), degraded: true });
    case "unavailable": {
      const judged = policy.whenUnavailable === "local" ? assess() : unjudged;
      return toGuess({ ...common, ...judged, degraded: true, hasService: true, problem: basis.error.code });
    }
    case "skipped": {
      const { reason: skipReason, hasService } = basis;
      const judged = isLeftAlone(skipReason, policy) ? unjudged : assess();
      const made = isMadeUp === true ? { hasService: false, missing: [] } : { hasService };
      return toGuess({ ...common, ...judged, ...made, degraded: false, skipReason });
    }
  }
}

/** A decision without an answer of the service. If "low" isn't published, the texts don't say it either. */
function toGuess(
  input: Omit<DecisionInput, "result" | "seen"> & {
    readonly seen: CheckFacts;
    readonly result: VerificationResult | null;
    readonly signals?: KeptSignals;
  },
): DecisionWithResult {
  const { result, signals, seen } = input;
  const decision = chooseAction(input);
  const explanation = explainUnchecked(decision);
  if (result === null || decision.guess === undefined || explanation === null)
    return { decision, result, signals, seen };
  const titles = result.riskFactors.map(({ factor }) => factor).join("; ");
  const noticed = titles === "" ? "nothing unusual." : `${titles}.`;
  return {
    decision,
    signals,
    seen,
    result: {
      ...result,
      reasoning: `${explanation} With the available data, the local engine sees ${noticed}`,
      recommendations: decision.unchecked === "TEST_ORDER" ? [] : [LOOK],
    },
  };
}

const LOOK = "Review the order before it ships: it has no risk level.";

/** What a shop gets and applies. Shadow mode applies nothing, but its reasons say what would have been done. */
export function toOrderCheck(
  { decision, result, status, screened }: Judgement,
  about: Pick<OrderCheck, "fingerprint" | "warnings">,
): OrderCheck {
  const { enforce, action, source, riskLevel, tags, reasons } = decision;
  const would = action === "allow" ? reasons : [...reasons, `would:${action}`];
  return {
    status,
    action: enforce ? action : "allow",
    source,
    riskLevel,
    // The engine's own text would say "low".
    result: decision.guess === undefined ? result : null,
    tags: enforce ? tags : [],
    reasons: enforce ? reasons : would,
    creditsSpent: screened?.creditsSpent ?? 0,
    ...about,
  };
}
