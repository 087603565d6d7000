import type { Dispatcher } from "undici";
import { pipeline, type Readable } from "node:stream";
import { toHeaders, type FormerHandler } from "./former-handler.ts";
import type { ResponseHeaders } from "./rate-limit.ts";

/** Largest response body that is read by default, in bytes. A verification result is a few kilobytes. */
export const MAX_RESPONSE_BYTES = 1_048_576;

export interface HttpRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  /** An iterable is sent part by part. */
  readonly body: string | AsyncIterable<Uint8Array> | undefined;
}

export interface SendOptions {
  /** Limit in milliseconds for everything: waiting for a connection, sending, and reading the whole body. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Largest response body that is read. @default {@link MAX_RESPONSE_BYTES} */
  readonly maxResponseBytes?: number | undefined;
}

/** A response that arrived completely. */
export interface HttpReply {
  readonly outcome: "replied";
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: string;
}

/** Why there is no complete response, and whether the service may have seen the request. */
export interface SendFailure {
  readonly outcome: "failed";
  /** `unusable`: what sends couldn't even begin. */
  readonly reason: "aborted" | "timeout" | "oversized" | "transport" | "unusable";
  /** False only if it is certain that no byte of the request was or will be sent. */
  readonly sent: boolean;
  /** Status and headers, when at least those arrived. */
  readonly head: { readonly status: number; readonly headers: ResponseHeaders } | undefined;
  readonly cause: unknown;
}

/** The part of undici's `Dispatcher` that sends. A promise of it is awaited within the time limit. */
export type Sender = Pick<Dispatcher, "dispatch">;

/** The part of undici's controller that is used. */
type Controller = Pick<Dispatcher.DispatchController, "abort">;

export type SendOutcome = HttpReply | SendFailure;

/**
 * One request's life inside undici. `onRequestStart` is the dividing line of the whole client: undici calls it on an
 * established connection, directly before the first byte is written, and a handler that throws there is dropped with
 * nothing written. Before it an attempt was certainly not sent; after it, it may have been.
 */
class Attempt implements Dispatcher.DispatchHandler, FormerHandler {
  readonly #settle: (outcome: SendOutcome) => void;
  readonly #maxBytes: number;
  #settled = false;
  #controller: Controller | undefined;
  #head: SendFailure["head"];
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(settle: (outcome: SendOutcome) => void, maxBytes: number) {
    this.#settle = settle;
    this.#maxBytes = maxBytes;
  }

  /** The caller canceled. If the attempt still waits for a connection, it won't be sent. */
  abort(cause: unknown): void {
    this.#fail("aborted", cause);
  }

  /** The dispatcher can't be loaded, or throws. It reports connections that fail to the handler instead. */
  refuse(cause: unknown): void {
    this.#fail(this.#controller === undefined ? "unusable" : "transport", cause);
  }

