import type { TimelineEntry } from "./order.ts";

/** One line of the timeline. */
export interface TimelineLine {
  /** The newest of those that are one line; repeats of the first delivery have the kind `received-again`. */
  readonly entry: TimelineEntry;
  /** How many entries it stands for. */
  readonly times: number;
  /** Where the first of them stands: two entries may be of the same moment and kind. */
  readonly key: number;
}

/** Platforms deliver an order several times: what came after the first is told as such, and in a row as one line. */
export function foldRepeats(timeline: readonly TimelineEntry[]): readonly TimelineLine[] {
  const lines: TimelineLine[] = [];
  let hasCome = false;
  for (const [key, one] of timeline.entries()) {
    const isRepeat = one.kind === "received" && hasCome;
    hasCome ||= one.kind === "received";
    const last = lines.at(-1);
    const entry = isRepeat ? { ...one, kind: "received-again" } : one;
    if (isRepeat && last?.entry.kind === entry.kind) {
      lines[lines.length - 1] = { ...last, entry, times: last.times + 1 };
    } else lines.push({ entry, times: 1, key });
  }
  return lines;
}
