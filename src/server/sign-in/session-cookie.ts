import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** How long a session lasts, in milliseconds: a working day. */
export const SESSION_MS = 12 * 3_600_000;

/** How many shops a browser can be signed in to. All their cookies are well below the usual limits of a header. */
export const MOST_SESSIONS = 20;

/** Only this host can set it, over https. Other hosts of the domain can't plant one. */
const SECURE_NAME = "__Host-holdfast_session_";
/** Over plain http, browsers refuse `__Host-` cookies. */
const PLAIN_NAME = "holdfast_session_";
/** A cookie's name: for each shop another one, by its key. */
const NAME = /^(?:__Host-)?holdfast_session_([\w-]{16})$/;

const VALUE_BYTES = 32;
/** The result of {@link createSessionValue}. */
const VALUE = /^[\w-]{43}$/;
/** At most this many of our cookies are read and ended by one request: more than a browser gets from us. */
const MOST_READ = 2 * MOST_SESSIONS;

type Asked = Pick<IncomingMessage, "headers">;

/** A session as a browser keeps it. */
export interface SessionCookie {
  /** The key of the shop that it says it's for. Only the store knows whether that is true. */
  readonly shopKey: string;
  readonly value: string;
}

/** A new session's value: 256 random bits, as text. */
export function createSessionValue(): string {
  return randomBytes(VALUE_BYTES).toString("base64url");
}

/**
 * The session of a shop in a request's cookies. Undefined if there is none, or two with the same name, because it isn't known
 * which one this app has set.
 *
 * @param https - Whether people reach the app over https. Then only the name counts that can only be set over https.
 */
export function findSessionCookie(req: Asked, shopKey: string, https: boolean): SessionCookie | undefined {
  return choose(
    readCookies(req).filter((one) => one.shopKey === shopKey),
    https,
  );
}

/** The sessions in a request's cookies, at most one for each shop, and no more than a browser gets from us. */
export function listSessionCookies(req: Asked, https: boolean): readonly SessionCookie[] {
  const byShop = Map.groupBy(readCookies(req), ({ shopKey }) => shopKey);
  return [...byShop.values()].flatMap((same) => choose(same, https) ?? []).slice(0, MOST_READ);
}

/** Every session in any of our cookies of a request, to end them: of one shop, or of all. */
export function listSessionValues(req: Asked, shopKey?: string): readonly string[] {
  const values = readOf(req, shopKey).map(({ value }) => value);
  return [...new Set(values)].filter((value) => VALUE.test(value)).slice(0, MOST_READ);
}

/** `Set-Cookie` that begins a session. */
export function toSessionCookie({ shopKey, value }: SessionCookie, secure: boolean): string {
  return toCookie(`${secure ? SECURE_NAME : PLAIN_NAME}${shopKey}`, value, SESSION_MS / 1_000);
}

/** `Set-Cookie` headers that make the browser forget the sessions it sent: of one shop, or of all. */
export function toEndedCookies(req: Asked, shopKey?: string): readonly string[] {
  const names = new Set(readOf(req, shopKey).map(({ name }) => name));
  return [...names].slice(0, MOST_READ).map((name) => toCookie(name, "", 0));
}

/** Scripts can't read it, other sites' pages don't send it, and no other host gets it. */
function toCookie(name: string, value: string, maxAgeSeconds: number): string {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`;
  return `${name}=${value}; ${attributes}${isSecureName(name) ? "; Secure" : ""}`;
}

interface Read extends SessionCookie {
  readonly name: string;
}

function isSecureName(name: string): boolean {
  return name.startsWith(SECURE_NAME);
}

function readOf(req: Asked, shopKey: string | undefined): readonly Read[] {
  const all = readCookies(req);
  return shopKey === undefined ? all : all.filter((one) => one.shopKey === shopKey);
}

/** One of a shop's cookies, or undefined if it isn't clear which. */
function choose(same: readonly Read[], https: boolean): SessionCookie | undefined {
  const secure = same.filter(({ name }) => isSecureName(name));
  const [one, ...others] = secure.length > 0 || https ? secure : same;
  if (one === undefined || others.length > 0 || !VALUE.test(one.value)) return undefined;
  return { shopKey: one.shopKey, value: one.value };
}

/** All of our cookies, as they were sent (RFC 6265 section 5.4). */
function readCookies(req: Asked): readonly Read[] {
  return (req.headers.cookie ?? "").split(";").flatMap((pair) => {
    const equals = pair.indexOf("=");
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    const shopKey = NAME.exec(name)?.[1];
    return shopKey === undefined ? [] : [{ name, shopKey, value: pair.slice(equals + 1).trim() }];
  });
}
