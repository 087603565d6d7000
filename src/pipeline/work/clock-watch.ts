/** How the clock went between two looks at it. */
export type ClockMove =
  | { readonly kind: "steady" }
  /** It shows less than before. */
  | { readonly kind: "back"; readonly byMs: number }
  /** It went on by more than the time between two looks: it was set, or this process stood still. */
  | { readonly kind: "forward"; readonly byMs: number };

/** Look at the clock; tells how it went since the last look. */
export type ClockWatch = () => ClockMove;

/** Time servers make a clock go back by less all the time, and nothing is late for it. */
const BACK_MS = 2_000;

/** Create a {@link ClockWatch} that takes a step of `forwardMs` or more for a jump. */
export function createClockWatch(now: () => number, forwardMs: number): ClockWatch {
  let lastMs = now();

  return () => {
    const byMs = now() - lastMs;
    lastMs += byMs;
    if (byMs <= -BACK_MS) return { kind: "back", byMs: -byMs };
    return byMs >= forwardMs ? { kind: "forward", byMs } : { kind: "steady" };
  };
}
