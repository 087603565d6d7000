import type { Action, Decision } from "../order/decision.ts";
import type { VerificationResult } from "../order/result.ts";
import type { RiskLevel } from "../order/risk-level.ts";
import type { LocalEngine } from "../engine/engine.ts";
import type { VelocityCounts } from "../engine/velocity/velocity-store.ts";
import type { OrderContext } from "../order/order-context.ts";
import type { PartialVerificationRequest, StandIn } from "../order/request.ts";
import type { OrderWarning } from "./order-warnings.ts";
import type { Policy } from "../policy/policy.ts";
import type { OrderFacts } from "../policy/rules.ts";
import { HoldfastError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { decideOrder, toBasis, type DecisionBasis, type DecisionWithResult } from "./decide-order.ts";
import type { Screened } from "./screening-task.ts";

/**
 * How a check came out.
 *
 * - `verified`: the service answered just now.
 * - `cached`: the service answered this very content before; nothing was spent.
 * - `degraded`: the local engine, or the policy's `whenUnavailable`, decided in the service's place: no answer will come. An order
 *   without an email address isn't sent, and ends so, too.
 * - `pending`: the deadline passed while the service is still being asked. The action is the one of `degraded`; a late
 *   answer is kept, and `on("decision")` hears of it, or that none came.
 * - `skipped`: a rule or `skipChannels` said not to ask, or the order is free.
 */
export type CheckStatus = "verified" | "cached" | "degraded" | "pending" | "skipped";

/** What a storefront learns about one order. */
export interface OrderCheck {
  readonly status: CheckStatus;
  /** `cancel` only ever follows an answer of the service. */
  readonly action: Action;
  readonly riskLevel: RiskLevel | null;
  readonly result: VerificationResult | null;
  readonly tags: readonly string[];
  /** Stable codes, most important first, e.g. `level:high`, `rule:NAME`, `degraded:VERIFICATION_TIMEOUT`. */
  readonly reasons: readonly string[];
  /** Credits this check spent, counting calls whose outcome is unknown. */
  readonly creditsSpent: number;
  /** Keyed digest of the order's risk-relevant content. */
  readonly fingerprint: string;
  /** What is probably a mistake of the mapping, such as a total in cents. Each kind is also logged once. */
  readonly warnings: readonly OrderWarning[];
}

/** Options of {@link Screener.check}. */
export interface CheckOptions {
  /**
   * Give an answer within this many milliseconds, from the service or without it. At most 2^31 - 1, which is 24.8 days.
   * A pause that the service asks for is waited for if it ends in time. Default: as long as the service takes, with
   * pauses of 5 seconds in all at most.
   */
  readonly deadlineMs?: number | undefined;
  /** The caller gave up: `check` rejects with the signal's reason. A call under way is finished and its answer kept. */
  readonly signal?: AbortSignal | undefined;
  /** Gets what ends with the call under way, if there is one, once `signal` has aborted. See `withWaitUntil`. */
  readonly onAbandoned?: ((underWay: Promise<unknown>) => void) | undefined;
  /**
   * The order is being placed right now, perhaps by the words of its customer: an `orderTimestamp` that it carries is
   * replaced by the time of the check. The middlewares say so. Default: `false`, for a time that the host itself keeps.
   */
  readonly placedNow?: boolean | undefined;
  /**
   * What else is known of the order, such as its products from a catalog: for rules and the local engine. It is never sent,
   * and changes no fingerprint. Default: nothing.
   */
  readonly context?: OrderContext | undefined;
}

/** Milliseconds to read an answer that has come meanwhile, for a check that has waited before. */
export const READ_MS = 25;

/** A decision that listeners hear, also when it came after the deadline of the check that asked. */
export interface DecisionEvent {
  readonly orderId: string | undefined;
  readonly check: OrderCheck;
  /** The check that asked was told `pending` before. */
  readonly late: boolean;
}

/** Hears a decision. What it throws or its promise rejects with is logged and changes nothing; nobody waits for it. */
export type DecisionListener = (event: DecisionEvent) => unknown;

/**
 * Watches what a screener does, as the one from `holdfast/opentelemetry` does. `check` and `call` run what they get exactly
 * once, and settle as it does: what fails in them would fail the check.
 */
export interface ScreenerTelemetry {
  /** Runs a check. */
  check(run: () => Promise<DecisionEvent>): Promise<DecisionEvent>;
  /** Runs a call to the service, which is paid for. Several checks may share one. */
  call<T>(run: () => Promise<T>): Promise<T>;
  /** Hears every decision, also those that come late. */
  readonly decided: DecisionListener;
}

/** Asks about orders, once each. Made by `createScreener`. */
export interface Screener {
  /**
   * Check one order. Unchanged content costs nothing the second time. What it lacks of its buyer is completed, and without
   * an email address it is judged without the service, as `degraded` with the reason `skipped:NO_EMAIL`.
   *
   * @throws {HoldfastError} `ORDER_INVALID` with the fields that can't be read, such an order is never sent; `CONFIG_INVALID` for a
   * deadline that is none.
   */
  check(order: unknown, options?: CheckOptions): Promise<OrderCheck>;
  /**
   * Check an order again in the host's last hook, before money or goods move. Changed content is a new check. For the same
   * content, whoever has waited for an answer once doesn't wait again: one that came meanwhile serves, and without one the
   * outcome is `pending` or `degraded` at once.
   *
   * @param earlier - What the first check of this order resolved to, or its `fingerprint` and `status`.
   * @throws {HoldfastError} As `check`.
   */
  confirm(
    order: unknown,
    earlier: Pick<OrderCheck, "fingerprint" | "status">,
    options?: CheckOptions,
  ): Promise<OrderCheck>;
  /** Hear of every decision; returns a function that stops listening. */
  on(event: "decision", listener: DecisionListener): () => void;
  /** Begin no further call, finish those under way and release the store and sockets. Later checks are degraded. */
  close(): Promise<void>;
}

/** What a storefront's order is decided with. */
export interface CheckRules {
  readonly policy: Policy;
  /** What the policy's rules can ask about the order. */
  readonly facts: OrderFacts;
  readonly engine: Pick<LocalEngine, "assess">;
  readonly logger: Logger;
  /** What the order shares with those before it. Default: not known. */
  readonly velocity?: VelocityCounts | undefined;
  /** Fields of the order that hold no evidence. Default: none. */
  readonly standIns?: readonly StandIn[] | undefined;
  /** Default: not known. */
  readonly context?: OrderContext | undefined;
  /** Default: none. */
  readonly warnings?: readonly OrderWarning[] | undefined;
}

/** What is known of a check before anybody decides. */
type KnownOfCheck = Pick<OrderCheck, "creditsSpent" | "fingerprint">;

/** The check that an answer, or the want of one, comes to. */
export function toScreenedCheck(
  request: PartialVerificationRequest,
  screened: Screened,
  rules: CheckRules,
): OrderCheck {
  const known = { creditsSpent: screened.creditsSpent, fingerprint: screened.fingerprint };
  return toOrderCheck(request, toBasis(screened), toScreenedStatus(screened), known, rules);
}

/** The status of a check that the service was asked about: `pending` while its answer can still arrive. */
export function toScreenedStatus(screened: Screened): CheckStatus {
  if (screened.outcome === "answered") return screened.source === "service" ? "verified" : "cached";
  return screened.late === undefined ? "degraded" : "pending";
}

/** Decide an order on the given basis, and say it as the storefront hears it. */
export function toOrderCheck(
  request: PartialVerificationRequest,
  basis: DecisionBasis,
  status: CheckStatus,
  known: KnownOfCheck,
  rules: CheckRules,
): OrderCheck {
  const { decision, result } = decideOrHold(request, basis, rules);
  return {
    status,
    ...toCarriedOut(decision),
    // The engine's own answer would say "low".
    result: decision.guess === undefined ? result : null,
    ...known,
    warnings: rules.warnings ?? [],
  };
}

/** What a shop is told of a decision. Shadow mode touches nothing; the reasons still say what would have been done. */
export function toCarriedOut({
  enforce,
  action,
  riskLevel,
  tags,
  reasons,
}: Decision): Pick<OrderCheck, "action" | "riskLevel" | "tags" | "reasons"> {
  if (enforce) return { action, riskLevel, tags, reasons };
  const would = action === "allow" ? reasons : [...reasons, `would:${action}`];
  return { action: "allow", riskLevel, tags: [], reasons: would };
}

/** A checkout gets a decision even if the local engine fails: the order is held, or allowed where `whenUnavailable` says so. */
function decideOrHold(
  order: PartialVerificationRequest,
  basis: DecisionBasis,
  { policy, facts, engine, velocity, standIns, context, logger }: CheckRules,
): DecisionWithResult {
  const undecided = { order, context, facts, policyVersion: 0, velocity, standIns };
  try {
    return decideOrder({ ...undecided, policy, basis }, engine);
  } catch (cause) {
    logger.error({ err: cause }, "the local engine failed; the order is decided without it");
    const error = new HoldfastError("INTERNAL", "the local engine failed", { retryable: false, cause });
    const whenUnavailable = policy.whenUnavailable === "allow" ? "allow" : "hold";
    const without = { ...policy, whenUnavailable } as const;
    return decideOrder({ ...undecided, policy: without, basis: { kind: "unavailable", error } }, engine);
  }
}

/** Takes what has to end before a serverless function is frozen: `after` of Next, `waitUntil` of others. */
export type WaitUntil = (promise: Promise<unknown>) => void;

/**
 * A screener whose late answers are waited for: when a check comes out `pending`, `waitUntil` gets a promise that ends with the
 * decision that follows; when the client hangs up during a check, one that ends with the call under way. A serverless function is frozen after its response otherwise, with the answer that was paid for on its way.
 */
export function withWaitUntil(
  screener: Pick<Screener, "check" | "on">,
  waitUntil: WaitUntil,
): Pick<Screener, "check"> {
  return {
    async check(order, options) {
      const late = new Set<string>();
      const waiting = Promise.withResolvers<void>();
      let pending: string | undefined;
      // Before the check: its decision could come before anybody listens.
      const stop = screener.on("decision", (event) => {
        if (!event.late) return;
        late.add(event.check.fingerprint);
        if (event.check.fingerprint === pending) waiting.resolve();
      });
      try {
        const check = await screener.check(order, { onAbandoned: waitUntil, ...options });
        if (check.status === "pending" && !late.has(check.fingerprint)) pending = check.fingerprint;
        return check;
      } finally {
        if (pending === undefined) stop();
        else waitUntil(waiting.promise.finally(stop));
      }
    },
  };
}
