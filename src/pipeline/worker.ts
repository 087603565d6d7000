import { withinDeadline } from "../screening/flight.ts";
import type { Store } from "../store/store.ts";
import { createClaimer, type ClaimerOptions } from "./claimer.ts";
import { createWakeUp } from "./wake-up.ts";

/** Claims due work and has it done, several pieces at once. */
export interface Worker {
  start(): void;
  /** Something may be due now. */
  wake(): void;
  /** Claim nothing more, give what is under way `graceMs` to finish, then ask it to let go. */
  stop(graceMs: number): Promise<void>;
}

/** Work made by others (another process, a due time moved) is seen within this. */
const LONGEST_SLEEP_MS = 1_000;
/** After a failure of the store, before asking it again. */
const STORE_RETRY_MS = 500;
/** For work that was asked to stop, to write that it is due again. */
const LET_GO_MS = 5_000;

/** Create a {@link Worker}. */
export function createWorker(options: ClaimerOptions): Worker {
  const { store, now, logger } = options;
  // Stopping has two steps: nothing more is claimed, then what is under way lets go.
  const closing = new AbortController();
  const wakeUp = createWakeUp();
  const claimer = createClaimer(options, () => wakeUp.wake());
  let running: Promise<void> | undefined;

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      wakeUp.reset();
      try {
        if (await claimer.claim()) continue;
        // What is due and has no place is claimed as soon as work ends, which wakes this loop.
        await wakeUp.sleep(claimer.isFull() ? LONGEST_SLEEP_MS : await untilDueMs(store, now));
      } catch (error) {
        logger.error({ err: error, alert: "store_unavailable" }, "work could not be claimed");
        wakeUp.reset();
        if (!closing.signal.aborted) await wakeUp.sleep(STORE_RETRY_MS);
      }
    }
  }

  return {
    start() {
      running ??= loop();
      claimer.start();
    },
    wake: () => wakeUp.wake(),
    async stop(graceMs) {
      closing.abort();
      wakeUp.wake();
      await running;
      const finished = claimer.settle();
      await withinDeadline(finished, graceMs);
      claimer.letGo();
      // What does not even let go is taken over when its lease runs out.
      await withinDeadline(finished, LET_GO_MS);
    },
  };
}

/** How long to sleep until something is due, in milliseconds. */
async function untilDueMs(store: Pick<Store, "nextDueAtMs">, now: () => number): Promise<number> {
  const dueAtMs = await store.nextDueAtMs();
  return dueAtMs === null ? LONGEST_SLEEP_MS : Math.min(Math.max(dueAtMs - now(), 1), LONGEST_SLEEP_MS);
}
