import { HoldfastError, readCode, toUnsentError, type ErrorCode, type Metered } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import { isFields } from "../order/complete-order.ts";
import { toOptionName, type Dialect } from "./dialect.ts";
import { FETCH_FAILED } from "./fetch-sender.ts";
import type { HttpReply, SendFailure } from "./send-once.ts";
import { explainSetUpFault, type Proof } from "./set-up-fault.ts";
import { parseRetryAfter, clampRetryAtMs, toRateLimitRetryAtMs, type ResponseHeaders } from "./rate-limit.ts";

/** What a call can have done, whatever its answer. */
export interface CallEffect {
  /** The call never spends a credit. */
  readonly free: boolean;
  /** Making the call again changes nothing: it reads, or what it creates is created once. */
  readonly repeatable: boolean;
}

interface TransportContext extends Proof, CallEffect {
  readonly dialect: Dialect;
  /** Limit of the attempt, in milliseconds. */
  readonly timeoutMs: number;
}

const TIMEOUT_CODES: ReadonlySet<string> = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

/**
 * The part of a foreign error that is safe to keep: its name, its code and where it was made. Its message and other
 * properties are dropped, since a parser may quote the response and a mock may quote the headers.
 */
function toSafeCause(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = readCode(error);
  const name = /^\w{1,64}$/.test(error.name) ? error.name : "Error";
  const safe = new Error(code ?? name);
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  safe.name = name;
  safe.stack = [`${name}: ${safe.message}`, ...frames].join("\n");
  return code === undefined ? safe : Object.assign(safe, { code });
}

const toCanceledText = (work: string) => `the ${work} was canceled before anything was sent`;

/** The error of a call that its caller canceled before it was sent. */
export function toCanceledError({ codes, work }: Dialect): HoldfastError {
  return toUnsentError(codes.aborted, toCanceledText(work));
}

type Explained = readonly [code: ErrorCode, metered: Metered, message: string];

/** undici's codes for a connection that a proxy didn't open. */
const PROXY_PROBLEMS: Readonly<Record<string, string>> = {
  UND_ERR_ABORTED: "the proxy refused the connection",
  UND_ERR_PRX_CONN: "the proxy closed the connection",
  UND_ERR_HEADERS_TIMEOUT: "the proxy didn't answer",
  UND_ERR_PRX_TLS: "the proxy's certificate doesn't match its name",
};

function explainUnsent(failure: SendFailure, context: TransportContext): Explained {
  const { reason, cause } = failure;
  const { dialect, timeoutMs } = context;
  const { codes, name, work } = dialect;
  if (reason === "aborted") return [codes.aborted, "no", toCanceledText(work)];
  const fault = explainSetUpFault(failure, context);
  if (fault !== undefined) {
    return [
      "CONFIG_INVALID",
      "no",
      `the ${name} can't be reached with this set-up, and nothing was sent: ${fault}`,
    ];
  }
  const late = `no connection within ${Math.round(timeoutMs)} ms`;
  const code = readCode(cause) ?? "no connection";
  const why = reason === "timeout" ? late : (PROXY_PROBLEMS[code] ?? code);
  return [codes.unreachable, "no", `the ${name} can't be reached, and nothing was sent: ${why}`];
}

function explainSent({ reason, cause }: SendFailure, context: TransportContext): Explained {
  const { codes, name, work, maxResponseBytes } = context.dialect;
  const code = readCode(cause);
  if (reason === "aborted") {
    const message = `the ${work} was canceled after the request was sent`;
    const billed = context.free ? "" : "; it may have been billed";
    return [codes.aborted, "unknown", message + billed];
  }
  if (reason === "timeout" || (code !== undefined && TIMEOUT_CODES.has(code))) {
    const limit = `${Math.round(context.timeoutMs)} ms`;
    return [codes.timeout, "unknown", `the ${name} didn't send a complete response within ${limit}`];
  }
  if (reason === "oversized") {
    const limit = `${maxResponseBytes / 1_048_576} MiB`;
    return [codes.malformed, "yes", `the ${name}'s response is larger than ${limit}`];
  }
  const message =
    code === FETCH_FAILED
      ? `the platform's fetch failed without an answer of the ${name}, and the request may have been sent`
      : `the connection to the ${name} broke after the request was sent: ${code ?? "closed"}`;
  return [codes.interrupted, "unknown", message];
}

