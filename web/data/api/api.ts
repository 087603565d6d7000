import { formatTime } from "../base/format.ts";
import type { Problem } from "../../../src/server/api/base/openapi.ts";
import type { Act, BodyFor, DataOf, RequestOf, RouteName } from "./api-types.ts";
import { BridgeError, isEmbedded, noteSignedOut, sessionState, toAuthHeaders } from "./session.ts";
import { nameActor } from "./words.ts";

/** A field that the server refused, and why. */
export type FieldProblem = NonNullable<Problem["errors"]>[number];

/** The API answered with a problem, or not at all (status 0). The message is for a person. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly errors: readonly FieldProblem[];
  /** When to try again at the earliest, in ms from the answer; null when the server did not say. */
  readonly retryAfterMs: number | null;

  constructor(status: number, message: string, errors: readonly FieldProblem[] = [], retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.retryAfterMs = retryAfterMs ?? null;
  }
}

interface CommonOptions {
  readonly signal?: AbortSignal | undefined;
  /** An ETag that must still match, for a change of something that others can change as well. */
  readonly ifMatch?: string | null;
  /** The ETag of known data: an unchanged response has status 304 and no data. */
  readonly ifNoneMatch?: string | null;
}

export type CallOptions<R extends RouteName> = RequestOf<R> & CommonOptions;

interface AnyOptions extends CommonOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  readonly body?: unknown;
}

export interface Answer<T> {
  readonly status: number;
  /** Undefined for 204 and 304. */
  readonly data: T;
  readonly etag: string | null;
}

const WORDS: Readonly<Record<number, string>> = {
  401: "Your session has ended. Sign in again.",
  403: "Your role doesn't allow this. Ask an owner for access.",
  404: "This doesn't exist, or it was deleted. Go back and try again.",
  412: "Someone else changed this. Reload to see the latest version.",
  429: "Too many requests. Wait a moment, then try again.",
  503: "Holdfast is unavailable. Try again in a few minutes.",
};

/**
 * Call the API: `call("GET /orders/:orderId", { params: { orderId: "4711" } })`. Rejects with {@link ApiError}, or with the
 * signal's reason.
 */
export async function call<R extends RouteName>(
  route: R,
  ...[options]: Partial<CallOptions<R>> extends CallOptions<R> ? [CallOptions<R>?] : [CallOptions<R>]
): Promise<Answer<DataOf<R>>> {
  const given: AnyOptions = options ?? {};
  let response = await ask(route, given);
  // A platform's token lasts a minute and may have expired. Try once more with a fresh one.
  if (response.status === 401 && isEmbedded) response = await ask(route, given);
  const etag = response.headers.get("etag");
  if (response.status === 204 || response.status === 304) {
    return { status: response.status, data: undefined as DataOf<R>, etag };
  }
  const type = response.headers.get("content-type") ?? "";
  const body: unknown = type.includes("json") ? await response.json() : await response.text();
  if (response.ok) return { status: response.status, data: body as DataOf<R>, etag };
  if (response.status === 401) noteSignedOut();
  throw toApiError(response, body);
}

async function ask(route: RouteName, options: AnyOptions): Promise<Response> {
  const { body, signal, params = {} } = options;
  const [method = "", path = ""] = route.split(" ");
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  try {
    const init: RequestInit = { method, headers: await toHeaders(method, options), cache: "no-store" };
    if (body !== undefined) init.body = JSON.stringify(body);
    if (signal !== undefined) init.signal = signal;
    return await fetch(`/api${filled}${toSearch(options.query)}`, init);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof BridgeError) {
      sessionState.set({ status: "blocked" });
      throw new ApiError(0, "Couldn't get a session from the platform. Reload the page.");
    }
    throw new ApiError(0, "Can't reach the server. Check your connection and try again.");
  }
}

/** The credentials of the last call, because a closing page has no time to get new ones. */
let lastAuthHeaders: Readonly<Record<string, string>> = {};

/** Call the API while the page unloads. The result is unknown. */
export function sendOnLeaving(path: "/decisions/apply", body: BodyFor<`POST ${typeof path}`>): void {
  const headers = { "Content-Type": "application/json", "X-Holdfast": "1", ...lastAuthHeaders };
  void fetch(`/api${path}`, { method: "POST", headers, body: JSON.stringify(body), keepalive: true }).catch(
    () => undefined,
  );
}

async function toHeaders(method: string, options: AnyOptions): Promise<Record<string, string>> {
  const { body, ifMatch, ifNoneMatch } = options;
  lastAuthHeaders = await toAuthHeaders();
  return {
    Accept: "application/json",
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    // Other sites' forms can't send it, so a cookie alone changes nothing.
    ...(method === "GET" ? {} : { "X-Holdfast": "1" }),
    ...(typeof ifMatch === "string" ? { "If-Match": ifMatch } : {}),
    ...(typeof ifNoneMatch === "string" ? { "If-None-Match": ifNoneMatch } : {}),
    ...lastAuthHeaders,
  };
}

function toSearch(query: AnyOptions["query"] = {}): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries).toString()}`;
}

function toApiError(response: Response, body: unknown): ApiError {
  const problem = (typeof body === "object" && body !== null ? body : {}) as Partial<Problem>;
  const { status } = response;
  return new ApiError(status, toMessage(status, problem), problem.errors, toRetryAfterMs(response));
}

function toMessage(status: number, { detail, code, decision }: Partial<Problem>): string {
  if (decision !== undefined) {
    const first = toDecided(decision);
    return code === "UNDO_TOO_LATE" ? `Too late to undo: ${first}` : first;
  }
  return toSentence(detail ?? WORDS[status] ?? `The server returned an error (${status}). Try again.`);
}

const DECIDED_WORDS: Readonly<Record<Act, string>> = {
  approve: "approved this order",
  decline: "declined this order",
  recheck: "requested another check of this order",
};

function toDecided({ act, by, at }: NonNullable<Problem["decision"]>): string {
  return `${nameActor(by)} ${DECIDED_WORDS[act]} on ${formatTime(at)}.`;
}

/** A detail of the API as a sentence: details start in lower case and have no full stop. */
export function toSentence(text: string): string {
  const trimmed = text.trim();
  const ended = /[.!?…]$/.test(trimmed) || trimmed === "" ? trimmed : `${trimmed}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}

function toRetryAfterMs(response: Response): number | undefined {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined;
}

/** Any error as an API error. An error of another kind is a bug in the page. */
export function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, "Something went wrong on this page. Reload it.");
}

export function explain(error: unknown): string {
  return asApiError(error).message;
}

/** Whether a change was refused because someone else was first. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 409 || error.status === 412);
}

/** Whether a call was aborted on purpose. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
