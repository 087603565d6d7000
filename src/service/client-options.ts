import type { LookupFunction } from "node:net";
import type { Secret } from "../base/secret.ts";
import type { Dispatcher } from "undici";
import manifest from "../../package.json" with { type: "json" };
import { toConfigError, type HoldfastError } from "../base/errors.ts";
import { isLoopback } from "../base/public-address.ts";
import { isQuoted } from "../base/variables.ts";
import { MAX_TIMER_MS } from "../base/waiting.ts";
import type { Logger } from "../base/logger.ts";
import { toOptionName, type Dialect } from "./dialect.ts";
import { toPathSegment } from "./organization.ts";
import { VERIFICATION } from "./status.ts";

export interface ServiceConfig {
  readonly url: string;
  /** Undefined if every tenant has its own. */
  readonly apiKey: Secret | undefined;
  /** Slug or id; undefined to discover it. */
  readonly organization: string | undefined;
  /** Time limit of one attempt, in milliseconds. */
  readonly timeoutMs: number;
}

/** Options of every service's client. */
export interface ServiceClientOptions {
  /** Base address of the service, with or without a path. https, or http to this machine. */
  readonly url: string | URL;
  /** Key of the service. Never logged, never part of an error. */
  readonly apiKey: string;
  /** Header that carries the key: `x-api-key`, or `Authorization: Bearer`. Default `x-api-key`. */
  readonly auth?: "x-api-key" | "bearer" | undefined;
  /** Slug or id of the organization. Default: discovered with the free call when the key reaches exactly one. */
  readonly organization?: string | undefined;
  /** Limit of one call from waiting for a connection to the end of the body, in milliseconds. Default 10000. */
  readonly timeoutMs?: number | undefined;
  /** The most open connections; further calls wait for one. Default 64. Ignored with `dispatcher`. */
  readonly connections?: number | undefined;
  /**
   * Dispatcher of undici 5, 6, 7 or 8 to send through, for a proxy, a private certificate authority or a test. The caller
   * closes it. If it retries by itself, the second attempt is blocked, except with undici 5 and 6.
   */
  readonly dispatcher?: Dispatcher | undefined;
  /** Clock, in milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Sends instead of undici: the platform's `fetch`, or one with the same signature. Not together with `dispatcher`. */
  readonly fetch?: typeof fetch | undefined;
  /** Logs each attempt (debug), and what is left out of an answer (warn). Never bodies, headers or the key. Default: silent. */
  readonly logger?: Logger | undefined;
  /** Called before each attempt. */
  readonly onRequest?: ((request: AttemptStart) => void) | undefined;
  /** Called after each attempt, whether or not it succeeded. */
  readonly onResponse?: ((attempt: AttemptEnd) => void) | undefined;
}

