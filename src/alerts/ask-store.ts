import { withinDeadline } from "../base/waiting.ts";
import type { IncidentStore } from "../store/store.ts";

/** Parts of {@link createAsk}. */
export interface AskOptions {
  /** A function, because the first alert can be raised before the store is open. */
  readonly store: () => IncidentStore | undefined;
  readonly now: () => number;
}

const STORE_TIMEOUT_MS = 5_000;
/** How long not to ask the store after it failed: otherwise each alert would wait for it. */
const STORE_REST_MS = 30_000;

/** Ask the store, for an answer that isn't undefined. Undefined: it couldn't tell in time what other processes have sent. */
export type Ask = <T>(work: (store: IncidentStore) => Promise<T>) => Promise<T | undefined>;

/** Create an {@link Ask}. After a failure it leaves the store alone for a while. */
export function createAsk({ store, now }: AskOptions): Ask {
  let restUntilMs = Number.NEGATIVE_INFINITY;
  return async (work) => {
    const shared = store();
    if (shared === undefined || now() < restUntilMs) return undefined;
    try {
      const answer = await withinDeadline(work(shared), STORE_TIMEOUT_MS);
      if (answer !== undefined) return answer;
    } catch {
      // The store's own alert reports it.
    }
    restUntilMs = now() + STORE_REST_MS;
    return undefined;
  };
}
