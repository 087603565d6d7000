import type { IncomingMessage } from "node:http";
import { z } from "zod";
import type { FieldProblem } from "../../base/errors.ts";
import { toFieldProblems } from "../../order/request.ts";
import { cutText } from "../../order/text.ts";
import { ProblemError } from "./responses.ts";
import { readBody, type BodyLimits } from "./request-body.ts";

/** Keys come from the body. Long ones are cut before they are shown. */
const NAME_SHOWN_LENGTH = 64;

/**
 * Read a request's body as JSON in UTF-8 and check it; a missing body is checked as undefined. Resolves to undefined if the
 * sender disconnected.
 *
 * @throws {ProblemError} 422 with every field at fault, or why the body can't be read.
 */
export async function readValidBody(
  req: IncomingMessage,
  schema: z.ZodType,
  limits: BodyLimits,
): Promise<{ readonly body: unknown } | undefined> {
  const nothing = isEmpty(req) ? schema.safeParse(undefined) : undefined;
  if (nothing?.success === true) return { body: nothing.data };
  const read = await readJson(req, limits);
  if (read === undefined) return undefined;
  const parsed = schema.safeParse(read.document, { error: toExpectation });
  if (parsed.success) return { body: parsed.data };
  const detail = "The body is invalid. Fix the fields listed in errors.";
  throw new ProblemError({ status: 422, detail, errors: toBodyProblems(parsed.error) });
}

function isEmpty({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** The expectation for a field without its own text. */
function toExpectation(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_type") return `expected ${KINDS[issue.expected] ?? `a ${issue.expected}`}`;
  return issue.code === "invalid_value" ? `expected one of ${issue.values.join(", ")}` : undefined;
}

/** One problem per unknown field; zod reports one for all of them. */
function toBodyProblems(error: z.ZodError): readonly FieldProblem[] {
  const issues = error.issues.flatMap((issue): z.core.$ZodIssue[] =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => {
          const path = [...issue.path, cutText(key, NAME_SHOWN_LENGTH)];
          return { ...issue, path, message: "unknown field" };
        })
      : [issue],
  );
  return toFieldProblems(new z.ZodError(issues));
}

async function readJson(
  req: IncomingMessage,
  limits: BodyLimits,
): Promise<{ readonly document: unknown } | undefined> {
  if (!isJson(req.headers["content-type"])) throw toProblem(415, "Send the body as application/json.");
  const read = await readBody(req, limits);
  if (read.outcome === "aborted") return undefined;
  if (read.outcome === "complete") return { document: toDocument(read.body) };
  if (read.outcome === "too-large")
    throw toProblem(413, `The body is too large. The limit is ${limits.maxBytes} bytes.`);
  const [status, detail] = UNREAD[read.outcome];
  throw toProblem(status, detail);
}

/** Why a body isn't read. */
const UNREAD = {
  encoded: [415, "The body must not be compressed."],
  "timed-out": [408, "The body didn't arrive in time."],
  overloaded: [503, "Too many requests at once. Try again."],
} as const;

function isJson(contentType: string | undefined): boolean {
  const [mediaType = ""] = (contentType ?? "").split(";");
  return mediaType.trim().toLowerCase() === "application/json";
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

function toDocument(body: Buffer): unknown {
  try {
    return JSON.parse(UTF_8.decode(body));
  } catch {
    // The parser's message quotes the body, so it isn't shown.
    throw toProblem(400, "The body isn't valid JSON.");
  }
}

function toProblem(status: number, detail: string): ProblemError {
  return new ProblemError({ status, detail });
}
