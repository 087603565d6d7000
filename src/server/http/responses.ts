import { STATUS_CODES, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import { type Refusal, refusalOf } from "../../base/refusals.ts";
import { PROBLEM_MEDIA_TYPE, toProblem, type ProblemDetails } from "../../base/problem.ts";
import { discardRest } from "./request-body.ts";

/** Send JSON that must not be cached: it is about one tenant at one moment. Undefined: a response without a body. */
export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  if (body === undefined) res.writeHead(status, { "Cache-Control": "no-store", ...headers }).end();
  else send(res, status, "application/json; charset=utf-8", JSON.stringify(body), headers);
}

/** Answer with a text that must not be cached. */
function send(
  res: ServerResponse,
  status: number,
  contentType: string,
  text: string,
  headers: OutgoingHttpHeaders = {},
): void {
  const ofText = { "Content-Type": contentType, "Content-Length": Buffer.byteLength(text) };
  res.writeHead(status, { ...ofText, "Cache-Control": "no-store", ...headers }).end(text);
}

/** The content security policy of responses that aren't pages: load nothing, and no embedding. */
export const NO_PAGE_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Answer with a text that is made for each request. */
export function sendText(res: ServerResponse, contentType: string, text: string): void {
  send(res, 200, contentType, text);
}

/** Answer with a file that is made for each request, for the browser to save. */
export function sendFile(res: ServerResponse, contentType: string, name: string, file: Buffer): void {
  res
    .writeHead(200, {
      "Content-Type": contentType,
      "Content-Length": file.length,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    })
    .end(file);
}

/** An error answer. Nothing in it may repeat a secret, a body or anything personal. */
export interface ProblemAnswer extends ProblemDetails {
  readonly status: number;
  readonly detail: Refusal["detail"];
  readonly refusal: Refusal["refusal"];
  /** An ID to find the log line of an error whose cause isn't shown. */
  readonly errorId?: string;
}

/** Thrown if an API call can't be carried out. The call is answered with the problem. */
export class ProblemError extends Error {
  readonly answer: ProblemAnswer;
  readonly headers: OutgoingHttpHeaders;

  constructor(answer: ProblemAnswer, headers: OutgoingHttpHeaders = {}) {
    super(answer.detail);
    this.answer = answer;
    this.headers = headers;
  }
}

/** Answer with `application/problem+json`. What the caller still sends is dropped, see {@link discardRest}. */
export function sendProblem(res: ServerResponse, answer: ProblemAnswer, headers: OutgoingHttpHeaders = {}) {
  const { status, ...details } = answer;
  // The type is about:blank, so RFC 9457 section 4.2.1 asks for the status phrase as the title.
  const text = JSON.stringify(toProblem(status, STATUS_CODES[status] ?? "Error", details));
  send(res, status, PROBLEM_MEDIA_TYPE, text, {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": NO_PAGE_POLICY,
    ...headers,
  });
  discardRest(res.req);
}

/** Seconds for `Retry-After` until `retryAtMs`, at least 1; `fallbackSeconds` if that time isn't known. */
export function toRetryAfter(retryAtMs: number | undefined, nowMs: number, fallbackSeconds: number): string {
  if (retryAtMs === undefined) return String(fallbackSeconds);
  return String(Math.max(1, Math.ceil((retryAtMs - nowMs) / 1_000)));
}

export function sendMethodNotAllowed(res: ServerResponse, allowed: readonly string[]): void {
  const allow = allowed.join(", ");
  sendProblem(res, refusalOf(405, "method-not-allowed", { allowed: allow }), { Allow: allow });
}

/** Answer a long request. The signal fires when the caller disconnects; later rejections of the work are ignored. */
export async function whileConnected(res: ServerResponse, work: (signal: AbortSignal) => Promise<void>) {
  const gone = new AbortController();
  const end = (): void => gone.abort(new Error("the caller hung up"));
  // The connection may have closed during sign-in.
  if (res.closed || res.destroyed) return;
  res.once("close", end);
  try {
    await work(gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    res.off("close", end);
  }
}
