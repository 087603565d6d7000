/** Noon of a day: whatever the machine's clock says, tests that use this clock start at the same moment. */
const START_MS = Date.UTC(2026, 10, 20, 12);

/** A clock that runs from `startMs`, and never backward. */
export function createRunningClock(startMs = START_MS): () => number {
  const startedMs = performance.now();
  return () => startMs + Math.floor(performance.now() - startedMs);
}
