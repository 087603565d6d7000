import { pino, stdTimeFunctions, type DestinationStream, type LevelWithSilent } from "pino";
import { toLogFields } from "./log-redaction.ts";
import { toLogger, type Logger } from "./logger.ts";

export interface PinoLoggerOptions {
  readonly level: LevelWithSilent;
  /** Where lines go. Default: standard output, written at once, so that the last line before a crash isn't lost. */
  readonly destination?: DestinationStream | undefined;
}

/**
 * Create the app's {@link Logger}: one JSON object per line, with the level in words, the time in ISO 8601 and no host
 * name. Secret and personal fields are redacted by {@link toLogFields}; messages are written unchanged, since ours are
 * fixed texts.
 */
export function createPinoLogger(options: PinoLoggerOptions): Logger {
  const logger = pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // The fields are serialised already, and pino's own error serialiser would print messages.
      serializers: { err: (error: unknown) => error },
    },
    ...(options.destination === undefined ? [] : [options.destination]),
  );

  return toLogger((level) => (fields, message) => {
    // Redacting costs more than writing, so skip lines below the log level first.
    if (logger.isLevelEnabled(level)) logger[level](withoutReserved(toLogFields(fields)), message);
  });
}

/** Keys that pino writes itself. A second key with the same name would hide the first from most JSON parsers. */
const RESERVED = new Set(["level", "time", "pid", "msg"]);

function withoutReserved(fields: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(fields);
  return Object.fromEntries(entries.map(([key, value]) => [RESERVED.has(key) ? `${key}_` : key, value]));
}
