import { pause } from "../../base/waiting.ts";
import type { CatalogClient } from "../catalog-client.ts";
import type { WatchedJob } from "../job-waiter.ts";
import type { JobKind } from "../operations/catalog-operations.ts";

/** Pages of 100 jobs, newest first, that a quick look reads. A thorough look reads all. */
const QUICK_PAGES = 2;
/** Pause between two thorough looks, in milliseconds: anybody can send events, and each page is a call. */
const THOROUGH_PAUSE_MS = 30_000;

/** How far to look for a job. */
export type Look = "quick" | "thorough";

interface Batch {
  readonly ids: Set<string>;
  readonly found: Promise<ReadonlyMap<string, WatchedJob>>;
}

/**
 * Reads the jobs that events are about. Events that wait share one pass over the list, so a flood of forged events costs
 * no more calls than one event.
 */
export function createJobReads(client: Pick<CatalogClient, "findJobs">, wait: typeof pause = pause) {
  const next = new Map<string, Batch>();
  const last = new Map<string, Promise<unknown>>();

  function toBatch(key: string, kind: JobKind, look: Look): Batch {
    const ids = new Set<string>();
    const former = last.get(key) ?? Promise.resolve();
    const found = former.then(() => {
      next.delete(key);
      const maxPages = look === "quick" ? QUICK_PAGES : undefined;
      return client.findJobs([...ids], { kind, maxPages });
    });
    // The next pass begins after this one, whether or not it succeeds.
    const ended = found.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, look === "quick" ? ended : ended.then(() => wait(THOROUGH_PAUSE_MS)));
    return { ids, found };
  }

  return async (jobId: string, kind: JobKind, look: Look): Promise<WatchedJob | undefined> => {
    const key = `${kind} ${look}`;
    const batch = next.get(key) ?? toBatch(key, kind, look);
    next.set(key, batch);
    batch.ids.add(jobId);
    return (await batch.found).get(jobId);
  };
}
