/** Runs work of the same name one after the other, in the order of asking; other names do not wait. */
export type Turns = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Create {@link Turns} for this process. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();

  return async (name, work) => {
    const before = last.get(name);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    last.set(name, over);
    await before;
    try {
      return await work();
    } finally {
      if (last.get(name) === over) last.delete(name);
      end();
    }
  };
}
