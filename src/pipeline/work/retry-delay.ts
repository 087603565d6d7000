/** First and longest wait between tries. */
const FIRST_MS = 1_000;
const LONGEST_MS = 5 * 60_000;

/** When to try again after `attempts` failures: doubling, at most five minutes, not before the other side's own hint. */
export function toRetryAtMs(attempts: number, nowMs: number, hintMs?: number): number {
  const wait = Math.min(FIRST_MS * 2 ** Math.min(attempts, 20), LONGEST_MS);
  return Math.max(nowMs + wait, hintMs ?? 0);
}
