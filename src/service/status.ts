import { HoldfastError, type ErrorCode, type Metered, type FieldProblem } from "../base/errors.ts";
import { parseRetryAfter, clampRetryAtMs, toRateLimitRetryAtMs, type ResponseHeaders } from "./rate-limit.ts";
import { verificationRequestSchema } from "../order/request.ts";

const { shape } = verificationRequestSchema;

/** Fields inside the request's object fields, by the object's name. */
const NESTED: Readonly<Record<string, readonly string[]>> = {
  items: Object.keys(shape.items.unwrap().element.shape),
  shippingAddress: Object.keys(shape.shippingAddress.shape),
  billingAddress: Object.keys(shape.billingAddress.shape),
  paymentInfo: Object.keys(shape.paymentInfo.unwrap().shape),
};

/** Between the parts of a path, as `a.b`, `a[0].b`, `a/b` or a printed `["a", 0, "b"]`, but not as plain prose. */
const SEPARATOR = `(?=[^\\w]{0,32}?[.[\\]"'/])[.[\\]"',/\\s]{1,32}`;
const TOP_LEVEL = Object.keys(shape).join("|");
const INNER = [...new Set(Object.values(NESTED).flat())].join("|");
const PATH = new RegExp(`\\b(${TOP_LEVEL})\\b(?:(?:${SEPARATOR}(\\d{1,3}))?${SEPARATOR}(${INNER})\\b)?`, "g");

/** Enough of a message for every field of a request; the rest is not worth the search. */
const SEARCHED_CHARACTERS = 16_384;

function toPath(name: string, position: string | undefined, inner: string | undefined): string {
  if (inner === undefined || !NESTED[name]?.includes(inner)) return name;
  return name === "items" && position !== undefined
    ? `items[${Number(position)}].${inner}`
    : `${name}.${inner}`;
}

/**
 * Request fields that a refusal of the service names. Only names of our own schema are taken over: the rest of the
 * message may repeat the customer's data.
 */
export function findRefusedFields(message: string): readonly FieldProblem[] {
  const matches = message.slice(0, SEARCHED_CHARACTERS).matchAll(PATH);
  const paths = new Set([...matches].map(([, name = "", position, inner]) => toPath(name, position, inner)));
  return [...paths].map((path) => ({ path, message: "refused by the verification service" }));
}

/** An answer of the service with a status other than 2xx. */
export interface RefusedReply {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Undefined when the body did not arrive whole. */
  readonly body: string | undefined;
}

/** What the caller knows of the call that was answered. */
export interface StatusContext {
  readonly nowMs: number;
  /** The call was the free one: whatever came back, no credit was spent. */
  readonly free: boolean;
}

interface Meaning {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly metered: Metered;
  readonly hint: string;
}

const MEANINGS: Readonly<Record<number, Meaning>> = {
  400: meaning("VERIFICATION_REFUSED", false, "yes", "the request was refused"),
  401: meaning("VERIFICATION_UNAUTHORIZED", false, "no", "the API key is missing, expired or disabled"),
  402: meaning("VERIFICATION_NO_CREDITS", true, "no", "no credits are left"),
  403: meaning(
    "VERIFICATION_FORBIDDEN",
    false,
    "no",
    "the API key is invalid or has no access to the organization",
  ),
  // A fact about our configuration, not about the order: every other order would meet it too.
  404: meaning("CONFIG_INVALID", false, "yes", "VERIFY_ORGANIZATION or VERIFY_URL is wrong"),
  413: meaning("VERIFICATION_REFUSED", false, "yes", "the request is too large"),
  422: meaning("VERIFICATION_REFUSED", false, "yes", "the request was refused"),
  408: meaning("VERIFICATION_FAILED", true, "yes", "the service timed out"),
  429: meaning("VERIFICATION_RATE_LIMITED", true, "no", "the key's rate limit is exceeded"),
};

// A failed request is a metered call (the service's interface, "Order verification service"). The interface knows no other
// status of the kind, so it comes from something in between, and says nothing of the order.
const OTHER_CLIENT_ERROR = meaning(
  "VERIFICATION_FAILED",
  true,
  "yes",
  "the request was refused before it reached the service",
);
const SERVER_ERROR = meaning("VERIFICATION_FAILED", true, "yes", "the service failed");
const REDIRECT = meaning(
  "VERIFICATION_MALFORMED",
  true,
  "unknown",
  "redirects are not followed; check VERIFY_URL",
);
const NO_MEANING = meaning("VERIFICATION_MALFORMED", true, "unknown", "unexpected status");

/** The service's constant messages. Any other text may repeat what was sent, and stays out of our errors. */
const KNOWN_MESSAGES: ReadonlySet<string> = new Set([
  "Missing API Key",
  "Invalid API Key",
  "Rate limit exceeded",
  "Internal Server Error",
]);

function meaning(code: ErrorCode, retryable: boolean, metered: Metered, hint: string): Meaning {
  return { code, retryable, metered, hint };
}

function toMeaning(status: number): Meaning {
  const exact = MEANINGS[status];
  if (exact !== undefined) return exact;
  if (status >= 300 && status < 400) return REDIRECT;
  if (status >= 400 && status < 500) return OTHER_CLIENT_ERROR;
  if (status >= 500 && status < 600) return SERVER_ERROR;
  return NO_MEANING;
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

function toRetryAtMs(code: ErrorCode, headers: ResponseHeaders, nowMs: number): number | undefined {
  if (code === "VERIFICATION_RATE_LIMITED") return toRateLimitRetryAtMs(headers, nowMs);
  if (code !== "VERIFICATION_FAILED") return undefined;
  const retryAfterMs = parseRetryAfter(headers, nowMs);
  return retryAfterMs === undefined ? undefined : clampRetryAtMs(retryAfterMs, nowMs);
}

/**
 * Turn a status other than 2xx into the error it stands for.
 *
 * The message carries the status and, at most, one of the service's constant texts. A refused body (400) names the
 * request fields at fault in `fields`, a rate limit carries `retryAtMs`.
 */
export function toStatusError(reply: RefusedReply, context: StatusContext): HoldfastError {
  const { code, retryable, metered, hint } = toMeaning(reply.status);
  const text = readMessage(reply.body);
  const known = text !== undefined && KNOWN_MESSAGES.has(text) ? ` (${text})` : "";
  return new HoldfastError(code, `the verification service answered ${reply.status}${known}: ${hint}`, {
    retryable,
    metered: context.free ? "no" : metered,
    fields: reply.status === 400 && text !== undefined ? findRefusedFields(text) : undefined,
    retryAtMs: toRetryAtMs(code, reply.headers, context.nowMs),
  });
}
