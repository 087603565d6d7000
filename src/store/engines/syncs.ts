// Bound on import: a test that fakes timers must not stop the store.
import { clearTimeout, setTimeout } from "node:timers";

/**
 * A sync that takes longer is slow: the next batch begins beside it. Before, batches wait for the disk together, and so share
 * its next sync.
 */
const SLOW_MS = 2;
/** Syncs at a time. Each takes a thread of libuv's pool, which has four. */
const MOST = 2;

/**
 * Knows which commits are on their way to the disk, and whether the last one got there.
 *
 * @param sync - Waits until what was committed is on disk. None: every commit waits for the disk itself.
 * @param now - Milliseconds of a clock that only goes on.
 */
export function createSyncs(sync: (() => Promise<void>) | undefined, now: () => number) {
  /** They end in this order. */
  const underWay: Promise<void>[] = [];
  let startMs = -Infinity;
  let hasFailed = false;

  async function end(before: Promise<void> | undefined, own: Promise<void>): Promise<void> {
    const both = await Promise.allSettled([before, own]);
    void underWay.shift();
    const failed = both.find((sync) => sync.status === "rejected");
    hasFailed = failed !== undefined;
    if (failed !== undefined) throw failed.reason;
  }

  const isFull = (): boolean => underWay.length >= (hasFailed ? 1 : MOST);

  return {
    /**
     * Sync what was committed until now. Resolves once it is on disk, and all before it. Rejects, also because one failed that
     * was under way beside it: its error may be the other's as well.
     */
    start(): Promise<void> {
      if (sync === undefined) return Promise.resolve();
      startMs = now();
      const started = end(underWay.at(-1), sync());
      underWay.push(started);
      return started;
    },
    /** Resolves when the next batch may begin. After a failure, that is when nothing is under way any more. */
    async room(): Promise<void> {
      const newest = underWay.at(-1);
      if (newest !== undefined) await settledOrLate(newest, SLOW_MS - (now() - startMs));
      while (isFull()) await settle(underWay[0]);
    },
    /** The newest one that is under way. */
    last: () => underWay.at(-1),
    hasFailed: () => hasFailed,
  };
}

async function settle(sync: Promise<void> | undefined): Promise<void> {
  await Promise.allSettled([sync]);
}

/** Resolves when a sync has ended, or after so many milliseconds. */
async function settledOrLate(sync: Promise<void>, ms: number): Promise<void> {
  if (ms <= 0) return;
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([settle(sync), late.promise]);
  clearTimeout(timer);
}
