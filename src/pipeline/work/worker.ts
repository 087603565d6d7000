import { raiseAlert, resolveAlert } from "../../base/alerts.ts";
import type { Logger } from "../../base/logger.ts";
import { withinDeadline } from "../../base/waiting.ts";
import type { Store } from "../../store/store.ts";
import { createClaimer, type ClaimerOptions } from "./claimer.ts";

/** Work that other processes created, or whose due time they moved, is noticed within this. */
const LONGEST_SLEEP_MS = 1_000;
/** While due work may be beyond its tenant's share, other tenants' work that becomes due is noticed within this. */
const FULL_SHARE_SLEEP_MS = 100;
/** Due work that can't be claimed is looked for again this often. */
const HELD_SLEEP_MS = 100;
/** Time for stopped work to save that it is due again. */
const STOP_MS = 5_000;

/** Create a worker: it claims due work and does it, several pieces at once. */
export function createWorker(options: ClaimerOptions) {
  const { store, now, logger, leaseMs } = options;
  // Stopping has two steps: claim nothing more, then stop the work under way.
  const closing = new AbortController();
  const wakeUp = createWakeUp();
  const claimer = createClaimer(options, () => wakeUp.wake());
  const outage = createStoreOutage(logger, now);
  const watch = createClockWatch(now, leaseMs / 3);
  /** How far the clock was set back since the store was last adjusted. */
  let setBackMs = 0;
  let running: Promise<void> | undefined;

  /** How long to sleep after a claim that found nothing. Work that ends wakes the loop, and frees a place for due work. */
  async function restMs(claimedAtMs: number): Promise<number> {
    if (claimer.isFull()) return LONGEST_SLEEP_MS;
    return claimer.isShareFull() ? FULL_SHARE_SLEEP_MS : untilDueMs(store, now, claimedAtMs);
  }

  /** Adjust leases and stored times to a clock that was changed, before anything is claimed by it. */
  async function followClock(): Promise<void> {
    const move = watch();
    if (move.kind !== "steady") {
      const message = "the clock was changed, or this process or its database hung";
      logger.warn({ move: move.kind, byMs: move.byMs }, message);
    }
    if (move.kind === "forward") await claimer.renew();
    if (move.kind === "back") setBackMs += move.byMs;
    if (setBackMs === 0) return;
    await store.leases.clockSetBack({ byMs: setBackMs, nowMs: now(), leaseMs });
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
    start(): void {
      running ??= loop();
      claimer.start();
    },
    wake: () => wakeUp.wake(),
    /** Claim nothing more, give work under way `graceMs` to finish, then tell it to stop. */
    async stop(graceMs: number): Promise<void> {
      closing.abort();
      wakeUp.wake();
      await running;
      const finished = claimer.settle();
      await withinDeadline(finished, graceMs);
      claimer.stopWork();
      // If work doesn't stop even then, another process takes it over when its lease runs out.
      await withinDeadline(finished, STOP_MS);
    },
  };
}

/** How long to sleep until something is due, in milliseconds, after a claim at `claimedAtMs` that found nothing. */
async function untilDueMs(store: Pick<Store, "orders">, now: () => number, claimedAtMs: number) {
  const dueAtMs = await store.orders.nextDueAtMs();
  if (dueAtMs === null) return LONGEST_SLEEP_MS;
  // Another claim holds it: leases end by the database's clock, and this process's clock may be ahead.
  if (dueAtMs <= claimedAtMs) return HELD_SLEEP_MS;
  return Math.min(Math.max(dueAtMs - now(), 1), LONGEST_SLEEP_MS);
}

/** Lets a loop sleep until it is woken. A wake before the sleep counts too. */
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
    /** Sleep for at most `ms` milliseconds; not at all if it was woken since the last reset. */
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

/** How the clock moved between two looks at it. */
export type ClockMove =
  | { readonly kind: "steady" }
  | { readonly kind: "back"; readonly byMs: number }
  /** It jumped forward: it was set, or this process or its database hung. */
  | { readonly kind: "forward"; readonly byMs: number };

/** Time servers often set a clock back by less than this, which does no harm. */
const BACK_MS = 2_000;

/** Says how the clock moved since the last call. A step of `forwardMs` or more counts as a jump. */
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
 * Logs an outage of the store once, however often the store fails, and says how long to wait before the next try. A single
 * failure isn't an outage: servers and proxies end connections, and the next one works.
 */
export function createStoreOutage(logger: Logger, now: () => number) {
  let since: number | undefined;
  let isReported = false;
  let retryMs = FIRST_OUTAGE_RETRY_MS;

  return {
    /** The store failed. Returns how long to wait before the next try, in milliseconds. */
    failed(error: unknown): number {
      if (since === undefined) logger.warn({ err: error }, "couldn't claim work; trying again");
      else if (isReported) logger.debug({ err: error }, "still can't claim work");
      else raiseAlert(logger, "store_unavailable", { err: error }, "can't claim work from the database");
      isReported = since !== undefined;
      since ??= now();
      const waitMs = retryMs;
      retryMs = Math.min(retryMs * 2, LONGEST_OUTAGE_RETRY_MS);
      return waitMs;
    },
    /** The store worked. */
    over(): void {
      if (since === undefined) return;
      if (isReported)
        resolveAlert(logger, "store_unavailable", { outageMs: now() - since }, "work can be claimed again");
      since = undefined;
      isReported = false;
      retryMs = FIRST_OUTAGE_RETRY_MS;
    },
  };
}
