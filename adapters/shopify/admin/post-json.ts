import { request, type Dispatcher } from "undici";
import { unavailable } from "../base/failures.ts";

/** Largest answer that is read, in bytes. The largest page that Holdfast requests is well under one megabyte. */
const MAX_BYTES = 5 * 1024 * 1024;
/** A longer `Retry-After` is treated as a mistake and cut to this. */
const LONGEST_HINT_MS = 3_600_000;

export const DEFAULT_TIMEOUT_MS = 10_000;

export interface PostOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** @default undici's global dispatcher */
  readonly dispatcher?: Dispatcher | undefined;
  /** Limit for the whole exchange, body included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface JsonReply {
  readonly status: number;
  /** Undefined if the body isn't JSON. */
  readonly body: unknown;
  /** `Retry-After`, from now, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/**
 * Send one JSON document and read the answer, once, without redirects or retries.
 *
 * @throws {HoldfastError} `PLATFORM_UNAVAILABLE` without a complete answer: connection, time limit, abort, size.
 */
export async function postJson(url: string, document: unknown, options: PostOptions): Promise<JsonReply> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  try {
    const response = await request(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...options.headers },
      body: JSON.stringify(document),
      signal,
      ...(options.dispatcher === undefined ? {} : { dispatcher: options.dispatcher }),
    });
    const text = await readCapped(response.body);
    return {
      status: response.statusCode,
      body: toJson(text),
      retryAfterMs: toRetryAfterMs(response.headers["retry-after"]),
    };
  } catch (error) {
    // No `cause`: other libraries' errors can quote the request, which contains a secret.
    throw unavailable(`No complete response from Shopify: ${describe(error, options, timeout)}`);
  }
}

async function readCapped(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop destroys the stream.
    if (bytes > MAX_BYTES) throw Object.assign(new Error("too large"), { code: "ANSWER_TOO_LARGE" });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Shopify gives seconds, as in `2.0`; RFC 9110 section 10.2.3 also allows a date. */
function toRetryAfterMs(header: string | string[] | undefined): number | undefined {
  if (typeof header !== "string") return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_HINT_MS) : undefined;
}

function describe(error: unknown, options: PostOptions, timeout: AbortSignal): string {
  if (options.signal?.aborted === true) return "the caller canceled";
  if (timeout.aborted) return `no response within ${options.timeoutMs} ms`;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Z0-9_]{1,64}$/.test(code) ? code : "connection failed";
}
