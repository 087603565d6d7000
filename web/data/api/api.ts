import { formatTime } from "../base/format.ts";
import type { Problem } from "../../../src/server/api/base/openapi.ts";
import type { BodyFor, DataOf, RequestOf, RouteName } from "./api-types.ts";
import { BridgeError, isEmbedded, noteSignedOut, sessionState, toAuthHeaders } from "./session.ts";
import { translate } from "./problem-words.ts";
import { nameActor } from "./words.ts";
import { t } from "../base/texts.ts";

/** A field that the server refused, and why. */
export type FieldProblem = NonNullable<Problem["errors"]>[number];

/** The API answered with a problem, or not at all (status 0). The message is for a person. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly errors: readonly FieldProblem[];
  readonly code: Problem["code"];
  /** When to try again at the earliest, in ms from the answer; null when the server did not say. */
  readonly retryAfterMs: number | null;

  constructor(
    status: number,
    message: string,
    errors: readonly FieldProblem[] = [],
    retryAfterMs?: number,
    code?: Problem["code"],
  ) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.code = code;
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
  401: t("api.your-session-has-ended-sign-in"),
  403: t("api.your-role-doesnt-allow-this-ask"),
  404: t("api.this-doesnt-exist-or-it-was"),
  412: t("api.someone-else-changed-this-reload-to"),
  429: t("api.too-many-requests-wait-a-moment"),
  503: t("api.holdfast-is-unavailable-try-again-in"),
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
  const body: unknown = await (type.includes("json")
    ? response.json()
    : /pdf|octet/.test(type)
      ? response.blob()
      : response.text());
  if (response.ok) return { status: response.status, data: body as DataOf<R>, etag };
  const error = toApiError(response, body);
  if (error.status === 401 && error.code !== "SHOP_REQUIRED") noteSignedOut();
  throw error;
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
      throw new ApiError(0, t("api.couldnt-get-a-session-from-the"));
    }
    throw new ApiError(0, t("api.cant-reach-the-server-check-your"));
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
  return new ApiError(
    status,
    toMessage(status, problem),
    problem.errors?.map(translateField),
    toRetryAfterMs(response),
    problem.code,
  );
}

/** A field's problem in the page's language. */
function translateField({ path, message: text, code, params }: FieldProblem): FieldProblem {
  return { path, message: translate("expected", { text, code, params }) };
}

function toMessage(status: number, problem: Partial<Problem>): string {
  const { detail, refusal, decision, code } = problem;
  if (decision !== undefined) {
    const first = toDecided(decision);
    return code === "UNDO_TOO_LATE" ? t("api.too-late", { decision: first }) : toContested(first, refusal);
  }
  const obstacle = REVIEW_OBSTACLES[refusal ?? ""];
  if (obstacle !== undefined) return obstacle;
  if (detail !== undefined) return toReason({ ...problem, detail });
  return WORDS[status] ?? t("api.server-error", { status: String(status) });
}

/** Why the server refused, as a sentence in the page's language. */
export function toReason({
  detail,
  refusal,
  params,
}: Pick<Problem, "detail" | "params"> & Partial<Pick<Problem, "refusal">>): string {
  return toSentence(translate("refusals", { text: detail, code: refusal, params }));
}

/** What stands in the way of a decision, but for another person's: the page says it on the buttons as well. */
const REVIEW_OBSTACLES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    [
      "already-canceled",
      "being-canceled",
      "canceled-on-platform",
      "content-erased",
      "content-unreadable",
      "not-shipped",
      "undecided",
    ] as const
  ).map((code) => [code, t(`effects.impossible-${code}`)]),
);

/** What to do about another person's decision. */
function toContested(decision: string, refusal: Problem["refusal"] | undefined): string {
  if (refusal === "undo-first") return t("api.undo-first", { decision });
  return refusal === "contested"
    ? t("api.contested", { decision })
    : t("api.being-carried-out", { decision });
}

function toDecided({ act, by, at }: NonNullable<Problem["decision"]>): string {
  return t("api.decided", { who: nameActor(by), act, time: formatTime(at) });
}

/** A detail of the API as a sentence: details start in lower case and have no full stop. */
export function toSentence(text: string): string {
  const trimmed = text.trim();
  const ended = /[.!?…。！？]$/.test(trimmed) || trimmed === "" ? trimmed : `${trimmed}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}

function toRetryAfterMs(response: Response): number | undefined {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined;
}

/** Any error as an API error. An error of another kind is a bug in the page. */
export function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, t("api.something-went-wrong-on-this-page"));
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
