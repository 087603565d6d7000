import type { Logger } from "../base/logger.ts";

/** Hears the fields of every line of a log. */
export type LineListener = (fields: Readonly<Record<string, unknown>>) => void;

/** A logger that writes what it wrote before, and lets `hear` have the fields of each line, whatever level is written. */
export function withAlerts(logger: Logger, hear: LineListener): Logger {
  const toWriter =
    (level: keyof Logger): Logger["error"] =>
    (fields, message) => {
      logger[level](fields, message);
      hear(fields);
    };
  return {
    debug: toWriter("debug"),
    info: toWriter("info"),
    warn: toWriter("warn"),
    error: toWriter("error"),
  };
}
