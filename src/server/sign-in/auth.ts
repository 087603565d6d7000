import { createHash, timingSafeEqual, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { PlatformSession } from "../../platform/platform.ts";
import { isHoldfastError } from "../../base/errors.ts";
import { CONSOLE_ACTOR, type TokenHolder } from "../../store/people/person.ts";
import type { ApiSession } from "../http/api-route.ts";
import { findCookieObjection } from "./cross-site.ts";
import { createFailureLimiter } from "./failure-limiter.ts";
import { sendProblem, toRetryAfter } from "../http/responses.ts";
import type { ServerParts } from "../parts/server-parts.ts";
import { findSessionValue } from "./session-cookie.ts";

export type Access =
  | { readonly outcome: "granted"; readonly session: ApiSession }
  | { readonly outcome: "refused" }
  /** A known user without access, or a call that may not come from the console. */
  | { readonly outcome: "forbidden"; readonly detail: string }
  /** Too many wrong tokens from this address. */
  | { readonly outcome: "limited"; readonly untilMs: number }
  /** The token may be valid, but the platform couldn't be asked. */
  | { readonly outcome: "unavailable"; readonly retryAtMs: number | undefined };

/** A request whose `ip` is the caller's address, past the trusted proxies. */
type CallerRequest = IncomingMessage & { readonly ip?: string | undefined };

type AuthParts = Pick<
  ServerParts,
  "store" | "platforms" | "consoleToken" | "consoleTenant" | "logger" | "now" | "https"
>;

/** Wrong tokens per address and minute: far above typing errors, far below guessing. */
const FAILURES_PER_WINDOW = 20;
const WINDOW_MS = 60_000;
/** A platform's sign-in may exchange tokens over the network. */
const SESSION_TIMEOUT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * The scheme in any case, then one token: like RFC 6750's, but with every character that `CONSOLE_TOKEN` may contain.
 */
const BEARER = /^bearer +([\x21-\x7e]+)$/i;
/** A call with a bearer token is authenticated by that token alone. */
const IS_BEARER = /^bearer\b/i;

/** Identifies callers. If the store is unavailable, throws `STORE_UNAVAILABLE`, which is answered with 503. */
export type Authenticator = ReturnType<typeof createAuthenticator>;

/**
 * Decide who is calling: the console token, a person's token, any platform's own session token, or a session's cookie.
 * A valid token works from a blocked address, too, so an attacker behind a shared proxy locks out nobody. What
 * protects the console token is its length; the limit makes guessing visible and slow.
 */
export function createAuthenticator(parts: AuthParts) {
  const isConsoleToken = createTokenCheck(parts.consoleToken);
  const limiter = createFailureLimiter({
    failures: FAILURES_PER_WINDOW,
    windowMs: WINDOW_MS,
    now: parts.now,
  });

  async function openToken(token: string): Promise<ApiSession | undefined> {
    if (isConsoleToken(token)) return toOperatorSession(parts.consoleTenant, "bearer");
    const holder = TOKEN.test(token) ? await parts.store.people.findTokenHolder(token, parts.now()) : null;
    return holder === null ? undefined : toPersonSession(holder, "bearer");
  }

  function refuse(address: string | undefined): Access {
    const untilMs = limiter.blockedUntilMs(address);
    if (untilMs !== undefined) return { outcome: "limited", untilMs };
    limiter.fail(address);
    return { outcome: "refused" };
  }

  return {
    /** By the bearer token, or else by the session's cookie. */
    async authenticate(req: CallerRequest): Promise<Access> {
      const { authorization = "" } = req.headers;
      if (!IS_BEARER.test(authorization)) return openCookie(parts, req);
      const bearer = BEARER.exec(authorization)?.[1];
      if (bearer === undefined) return { outcome: "refused" };
      const session = await openToken(bearer);
      if (session !== undefined) return { outcome: "granted", session };
      const access = await openPlatformSession(parts, bearer);
      return access.outcome === "refused" ? refuse(req.ip) : access;
    },

    /** Whose token this is, to start a session: the operator's, or a person's. Counts wrong tokens, too. */
    async signIn(token: string, address: string | undefined): Promise<Access> {
      const session = await openToken(token);
      return session === undefined ? refuse(address) : { outcome: "granted", session };
    },
  };
}

export function sendNoAccess(
  res: ServerResponse,
  access: Exclude<Access, { readonly outcome: "granted" }>,
  nowMs: number,
): void {
  const refuseUntil = (retryAtMs: number | undefined, status: number, detail: string) =>
    sendProblem(
      res,
      { status, detail },
      { "Retry-After": toRetryAfter(retryAtMs, nowMs, RETRY_AFTER_SECONDS) },
    );
  if (access.outcome === "limited") {
    const detail = "Too many failed sign-ins from this address. Wait, then try again.";
    return refuseUntil(access.untilMs, 429, detail);
  }
  if (access.outcome === "unavailable")
    return refuseUntil(access.retryAtMs, 503, "Couldn't check your session. Try again.");
  if (access.outcome === "forbidden") return sendProblem(res, { status: 403, detail: access.detail });
  return sendProblem(
    res,
    {
      status: 401,
      detail:
        "Sign in first. Send a console session cookie, or a bearer token: the console token, a personal token, or a platform session token.",
    },
    // The second header makes Shopify's App Bridge repeat the call once with a fresh session token.
    { "WWW-Authenticate": "Bearer", "X-Shopify-Retry-Invalid-Session-Request": "1" },
  );
}

/** Compares digests, which all have the same length, so that the time reveals neither content nor length. */
function createTokenCheck(expected: string | undefined): (given: string) => boolean {
  if (expected === undefined || expected === "") return () => false;
  const digest = toDigest(expected);
  return (given) => timingSafeEqual(toDigest(given), digest);
}

function toDigest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/**
 * A console session. An unknown cookie isn't counted as a guess: nobody can guess 256 bits, and sessions often expire.
 */
async function openCookie(
  { store, consoleToken, consoleTenant, now, https = false }: AuthParts,
  req: IncomingMessage,
): Promise<Access> {
  const value = findSessionValue(req, https);
  if (value === undefined) return { outcome: "refused" };
  const objection = findCookieObjection(req);
  if (objection !== null) return { outcome: "forbidden", detail: objection };
  const found = await store.sessions.find(value, { nowMs: now(), consoleToken: consoleToken || undefined });
  if (found === null) return { outcome: "refused" };
  const { tenant, person } = found;
  if (person !== null) return { outcome: "granted", session: toPersonSession({ tenant, person }, "cookie") };
  if (tenant !== consoleTenant) return { outcome: "refused" };
  return { outcome: "granted", session: toOperatorSession(tenant, "cookie") };
}

function toOperatorSession(tenant: string, signedInBy: ApiSession["signedInBy"]): ApiSession {
  return { tenant, actor: CONSOLE_ACTOR, name: null, role: "owner", signedInBy };
}

function toPersonSession({ tenant, person }: TokenHolder, signedInBy: ApiSession["signedInBy"]): ApiSession {
  const { actor, name, role } = person;
  return { tenant, actor, name, role, signedInBy };
}

/** The access of a user that a platform signed in. */
async function admit({ store, now }: AuthParts, { tenant, userId }: PlatformSession): Promise<Access> {
  const actor = `person:${userId ?? "unknown"}`;
  if (actor === CONSOLE_ACTOR) return NAMESAKE;
  const person = await store.people.admit({ tenant, actor }, now());
  if (person.kind !== "platform") return NAMESAKE;
  if (person.revokedAtMs !== null) return SHUT_OUT;
  return { outcome: "granted", session: toPersonSession({ tenant, person }, "bearer") };
}

const SHUT_OUT: Access = {
  outcome: "forbidden",
  detail: "Your access to Holdfast was removed. Ask an owner of this shop to restore it.",
};
/** A platform user with the ID of the operator, or of a person with a token, is refused. */
const NAMESAKE: Access = { outcome: "forbidden", detail: "This user ID belongs to another user." };

async function openPlatformSession(parts: AuthParts, bearer: string): Promise<Access> {
  let access: Access = { outcome: "refused" };
  for (const platform of parts.platforms) {
    const signal = AbortSignal.timeout(SESSION_TIMEOUT_MS);
    const session = await platform.openSession(bearer, { signal }).catch((error: unknown) => {
      parts.logger.warn({ err: error, platform: platform.name }, "a platform session couldn't be checked");
      access = { outcome: "unavailable", retryAtMs: isHoldfastError(error) ? error.retryAtMs : undefined };
      return null;
    });
    if (session !== null) return admit(parts, session);
  }
  return access;
}

/** Makes personal tokens recognizable to secret scanners, and to us before we query the store. */
const PREFIX = "hf_";
const TOKEN_BYTES = 32;
/** The result of {@link createPersonToken}. */
const TOKEN = /^hf_[\w-]{43}$/;
/** Enough that no two people of a tenant get the same name. */
const ACTOR_BYTES = 9;

/** A new token for a person: 256 random bits, as text. */
export function createPersonToken(): string {
  return `${PREFIX}${randomBytes(TOKEN_BYTES).toString("base64url")}`;
}

/** A name for a new person with a token: `person:key-…`. */
export function createTokenActor(): string {
  return `person:key-${randomBytes(ACTOR_BYTES).toString("base64url")}`;
}
