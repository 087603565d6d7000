import { isHoldfastError } from "../../base/errors.ts";

/** Leases of work that ended while the store was away, so that nobody could be told. */
export interface StrandedWork {
  /** Do work under a lease. When it fails because the store is away, `release` is how to give the lease back later. */
  during(work: () => Promise<void>, release: () => Promise<unknown>): Promise<void>;
  /** Give back what is remembered, now that the store answers; what fails again stays remembered. */
  giveBack(): Promise<void>;
}

/** Create {@link StrandedWork}: without it, what was under way in an outage would wait for its lease to run out. */
export function createStrandedWork(): StrandedWork {
  const stranded = new Set<() => Promise<unknown>>();

  return {
    async during(work, release) {
      try {
        await work();
      } catch (error) {
        if (isHoldfastError(error, "STORE_UNAVAILABLE") && error.retryable) stranded.add(release);
        throw error;
      }
    },
    async giveBack() {
      for (const release of stranded) {
        await release();
        stranded.delete(release);
      }
    },
  };
}
