/** A moment in ms since 1970 as the interfaces write it, ISO 8601 in UTC; null for none. */
export function toIso(ms: number): string;
export function toIso(ms: number | null): string | null;
export function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
