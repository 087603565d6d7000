import { LRUCache } from "lru-cache";
import { withinDeadline } from "../base/waiting.ts";
import type { TenantId } from "../platform/platform.ts";
import type { KeyUser } from "../service/circuit-breaker.ts";

/** Calls under way with a key that is not known to work. */
const UNPROVEN_CALLS = 2;
/** The same, when the others are other tenants': two calls of one tenant that hang must not keep everybody waiting. */
const UNPROVEN_CALLS_OF_ALL = 8;
/** An answer says for so long that a key works, in milliseconds. */
const PROVEN_MS = 5 * 60_000;
const KEYS_KEPT = 10_000;

interface KeyState {
  /** One entry for each call under way. */
  readonly callers: TenantId[];
  provenAtMs: number;
  failedAtMs: number;
  readonly waiting: Set<() => void>;
}

/** What {@link createKeyTrust} makes. */
export type KeyTrust = ReturnType<typeof createKeyTrust>;

/**
 * Lets few calls out with an API key until one has been answered: whether a key works, and has credits, is known by its
 * first answer, and a whole backlog must not find it out each order for itself.
 */
export function createKeyTrust(now: () => number) {
  const keys = new LRUCache<string, KeyState>({
    max: KEYS_KEPT,
    memoMethod: () => ({ callers: [], provenAtMs: -Infinity, failedAtMs: 0, waiting: new Set() }),
  });

  function mayCall({ callers, provenAtMs }: KeyState, tenant: TenantId): boolean {
    if (callers.length < UNPROVEN_CALLS || Math.abs(now() - provenAtMs) < PROVEN_MS) return true;
    return callers.length < UNPROVEN_CALLS_OF_ALL && !callers.includes(tenant);
  }

  return {
    /** A call that may have been billed brought no answer. */
    noteFailure: (keyId: string) => void (keys.memo(keyId).failedAtMs = now()),
    /** When that was last, milliseconds since the epoch; 0: never. */
    failedAtMs: (keyId: string) => keys.peek(keyId)?.failedAtMs ?? 0,
    /** When the service last looked at an order that was sent with the key, milliseconds since the epoch; 0: never. */
    provenAtMs: (keyId: string) => Math.max(keys.peek(keyId)?.provenAtMs ?? 0, 0),
    /** Wait until a call may begin; resolves to what has to be called when it has ended, with whether it proved the key. */
    async enter({ keyId, tenant }: KeyUser, signal: AbortSignal) {
      const state = keys.memo(keyId);
      while (!mayCall(state, tenant)) await untilWoken(state, signal);
      state.callers.push(tenant);
      let left = false;
      return (proven: boolean): void => {
        if (left) return;
        left = true;
        state.callers.splice(state.callers.indexOf(tenant), 1);
        if (proven) state.provenAtMs = now();
        // Each looks again by itself; those that still may not go wait again, in the same order.
        for (const wake of state.waiting) wake();
      };
    },
  };
}

async function untilWoken({ waiting }: KeyState, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.add(resolve);
  try {
    await withinDeadline(promise, undefined, signal);
  } finally {
    waiting.delete(resolve);
  }
}
