import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { z } from "zod";
import { toExpectation, toFieldProblems } from "../order/field-problems.ts";
import type { RiskLevel } from "../order/risk-level.ts";
import type { RateState } from "./rate-window.ts";
import type { Duplex } from "node:stream";

/**
 * Largest body the service reads, in bytes. The interface doesn't limit bodies or their number of lines, so this is
 * larger than any order: 100,000 lines of 300 bytes.
 */
export const BODY_LIMIT_BYTES = 32 * 1024 * 1024;
/** A body over the limit is read up to this size, so that its sender gets the answer. Then the connection ends. */
const DRAIN_LIMIT_BYTES = 2 * BODY_LIMIT_BYTES;

/** One answer, ready to be written. `body` is JSON, except where the sandbox breaks it on purpose. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the caller's real rate limit. */
  readonly rate?: RateState | undefined;
  /** The risk level in the answer, if it has one. */
  readonly riskLevel?: RiskLevel | undefined;
  /** End the connection halfway through the body. */
  readonly breaksOff?: boolean | undefined;
}

export function toSuccess(data: unknown): Answer {
  return { status: 200, body: JSON.stringify({ success: true, data }) };
}

export function toFailure(
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): Answer {
  return { status, body: JSON.stringify({ success: false, message }), headers };
}

/** The API key of either header; `x-api-key` is preferred. Undefined when there is none. */
export function readApiKey(request: IncomingMessage): string | undefined {
  const own = request.headers["x-api-key"];
  const key = typeof own === "string" ? own.trim() : "";
  return key === "" ? readBearer(request) : key;
}

/** The bearer token; undefined when there is none. */
export function readBearer({ headers }: IncomingMessage): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization?.trim() ?? "")?.[1];
}

/** Whether the caller declares the body as JSON. */
export function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "");
}

/**
 * Read a body to its end; undefined if it's over the limit. The excess is read and dropped, so that the caller gets the
 * answer instead of a broken connection.
 */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  return (await readBytes(request, BODY_LIMIT_BYTES, DRAIN_LIMIT_BYTES))?.toString("utf8");
}

/** The same for bytes; undefined if it's over the limit. Past `drainBytes` the connection ends. */
export async function readBytes(
  request: IncomingMessage,
  limitBytes: number,
  drainBytes = Number.POSITIVE_INFINITY,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= limitBytes) chunks.push(chunk);
    else chunks.length = 0;
    if (bytes > drainBytes) {
      request.destroy();
      break;
    }
  }
  return bytes > limitBytes ? undefined : Buffer.concat(chunks);
}

/** Whether a path has the form of another, in which `:id` stands for any part. */
export function fitsPath(form: string, segments: readonly string[]): boolean {
  const parts = form.split("/").slice(1);
  return (
    parts.length === segments.length &&
    parts.every((part, index) => part.startsWith(":") || part === segments[index])
  );
}

/** Headers of an answer: the headers of every answer, and its own. */
export function toHeaders(answer: Answer, rateState: RateState): Readonly<Record<string, string | number>> {
  const rate = answer.rate ?? rateState;
  return {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(answer.body),
    "X-RateLimit-Limit": rate.limit,
    "X-RateLimit-Remaining": rate.remaining,
    "X-RateLimit-Reset": rate.resetAtSeconds,
    ...answer.headers,
  };
}

/** Write an answer with the caller's `rateState`, which every answer carries. `last` ends the connection after it. */
export function writeAnswer(
  response: ServerResponse,
  answer: Answer,
  { rateState, last }: { readonly rateState: RateState; readonly last: boolean },
): void {
  response.writeHead(answer.status, {
    ...toHeaders(answer, rateState),
    ...(last ? { Connection: "close" } : {}),
  });
  if (answer.breaksOff !== true) {
    response.end(answer.body);
    return;
  }
  const half = answer.body.slice(0, Math.floor(answer.body.length / 2));
  response.write(half, () => response.destroy());
}

/** The message for each status, worded as in the service's interface. The others are plain HTTP. */
export const STATUS_MESSAGES = {
  401: "Missing API Key",
  402: "Insufficient credits. Please purchase credits to verify orders.",
  403: "Invalid API Key",
  429: "Rate limit exceeded",
  500: "Internal Server Error",
  302: "Found",
  404: "Not Found",
  405: "Method Not Allowed",
  413: "Payload Too Large",
  503: "Service Unavailable",
} as const;

/** Start of every message about a body that cannot be used. */
export const INVALID_BODY = "Invalid request body: ";
/** Problems listed in one answer, at most: a body can have one per item. */
const MOST_PROBLEMS = 20;

/** Thrown to answer a call with the failure envelope. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Answer["headers"];

  constructor(status: number, message: string, headers?: Answer["headers"]) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export function toRefusal(status: keyof typeof STATUS_MESSAGES, headers?: Answer["headers"]): Refusal {
  return new Refusal(status, STATUS_MESSAGES[status], headers);
}

export function refuseBody(detail: string): Refusal {
  return new Refusal(400, INVALID_BODY + detail);
}

/** Any error that isn't a refusal is thrown on. */
export function answerRefusal(error: unknown, toAnswer = toFailure): Answer {
  if (error instanceof Refusal) return toAnswer(error.status, error.message, error.headers);
  throw error;
}

/** @throws {Refusal} 400 naming the fields at fault. */
export function checkBody<T>(schema: z.ZodType<T>, given: unknown): T {
  const parsed = schema.safeParse(given, { error: toExpectation });
  if (parsed.success) return parsed.data;
  const problems = toFieldProblems(parsed.error).map(({ path, message }) =>
    path === "" ? message : `${path}: ${message}`,
  );
  const shown = problems.slice(0, MOST_PROBLEMS);
  if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more`);
  throw refuseBody(shown.join("; "));
}

/** Statuses for what Node can't read as a request; anything else is a 400. */
const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answer an invalid HTTP request with the failure envelope, and end the connection. */
export function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Duplex, rateState: RateState): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUSES[error.code ?? ""] ?? 400;
  const reason = STATUS_CODES[status] ?? "Bad Request";
  const answer = toFailure(status, reason, { Connection: "close" });
  const headers = Object.entries(toHeaders(answer, rateState)).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${reason}`, ...headers, "", answer.body].join("\r\n"));
}