  expire(): void {
    if (this.#controller === undefined) this.#fail("timeout", undefined);
    // After this process stalled, timers run before sockets are read, and a paid answer may be waiting there.
    else setImmediate(() => this.#fail("timeout", undefined));
  }

  onRequestStart(controller: Controller): void {
    // Thrown instead of aborted: undici closes the connection of an aborted request, although this one still works.
    if (this.#settled) throw new Error("the attempt was canceled before it was sent");
    // A dispatcher that sends again (a retry agent, HTTP/2 after a GOAWAY) would spend a second credit.
    if (this.#controller !== undefined) throw new Error("an attempt is sent at most once");
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Controller | undefined,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 1xx responses come before the real one.
    if (status >= 200) this.#head = { status, headers };
  }

  onResponseData(_controller: Controller | undefined, chunk: Buffer): void {
    if (this.#settled) return;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) this.#fail("oversized", undefined);
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#settled || this.#head === undefined) return;
    const bytes = decodeBody(Buffer.concat(this.#chunks), this.#head.headers, this.#maxBytes);
    this.#finish({ outcome: "replied", ...this.#head, body: new TextDecoder().decode(bytes) });
  }

  onResponseError(_controller: Controller | null, error: unknown): void {
    this.#fail("transport", error);
  }

  onConnect(abort: Controller["abort"]): void {
    this.onRequestStart({ abort });
  }

  onHeaders(status: number, headers: readonly Buffer[]): true {
    this.onResponseStart(this.#controller, status, toHeaders(headers));
    return true;
  }

  onData(chunk: Buffer): true {
    this.onResponseData(this.#controller, chunk);
    return true;
  }

  onComplete(): void {
    this.onResponseEnd();
  }

  onError(error: unknown): void {
    this.onResponseError(null, error);
  }

  #fail(reason: SendFailure["reason"], cause: unknown): void {
    if (this.#settled) return;
    const sent = this.#controller !== undefined;
    this.#finish({ outcome: "failed", reason, sent, head: this.#head, cause });
    // Reading further would keep the connection busy for an answer that nobody waits for.
    if (reason !== "transport") this.#controller?.abort(new Error(reason));
  }

  #finish(outcome: SendOutcome): void {
    this.#settled = true;
    this.#chunks = [];
    this.#settle(outcome);
  }
}

/**
 * Send one request once and read its response, within one time limit. Never rejects and never sends twice; leaves no
 * timer and no listener behind.
 */
export function sendOnce(
  dispatcher: Sender | Promise<Sender>,
  request: HttpRequest,
  options: SendOptions,
): Promise<SendOutcome> {
  const { signal, timeoutMs, maxResponseBytes = MAX_RESPONSE_BYTES } = options;
  return new Promise((resolve) => {
    const attempt = new Attempt((outcome) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(outcome);
    }, maxResponseBytes);
    const onAbort = () => attempt.abort(signal?.reason);
    // undici's own timers are off: above one second, they are only accurate to about half a second.
    const timer = setTimeout(() => attempt.expire(), timeoutMs);
    if (signal?.aborted === true) return onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    const { origin, path, method, headers } = request;
    // undici accepts iterables, although its types don't say so.
    const body = (request.body ?? null) as string | null;
    const options = { origin, path, method, headers, body, headersTimeout: 0, bodyTimeout: 0 };
    Promise.resolve(dispatcher)
      .then((sender) => sender.dispatch(options, attempt))
      .catch((error: unknown) => attempt.refuse(error));
  });
}

/** Node's functions for a whole body and for one that arrives in parts. */
const DECODERS = {
  gzip: ["gunzipSync", "createGunzip"],
  "x-gzip": ["gunzipSync", "createGunzip"],
  deflate: ["inflateSync", "createInflate"],
  br: ["brotliDecompressSync", "createBrotliDecompress"],
} as const;

function findDecoder(headers: ResponseHeaders): (typeof DECODERS)[keyof typeof DECODERS] | undefined {
  const encoding = String(headers["content-encoding"] ?? "")
    .trim()
    .toLowerCase();
  return Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding as keyof typeof DECODERS] : undefined;
}

/** Loaded only here, because it loads slowly and is hardly ever needed. */
const loadZlib = () => process.getBuiltinModule("node:zlib");

/**
 * Decompress a body. We ask for uncompressed answers, but a proxy may compress them anyway, and the answer is paid for. A
 * body that can't be decoded, or would be too long, stays as it is, and then it isn't valid JSON.
 */
function decodeBody(body: Buffer, headers: ResponseHeaders, maxOutputLength: number): Buffer {
  const decoder = findDecoder(headers);
  if (decoder === undefined) return body;
  try {
    return loadZlib()[decoder[0]](body, { maxOutputLength });
  } catch {
    return body;
  }
}

/** The same for a body that arrives in parts. One that can't be decoded ends with an error. */
export function decodeStream(body: Readable, headers: ResponseHeaders): Readable {
  const decoder = findDecoder(headers);
  // The reader of the decoded body gets the error.
  return decoder === undefined ? body : pipeline(body, loadZlib()[decoder[1]](), () => {});
}
