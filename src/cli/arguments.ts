import { parseArgs } from "node:util";
import { toConfigError } from "../base/errors.ts";

/** Every option of every command. Each command says which ones it takes. */
const OPTIONS = {
  json: { type: "boolean", default: false },
  serve: { type: "boolean", default: false },
  platform: { type: "string" },
  explain: { type: "boolean", default: false },
  since: { type: "string" },
  tenant: { type: "string" },
  yes: { type: "boolean", short: "y", default: false },
  enforce: { type: "boolean", default: false },
  force: { type: "boolean", default: false },
  port: { type: "string" },
  host: { type: "string" },
  key: { type: "string" },
  credits: { type: "string" },
  latency: { type: "string" },
  "rate-limit": { type: "string" },
  data: { type: "string" },
  search: { type: "string" },
  category: { type: "string" },
  budget: { type: "string" },
  body: { type: "string" },
  "job-time": { type: "string" },
  "tls-key": { type: "string" },
  "tls-cert": { type: "string" },
  scenarios: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
  version: { type: "boolean", short: "v", default: false },
} as const;

export type OptionName = Exclude<keyof typeof OPTIONS, "help" | "version">;

export type Arguments = ReturnType<typeof parseArguments>;
/** The values of all options: a flag that isn't given is false, a text that isn't given is undefined. */
export type Values = {
  readonly [K in keyof Given]: Given[K] extends boolean ? boolean : Given[K] | undefined;
};
type Given = Arguments["values"];

/**
 * Parse a command line: the command if there is one, its operands, the values of all options, and the names of the
 * given options, in order.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for an unknown option, or one without its value.
 */
export function parseArguments(args: readonly string[]) {
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
    // The other sentences explain how to pass a value that begins with a dash.
    throw toConfigError(error.message.split(". ", 1)[0] ?? error.message);
  }
}

const UNITS_MS = { d: 86_400_000, h: 3_600_000 } as const;
const EXPECTED = "--since: expected days or hours such as 30d or 12h, or a date such as 2026-11-01";

/**
 * The moment of `--since`, in milliseconds since the epoch: a time span before now, or an ISO 8601 date or time (UTC by
 * default).
 *
 * @param keptDays - How long orders are kept. An older order may have been checked and erased before, and would be paid for
 * again.
 * @throws {HoldfastError} `CONFIG_INVALID` if it can't be read, is in the future, or is before the oldest stored orders.
 */
export function parseSince(text: string | undefined, nowMs: number, keptDays: number): number {
  const sinceMs = text === undefined ? Number.NaN : (parseAge(text, nowMs) ?? parseDate(text));
  if (Number.isNaN(sinceMs)) throw toConfigError(EXPECTED);
  if (sinceMs >= nowMs) throw toConfigError("--since: expected a time in the past");
  if (sinceMs < nowMs - keptDays * UNITS_MS.d)
    throw toConfigError(`--since: expected at most ${keptDays} days ago (KEEP_ORDERS_DAYS), got ${text}`);
  return sinceMs;
}

function parseAge(text: string, nowMs: number): number | undefined {
  const [, number, unit] = /^([1-9]\d{0,3})([dh])$/.exec(text) ?? [];
  return number === undefined ? undefined : nowMs - Number(number) * UNITS_MS[unit === "d" ? "d" : "h"];
}

/**
 * An ISO 8601 date or time, UTC unless it says otherwise, in milliseconds since the epoch; `NaN` for anything else. The
 * text must start with a full date, because `Date.parse` reads almost anything as a year.
 */
export function parseDate(text: string): number {
  const parts = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text);
  if (parts === null) return Number.NaN;
  const [, date = "", time = "T00:00", zone = "Z"] = parts;
  const ms = Date.parse(`${date}${time}${zone}`);
  // February 31 would become a day in March.
  const isReal = new Date(`${date}T00:00Z`).toJSON()?.startsWith(date) ?? false;
  return isReal ? ms : Number.NaN;
}