/**
 * Turn an attempt without a complete response into its error. All of these errors are retryable, except a fault of the
 * set-up. They differ in whether a credit may have been spent: never before the first byte was sent, possibly afterwards.
 */
export function toTransportError(failure: SendFailure, context: TransportContext): HoldfastError {
  const [code, metered, message] = (failure.sent ? explainSent : explainUnsent)(failure, context);
  return new HoldfastError(code, message, {
    retryable: code !== "CONFIG_INVALID",
    metered: context.free ? "no" : metered,
    safeToRepeat: context.repeatable || metered === "no",
    cause: toSafeCause(failure.cause),
  });
}

/** Another server answers at the service's address. */
export function toElsewhereError(
  { status, headers }: HttpReply,
  dialect: Dialect,
  free: boolean,
): HoldfastError {
  const option = toOptionName("url", dialect);
  const message = `another server than the ${dialect.name} answers at ${option}: it sent a page or a redirect (${status})`;
  const answer = { status, headers };
  return new HoldfastError("CONFIG_INVALID", message, {
    retryable: false,
    metered: free ? "no" : "unknown",
    answer,
  });
}

/** An answer of the service with a status other than 2xx. */
export interface RefusedReply {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Undefined if the body didn't arrive completely. */
  readonly body: string | undefined;
}

interface StatusContext extends CallEffect {
  readonly dialect: Dialect;
  readonly nowMs: number;
}

/** A service may quote a person's address, and messages end up in logs. */
export function withoutMailAddresses(message: string): string {
  return message.replaceAll(/\S+@\S+/g, "[email]");
}

/** The text of an error envelope, or undefined if the body isn't one (for example, a proxy's page). */
function readMessage(body: string | undefined): string | undefined {
  const envelope = parseJson(body ?? "");
  const message = isFields(envelope) ? envelope["message"] : undefined;
  return typeof message === "string" ? message : undefined;
}

function toRetryAtMs(code: string, headers: ResponseHeaders, { dialect, nowMs }: StatusContext) {
  if (code === dialect.codes.rateLimited) return toRateLimitRetryAtMs(headers, nowMs);
  if (code !== dialect.codes.failed) return undefined;
  const retryAfterMs = parseRetryAfter(headers, nowMs);
  return retryAfterMs === undefined ? undefined : clampRetryAtMs(retryAfterMs, nowMs);
}

/**
 * Turn a status other than 2xx into its error.
 *
 * The message has the status and the part of the service's text that the dialect allows, without mail addresses. A
 * refused body (400) names the request fields at fault in `fields`, a rate limit carries `retryAtMs`.
 */
export function toStatusError(reply: RefusedReply, context: StatusContext): HoldfastError {
  const { dialect } = context;
  const text = readMessage(reply.body);
  const { code, retryable, metered, hint } = dialect.toMeaning(reply.status, text);
  const message = text === undefined ? undefined : dialect.toSafeMessage(text);
  const known = message === undefined ? "" : ` (${withoutMailAddresses(message)})`;
  const { status, headers } = reply;
  return new HoldfastError(code, `the ${dialect.name} answered ${status}${known}: ${hint}`, {
    retryable,
    metered: context.free ? "no" : metered,
    safeToRepeat: context.repeatable || metered === "no",
    answer: { status, headers, message, skus: text === undefined ? undefined : dialect.findTaken?.(text) },
    fields: status === 400 && text !== undefined ? dialect.findFields(text) : undefined,
    retryAtMs: toRetryAtMs(code, headers, context),
  });
}
