/** A decision may take a while to reach the list. Until then, the order must not reappear as new. */
const DECIDED_FOR_MS = 60_000;

const decided = new Map<string, number>();

export function noteDecided(ids: Iterable<string>): void {
  for (const id of ids) decided.set(id, Date.now());
}

/** The decision was undone, or came to nothing. */
export function forgetDecided(id: string): void {
  decided.delete(id);
}

/** The orders that were decided on this page a moment ago. */
export function findRecentlyDecided(): ReadonlySet<string> {
  const since = Date.now() - DECIDED_FOR_MS;
  for (const [id, atMs] of decided) if (atMs < since) decided.delete(id);
  return new Set(decided.keys());
}
