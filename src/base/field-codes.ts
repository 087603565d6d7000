import { TEXTS } from "../texts/en/expected.ts";

/** What can be wrong with a field. Closed: `docs/reference/field-codes.md` lists them, and each has a text in every language. */
export type FieldCode = keyof typeof TEXTS;
export const FIELD_CODES = Object.keys(TEXTS) as readonly FieldCode[];

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ParamsOf<Code extends FieldCode> = { readonly [Name in NamesIn<(typeof TEXTS)[Code]>]: string | number };
/** What is filled into the text of a code: nothing, or an object with each of its placeholders. */
export type Params<Code extends FieldCode> = [keyof ParamsOf<Code>] extends [never] ? [] : [ParamsOf<Code>];

/** Numbers and words of a problem: limits, allowed values. Never what somebody entered. */
export type ProblemParams = Readonly<Record<string, string | number>>;

/** One field at fault, e.g. `{ path: "items[0].quantity", message: "expected a positive integer" }`. */
export interface FieldProblem {
  /** Where in the document, dotted, with `[n]` for list positions. Empty for the document itself. */
  readonly path: string;
  /** What was expected, in English. Never repeats the value: values can be personal. */
  readonly message: string;
  /** The same for programs, which may translate it. Absent for problems that only developers see. */
  readonly code?: FieldCode;
  /** What is filled into the text of `code`. */
  readonly params?: ProblemParams;
}

/** A field at fault, with its text in English. */
export function toFieldProblem<Code extends FieldCode>(
  path: string,
  code: Code,
  ...[params]: Params<Code>
): FieldProblem {
  return toProblem(path, code, params);
}

function toProblem(path: string, code: FieldCode, params: ProblemParams = {}): FieldProblem {
  const message = TEXTS[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  return { path, message, code, ...(Object.keys(params).length > 0 && { params }) };
}

const CODED = /^field:([\w-]+) (.*)$/s;

/**
 * A code as the message of a zod schema: `z.string(expected("name"))`. Zod carries nothing but text from a schema to an
 * issue; {@link readExpected} reads it again.
 */
export function expected<Code extends FieldCode>(code: Code, ...[params]: Params<Code>): string {
  return `field:${code} ${JSON.stringify(params ?? {})}`;
}

/** The problem of an issue of zod. A message without a code stays as it is. */
export function readExpected(path: string, message: string): FieldProblem {
  const [, code = "", params = ""] = CODED.exec(message) ?? [];
  if (!Object.hasOwn(TEXTS, code)) return { path, message };
  return toProblem(path, code as FieldCode, JSON.parse(params) as ProblemParams);
}
