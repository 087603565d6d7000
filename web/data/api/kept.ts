type Kept = { readonly data: unknown; readonly etag: string | null };

/** Recently loaded data, shown right away on return while it reloads. */
const kept = new Map<string, Kept>();
const KEPT_AT_MOST = 60;

/** Counts how often everything was cleared. An answer that was asked for before that isn't kept. */
let clearings = 0;

/** Clear everything loaded, because another person may be the next one here. */
export function forgetLoaded(): void {
  kept.clear();
  clearings += 1;
}

export function countClearings(): number {
  return clearings;
}

export function toLoadKey(route: string, request: object): string {
  return JSON.stringify([route, request]);
}

export function findKept(key: string | null): Kept | undefined {
  return kept.get(key ?? "");
}

export function keep(key: string, one: Kept): void {
  kept.delete(key);
  kept.set(key, one);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_AT_MOST && oldest !== undefined) kept.delete(oldest);
}
