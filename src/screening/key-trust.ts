import { LRUCache } from "lru-cache";

/**
 * Lets few calls out with an API key until one has been answered: whether a key works, and has credits, is known by its
 * first answer, and a whole backlog must not find it out each order for itself.
 */
export interface KeyTrust {
  /** Wait until a call may begin; resolves to what has to be called when it has ended, with whether it was answered. */
  enter(keyId: string, signal: AbortSignal): Promise<(answered: boolean) => void>;
}

/** Calls under way with a key that is not known to work. */
const UNPROVEN_CALLS = 2;
/** An answer says for so long that a key works, in milliseconds. */
const PROVEN_MS = 5 * 60_000;
const KEYS_KEPT = 10_000;

interface KeyState {
  calls: number;
  provenAtMs: number;
  readonly waiting: Set<() => void>;
}

/** Create {@link KeyTrust}, no key proven yet. */
export function createKeyTrust(now: () => number): KeyTrust {
  const keys = new LRUCache<string, KeyState>({ max: KEYS_KEPT });

  function stateOf(keyId: string): KeyState {
    const known = keys.get(keyId);
    if (known !== undefined) return known;
    const fresh: KeyState = { calls: 0, provenAtMs: -Infinity, waiting: new Set() };
    keys.set(keyId, fresh);
    return fresh;
  }

  const mayCall = (state: KeyState): boolean =>
    state.calls < UNPROVEN_CALLS || Math.abs(now() - state.provenAtMs) < PROVEN_MS;

  function wakeAll({ waiting }: KeyState): void {
    // Each looks again by itself; those that still may not go wait again, in the same order.
    for (const wake of waiting) wake();
  }

  return {
    async enter(keyId, signal) {
      const state = stateOf(keyId);
      while (!mayCall(state)) await untilWoken(state, signal);
      state.calls += 1;
      let left = false;
      return (answered) => {
        if (left) return;
        left = true;
        state.calls -= 1;
        if (answered) state.provenAtMs = now();
        wakeAll(state);
      };
    },
  };
}

async function untilWoken({ waiting }: KeyState, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = (): void => reject(signal.reason);
  waiting.add(resolve);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await promise;
  } finally {
    waiting.delete(resolve);
    signal.removeEventListener("abort", onAbort);
  }
}
