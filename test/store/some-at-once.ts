/** On the slowest machine, this many can wait for a connection without being turned away, which happens after 4 s. */
const AT_ONCE = 50;

/** Does some work for each of many items, {@link AT_ONCE} at a time, and returns each result in their order. */
export async function someAtOnce<I, O>(
  items: readonly I[],
  work: (item: I) => Promise<O>,
): Promise<readonly O[]> {
  const done: O[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    done.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))));
  }
  return done;
}
