/** A time in milliseconds since the epoch as the interfaces write it: ISO 8601 in UTC. Null for none. */
export function toIso(ms: number): string;
export function toIso(ms: number | null): string | null;
export function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
