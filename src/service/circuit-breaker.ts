import { LRUCache } from "lru-cache";
import { atMost } from "../base/entry-limit.ts";
import { isHoldfastError, type ErrorCode, type HoldfastError } from "../base/errors.ts";
import { SILENT_LOGGER, type Logger } from "../base/logger.ts";
import {
  answerOf,
  blockFor,
  CONTENT_CODES,
  duringTrial,
  afterPermission,
  ALLOWED,
  REFUSED_KEY_CODES,
  SOUND,
  toHeldBackAlert,
  type Block,
  type CallPermission,
} from "./circuit-rules.ts";
import {
  createCircuitStates,
  recordContentFailure,
  recordEnd,
  SOUND_KEY,
  type CircuitStates,
  type KeyUser,
  type ShareCircuit,
} from "./circuit-states.ts";
import type { RateLimit } from "./rate-limit.ts";

/** A tenant that wants to make a call for one order state. */
export interface Caller extends KeyUser {
  /** Identifies the order state among those of all tenants, so that its own failures can be recognized. */
  readonly orderState: string;
}

/** A block that another process reported. */
export interface LearnedBlock {
  readonly code: ErrorCode;
  readonly retryAtMs: number;
  /** Whether it ends by itself. */
  readonly pause: boolean;
}

/**
 * Prevents calls that would fail.
 *
 * What the service says about the key (unreachable, refused, without credits, too fast) applies to every tenant that
 * shares it. A failure that an order's content may have caused applies only to its tenant, until the service fails on
 * the orders of several tenants and answers none.
 */
export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

/** Options of {@link createCircuitBreaker}. */
export interface CircuitBreakerOptions {
  /** Clock, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Gets one alert when calls are first blocked, and one info line when they succeed again. Default: silent. */
  readonly logger?: Logger | undefined;
  /**
   * A free call that rejects with the service's error while the key is refused. With it, a refused key is tried again
   * by this call and callers stay blocked meanwhile; without it, one real call is the trial.
   */
  readonly probe?: ((keyId: string) => Promise<unknown>) | undefined;
  /** Shares blocks with other processes. Default: not shared. */
  readonly share?: ShareCircuit | undefined;
  /** Most keys, and most tenants, remembered at once; the least recently used is forgotten first. Default 10000. */
  readonly maxKeys?: number | undefined;
}

/** Create a {@link CircuitBreaker}. */
export function createCircuitBreaker(options: CircuitBreakerOptions) {
  const { now, logger = SILENT_LOGGER, probe, maxKeys = 10_000 } = options;
  const states = createCircuitStates(maxKeys, logger, options.share);
  const failedOrderStates = new LRUCache<string, true>(atMost(maxKeys));

  function isProbed(block: Block | undefined): block is Block {
    return probe !== undefined && block !== undefined && REFUSED_KEY_CODES.has(block.code);
  }

  function answerTo(user: KeyUser, nowMs: number, hasFailed: boolean): CallPermission {
    const { circuit } = states.key(user.keyId);
    const answer = answerOf(circuit, nowMs, hasFailed);
    if (!answer.allowed) return answer;
    if (isProbed(circuit.block)) return duringTrial(circuit.block.code, Infinity, nowMs);
    return answerOf(states.tenant(user).circuit, nowMs, hasFailed);
  }

  return {
    /**
     * Whether a call may be made now. When a block is due to end, exactly one caller may make a trial call, preferably
     * one whose own last call didn't fail. Every caller that may call must `report`.
     */
    check(caller: Caller): CallPermission {
      const nowMs = now();
      const { keyId, orderState } = caller;
      const key = states.key(keyId);
      const { block } = key.circuit;
      if (isProbed(block) && answerOf(key.circuit, nowMs, false).allowed) void tryKey(states, keyId, options);
      const answer = answerTo(caller, nowMs, failedOrderStates.has(orderState));
      if (!answer.allowed) return answer;
      const tenant = states.tenant(caller);
      states.keepKey(keyId, { ...key, circuit: afterPermission(key.circuit, orderState, nowMs) });
      const circuit = afterPermission(tenant.circuit, orderState, nowMs);
      states.keepTenant({ ...tenant, circuit, askedAtMs: nowMs });
      return ALLOWED;
    },
    /** The result of `check` for a new order state, without starting a trial. For display and metrics. */
    peek: (user: KeyUser) => answerTo(user, now(), false),
    /**
     * Report how a call ended: `undefined` for an answer, otherwise its error; with the rate limit from the answer's
     * headers.
     */
    report(caller: Caller, error: HoldfastError | undefined, rateLimit?: RateLimit) {
      const ended = { orderState: caller.orderState, nowMs: now() };
      if (error !== undefined && CONTENT_CODES.has(error.code)) {
        failedOrderStates.set(caller.orderState, true);
        recordContentFailure(states, caller, error, ended);
        return;
      }
      if (error === undefined) failedOrderStates.delete(caller.orderState);
      recordEnd(states, caller, error, ended, rateLimit);
    },
    /** Another process learned that calls with a key are useless now. */
    learn: (keyId: string, block: LearnedBlock) => learn(states, keyId, block),
    /** Another process learned that calls with a key succeed again. */
    lift: (keyId: string) => states.adopt(keyId, SOUND),
    /**
     * Reset what is known about a key, e.g. after its secret was replaced. Results of a running probe no longer count.
     */
    forget(keyId: string) {
      states.keepKey(keyId, SOUND_KEY);
      for (const user of states.users()) {
        if (user.keyId === keyId) states.keepTenant({ ...user, circuit: SOUND });
      }
    },
    /** The tenants that asked recently, and whether their calls are blocked now. */
    circuits() {
      const nowMs = now();
      // The latest entry counts: a tenant whose key was replaced is shown with the key that it uses now.
      const held = new Map(
        Array.from(states.users(), (user) => [user.tenant, !answerTo(user, nowMs, false).allowed]),
      );
      return [...held].map(([tenant, heldBack]) => ({ tenant, heldBack }));
    },
  };
}

function learn(states: CircuitStates, keyId: string, { code, retryAtMs, pause }: LearnedBlock): void {
  const { alert } = states.key(keyId).circuit;
  const block = { code, untilMs: retryAtMs, pause };
  states.adopt(keyId, { ...SOUND, block, alert: toHeldBackAlert(code) ?? alert });
}

/**
 * Try a refused key without an order. The result counts only while the key is still in the trial that this call began.
 */
async function tryKey(
  states: CircuitStates,
  keyId: string,
  { now, probe }: CircuitBreakerOptions,
): Promise<void> {
  const begun = states.key(keyId);
  const trial = afterPermission(begun.circuit, undefined, now());
  states.keepKey(keyId, { ...begun, circuit: trial });
  const isCurrent = () => states.key(keyId).circuit === trial;
  try {
    await probe?.(keyId);
    if (isCurrent()) states.keepKey(keyId, SOUND_KEY);
  } catch (error) {
    const isRefused = isHoldfastError(error) && REFUSED_KEY_CODES.has(error.code);
    const code = isRefused ? error.code : (trial.block?.code ?? "VERIFICATION_FORBIDDEN");
    const circuit = blockFor(code, now());
    if (isCurrent()) states.keepKey(keyId, { ...states.key(keyId), circuit }, error);
  }
}
