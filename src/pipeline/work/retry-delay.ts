/** When a platform refuses the whole call (permissions, allowlist), a person has to act first: retry this often. */
export const REFUSED_RETRY_MS = 10 * 60_000;

/** The first and the longest pause between tries. */
const FIRST_MS = 1_000;
const LONGEST_MS = 5 * 60_000;

/** When to retry after `attempts` failures: the pause doubles up to five minutes, and is never shorter than the other side asks. */
export function toRetryAtMs(attempts: number, nowMs: number, hintMs?: number): number {
  const wait = Math.min(FIRST_MS * 2 ** Math.min(attempts, 20), LONGEST_MS);
  return Math.max(nowMs + wait, hintMs ?? 0);
}
