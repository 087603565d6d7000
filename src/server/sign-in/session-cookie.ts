import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** How long a session lasts, in milliseconds: a working day. */
export const SESSION_MS = 12 * 3_600_000;

/** Only this host can set it, over https. Other hosts of the domain can't plant one. */
const SECURE_NAME = "__Host-holdfast_session";
/** Over plain http, browsers refuse `__Host-` cookies. */
const PLAIN_NAME = "holdfast_session";

const VALUE_BYTES = 32;
/** The result of {@link createSessionValue}. */
const VALUE = /^[\w-]{43}$/;
/** At most this many sessions are ended by one request. A browser has one or two. */
const VALUES_ENDED = 4;

/** A new session's value: 256 random bits, as text. */
export function createSessionValue(): string {
  return randomBytes(VALUE_BYTES).toString("base64url");
}

/**
 * The session in a request's cookie. Undefined if there is none, or two with the same name, because it isn't known which one
 * this app has set.
 *
 * @param https - Whether people reach the app over https. Then only the name counts that can only be set over https.
 */
export function findSessionValue(req: Pick<IncomingMessage, "headers">, https: boolean): string | undefined {
  const secure = readCookies(req, SECURE_NAME);
  const values = secure.length > 0 || https ? secure : readCookies(req, PLAIN_NAME);
  const [value] = values;
  return values.length === 1 && value !== undefined && VALUE.test(value) ? value : undefined;
}

/** Every session in any of our cookies of a request, to end them. */
export function listSessionValues(req: Pick<IncomingMessage, "headers">): readonly string[] {
  const values = [SECURE_NAME, PLAIN_NAME].flatMap((name) => readCookies(req, name));
  return [...new Set(values)].filter((value) => VALUE.test(value)).slice(0, VALUES_ENDED);
}

/** `Set-Cookie` that begins a session. */
export function toSessionCookie(value: string, secure: boolean): string {
  return toCookie(value, SESSION_MS / 1_000, secure);
}

/** `Set-Cookie` headers that make the browser forget every session. */
export function toEndedCookies(secure: boolean): readonly string[] {
  return secure ? [toCookie("", 0, true), toCookie("", 0, false)] : [toCookie("", 0, false)];
}

/** Scripts can't read it, other sites' pages don't send it, and no other host gets it. */
function toCookie(value: string, maxAgeSeconds: number, secure: boolean): string {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`;
  return secure ? `${SECURE_NAME}=${value}; ${attributes}; Secure` : `${PLAIN_NAME}=${value}; ${attributes}`;
}

/** The values of all cookies with this very name, as they were sent (RFC 6265 section 5.4). */
function readCookies(req: Pick<IncomingMessage, "headers">, name: string): readonly string[] {
  return (req.headers.cookie ?? "").split(";").flatMap((pair) => {
    const equals = pair.indexOf("=");
    return equals !== -1 && pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : [];
  });
}
