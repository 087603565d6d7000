import type { Logger } from "../../src/base/logger.ts";

/** A log line as it was written: its fields, `level` and `message`. */
export type RecordedLine = Readonly<Record<string, unknown>>;

/** A logger that records its lines, oldest first. */
export function createLogRecorder(): { readonly lines: readonly RecordedLine[]; readonly logger: Logger } {
  const lines: RecordedLine[] = [];
  const write = (level: string) => (fields: RecordedLine, message: string) =>
    void lines.push({ level, message, ...fields });
  const logger = {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
  };
  return { lines, logger };
}
