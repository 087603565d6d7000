/** Whether deliveries can be made durable, as the last of them found out. */
export interface DurabilityWatch {
  /** A delivery was made durable, or had been before. */
  kept(): void;
  /** The store could not keep a delivery. */
  lost(): void;
  /** Whether the last delivery was lost, and not long ago. */
  isFailing(): boolean;
}

/**
 * How long a loss counts, in milliseconds: longer than probes are apart, so that they notice; not for ever, since a
 * process that gets no deliveries any more cannot find out that it could keep them again.
 */
const LOSS_COUNTS_MS = 30_000;

/**
 * Create a {@link DurabilityWatch}. Asking the store does not tell enough: on a disk that is nearly full a small write
 * still succeeds while every order is refused.
 */
export function createDurabilityWatch(now: () => number): DurabilityWatch {
  let lostAtMs = Number.NEGATIVE_INFINITY;
  return {
    kept() {
      lostAtMs = Number.NEGATIVE_INFINITY;
    },
    lost() {
      lostAtMs = now();
    },
    isFailing: () => now() - lostAtMs < LOSS_COUNTS_MS,
  };
}
