import type { Logger } from "../../base/logger.ts";

/** Places for work of one kind. */
export interface WorkPlaces {
  /** How much more work may begin now. */
  free(): number;
  /** Give work that has begun a place until it ends. What it rejects with is logged. */
  take(work: Promise<void>): void;
  /** Wait for the work that has a place now. */
  settle(): Promise<void>;
}

/** Parts of {@link createWorkPlaces}. */
export interface WorkPlacesOptions {
  /** What the work is on, for the log. */
  readonly name: string;
  readonly max: number;
  /** Called when work has ended and its place is free. */
  readonly onFree: () => void;
  readonly logger: Logger;
}

/** Create {@link WorkPlaces}, all free. */
export function createWorkPlaces({ name, max, onFree, logger }: WorkPlacesOptions): WorkPlaces {
  const taken = new Set<Promise<void>>();

  return {
    free: () => max - taken.size,
    take(work) {
      const task = work
        .catch((error: unknown) => logger.error({ err: error }, `${name} failed and stays due`))
        .finally(() => {
          taken.delete(task);
          onFree();
        });
      taken.add(task);
    },
    async settle() {
      await Promise.allSettled(taken);
    },
  };
}
