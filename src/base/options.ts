import { toConfigError } from "./errors.ts";

/** How one option is checked. `true`: its function checks it. */
export type OptionRule =
  | true
  | {
      /** Follows "expected" in a message. */
      readonly expected: string;
      readonly isRight: (value: unknown) => boolean;
      readonly isRequired?: boolean;
    };

type NamesOf<T> = T extends unknown ? keyof T & string : never;

/** A rule for every option that a function has. */
export type OptionRules<T> = Readonly<Record<NamesOf<T>, OptionRule>>;

export const A_FUNCTION = {
  expected: "a function",
  isRight: (value: unknown) => typeof value === "function",
} as const satisfies OptionRule;

export const A_LOGGER = {
  expected: "functions debug, info, warn and error",
  isRight: (value: unknown) => hasFunctions(value, "debug", "info", "warn", "error"),
} as const satisfies OptionRule;

export const AN_OBJECT = {
  expected: "an object",
  isRight: (value: unknown) => typeof value === "object" && value !== null,
} as const satisfies OptionRule;

/** Whether a value is an object with these functions. */
export function hasFunctions(value: unknown, ...names: readonly string[]): boolean {
  if (!AN_OBJECT.isRight(value)) return false;
  return names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === "function");
}

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
  if (typeof given !== "object") throw toConfigError(`${owner}: expected an object with options`);
  const names = Object.keys(rules);
  for (const name of Object.keys(given as object)) {
    if (names.includes(name)) continue;
    throw toConfigError(`"${name}": not an option of ${owner}; expected one of ${names.join(", ")}`);
  }
  for (const [name, rule] of Object.entries<OptionRule>(rules)) {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    if (rule === true || (value === undefined && rule.isRequired !== true)) continue;
    if (!rule.isRight(value)) throw toConfigError(`"${name}": expected ${rule.expected}`);
  }
  return given as T;
}
