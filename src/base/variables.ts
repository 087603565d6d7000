import type { FieldProblem } from "./field-codes.ts";
import { isLoopback } from "./public-address.ts";
import { Secret } from "./secret.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables and collects every mistake, so that one start shows them all. */
export type VariableReader = ReturnType<typeof createVariableReader>;

const UNQUOTED = "expected no quotes around the value (docker run --env-file keeps them)";

/** Whether a value still has the quotes of the file that it's from. With them, a secret never matches. */
export function isQuoted(text: string): boolean {
  return /^(["']).*\1$/s.test(text);
}

export function createVariableReader(env: Environment) {
  const problems: FieldProblem[] = [];
  const refuse = (name: string, message: string): void => void problems.push({ path: name, message });
  // An empty variable is how compose files and CI systems write "not set".
  const has = (name: string): boolean => (env[name] ?? "") !== "";
  return {
    problems: problems as readonly FieldProblem[],
    refuse,
    has,
    /** The parsed variable; undefined if it's absent, empty or invalid. */
    read: <T>(name: string, expected: string, parse: (text: string) => T | undefined): T | undefined => {
      const text = env[name] ?? "";
      if (text === "") return undefined;
      const value = isQuoted(text) ? undefined : parse(text);
      if (value === undefined) refuse(name, isQuoted(text) ? UNQUOTED : expected);
      return value;
    },
    /** For a variable that isn't read with `read`. */
    refuseQuoted: (name: string): void => {
      if (isQuoted(env[name] ?? "")) refuse(name, UNQUOTED);
    },
    require: (isNeeded: boolean, expected: string, names: readonly string[]): void => {
      for (const name of names) if (isNeeded && !has(name)) refuse(name, expected);
    },
    allowOnlyWith: (other: string, ...names: readonly string[]): void => {
      if (has(other)) return;
      for (const name of names.filter(has)) refuse(name, `expected only with ${other}`);
    },
  };
}

export function toNumberBetween(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const value = Number(text);
    return /^(?:0|[1-9]\d{0,8})$/.test(text) && value >= min && value <= max ? value : undefined;
  };
}

export function toOneOf<T extends string>(values: readonly T[]): (text: string) => T | undefined {
  return (text) => values.find((value) => value === text);
}

/** A text that an HTTP header can contain unchanged; undefined for any other. */
export function toPrintable(text: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}

export function toSecret(text: string): Secret | undefined {
  return toPrintable(text) === undefined ? undefined : new Secret(text);
}

/** A URL to send to: https, or http to this machine, without credentials. */
export function toSafeUrl(text: string): URL | undefined {
  if (toPrintable(text) === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const secure = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
  return secure && url.username === "" && url.password === "" ? url : undefined;
}
