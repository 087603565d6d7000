import { parseArgs } from "node:util";
import { HoldfastError } from "../base/errors.ts";

/** Every option of every command; which of them takes which is the commands' to say. */
const OPTIONS = {
  json: { type: "boolean", default: false },
  serve: { type: "boolean", default: false },
  since: { type: "string" },
  tenant: { type: "string" },
  "dry-run": { type: "boolean", default: false },
  yes: { type: "boolean", short: "y", default: false },
  enforce: { type: "boolean", default: false },
  wait: { type: "boolean", default: false },
  port: { type: "string" },
  host: { type: "string" },
  key: { type: "string" },
  credits: { type: "string" },
  latency: { type: "string" },
  "rate-limit": { type: "string" },
  "tls-key": { type: "string" },
  "tls-cert": { type: "string" },
  scenarios: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
  version: { type: "boolean", short: "v", default: false },
} as const;

/** The name of an option that a command may take. */
export type OptionName = Exclude<keyof typeof OPTIONS, "help" | "version">;

/** A command line, taken apart. */
export interface Arguments {
  /** Undefined when none is given. */
  readonly command: string | undefined;
  /** What stands behind the command. */
  readonly operands: readonly string[];
  readonly values: ReturnType<typeof parse>["values"];
  /** Names of the options that were given, in their order. */
  readonly given: readonly string[];
}

/**
 * Take a command line apart.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for an option that no command has, or that misses its value.
 */
export function parseArguments(args: readonly string[]): Arguments {
  const { values, positionals, tokens } = parse(args);
  const [command, ...operands] = positionals;
  const given = tokens.flatMap((token) => (token.kind === "option" ? [token.name] : []));
  return { command, operands, values, given };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, tokens: true, options: OPTIONS });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Its further sentences explain how to pass a text that begins with a dash.
    throw toUsageError(error.message.split(". ", 1)[0] ?? error.message);
  }
}

/** What is wrong with a command line, and what was expected. */
export function toUsageError(message: string): HoldfastError {
  return new HoldfastError("CONFIG_INVALID", message, { retryable: false });
}
