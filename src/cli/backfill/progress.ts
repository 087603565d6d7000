import type { Terminal } from "../output.ts";

/** A bar that fills as work is done. */
export interface Progress {
  /** So many are done now. */
  show(done: number): void;
  /** Take the bar away. */
  end(): void;
}

const WIDTH = 30;
/** More would only make a slow terminal slower. */
const REDRAW_MS = 100;

/** Show how far something is that is done in `total` pieces, where a person looks. */
export function createProgress(
  terminal: Pick<Terminal, "progress">,
  title: string,
  total: number,
  now: () => number,
): Progress {
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  return {
    show(done) {
      const nowMs = now();
      if (nowMs - drawnAtMs < REDRAW_MS && done < total) return;
      drawnAtMs = nowMs;
      terminal.progress(`${title} ${toBar(done, total)} ${done} of ${total}`);
    },
    end: () => terminal.progress(""),
  };
}

function toBar(done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.floor((Math.min(done, total) / total) * WIDTH);
  return `[${"#".repeat(filled)}${".".repeat(WIDTH - filled)}]`;
}
