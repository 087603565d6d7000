import { createInterface } from "node:readline";
import { isHoldfastError, toConfigError } from "../base/errors.ts";

export interface Output {
  /** A line for the reader, on standard output. */
  line(text: string): void;
  /** A line about what went wrong, on standard error. */
  problem(text: string): void;
}

export interface Terminal extends Output {
  /** Whether a person can answer questions. */
  readonly isInteractive: boolean;
  /** Whether to use colors on standard output (`NO_COLOR`). */
  readonly hasColors: boolean;
  /** Show a line that the next one replaces, if standard error is a terminal. An empty line removes it. */
  progress(text: string): void;
  /** Ask a question; `true` only for yes. */
  confirm(question: string): Promise<boolean>;
}

/** A value as text without control characters, which a terminal would obey. */
export function toTerminalText(value: unknown): string {
  const text = typeof value === "string" ? value : value == null ? "-" : JSON.stringify(value);
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, " ");
}

function toRecordLines(record: object): string {
  const lines = Object.entries(record).map(
    ([name, value]) => `${toTerminalText(name).padEnd(13)} ${toTerminalText(value)}`,
  );
  return lines.join("\n");
}

export function printRecord({ terminal, json }: Printer, record: object): void {
  terminal.line(json ? JSON.stringify(record) : toRecordLines(record));
}

/** For `.catch`: what is wrong with the given data, which `where` names, field by field. */
export function throwFaults(where: string): (error: unknown) => never {
  return (error) => {
    if (!isHoldfastError(error, "INPUT_INVALID")) throw error;
    const faults = error.fields.map(({ path, message }) => `${path}: ${message}`);
    throw toConfigError(`${where}: ${faults.join("; ")}`);
  };
}

interface Printer {
  readonly terminal: Output;
  readonly json: boolean;
}

export function toLine(values: readonly unknown[]): string {
  return values.map((value) => toTerminalText(value)).join("  ");
}

/** Print records as they arrive, one per line. If there are none, tell people so. */
export async function printAll<T>(
  { terminal, json }: Printer,
  records: AsyncIterable<T>,
  toValues: (record: T) => readonly unknown[],
  none: string,
): Promise<void> {
  let count = 0;
  for await (const record of records) {
    count += 1;
    terminal.line(json ? JSON.stringify(record) : toLine(toValues(record)));
  }
  if (count === 0 && !json) terminal.problem(none);
}

/** Columns under their headings. Columns of numbers are aligned to the right. */
export function toTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        const isNumber = rows.slice(1).every((other) => /^\d|^$/.test(other[column] ?? ""));
        return isNumber ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
}

const { stdin, stdout, stderr } = process;

// The reader may stop early, as `head` does. The command still finishes its work, with its own exit status.
for (const stream of [stdout, stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

export const TERMINAL: Terminal = {
  isInteractive: stdin.isTTY && stderr.isTTY,
  hasColors: stdout.isTTY && stdout.hasColors(),
  line: (text) => void stdout.write(`${text}\n`),
  problem: (text) => void stderr.write(`${text}\n`),
  progress(text) {
    // Not on standard output, which may be piped. Returns to the start of the line and erases it.
    if (stderr.isTTY) stderr.write(`\r\u001B[2K${text}`);
  },
  async confirm(question) {
    const asking = createInterface({ input: stdin, output: stderr });
    const { promise, resolve } = Promise.withResolvers<string>();
    asking.once("close", () => resolve(""));
    asking.question(`${question} [y/N] `, resolve);
    const answer = await promise;
    asking.close();
    return /^y(?:es)?$/i.test(answer.trim());
  },
};

const WIDTH = 30;
/** Redrawing more often would slow down a slow terminal. */
const REDRAW_MS = 100;

/** A progress bar for work in `total` pieces, if standard error is a terminal. */
export function createProgress(
  terminal: Pick<Terminal, "progress">,
  title: string,
  total: number,
  now: () => number,
) {
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  return {
    show: (done: number): void => {
      const nowMs = now();
      if (nowMs - drawnAtMs < REDRAW_MS && done < total) return;
      drawnAtMs = nowMs;
      terminal.progress(`${title} ${toBar(done, total)} ${done} of ${total}`);
    },
    end: () => terminal.progress(""),
  };
}

export async function withProgress<T>(
  { terminal, now }: { readonly terminal: Pick<Terminal, "progress">; readonly now: () => number },
  title: string,
  total: number,
  work: (show: (done: number) => void) => Promise<T>,
): Promise<T> {
  const progress = createProgress(terminal, title, total, now);
  try {
    return await work(progress.show);
  } finally {
    progress.end();
  }
}

function toBar(done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.floor((Math.min(done, total) / total) * WIDTH);
  return `[${"#".repeat(filled)}${".".repeat(WIDTH - filled)}]`;
}
