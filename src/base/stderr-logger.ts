import { isHoldfastError, readCode } from "./errors.ts";
import type { Logger } from "./logger.ts";

// Every runtime has it, also those without Node's streams.
// oxlint-disable-next-line eslint/no-console -- nobody passed a logger
const printError = (line: string): void => console.error(line);

/** Causes that are remembered as printed. A cause has an error code, so there are few. */
const MOST_CAUSES = 100;

/**
 * Create the logger of a storefront that passes none: it prints warnings and errors on standard error, each cause once, so that a
 * mistake shows with the first order. Prints fixed texts, codes, names of fields and our own messages, which hold nothing personal.
 */
export function createStderrLogger(print: (line: string) => void = printError): Logger {
  const printed = new Set<string>();

  const toMethod =
    (level: string): Logger["error"] =>
    (fields, message) => {
      const reason = toReason(fields["err"]);
      const code = typeof fields["code"] === "string" ? fields["code"] : readCode(fields["err"]);
      const path = toPath(fields["path"], code);
      // The same failure is logged in several places.
      const cause = `${code}: ${path}: ${reason ?? message}`;
      if (printed.has(cause) || printed.size >= MOST_CAUSES) return;
      printed.add(cause);
      const parts = [`holdfast ${level}: ${message.replace(/\.$/, "")}`, code, path, reason].filter(
        (part) => part !== undefined,
      );
      print(`${parts.join(": ")} (printed once; createScreener's \`logger\` gets all)`);
    };

  return { debug() {}, info() {}, warn: toMethod("warning"), error: toMethod("error") };
}

/** The field that a warning is about. A buyer may have chosen an unknown key. */
function toPath(path: unknown, code: string | undefined): string | undefined {
  const isSafe = typeof path === "string" && /^[\w.[\]]{1,80}$/.test(path) && code !== "UNKNOWN_KEY";
  return isSafe ? path : undefined;
}

function toReason(error: unknown): string | undefined {
  if (isHoldfastError(error)) return error.message;
  return error instanceof Error ? error.name : undefined;
}
