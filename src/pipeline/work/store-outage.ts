import type { Logger } from "../../base/logger.ts";

/** Tells of the store being away once, however often it is asked in vain, and how long to leave it alone. */
export interface StoreOutage {
  /** The store could not be used; returns how long to wait before asking again, in milliseconds. */
  failed(error: unknown): number;
  /** The store could be used. */
  over(): void;
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;

/** Create a {@link StoreOutage}; nothing is wrong yet. */
export function createStoreOutage(logger: Logger, now: () => number): StoreOutage {
  let since: number | undefined;
  let retryMs = FIRST_RETRY_MS;

  return {
    failed(error) {
      if (since === undefined) {
        logger.error({ err: error, alert: "store_unavailable" }, "work cannot be claimed");
      } else {
        logger.debug({ err: error }, "work still cannot be claimed");
      }
      since ??= now();
      const waitMs = retryMs;
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      return waitMs;
    },
    over() {
      if (since === undefined) return;
      logger.info({ resolved: "store_unavailable", outageMs: now() - since }, "work is claimed again");
      since = undefined;
      retryMs = FIRST_RETRY_MS;
    },
  };
}
