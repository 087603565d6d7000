import { useLayoutEffect, useState } from "preact/hooks";

/** A changing value that several parts of the page use. */
export interface Value<T> {
  get(): T;
  /** Set it and notify the subscribers, unless it's the same. */
  readonly set: (next: T) => void;
  /** Call `listener` on every change. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export function createValue<T>(initial: T): Value<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(next) {
      if (Object.is(next, current)) return;
      current = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The items in groups of `size`, in order; the last one has the rest. */
export function toGroups<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, at) => all.slice(at * size, (at + 1) * size));
}

/** Process each item, a few at a time, until all are done or the signal aborts. */
export async function doWithEach<T>(
  all: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const left = [...all];
  const goOn = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      if (signal?.aborted) return;
      await work(one);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, goOn));
}

/** The value, in a component that redraws when it changes. */
export function useValue<T>(value: Pick<Value<T>, "get" | "subscribe">): T {
  const [, redraw] = useState({});
  const drawn = value.get();
  useLayoutEffect(() => {
    const stop = value.subscribe(() => redraw({}));
    // It may have changed between drawing and listening.
    if (!Object.is(drawn, value.get())) redraw({});
    return stop;
  }, [value]);
  return drawn;
}
