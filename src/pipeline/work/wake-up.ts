/** Lets a loop sleep until it is woken. A wake that comes before the sleep counts too. */
export interface WakeUp {
  wake(): void;
  /** Forget the wakes so far. */
  reset(): void;
  /** Sleep for at most `ms` milliseconds; not at all when somebody has woken it since the last reset. */
  sleep(ms: number): Promise<void>;
}

/** Create a {@link WakeUp}. */
export function createWakeUp(): WakeUp {
  let woken = false;
  let end: () => void = () => {};

  return {
    wake() {
      woken = true;
      end();
    },
    reset() {
      woken = false;
    },
    async sleep(ms) {
      if (woken) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      end = resolve;
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
    },
  };
}
