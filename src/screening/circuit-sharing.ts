import type { Logger } from "../base/logger.ts";
import type { CircuitBlock, Ledger } from "../store/store.ts";
import { toCircuitName } from "../service/circuit-rules.ts";
import type { SharedState } from "../service/circuit-breaker.ts";
import { pause } from "../base/waiting.ts";

/** Tells other processes that calls are blocked, and learns from them that calls succeed again. */
export type CircuitSharing = ReturnType<typeof createCircuitSharing>;

const LOOK_AGAIN_MS = 1_000;
const RETRY_MS = 500;
const TRIES = 5;

export function createCircuitSharing(options: {
  readonly store: { readonly ledger: Pick<Ledger, "saveBlock" | "findBlocks"> };
  readonly logger: Logger;
  readonly now: () => number;
}) {
  const { store, logger, now } = options;
  /** The latest state of each circuit that is not written yet. */
  const unwritten = new Map<string, CircuitBlock | null>();
  const lookedAtMs = new Map<string, number>();
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    let failures = 0;
    for (let [next] = unwritten; next !== undefined; [next] = unwritten) {
      const [name, block] = next;
      try {
        await store.ledger.saveBlock(name, block);
        if (unwritten.get(name) === block) unwritten.delete(name);
      } catch (error) {
        failures += 1;
        if (failures < TRIES) await pause(RETRY_MS);
        else {
          // Each process then learns it by itself, at the cost of a call.
          unwritten.clear();
          logger.warn({ err: error }, "couldn't tell other processes that calls are paused");
        }
      }
    }
    // In the same turn as the last check, so that a later `share` starts to write again.
    writing = undefined;
  }

  return {
    share: (name: string, block: SharedState | null): void => {
      unwritten.set(name, block);
      writing ??= writeAll();
    },
    /** Whether no process blocks calls with the key any more. Asks the store at most once a second. */
    async isLifted(keyId: string) {
      const name = toCircuitName(keyId);
      const nowMs = now();
      if (unwritten.has(name) || Math.abs(nowMs - (lookedAtMs.get(name) ?? -Infinity)) < LOOK_AGAIN_MS)
        return false;
      lookedAtMs.set(name, nowMs);
      const blocks = await store.ledger.findBlocks([name], nowMs);
      if (blocks.length > 0 || unwritten.has(name)) return false;
      lookedAtMs.delete(name);
      return true;
    },
    async settle() {
      await writing;
    },
  };
}
