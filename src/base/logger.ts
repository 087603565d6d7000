/** The part of pino that Holdfast uses; any logger with these methods will do. */
export interface Logger {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Logs nothing. */
export const SILENT_LOGGER: Logger = { debug() {}, info() {}, warn() {}, error() {} };

export function toLogger(toMethod: (level: keyof Logger) => Logger["error"]): Logger {
  return {
    debug: toMethod("debug"),
    info: toMethod("info"),
    warn: toMethod("warn"),
    error: toMethod("error"),
  };
}

/** A logger whose lines all go through `wrap`, which gets the original method. */
export function wrapLogger(logger: Logger, wrap: (write: Logger["error"]) => Logger["error"]): Logger {
  return toLogger((level) => wrap((fields, message) => logger[level](fields, message)));
}
