import { toConfigError } from "./errors.ts";

/** What a value must be, and how a message says so. */
const KINDS = {
  function: "a function",
  object: "an object",
  logger: "functions debug, info, warn and error",
  signal: "the signal of an AbortController",
} as const;
type Kind = keyof typeof KINDS;
/** The functions that an object of a kind has. */
const FUNCTIONS = {
  object: [],
  logger: ["debug", "info", "warn", "error"],
  signal: ["throwIfAborted", "addEventListener"],
} as const;

/** How one option is checked. `true`: its function checks it. */
export type OptionRule =
  | true
  | Kind
  | {
      /** A list of names: an object with these functions. */
      readonly is: Kind | readonly string[] | ((value: unknown) => boolean);
      /** Follows "expected" in a message. Default: the words for the kind. */
      readonly expected?: string;
      readonly isRequired?: boolean;
    };

type NamesOf<T> = T extends unknown ? keyof T & string : never;

/** A rule for every option that a function has. */
export type OptionRules<T> = Readonly<Record<NamesOf<T>, OptionRule>>;

/**
 * Check the options of a public function, for callers in plain JavaScript: no type checker tells them about a misspelled
 * name, which would otherwise be ignored. Returns them, or none if they're missing.
 *
 * @param owner The function's name, or the name of the option that has them.
 * @throws {HoldfastError} `CONFIG_INVALID` naming the option at fault.
 */
export function checkOptions<T extends object>(
  owner: string,
  options: T | null | undefined,
  rules: OptionRules<T>,
): T {
  const given: unknown = options ?? {};
  if (!isObject(given)) throw toConfigError(`${owner}: expected an object with options`);
  const names = Object.keys(rules);
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    throw toConfigError(`"${name}": not an option of ${owner}; expected one of ${names.join(", ")}`);
  }
  for (const [name, rule] of Object.entries<OptionRule>(rules)) {
    if (rule !== true) checkOption(name, given[name], typeof rule === "string" ? { is: rule } : rule);
  }
  return given as T;
}

function checkOption(name: string, value: unknown, rule: Exclude<OptionRule, true | Kind>): void {
  const { is, expected = typeof is === "string" ? KINDS[is] : "", isRequired = false } = rule;
  if (value === undefined ? isRequired : !isRight(value, is)) {
    throw toConfigError(`"${name}": expected ${expected}`);
  }
}

function isRight(value: unknown, is: Exclude<OptionRule, true | Kind>["is"]): boolean {
  if (typeof is === "function") return is(value);
  if (is === "function") return typeof value === "function";
  if (!isObject(value)) return false;
  const names = typeof is === "string" ? FUNCTIONS[is] : is;
  return names.every((name) => typeof value[name] === "function");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
