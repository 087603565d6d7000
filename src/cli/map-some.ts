/** The results of `work` for every entry, in their order; at most `concurrency` are under way at once. */
export async function mapSome<T, R>(
  entries: readonly T[],
  concurrency: number,
  work: (entry: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = entries.entries();
  const lane = async (): Promise<void> => {
    for (const [index, entry] of queue) results[index] = await work(entry, index);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, entries.length) }, lane));
  return results;
}
