import { LRUCache } from "lru-cache";
import { atMost } from "../base/entry-limit.ts";
import { withinDeadline } from "../base/waiting.ts";
import type { TenantId } from "../platform/platform.ts";
import type { KeyUser } from "../service/circuit-breaker.ts";
import { QUIET_MS } from "../store/credits/attempt-limit.ts";

/** Calls under way with a key that isn't known to work. */
const UNPROVEN_CALLS = 2;
/** The same if they are of different tenants: two hanging calls of one tenant must not block all others. */
const UNPROVEN_CALLS_OF_ALL = 8;
/** How long an answer proves that a key works, in milliseconds. */
const PROVEN_MS = 5 * 60_000;
const KEYS_KEPT = 10_000;

interface Waiting {
  readonly tenant: TenantId;
  readonly wake: () => void;
}

interface KeyState {
  /** One entry for each call under way. */
  readonly callers: TenantId[];
  provenAtMs: number;
  failedAtMs: number;
  /** How many calls the key's rate limit allows, as of the last answer that said so. */
  remaining: number;
  /** How often the service asked for a pause. */
  pauses: number;
  readonly waiting: Set<Waiting>;
}

export type KeyTrust = ReturnType<typeof createKeyTrust>;

/**
 * Allows only a few calls with an API key until one was answered. The first answer shows whether the key works and has credits,
 * so that not every order of a backlog has to find that out. After it, as many are under way as the key's rate limit still
 * allows.
 */
export function createKeyTrust(now: () => number) {
  const keys = new LRUCache<string, KeyState>({
    ...atMost(KEYS_KEPT),
    memoMethod: () => ({
      callers: [],
      provenAtMs: -Infinity,
      failedAtMs: 0,
      remaining: Infinity,
      pauses: 0,
      waiting: new Set(),
    }),
  });

  function mayCall({ callers, provenAtMs, remaining }: KeyState, tenant: TenantId): boolean {
    if (callers.length < UNPROVEN_CALLS) return true;
    if (callers.length < remaining && Math.abs(now() - provenAtMs) < PROVEN_MS) return true;
    return callers.length < UNPROVEN_CALLS_OF_ALL && !callers.includes(tenant);
  }

  return {
    /** Note that a call got no answer, although it may have been billed. */
    noteFailure: (keyId: string) => void (keys.memo(keyId).failedAtMs = now()),
    /** Note that the service asked for a pause: all orders wait for its end, and a few calls show whether it is over. */
    notePause(keyId: string): void {
      const state = keys.memo(keyId);
      state.provenAtMs = -Infinity;
      state.pauses += 1;
    },
    /** When a call last got no answer, milliseconds since the epoch; 0: never. */
    failedAtMs: (keyId: string) => keys.peek(keyId)?.failedAtMs ?? 0,
    /** When the service last looked at an order with the key, milliseconds since the epoch; 0: never, or it failed since or shortly before. */
    seenHealthyAtMs(keyId: string): number {
      const { provenAtMs, failedAtMs } = keys.peek(keyId) ?? { provenAtMs: 0, failedAtMs: 0 };
      return provenAtMs < failedAtMs || Math.abs(now() - failedAtMs) < QUIET_MS ? 0 : Math.max(provenAtMs, 0);
    },
    /**
     * Wait until a call may begin. Resolves to a function to call at its end, with whether the call proved the key, and how
     * many more its rate limit allows.
     */
    async enter({ keyId, tenant }: KeyUser, signal: AbortSignal) {
      const state = keys.memo(keyId);
      while (!mayCall(state, tenant)) await untilWoken(state, tenant, signal);
      state.callers.push(tenant);
      const { pauses } = state;
      let left = false;
      return (proven: boolean, remaining = state.remaining): void => {
        if (left) return;
        left = true;
        state.callers.splice(state.callers.indexOf(tenant), 1);
        // An answer to a call from before a pause proves nothing about the time after it.
        if (proven && state.pauses === pauses) {
          state.provenAtMs = now();
          state.remaining = remaining;
        }
        // Each waiting call checks again, those of the tenants with the fewest calls under way first. Those that still may
        // not begin wait again.
        const underWay = Map.groupBy(state.callers, (caller) => caller);
        const toCalls = (waiting: Waiting): number => underWay.get(waiting.tenant)?.length ?? 0;
        for (const { wake } of [...state.waiting].toSorted((a, b) => toCalls(a) - toCalls(b))) wake();
      };
    },
  };
}

async function untilWoken({ waiting }: KeyState, tenant: TenantId, signal: AbortSignal): Promise<void> {
  const { promise, resolve: wake } = Promise.withResolvers<void>();
  const call = { tenant, wake };
  waiting.add(call);
  try {
    await withinDeadline(promise, undefined, signal);
  } finally {
    waiting.delete(call);
  }
}
