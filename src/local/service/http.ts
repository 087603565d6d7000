import type { IncomingMessage, ServerResponse } from "node:http";
import type { RateState } from "./rate-window.ts";

/** Largest body the service reads, in bytes. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/** What the service is asked to do. */
export type Route =
  | { readonly kind: "organizations" }
  | { readonly kind: "verification"; readonly organization: string }
  | { readonly kind: "wrong-method"; readonly allow: string }
  | { readonly kind: "unknown" };

/** One answer, ready to be written. `body` is JSON, save where the sandbox breaks it on purpose. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Instead of the caller's real standing. */
  readonly rate?: RateState | undefined;
}

/** A body that was read to its end, or the fact that it was too long. */
export type ReadBody = { readonly outcome: "read"; readonly text: string } | { readonly outcome: "too-long" };

/** An answer in the envelope of success. */
export function toSuccess(data: unknown): Answer {
  return { status: 200, body: JSON.stringify({ success: true, data }) };
}

/** An answer in the envelope of failure. */
export function toFailure(
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): Answer {
  return { status, body: JSON.stringify({ success: false, message }), headers };
}

/** What a request line asks for. */
export function toRoute(method: string | undefined, target: string | undefined): Route {
  const path = (target ?? "").split("?", 1)[0] ?? "";
  if (path === "/api/organizations/get") {
    return method === "GET" ? { kind: "organizations" } : { kind: "wrong-method", allow: "GET" };
  }
  const organization = /^\/api\/([^/]+)\/order-verification$/.exec(path)?.[1];
  if (organization === undefined) return { kind: "unknown" };
  return method === "POST"
    ? { kind: "verification", organization: decodePart(organization) }
    : { kind: "wrong-method", allow: "POST" };
}

/** The API key of either header; `x-api-key` is preferred. Undefined when there is none. */
export function readApiKey({ headers }: IncomingMessage): string | undefined {
  const own = headers["x-api-key"];
  const key = typeof own === "string" ? own.trim() : "";
  if (key !== "") return key;
  return /^Bearer +(\S+)$/i.exec(headers.authorization?.trim() ?? "")?.[1];
}

/** Whether the caller says that the body is JSON. */
export function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "");
}

/**
 * Read a body to its end. What is over the limit is read and thrown away, so that the caller gets the answer instead
 * of a broken connection.
 */
export async function readBody(request: IncomingMessage): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= BODY_LIMIT_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  return bytes > BODY_LIMIT_BYTES
    ? { outcome: "too-long" }
    : { outcome: "read", text: Buffer.concat(chunks).toString("utf8") };
}

/** Write an answer with the caller's standing; every answer carries it. */
export function writeAnswer(response: ServerResponse, answer: Answer, standing: RateState): void {
  const rate = answer.rate ?? standing;
  response.writeHead(answer.status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(answer.body),
    "X-RateLimit-Limit": rate.limit,
    "X-RateLimit-Remaining": rate.remaining,
    "X-RateLimit-Reset": rate.resetAtSeconds,
    ...answer.headers,
  });
  response.end(answer.body);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Not an encoding: no organization has that name, and the caller is told so.
    return part;
  }
}
