import { toConfigError } from "../base/errors.ts";
import { checkOptions, type OptionRules } from "../base/options.ts";
import { checkNumber } from "./client-options.ts";
import type { ResponseHeaders } from "./rate-limit.ts";

/** Options of one call. They come before the client's own. */
export interface CallOptions {
  /** Limit of one attempt, in milliseconds. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** How often to repeat the call if it may be repeated. Default: the client's. */
  readonly retries?: number | undefined;
  /** Headers to send in addition, e.g. for tracing. The client's own (key, host, length, type) can't be replaced. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Ends the call early. */
  readonly signal?: AbortSignal | undefined;
}

/** The part of an answer that isn't its data. */
export interface ServiceResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ResponseHeaders;
}

/** What a call answered, with the response it came in. */
export interface Answered<T> {
  readonly data: T;
  readonly response: ServiceResponse;
}

/** A call. Await it for its data, or `withResponse()` for the data with the answer's status and headers. */
export interface Call<T> extends Promise<T> {
  withResponse(): Promise<Answered<T>>;
}

/** Make a {@link Call} of the promise of its answer. A failure is reported once, whichever of both is awaited. */
export function toCall<T>(answered: Promise<Answered<T>>): Call<T> {
  const whole = answered.then(({ data }) => data);
  return Object.assign(whole, {
    withResponse: () => {
      whole.catch(() => undefined);
      return answered;
    },
  });
}

/** The same, for a part of the data or another form of it. */
export function mapAnswer<T, R>({ data, response }: Answered<T>, map: (data: T) => R): Answered<R> {
  return { data: map(data), response };
}

/** Headers that belong to the client: a caller's value would break the call, or send another key. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "x-api-key",
  "host",
  "connection",
  "content-length",
  "content-type",
  "transfer-encoding",
  "accept-encoding",
]);
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;

function areHeaders(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.entries(value).every(
      ([name, text]) => NAME.test(name) && typeof text === "string" && VALUE.test(text),
    )
  );
}

export const CALL_RULES: OptionRules<CallOptions> = {
  timeoutMs: true,
  retries: true,
  headers: { expected: "an object of header names and ASCII texts", is: areHeaders },
  signal: "signal",
};

/**
 * Check the options of a call.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the option at fault.
 */
export function readCallOptions<T extends CallOptions>(given: T | undefined, rules: OptionRules<T>): T {
  const options = checkOptions("a call", given, rules);
  const { timeoutMs, retries, headers = {} } = options;
  if (timeoutMs !== undefined) checkNumber("`timeoutMs`", timeoutMs, { isPositive: true });
  if (retries !== undefined) checkNumber("`retries`", retries, { isWhole: true });
  const own = Object.keys(headers).find((name) => OWN_HEADERS.has(name.toLowerCase()));
  if (own !== undefined) throw toConfigError(`"headers": ${own} is set by the client`);
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...options, headers: Object.fromEntries(lower) };
}

/** A call of a route that has no method. */
export interface RequestOptions extends CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Query parameters. */
  readonly query?: Readonly<Record<string, string | number>> | undefined;
}

export const REQUEST_RULES: OptionRules<RequestOptions> = {
  ...CALL_RULES,
  body: true,
  query: "object",
};
/** Methods of {@link RequestMethod}. */
export const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;
/** How a route without its own method is called. */
export type RequestMethod = (typeof METHODS)[number];

/**
 * The path of a request with its query.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for a path that could leave the client's part of the service.
 */
export function toRequestPath(
  method: string,
  path: unknown,
  query: Readonly<Record<string, string | number>> = {},
): string {
  if (!METHODS.some((known) => known === method)) {
    throw toConfigError(`"method": expected one of ${METHODS.join(", ")}`);
  }
  const isPlain = typeof path === "string" && /^(?:\/[\w~.!$&'()*+,;=:@%-]+)+$/.test(path);
  if (!isPlain || path.split("/").some((part) => /^(?:\.|%2e){1,2}$/i.test(part))) {
    throw toConfigError(`"path": expected a path such as "/products/get", without a query`);
  }
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return text.size === 0 ? path : `${path}?${text}`;
}
