import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { isHoldfastError, type FieldProblem } from "../../base/errors.ts";
import { toFieldProblems } from "../../order/field-problems.ts";
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
      errors.push({ path: name.slice(0, NAME_SHOWN_LENGTH), message: `expected one of ${known.join(", ")}` });
    } else if (more.length > 0) {
      errors.push({ path: name, message: "expected only once" });
    } else if (value !== "") given.set(name, value);
  }
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success && errors.length === 0) return { values: parsed.data };
  return { errors: [...errors, ...(parsed.success ? [] : toFieldProblems(parsed.error))] };
}

/** A whole number as a text: in a query or a path. */
export function wholeNumber(min: number, max: number) {
  const expected = `expected a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^(?:0|[1-9]\d{0,9})$/, expected)
    .transform(Number)
    .pipe(z.int().min(min, expected).max(max, expected));
}

const CURSOR_EXPECTED = "expected a cursor from an earlier page";
export function toQueryProblem(errors: readonly FieldProblem[]) {
  return { status: 400, detail: "The query is invalid. Fix the parameters listed in errors.", errors };
}

/** @throws {ProblemError} 400 for a cursor that the store didn't give out. */
export async function readPage<T>(page: Promise<T>): Promise<T> {
  try {
    return await page;
  } catch (error) {
    if (!isHoldfastError(error, "ORDER_INVALID")) throw error;
    throw new ProblemError(toQueryProblem([{ path: "cursor", message: CURSOR_EXPECTED }]));
  }
}

/** The most rows on a page of a list. */
export const MAX_PAGE = 100;

/** Query parameters of a list that is given page by page. No cursor is longer than 1,000 characters. */
export const pageQuery = z.object({
  limit: wholeNumber(1, MAX_PAGE).default(50),
  cursor: z.string().max(1_000, CURSOR_EXPECTED).optional().describe("`nextCursor` from the previous page"),
});
