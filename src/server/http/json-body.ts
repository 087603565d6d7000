import type { IncomingMessage } from "node:http";
import type { ProblemAnswer } from "./responses.ts";
import { readBody, type BodyLimits } from "./request-body.ts";

/** What {@link readJson} makes of a request's body. */
export type JsonBody =
  | { readonly outcome: "read"; readonly document: unknown }
  | { readonly outcome: "refused"; readonly problem: ProblemAnswer }
  /** The sender went away. */
  | { readonly outcome: "aborted" };

/** Read a request's body as JSON in UTF-8. Never rejects. */
export async function readJson(req: IncomingMessage, limits: BodyLimits): Promise<JsonBody> {
  if (!isJson(req.headers["content-type"])) {
    return refused(415, "Send the body as application/json.");
  }
  const read = await readBody(req, limits);
  switch (read.outcome) {
    case "aborted":
      return { outcome: "aborted" };
    case "encoded":
      return refused(415, "The body must not be compressed.");
    case "too-large":
      return refused(413, `The body is too large. The limit is ${limits.maxBytes} bytes.`);
    case "timed-out":
      return refused(408, "The body didn't arrive in time.");
    case "overloaded":
      return refused(503, "Too many requests at once. Try again.");
    case "complete":
      return toDocument(read.body);
    default:
      return read satisfies never;
  }
}

function isJson(contentType: string | undefined): boolean {
  const [mediaType = ""] = (contentType ?? "").split(";");
  return mediaType.trim().toLowerCase() === "application/json";
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

function toDocument(body: Buffer): JsonBody {
  try {
    const document: unknown = JSON.parse(UTF_8.decode(body));
    return { outcome: "read", document };
  } catch {
    // The parser's message quotes the body, so it isn't shown.
    return refused(400, "The body isn't valid JSON.");
  }
}

function refused(status: number, detail: string): JsonBody {
  return { outcome: "refused", problem: { status, detail } };
}
