// Captured on import, so that a test with fake timers doesn't stop the store.
import { clearTimeout, setTimeout } from "node:timers";

/**
 * If a sync takes longer than this, the next batch begins without waiting for it. Until then, batches wait together and share
 * the next sync.
 */
const SLOW_MS = 2;
/** The most syncs at once. Each takes one of the four threads in libuv's pool. */
const MOST_AT_ONCE = 2;

/**
 * Knows which commits are on their way to the disk, and whether the last one got there.
 *
 * @param sync - Waits until what was committed is on disk. None: every commit waits for the disk itself.
 * @param now - Milliseconds of a clock that only goes on.
 */
export function createSyncs(sync: (() => Promise<void>) | undefined, now: () => number) {
  /** Syncs under way, in the order in which they end. */
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

  const isFull = (): boolean => underWay.length >= (hasFailed ? 1 : MOST_AT_ONCE);

  return {
    /**
     * Sync all commits so far. Resolves once they are on disk. Also rejects if another sync failed at the same time, because
     * its error may affect these commits.
     */
    start(): Promise<void> {
      if (sync === undefined) return Promise.resolve();
      startMs = now();
      const started = end(underWay.at(-1), sync());
      underWay.push(started);
      return started;
    },
    /** Resolves when the next batch may begin. After a failure, that is when no sync is under way. */
    async room(): Promise<void> {
      const newest = underWay.at(-1);
      if (newest !== undefined) await settledOrLate(newest, SLOW_MS - (now() - startMs));
      while (isFull()) await settle(underWay[0]);
    },
    last: () => underWay.at(-1),
    hasFailed: () => hasFailed,
  };
}

async function settle(sync: Promise<void> | undefined): Promise<void> {
  await Promise.allSettled([sync]);
}

/** Resolves when a sync has ended, or after the given milliseconds. */
async function settledOrLate(sync: Promise<void>, ms: number): Promise<void> {
  if (ms <= 0) return;
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([settle(sync), late.promise]);
  clearTimeout(timer);
}
