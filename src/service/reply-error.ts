import { HoldfastError } from "../base/errors.ts";
import type { Dialect } from "./dialect.ts";
import { parseRetryAfter, clampRetryAtMs, toRateLimitRetryAtMs, type ResponseHeaders } from "./rate-limit.ts";

/** An answer of the service with a status other than 2xx. */
export interface RefusedReply {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Undefined when the body did not arrive whole. */
  readonly body: string | undefined;
}

/** What the caller knows of the call that was answered. */
export interface StatusContext {
  readonly dialect: Dialect;
  readonly nowMs: number;
  /** Whatever comes back, the call spends no credit. */
  readonly free: boolean;
}

/** The text of an error envelope, or undefined when the body is none (a proxy's page, say). */
function readMessage(body: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  try {
    const envelope: unknown = JSON.parse(body);
    if (typeof envelope !== "object" || envelope === null || !("message" in envelope)) return undefined;
    return typeof envelope.message === "string" ? envelope.message : undefined;
  } catch {
    return undefined;
  }
}

function toRetryAtMs(
  code: string,
  headers: ResponseHeaders,
  { dialect, nowMs }: StatusContext,
): number | undefined {
  if (code === dialect.codes.rateLimited) return toRateLimitRetryAtMs(headers, nowMs);
  if (code !== dialect.codes.failed) return undefined;
  const retryAfterMs = parseRetryAfter(headers, nowMs);
  return retryAfterMs === undefined ? undefined : clampRetryAtMs(retryAfterMs, nowMs);
}

/**
 * Turn a status other than 2xx into the error it stands for.
 *
 * The message carries the status and, at most, what the dialect lets through of the service's text. A refused body (400)
 * names the request fields at fault in `fields`, a rate limit carries `retryAtMs`.
 */
export function toStatusError(reply: RefusedReply, context: StatusContext): HoldfastError {
  const { dialect } = context;
  const text = readMessage(reply.body);
  const { code, retryable, metered, hint } = dialect.toMeaning(reply.status, text);
  const safe = text === undefined ? undefined : dialect.toSafeMessage(text);
  const known = safe === undefined ? "" : ` (${safe})`;
  return new HoldfastError(code, `the ${dialect.name} answered ${reply.status}${known}: ${hint}`, {
    retryable,
    metered: context.free ? "no" : metered,
    fields: reply.status === 400 && text !== undefined ? dialect.findFields(text) : undefined,
    retryAtMs: toRetryAtMs(code, reply.headers, context),
  });
}
