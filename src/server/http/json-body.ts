import type { IncomingMessage } from "node:http";
import type { ProblemAnswer } from "./problem-response.ts";
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
    return refused(415, "expected the content type application/json");
  }
  const read = await readBody(req, limits);
  switch (read.outcome) {
    case "aborted":
      return { outcome: "aborted" };
    case "encoded":
      return refused(415, "expected a body that is not compressed");
    case "too-large":
      return refused(413, `expected at most ${limits.maxBytes} bytes`);
    case "timed-out":
      return refused(408, "the body did not arrive in time");
    case "overloaded":
      return refused(503, "too much is being sent at once: try again");
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
    // The parser's message quotes the body, so it stays here.
    return refused(400, "the body is not JSON");
  }
}

function refused(status: number, detail: string): JsonBody {
  return { outcome: "refused", problem: { status, detail } };
}
