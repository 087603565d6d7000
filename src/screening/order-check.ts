import type { Action, DecisionSource } from "../order/decision.ts";
import type { VerificationResult } from "../order/result.ts";
import type { RiskLevel } from "../order/risk-level.ts";
import type { OrderContext } from "../order/order-context.ts";
import type { OrderWarning } from "./order-warnings.ts";

/**
 * The outcome of a check.
 *
 * - `verified`: the service answered just now.
 * - `cached`: the service answered the same content before; nothing was spent.
 * - `degraded`: the local engine, or the policy's `whenUnavailable`, decided in the service's place: no answer will come.
 *   This includes orders without an email address, which aren't sent. If the set-up can't work (`degraded:CONFIG_INVALID`, or
 *   a refused key), the action is `hold`, whatever the policy says about outages.
 * - `pending`: the deadline passed while the service is still being asked. The action is the same as for `degraded`. A late
 *   answer is stored, and `on("decision")` gets the late decision, with or without an answer.
 * - `skipped`: a rule or `skipChannels` said not to ask, or the order is free.
 */
export type CheckStatus = "verified" | "cached" | "degraded" | "pending" | "skipped";

/** The result of one check. */
export interface OrderCheck {
  readonly status: CheckStatus;
  /** `cancel` only ever follows an answer of the service. */
  readonly action: Action;
  /** Who judged the order: the service, now or before (`cache`), the local engine, or only the policy. Never `person`. */
  readonly source: DecisionSource;
  readonly riskLevel: RiskLevel | null;
  readonly result: VerificationResult | null;
  readonly tags: readonly string[];
  /** Stable codes, most important first, e.g. `level:high`, `rule:NAME`, `degraded:VERIFICATION_TIMEOUT`. */
  readonly reasons: readonly string[];
  /** Credits this check spent, counting calls whose outcome is unknown. */
  readonly creditsSpent: number;
  /** Keyed digest of the order's risk-relevant content. */
  readonly fingerprint: string;
  /** Probable mistakes of the mapping, such as a total in cents. Each kind is also logged once. */
  readonly warnings: readonly OrderWarning[];
}

/** Options of {@link Screener.check}. */
export interface CheckOptions {
  /**
   * Give an answer within this many milliseconds, from the service or without it. At most 2^31 - 1, which is 24.8 days.
   * If the service asks for a pause that ends in time, the check waits for it. Default: as long as the service takes, with at most
   * 5 seconds of pauses in total.
   */
  readonly deadlineMs?: number | undefined;
  /** Cancels the check: `check` rejects with the signal's reason. A running call still finishes, and its answer is stored. */
  readonly signal?: AbortSignal | undefined;
  /** Called when `signal` aborts during a call, with a promise that ends with the call. See `withWaitUntil`. */
  readonly onAbandoned?: ((underWay: Promise<unknown>) => void) | undefined;
  /**
   * The order is being placed now, and the customer may have chosen its `orderTimestamp`: replace it with the time of the check.
   * The middlewares set this. Default: `false`, for a time from the host's own records.
   */
  readonly placedNow?: boolean | undefined;
  /**
   * More about the order for rules and the local engine, such as its products from a catalog. It is never sent, and doesn't
   * change the fingerprint. Default: nothing.
   */
  readonly context?: OrderContext | undefined;
}

/** Time to read an answer that arrived meanwhile, for a check that has already waited, in milliseconds. */
export const READ_MS = 25;

/** A decision that listeners get, also if it came after its check's deadline. */
export interface DecisionEvent {
  readonly orderId: string | undefined;
  readonly check: OrderCheck;
  /** Whether the check was `pending` before. */
  readonly late: boolean;
}

/** Gets a decision. Nothing waits for it. If it throws or rejects, the error is logged and changes nothing. */
export type DecisionListener = (event: DecisionEvent) => unknown;

/**
 * Observes a screener, as `holdfast/opentelemetry` does. `check` and `call` must run the given function exactly once and settle
 * as it does: an error of their own would fail the check.
 */
export interface ScreenerTelemetry {
  /** Runs a check. */
  check(run: () => Promise<DecisionEvent>): Promise<DecisionEvent>;
  /** Runs a call to the service, which is paid for. Several checks may share one. */
  call<T>(run: () => Promise<T>): Promise<T>;
  /** Gets every decision, also late ones. */
  readonly decided: DecisionListener;
}

/** Checks orders, each state once. Made by `createScreener`. */
export interface Screener {
  /**
   * Check one order. Unchanged content costs nothing the second time. Missing names and addresses are sent as `N/A`. Without an
   * email address, the order is judged without the service, as `degraded` with the reason `skipped:NO_EMAIL`.
   *
   * @throws {HoldfastError} `ORDER_INVALID` if the amount or the currency can't be read; such an order is never sent.
   * `CONFIG_INVALID` for an invalid deadline.
   */
  check(order: unknown, options?: CheckOptions): Promise<OrderCheck>;
  /**
   * Check an order again in the host's last hook, before money or goods move. Changed content is a new check. The same content
   * doesn't wait a second time: an answer that arrived meanwhile is used, and without one the outcome is `pending` or `degraded`
   * at once.
   *
   * @param earlier - What the first check of this order resolved to, or its `fingerprint` and `status`. Without it, this is a check.
   * @throws {HoldfastError} As `check`.
   */
  confirm(
    order: unknown,
    earlier: Pick<OrderCheck, "fingerprint" | "status"> | null | undefined,
    options?: CheckOptions,
  ): Promise<OrderCheck>;
  /**
   * Load everything that the first check needs, find the organization, and make sure that the key works. Free of charge. Wait for it
   * when the shop starts, so that the first order is as fast as later ones.
   *
   * @throws {HoldfastError} `CONFIG_INVALID`, `VERIFICATION_UNAUTHORIZED` or `VERIFICATION_FORBIDDEN` if the set-up can't work. An
   * outage is only logged: checks work without an answer, too.
   */
  ready(): Promise<void>;
  /** Add a listener for every decision. Returns a function that removes it. */
  on(event: "decision", listener: DecisionListener): () => void;
  /** Begin no more calls, finish running ones, and close the store and sockets. Later checks are degraded. */
  close(): Promise<void>;
}

/** Takes a promise that must end before a serverless function is frozen: `after` of Next, `waitUntil` of others. */
export type WaitUntil = (promise: Promise<unknown>) => void;

/**
 * A screener for serverless functions, which are frozen after their response, even if a paid answer is on its way. If a check is
 * `pending`, `waitUntil` gets a promise that ends with the late decision. If the client hangs up during a check, it gets one that
 * ends with the running call.
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
      // Listen before the check starts, or its decision could be missed.
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
