import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { refusalOf } from "../../base/refusals.ts";
import { isHoldfastError } from "../../base/errors.ts";
import { expected, toFieldProblem, type FieldProblem } from "../../base/field-codes.ts";
import { toExpectation, toFieldProblems } from "../../order/field-problems.ts";
import { ProblemError } from "./responses.ts";

/** The query of a request, without nested parameters. Never throws. */
export function toQuery(req: Pick<IncomingMessage, "url">): URLSearchParams {
  const url = req.url ?? "";
  const start = url.indexOf("?");
  return new URLSearchParams(start === -1 ? "" : url.slice(start + 1));
}

/**
 * The entity tags of `If-Match`; null if any version will do (RFC 9110, 13.1.1). Compare them strongly: a weak tag, `W/"3"`,
 * matches nothing.
 */
export function readIfMatch({ headers }: Pick<IncomingMessage, "headers">): readonly string[] | null {
  const ifMatch = headers["if-match"]?.trim() ?? "*";
  return ifMatch === "*" ? null : ifMatch.split(",").map((tag) => tag.trim());
}

/** Names come from the query. Long ones are cut before they are shown. */
const NAME_SHOWN_LENGTH = 64;

/**
 * Check a query. An unknown, repeated or out-of-range parameter is refused by name, so that a mistyped filter doesn't return
 * everything. A parameter without a value counts as absent, as in a form whose field is empty.
 */
export function parseQuery(
  schema: z.ZodObject,
  query: URLSearchParams,
): { readonly values: Readonly<Record<string, unknown>> } | { readonly errors: readonly FieldProblem[] } {
  const known = Object.keys(schema.shape);
  const errors: FieldProblem[] = [];
  const given = new Map<string, string>();
  for (const name of new Set(query.keys())) {
    const [value = "", ...more] = query.getAll(name);
    if (!known.includes(name)) {
      errors.push(toFieldProblem(name.slice(0, NAME_SHOWN_LENGTH), "one-of", { allowed: known.join(", ") }));
    } else if (more.length > 0) {
      errors.push(toFieldProblem(name, "exactly-one"));
    } else if (value !== "") given.set(name, value);
  }
  const parsed = schema.safeParse(Object.fromEntries(given), { error: toExpectation });
  if (parsed.success && errors.length === 0) return { values: parsed.data };
  return { errors: [...errors, ...(parsed.success ? [] : toFieldProblems(parsed.error))] };
}

/** A whole number as a text: in a query or a path. */
export function wholeNumber(min: number, max: number) {
  const problem = expected("whole-number-between", { min, max });
  return z
    .string()
    .regex(/^(?:0|[1-9]\d{0,9})$/, problem)
    .transform(Number)
    .pipe(z.int().min(min, problem).max(max, problem));
}

export function toQueryProblem(errors: readonly FieldProblem[]) {
  return { ...refusalOf(400, "query-invalid"), errors };
}

/** @throws {ProblemError} 400 for a cursor that the store didn't give out. */
export async function readPage<T>(page: Promise<T>): Promise<T> {
  try {
    return await page;
  } catch (error) {
    if (!isHoldfastError(error, "ORDER_INVALID")) throw error;
    throw new ProblemError(toQueryProblem([toFieldProblem("cursor", "cursor")]));
  }
}

/** The most rows on a page of a list. */
export const MAX_PAGE = 100;

/** Query parameters of a list that is given page by page. No cursor is longer than 1,000 characters. */
export const pageQuery = z.object({
  limit: wholeNumber(1, MAX_PAGE).default(50),
  cursor: z
    .string()
    .max(1_000, expected("cursor"))
    .optional()
    .describe("`nextCursor` from the previous page"),
});
