import type { z } from "zod";
import { expected, readExpected, type FieldProblem } from "../base/field-codes.ts";
import { cutText } from "./text.ts";

/** The longest unknown key that a message repeats. */
const KEY_SHOWN_LENGTH = 60;

const KINDS: Readonly<Record<string, string>> = {
  string: expected("text"),
  number: expected("number"),
  int: expected("whole-number"),
  boolean: expected("boolean"),
  array: expected("list"),
  object: expected("object"),
  record: expected("object"),
};

/** The codes of too small and too large values, by what is counted. */
const SIZES: Readonly<Record<string, "characters" | "entries">> = { string: "characters", array: "entries" };

/** Says what a field without its own text expects, instead of zod's words: `schema.safeParse(data, { error: toExpectation })`. */
export function toExpectation(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return KINDS[issue.expected] ?? expected("invalid");
    case "invalid_value":
      return expected("one-of", { allowed: issue.values.join(", ") });
    case "unrecognized_keys":
      return expected("unknown-field");
    case "too_small":
      return expected(`min-${SIZES[issue.origin] ?? "number"}`, { min: Number(issue.minimum) });
    case "too_big":
      return expected(`max-${SIZES[issue.origin] ?? "number"}`, { max: Number(issue.maximum) });
    case "invalid_format":
      return expected("format");
    default:
      return expected("invalid");
  }
}

/** The invalid fields of a failed zod parse, without their values. One problem per unknown key, at the key. */
export function toFieldProblems(error: z.ZodError): readonly FieldProblem[] {
  return error.issues.flatMap((issue) => {
    const { message } = issue;
    if (issue.code !== "unrecognized_keys") return [readExpected(toPath(issue.path), message)];
    return issue.keys.map((key) =>
      readExpected(toPath([...issue.path, cutText(key, KEY_SHOWN_LENGTH)]), message),
    );
  });
}

/** A field's place as text: `rules[0].when`. */
export function toPath(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>(
    (path, key) =>
      typeof key === "number" ? `${path}[${key}]` : path === "" ? String(key) : `${path}.${String(key)}`,
    "",
  );
}
