import type { ErrorCode, HoldfastError } from "../base/errors.ts";
import {
  afterAnswer,
  afterFailure,
  afterRefusal,
  blockFor,
  blockForFailures,
  endTrial,
  FAILURES_TO_BLOCK,
  PERSON_CODES,
  pauseUntil,
  type Circuit,
  type Ended,
} from "./circuit.ts";
import { SOUND_KEY, type CircuitStates, type KeyUser } from "./circuit-states.ts";
import type { RateLimit } from "./verifier.ts";

/** So many tenants fail only when the service does; fewer, when nobody else asked within the window. */
const TENANTS_TO_BLOCK = 3;
const WINDOW_MS = 60_000;

/** The codes of a key that the service refuses. */
export const REFUSED_KEY_CODES: ReadonlySet<ErrorCode> = new Set([
  "VERIFICATION_UNAUTHORIZED",
  "VERIFICATION_FORBIDDEN",
]);

/** Learn from a call that ended in an answer, or in what is a fact about the key. */
export function recordEnd(
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

/** Whether the service looked at the order: it answered, or found fault with the request. */
function hasJudged(error: HoldfastError | undefined): boolean {
  return error === undefined || error.code === "VERIFICATION_REFUSED";
}

/** A key's circuit after a call that ended in an answer or in what is a fact about the key. */
function toKeyCircuit(
  circuit: Circuit,
  error: HoldfastError | undefined,
  ended: Ended,
  rateLimit: RateLimit | undefined,
): Circuit {
  if (error === undefined) return afterAnswer(circuit, ended, rateLimit);
  const { code, retryAtMs = ended.nowMs } = error;
  if (PERSON_CODES.has(code)) return blockFor(code, ended.reopenAfterMs, ended.nowMs);
  if (code === "VERIFICATION_UNREACHABLE") return afterFailure(circuit, code, ended);
  if (code === "VERIFICATION_RATE_LIMITED") return pauseUntil(circuit, retryAtMs, ended.nowMs);
  return hasJudged(error) ? afterRefusal(circuit, ended) : endTrial(circuit, ended);
}

/** A tenant's own circuit after such a call: a fact about the key says nothing of it. */
function toTenantCircuit(circuit: Circuit, error: HoldfastError | undefined, ended: Ended): Circuit {
  if (error === undefined) return afterAnswer(circuit, ended, undefined);
  return hasJudged(error) ? afterRefusal(circuit, ended) : endTrial(circuit, ended);
}

/** Learn from a call that failed in a way that the order's content may have brought about. */
export function recordContentFailure(
  states: CircuitStates,
  user: KeyUser,
  error: HoldfastError,
  ended: Ended,
): void {
  const { keyId } = user;
  const { code } = error;
  const key = states.key(keyId);
  const tenant = states.tenant(user);
  const own = { ...tenant, circuit: afterFailure(tenant.circuit, code, ended) };
  if (key.circuit.block !== undefined) {
    states.keepKey(keyId, { ...key, circuit: afterFailure(key.circuit, code, ended) }, error);
    // A call that was under way when the key was blocked is no news of the tenant; only a trial of its own is.
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

/** Whether it is the service that fails: on several tenants' orders, without an answer to anybody in between. */
function isWide(
  states: CircuitStates,
  keyId: string,
  failing: ReadonlyMap<string, number>,
  nowMs: number,
): boolean {
  const failures = [...failing.values()].reduce((sum, count) => sum + count, 0);
  if (failing.size < 2 || failures < FAILURES_TO_BLOCK) return false;
  if (failing.size >= TENANTS_TO_BLOCK) return true;
  const sinceMs = nowMs - WINDOW_MS;
  // Two are several only when nobody else asked. One is never: its own circuit holds back all that is asked.
  return [...states.users()].every(
    (user) => user.keyId !== keyId || user.askedAtMs <= sinceMs || failing.has(user.tenant),
  );
}
