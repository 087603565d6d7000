/** Lets a fixed number of pieces of work run at once, and owners who wait take turns. */
export interface FairSlots {
  /** Run `work` once there is a place for it; of one owner's work the first comes first. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Create {@link FairSlots}. A free place goes to the owner who waited longest for a turn, so that somebody with one
 * piece of work waits for one turn of each other owner, however much work those have waiting.
 */
export function createFairSlots(max: number): FairSlots {
  /** In the order of their turns; only owners who wait. */
  const waiting = new Map<string, (() => void)[]>();
  let free = max;

  function takePlace(owner: string): Promise<void> | undefined {
    if (free > 0) {
      free -= 1;
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = waiting.get(owner);
    if (queue === undefined) waiting.set(owner, [resolve]);
    else queue.push(resolve);
    return promise;
  }

  function leavePlace(): void {
    const [turn] = waiting;
    if (turn === undefined) {
      free += 1;
      return;
    }
    const [owner, queue] = turn;
    const next = queue.shift();
    waiting.delete(owner);
    // To the end of the line.
    if (queue.length > 0) waiting.set(owner, queue);
    next?.();
  }

  return {
    async run(owner, work) {
      await takePlace(owner);
      try {
        return await work();
      } finally {
        leavePlace();
      }
    },
  };
}
