import type { z } from "zod";
import type { FieldProblem } from "../base/errors.ts";
import { cutText } from "./text.ts";

/** The longest unknown key that a message repeats. */
const KEY_SHOWN_LENGTH = 60;

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  int: "a whole number",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** Says what a field without its own text expects, instead of zod's words: `schema.safeParse(data, { error: toExpectation })`. */
export function toExpectation(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${KINDS[issue.expected] ?? `a ${issue.expected}`}`;
    case "invalid_value":
      return `expected one of ${issue.values.join(", ")}`;
    case "unrecognized_keys":
      return "unknown field";
    default:
      return undefined;
  }
}

/** The invalid fields of a failed zod parse, without their values. One problem per unknown key, at the key. */
export function toFieldProblems(error: z.ZodError): readonly FieldProblem[] {
  return error.issues.flatMap((issue) => {
    const { message } = issue;
    if (issue.code !== "unrecognized_keys") return [{ path: toPath(issue.path), message }];
    return issue.keys.map((key) => ({
      path: toPath([...issue.path, cutText(key, KEY_SHOWN_LENGTH)]),
      message,
    }));
  });
}

function toPath(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>(
    (path, key) =>
      typeof key === "number" ? `${path}[${key}]` : path === "" ? String(key) : `${path}.${String(key)}`,
    "",
  );
}
