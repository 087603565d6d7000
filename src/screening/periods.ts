/** Starts of the UTC day and month that hold `nowMs`: what daily and monthly budgets count from. */
export function toPeriods(nowMs: number): { readonly dayStartMs: number; readonly monthStartMs: number } {
  const now = new Date(nowMs);
  return {
    dayStartMs: Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()),
    monthStartMs: Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1),
  };
}