/** An attempt of a call, before it is sent. */
export interface AttemptStart {
  readonly method: string;
  /** With the organization and ids, and without the query. */
  readonly path: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/** An attempt of a call that has ended. */
export interface AttemptEnd extends AttemptStart {
  /** Undefined if no answer arrived. */
  readonly status: number | undefined;
  readonly tookMs: number;
  /** Why it failed; undefined if it didn't. */
  readonly error: HoldfastError | undefined;
}

export interface VerificationClientOptions extends ServiceClientOptions {
  /** Resolves the host's name to addresses. Default: the system's resolver. Ignored with `dispatcher`. */
  readonly lookup?: LookupFunction | undefined;
}

export type ClientConfig = ReturnType<typeof parseClientOptions>;

export const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_CONNECTIONS = 64;

/**
 * Check a service's base address, and split it into scheme, host and port, and the path before `/api` without a trailing slash.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` unless it is https, or http to this machine, without credentials, query and
 * fragment.
 */
export function parseServiceUrl(url: string | URL, dialect: Dialect = VERIFICATION) {
  // The message doesn't repeat the address, since it may contain a password.
  const refuseUrl = (expected: string) => toConfigError(`${toOptionName("url", dialect)} ${expected}`);
  const text = String(url);
  if (!URL.canParse(text)) throw refuseUrl("must be an absolute address such as https://verify.example.com");
  const { protocol, hostname, host, pathname, username, password } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") throw refuseUrl("must begin with https://");
  if (protocol === "http:" && !isLoopback(hostname)) {
    throw refuseUrl("must begin with https://; http is for this machine only (localhost, 127.0.0.0/8, ::1)");
  }
  if (username !== "" || password !== "") throw refuseUrl("must not hold credentials");
  if (/[?#]/.test(text)) throw refuseUrl("must not have a query or a fragment");
  return { origin: `${protocol}//${host}`, prefix: pathname.replace(/\/+$/, "") };
}

function toAuthHeader(
  { apiKey, auth }: { readonly apiKey: unknown; readonly auth: string },
  dialect: Dialect,
): readonly [name: string, value: string] {
  // Only visible ASCII passes through a header unchanged: spaces are trimmed and line breaks end the header.
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey) || isQuoted(apiKey)) {
    throw toConfigError(
      `${toOptionName("apiKey", dialect)} must be visible ASCII characters without spaces and without quotes around them, and not empty`,
    );
  }
  if (auth === "bearer") return ["authorization", `Bearer ${apiKey}`];
  if (auth === "x-api-key") return ["x-api-key", apiKey];
  throw toConfigError("`auth` must be x-api-key or bearer");
}

function checkOrganization(organization: string | undefined, dialect: Dialect): string | undefined {
  if (organization === undefined) return undefined;
  const isText = typeof organization === "string" && !isQuoted(organization);
  const segment = isText ? toPathSegment(organization) : undefined;
  if (segment === undefined)
    throw toConfigError(`${toOptionName("organization", dialect)} must be a slug or an id`);
  return segment;
}

/**
 * Check an option's number. It is at least 0, and if it needn't be whole, at most the longest delay of a timer.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the option.
 */
export function checkNumber(
  option: string,
  value: number,
  { isWhole = false, isPositive = false }: { readonly isWhole?: boolean; readonly isPositive?: boolean },
): number {
  const isRight = isWhole ? Number.isSafeInteger(value) : Number.isFinite(value) && value <= MAX_TIMER_MS;
  if (isRight && (isPositive ? value > 0 : value >= 0)) return value;
  const kind = isWhole ? "whole number" : `number up to ${MAX_TIMER_MS}`;
  throw toConfigError(`${option} must be a ${kind}, ${isPositive ? "above 0" : "0 or more"}`);
}

/**
 * Check a client's options, also for callers without a type checker.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the option, never repeating the key or the address.
 */
export function parseClientOptions(options: ServiceClientOptions, dialect: Dialect = VERIFICATION) {
  const { auth = "x-api-key", timeoutMs = DEFAULT_TIMEOUT_MS, connections = DEFAULT_CONNECTIONS } = options;
  const [name, value] = toAuthHeader({ apiKey: options.apiKey, auth }, dialect);
  return Object.freeze({
    ...parseServiceUrl(options.url, dialect),
    /** The headers of every request. They contain the key. */
    headers: Object.freeze({
      [name]: value,
      accept: "application/json",
      // Without this header a server may compress its answer, in a way that this client can't read (RFC 9110, section
      // 12.5.3). An answer is a few kilobytes, so compressing it saves nothing.
      "accept-encoding": "identity",
      "user-agent": `holdfast/${manifest.version}`,
    }),
    /** Percent-encoded; undefined until discovered. */
    organization: checkOrganization(options.organization, dialect),
    timeoutMs: checkNumber(toOptionName("timeoutMs", dialect), timeoutMs, { isPositive: true }),
    connections: checkNumber("`connections`", connections, { isWhole: true, isPositive: true }),
  });
}
