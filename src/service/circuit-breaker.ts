import { raiseAlert, resolveAlert } from "../base/alerts.ts";
import { LRUCache } from "lru-cache";
import { atMost } from "../base/entry-limit.ts";
import { isHoldfastError, type HoldfastError } from "../base/errors.ts";
import { SILENT_LOGGER, type Logger } from "../base/logger.ts";
import {
  afterAnswer,
  afterFailure,
  afterPermission,
  afterRefusal,
  ALLOWED,
  answerOf,
  blockFor,
  blockForFailures,
  CONTENT_CODES,
  duringTrial,
  endTrial,
  FAILURES_TO_BLOCK,
  pauseUntil,
  PERSON_CODES,
  REFUSED_KEY_CODES,
  SHARED_CODES,
  SOUND,
  toCircuitName,
  toBlockAlert,
  type Block,
  type CallPermission,
  type Circuit,
  type Ended,
} from "./circuit-rules.ts";
import type { RateLimit } from "./rate-limit.ts";

/** A tenant and the API key for its orders. Many tenants may share one key. */
export interface KeyUser {
  /** Identifies the key without revealing it. */
  readonly keyId: string;
  readonly tenant: string;
}

/** A tenant that wants to make a call for one order state. */
export interface Caller extends KeyUser {
  /** Identifies the order state among those of all tenants, so that its own failures can be recognized. */
  readonly orderState: string;
}

/** A block that another process reported. */
type LearnedBlock = Pick<Block, "code" | "pause"> & { readonly retryAtMs: number };

export type SharedState = Pick<Block, "code" | "untilMs" | "pause">;
/** Tells other processes that calls are blocked or, with null, that they aren't. */
export type ShareCircuit = (name: string, block: SharedState | null) => void;

/**
 * Prevents calls that would fail.
 *
 * What the service says about the key (unreachable, refused, without credits, too fast) applies to every tenant that
 * shares it. A failure that an order's content may have caused applies only to its tenant, until the service fails on
 * the orders of several tenants and answers none.
 */
export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

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
    /** Report how a call ended. `error` is undefined for an answer; `rateLimit` is from the answer's headers. */
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
    learn(keyId: string, { code, pause, retryAtMs }: LearnedBlock) {
      const { alert } = states.key(keyId).circuit;
      const block = { code, untilMs: retryAtMs, pause };
      states.adopt(keyId, { ...SOUND, block, alert: toBlockAlert(code) ?? alert });
    },
    /** Another process learned that calls with a key succeed again. */
    lift: (keyId: string) => states.adopt(keyId, SOUND),
    /** Reset what is known about a key, e.g. after its secret was replaced. A running probe no longer counts. */
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
      const blocked = new Map<string, boolean>();
      for (const user of states.users()) blocked.set(user.tenant, !answerTo(user, nowMs, false).allowed);
      return [...blocked].map(([tenant, isBlocked]) => ({ tenant, blocked: isBlocked }));
    },
  };
}

