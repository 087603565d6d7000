import type { Logger } from "../../base/logger.ts";
import { withinDeadline } from "../../base/waiting.ts";
import type { Store } from "../../store/store.ts";
import { createClaimer, type ClaimerOptions } from "./claimer.ts";

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
/** While what is due may be beyond its tenant's share, others' work that falls due by itself is seen within this. */
const FULL_SHARE_SLEEP_MS = 100;
/** What is due and cannot be claimed is looked for again this often. */
const HELD_SLEEP_MS = 100;
/** For work that was asked to stop, to write that it is due again. */
const LET_GO_MS = 5_000;

/** Create a {@link Worker}. */
export function createWorker(options: ClaimerOptions): Worker {
  const { store, now, logger, leaseMs } = options;
  // Stopping has two steps: nothing more is claimed, then what is under way lets go.
  const closing = new AbortController();
  const wakeUp = createWakeUp();
  const claimer = createClaimer(options, () => wakeUp.wake());
  const outage = createStoreOutage(logger, now);
  const watch = createClockWatch(now, leaseMs / 3);
  /** By how much the clock was set back since the store was last told. */
  let setBackMs = 0;
  let running: Promise<void> | undefined;

  /** After a claim that found nothing. What is due and has no place is claimed when work ends, which wakes the loop. */
  async function restMs(claimedAtMs: number): Promise<number> {
    if (claimer.isFull()) return LONGEST_SLEEP_MS;
    return claimer.isShareFull() ? FULL_SHARE_SLEEP_MS : untilDueMs(store, now, claimedAtMs);
  }

  /** Keep what names moments of the clock in step with it, before anything is claimed by a clock that was set. */
  async function followClock(): Promise<void> {
    const move = watch();
    if (move.kind !== "steady") {
      logger.warn({ move: move.kind, byMs: move.byMs }, "the clock was changed, or this process was paused");
    }
    if (move.kind === "forward") await claimer.renew();
    if (move.kind === "back") setBackMs += move.byMs;
    if (setBackMs === 0) return;
    await store.clockSetBack({ byMs: setBackMs, nowMs: now(), leaseMs });
    setBackMs = 0;
  }

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      wakeUp.reset();
      try {
        await followClock();
        const claimedAtMs = now();
        const claimed = await claimer.claim();
        outage.over();
        if (!claimed) await wakeUp.sleep(await restMs(claimedAtMs));
      } catch (error) {
        if (closing.signal.aborted) return;
        const retryMs = outage.failed(error);
        wakeUp.reset();
        await wakeUp.sleep(retryMs);
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

/** How long to sleep until something is due, in milliseconds, after a claim at `claimedAtMs` that found nothing. */
async function untilDueMs(
  store: Pick<Store, "nextDueAtMs">,
  now: () => number,
  claimedAtMs: number,
): Promise<number> {
  const dueAtMs = await store.nextDueAtMs();
  if (dueAtMs === null) return LONGEST_SLEEP_MS;
  // Somebody holds it: leases end by the database's clock, and this one may be ahead of that.
  if (dueAtMs <= claimedAtMs) return HELD_SLEEP_MS;
  return Math.min(Math.max(dueAtMs - now(), 1), LONGEST_SLEEP_MS);
}

/** Lets a loop sleep until it is woken. A wake that comes before the sleep counts too. */
function createWakeUp() {
  let woken = false;
  let end: () => void = () => {};

  return {
    wake(): void {
      woken = true;
      end();
    },
    /** Forget the wakes so far. */
    reset(): void {
      woken = false;
    },
    /** Sleep for at most `ms` milliseconds; not at all when somebody has woken it since the last reset. */
    async sleep(ms: number): Promise<void> {
      if (woken) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      end = resolve;
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
    },
  };
}

/** How the clock went between two looks at it. */
export type ClockMove =
  | { readonly kind: "steady" }
  /** It shows less than before. */
  | { readonly kind: "back"; readonly byMs: number }
  /** It went on by more than the time between two looks: it was set, or this process stood still. */
  | { readonly kind: "forward"; readonly byMs: number };

/** Time servers make a clock go back by less all the time, and nothing is late for it. */
const BACK_MS = 2_000;

/** Looks at the clock and tells how it went since the last look; a step of `forwardMs` or more is a jump. */
export function createClockWatch(now: () => number, forwardMs: number): () => ClockMove {
  let lastMs = now();

  return () => {
    const byMs = now() - lastMs;
    lastMs += byMs;
    if (byMs <= -BACK_MS) return { kind: "back", byMs: -byMs };
    return byMs >= forwardMs ? { kind: "forward", byMs } : { kind: "steady" };
  };
}

const FIRST_OUTAGE_RETRY_MS = 250;
const LONGEST_OUTAGE_RETRY_MS = 5_000;

/**
 * Says once that the store is away, however often it fails, and how long to leave it alone. A single failure is no outage:
 * servers and what is before them end connections, and the next one works.
 */
export function createStoreOutage(logger: Logger, now: () => number) {
  let since: number | undefined;
  let isTold = false;
  let retryMs = FIRST_OUTAGE_RETRY_MS;

  return {
    /** The store could not be used; returns how long to wait before asking again, in milliseconds. */
    failed(error: unknown): number {
      if (since === undefined) logger.warn({ err: error }, "couldn't claim work; trying again");
      else if (isTold) logger.debug({ err: error }, "still can't claim work");
      else logger.error({ err: error, alert: "store_unavailable" }, "can't claim work from the database");
      isTold = since !== undefined;
      since ??= now();
      const waitMs = retryMs;
      retryMs = Math.min(retryMs * 2, LONGEST_OUTAGE_RETRY_MS);
      return waitMs;
    },
    /** The store could be used. */
    over(): void {
      if (since === undefined) return;
      if (isTold)
        logger.info({ resolved: "store_unavailable", outageMs: now() - since }, "work can be claimed again");
      since = undefined;
      isTold = false;
      retryMs = FIRST_OUTAGE_RETRY_MS;
    },
  };
}
