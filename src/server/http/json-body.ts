import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { refusalOf } from "../../base/refusals.ts";
import { toExpectation, toFieldProblems } from "../../order/field-problems.ts";
import { ProblemError } from "./responses.ts";
import { readBody, type BodyLimits } from "./request-body.ts";

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
  throw new ProblemError({ ...refusalOf(422, "body-invalid"), errors: toFieldProblems(parsed.error) });
}

function isEmpty({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0;
}

async function readJson(req: IncomingMessage, limits: BodyLimits) {
  if (!isJson(req.headers["content-type"])) throw new ProblemError(refusalOf(415, "content-type"));
  const read = await readBody(req, limits);
  if (read.outcome === "aborted") return undefined;
  if (read.outcome === "complete") return { document: toDocument(read.body) };
  if (read.outcome === "too-large")
    throw new ProblemError(refusalOf(413, "body-too-large", { max: limits.maxBytes }));
  throw new ProblemError(UNREAD[read.outcome]);
}

const UNREAD = {
  encoded: refusalOf(415, "body-compressed"),
  "timed-out": refusalOf(408, "body-late"),
  overloaded: refusalOf(503, "overloaded"),
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
    throw new ProblemError(refusalOf(400, "body-not-json"));
  }
}