/** Try a refused key without an order. The result counts only during the trial that this call began. */
async function tryKey(states: CircuitStates, keyId: string, { now, probe }: CircuitBreakerOptions) {
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

interface KeyState {
  readonly circuit: Circuit;
  /** The failures of each tenant that content may have caused, since the service last answered anybody. */
  readonly failing: ReadonlyMap<string, number>;
}

interface TenantState extends KeyUser {
  readonly circuit: Circuit;
  /** When it was last let through, in milliseconds since the epoch. */
  readonly askedAtMs: number;
}

const SOUND_KEY: KeyState = { circuit: SOUND, failing: new Map() };

type CircuitStates = ReturnType<typeof createCircuitStates>;

/**
 * Remembers keys and tenants, and logs when calls for one are blocked and when they succeed again. Beyond `max` keys or
 * tenants, the least recently used is forgotten.
 */
function createCircuitStates(max: number, logger: Logger, share: ShareCircuit = () => {}) {
  const keys = new LRUCache<string, KeyState>(atMost(max));
  const tenants = new LRUCache<string, TenantState>(atMost(max));

  const keyOf = (keyId: string): KeyState => keys.peek(keyId) ?? SOUND_KEY;
  const tenantOf = ({ keyId, tenant }: KeyUser): TenantState =>
    tenants.peek(nameOf({ keyId, tenant })) ?? { keyId, tenant, circuit: SOUND, askedAtMs: 0 };

  function announce(user: Partial<KeyUser>, before: Circuit, after: Circuit, error: unknown): void {
    const { alert, block } = after;
    if (alert === before.alert) return;
    if (alert !== undefined) {
      const facts = { ...user, code: block?.code, err: error };
      raiseAlert(logger, alert, facts, "calls to the verification service are paused");
    } else if (before.alert !== undefined)
      resolveAlert(logger, before.alert, user, "calls to the verification service succeed again");
  }

  function shareIfNew(keyId: string, before: Circuit, after: Circuit): void {
    const [known, next] = [toShared(before), toShared(after)];
    if (known?.code === next?.code && known?.untilMs === next?.untilMs) return;
    share(toCircuitName(keyId), next ?? null);
  }

  return {
    key: keyOf,
    tenant: tenantOf,
    /** Replace the state of a key; `error` is the cause. */
    keepKey(keyId: string, state: KeyState, error?: unknown): void {
      const before = keyOf(keyId).circuit;
      announce({ keyId }, before, state.circuit, error);
      shareIfNew(keyId, before, state.circuit);
      // Keys without problems aren't stored, so they don't displace those with problems.
      if (state.circuit === SOUND && state.failing.size === 0) keys.delete(keyId);
      else keys.set(keyId, state);
    },
    keepTenant(state: TenantState, error?: unknown): void {
      const { keyId, tenant, circuit } = state;
      announce({ keyId, tenant }, tenantOf(state).circuit, circuit, error);
      tenants.set(nameOf(state), state);
    },
    adopt(keyId: string, circuit: Circuit): void {
      const key = keyOf(keyId);
      // The process that found the problem has already reported it.
      if (circuit === SOUND) announce({ keyId }, key.circuit, circuit, undefined);
      keys.set(keyId, { ...key, circuit });
    },
    /** Forget the blocks of a key's tenants: the problem is the key's, so it ends with the key's block and is logged once. */
    absorb(keyId: string, absorbed: Iterable<string>): void {
      for (const tenant of absorbed) {
        const state = tenantOf({ keyId, tenant });
        tenants.set(nameOf(state), { ...state, circuit: SOUND });
      }
    },
    /** Every tenant remembered, the one that asked longest ago first. */
    users: () => [...tenants.rvalues()].filter((state) => state !== undefined),
  };
}

/**
 * What the service says about a key applies to every process. If it can't be reached or fails, the cause may be this
 * process's own network or proxy, which must not block other processes. The pace of calls is each process's own, too.
 */
function toShared({ block }: Circuit): SharedState | undefined {
  if (block === undefined || block.pace !== undefined || !SHARED_CODES.has(block.code)) return undefined;
  const { code, untilMs, pause } = block;
  return { code, untilMs, pause };
}

function nameOf({ keyId, tenant }: KeyUser): string {
  return `${keyId}\0${tenant}`;
}

/** When this many tenants fail, the service itself fails. Fewer are enough when nobody else asked within the window. */
const TENANTS_TO_BLOCK = 3;
const WINDOW_MS = 60_000;

/** Update from a call that ended in an answer or in an error that concerns the key. */
function recordEnd(
  states: CircuitStates,
  user: KeyUser,
  error: HoldfastError | undefined,
  ended: Ended,
  rateLimit?: RateLimit,
): void {
  const key = states.key(user.keyId);
  const failing = hasJudged(error) ? SOUND_KEY.failing : key.failing;
  states.keepKey(user.keyId, { circuit: toKeyCircuit(key.circuit, error, ended, rateLimit), failing }, error);
  const tenant = states.tenant(user);
  states.keepTenant({ ...tenant, circuit: toTenantCircuit(tenant.circuit, error, ended) });
}

/** Whether the service looked at the order: it answered, or refused the request. */
function hasJudged(error: HoldfastError | undefined): boolean {
  return error === undefined || error.code === "VERIFICATION_REFUSED";
}

function toKeyCircuit(
  circuit: Circuit,
  error: HoldfastError | undefined,
  ended: Ended,
  rateLimit: RateLimit | undefined,
): Circuit {
  if (error === undefined) return afterAnswer(circuit, ended, rateLimit);
  const { code, retryAtMs = ended.nowMs } = error;
  if (PERSON_CODES.has(code)) return blockFor(code, ended.nowMs);
  if (code === "VERIFICATION_UNREACHABLE") return afterFailure(circuit, code, ended);
  if (code === "VERIFICATION_RATE_LIMITED") return pauseUntil(circuit, retryAtMs, ended.nowMs);
  return toTenantCircuit(circuit, error, ended);
}

/** An error that concerns the key changes nothing here, but ends the tenant's own trial. */
function toTenantCircuit(circuit: Circuit, error: HoldfastError | undefined, ended: Ended): Circuit {
  if (error === undefined) return afterAnswer(circuit, ended, undefined);
  return hasJudged(error) ? afterRefusal(circuit, ended) : endTrial(circuit, ended);
}

/** Update from a call whose failure the order's content may have caused. */
function recordContentFailure(states: CircuitStates, user: KeyUser, error: HoldfastError, ended: Ended) {
  const { keyId } = user;
  const { code } = error;
  const key = states.key(keyId);
  const tenant = states.tenant(user);
  const own = { ...tenant, circuit: afterFailure(tenant.circuit, code, ended) };
  if (key.circuit.block !== undefined) {
    states.keepKey(keyId, { ...key, circuit: afterFailure(key.circuit, code, ended) }, error);
    // A call that was under way when the key was blocked says nothing new about the tenant. Only its own trial does.
    if (tenant.circuit.block !== undefined) states.keepTenant(own, error);
    return;
  }
  const failing = new Map(key.failing).set(user.tenant, (key.failing.get(user.tenant) ?? 0) + 1);
  if (isWide(states, keyId, failing, ended.nowMs)) {
    states.absorb(keyId, failing.keys());
    const circuit = blockForFailures(key.circuit, code, ended.nowMs);
    states.keepKey(keyId, { ...SOUND_KEY, circuit }, error);
  } else {
    states.keepKey(keyId, { ...key, failing });
    states.keepTenant(own, error);
  }
}

/** Whether the service itself fails: on several tenants' orders, without any answer in between. */
function isWide(states: CircuitStates, keyId: string, failing: ReadonlyMap<string, number>, nowMs: number) {
  const failures = [...failing.values()].reduce((sum, count) => sum + count, 0);
  if (failing.size < 2 || failures < FAILURES_TO_BLOCK) return false;
  if (failing.size >= TENANTS_TO_BLOCK) return true;
  const sinceMs = nowMs - WINDOW_MS;
  // Two tenants are enough only if no other tenant asked. One never is, because its own circuit blocks its calls.
  return [...states.users()].every(
    (user) => user.keyId !== keyId || user.askedAtMs <= sinceMs || failing.has(user.tenant),
  );
}
