import { createHash, timingSafeEqual, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type RefusalCode, refusalOf } from "../../base/refusals.ts";
import type { Platform, PlatformSession } from "../../platform/platform.ts";
import { toShopKey } from "../../platform/shop-key.ts";
import type { ShopCode } from "../../base/problem.ts";
import { isHoldfastError } from "../../base/errors.ts";
import { CONSOLE_ACTOR, type TokenHolder } from "../../store/people/person.ts";
import type { KnownSession } from "../../store/people/sessions.ts";
import type { ApiSession } from "../http/api-route.ts";
import { findCookieObjection, type CallObjection } from "./cross-site.ts";
import { createFailureLimiter } from "./failure-limiter.ts";
import { sendProblem, toRetryAfter, type ProblemAnswer } from "../http/responses.ts";
import type { ServerParts } from "../parts/server-parts.ts";
import { createUserNames } from "./user-names.ts";
import { findSessionCookie, listSessionCookies, type SessionCookie } from "./session-cookie.ts";

export type Access =
  | { readonly outcome: "granted"; readonly session: ApiSession }
  /** `code`: the request is for another shop than a session that it has, or for none. */
  | { readonly outcome: "refused"; readonly code?: ShopCode }
  /** A known user without access, or a call that may not come from the console. */
  | { readonly outcome: "forbidden"; readonly why: Forbidden }
  /** Too many wrong tokens from this address. */
  | { readonly outcome: "limited"; readonly untilMs: number }
  /** The token may be valid, but the platform couldn't be asked. */
  | { readonly outcome: "unavailable"; readonly retryAtMs: number | undefined };

type Forbidden = CallObjection | "access-removed" | "user-id-taken";

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

/** Says which shop a request is for. A caller who may see another one is refused, so no shop's page gets another's data. */
const SHOP_HEADER = "x-holdfast-shop";

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

  const nameUser = createUserNames(parts);

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

  async function openBearer(authorization: string, address: string | undefined): Promise<Access> {
    const bearer = BEARER.exec(authorization)?.[1];
    if (bearer === undefined) return { outcome: "refused" };
    const session = await openToken(bearer);
    if (session !== undefined) return { outcome: "granted", session };
    const access = await openPlatformSession({ ...parts, nameUser }, bearer);
    return access.outcome === "refused" ? refuse(address) : access;
  }

  return {
    /** By the bearer token, or else by a session's cookie. */
    async authenticate(req: CallerRequest): Promise<Access> {
      const { authorization = "", [SHOP_HEADER]: shopKey } = req.headers;
      const access = IS_BEARER.test(authorization)
        ? await openBearer(authorization, req.ip)
        : await openCookie(parts, req, shopKey);
      const isAsked =
        access.outcome !== "granted" || shopKey === undefined || toShopKey(access.session.tenant) === shopKey;
      return isAsked ? access : NOT_SIGNED_IN;
    },

    /** The sessions that a browser has now, in its cookies. */
    listSessions: (req: CallerRequest) => listSessions(parts, listSessionCookies(req, parts.https ?? false)),

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
  const refuseUntil = (retryAtMs: number | undefined, answer: ProblemAnswer) =>
    sendProblem(res, answer, { "Retry-After": toRetryAfter(retryAtMs, nowMs, RETRY_AFTER_SECONDS) });
  if (access.outcome === "limited") return refuseUntil(access.untilMs, refusalOf(429, "sign-in-limit"));
  if (access.outcome === "unavailable")
    return refuseUntil(access.retryAtMs, refusalOf(503, "session-unchecked"));
  if (access.outcome === "forbidden") return sendProblem(res, refusalOf(403, access.why));
  return sendProblem(
    res,
    {
      ...refusalOf(401, access.code === undefined ? "sign-in-needed" : SHOP_REFUSALS[access.code]),
      ...(access.code !== undefined && { code: access.code }),
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

const SHOP_REFUSALS = {
  SHOP_REQUIRED: "shop-header-missing",
  SHOP_NOT_SIGNED_IN: "shop-not-signed-in",
} as const satisfies Readonly<Record<ShopCode, RefusalCode>>;
const NOT_SIGNED_IN: Access = { outcome: "refused", code: "SHOP_NOT_SIGNED_IN" };

/**
 * A console session: of the shop that the request names, or else the only one. An unknown cookie isn't counted as a guess:
 * nobody can guess 256 bits, and sessions often expire.
 */
async function openCookie(
  parts: AuthParts,
  req: IncomingMessage,
  shopKey: string | string[] | undefined,
): Promise<Access> {
  const cookies = listAsked(req, shopKey, parts.https ?? false);
  const [first, ...others] = cookies;
  if (first === undefined) return shopKey === undefined ? { outcome: "refused" } : NOT_SIGNED_IN;
  const objection = findCookieObjection(req);
  if (objection !== null) return { outcome: "forbidden", why: objection };
  // Some of them may have ended, or be of another app on this host.
  const live =
    others.length === 0 ? [first] : (await listSessions(parts, cookies)).map(({ cookie }) => cookie);
  const [only] = live;
  if (live.length > 1) return { outcome: "refused", code: "SHOP_REQUIRED" };
  const found = only && (await parts.store.sessions.find(only.value, toMoment(parts)));
  if (!found || !isFor(parts, found, only))
    return shopKey === undefined ? { outcome: "refused" } : NOT_SIGNED_IN;
  return { outcome: "granted", session: toSession(found) };
}

function listAsked(
  req: IncomingMessage,
  shopKey: string | string[] | undefined,
  https: boolean,
): readonly SessionCookie[] {
  if (shopKey === undefined) return listSessionCookies(req, https);
  const cookie = typeof shopKey === "string" ? findSessionCookie(req, shopKey, https) : undefined;
  return cookie === undefined ? [] : [cookie];
}

/** A session that is valid now, with the cookie it's in. */
export interface OpenSession {
  readonly cookie: SessionCookie;
  readonly session: ApiSession;
  readonly createdAtMs: number;
}

async function listSessions(
  parts: AuthParts,
  cookies: readonly SessionCookie[],
): Promise<readonly OpenSession[]> {
  const values = cookies.map(({ value }) => value);
  const found = await parts.store.sessions.list(values, toMoment(parts));
  return cookies.flatMap((cookie) => {
    const live = found.find(({ value }) => value === cookie.value);
    if (live === undefined || !isFor(parts, live, cookie)) return [];
    return [{ cookie, session: toSession(live), createdAtMs: live.createdAtMs }];
  });
}

function toMoment({ now, consoleToken }: AuthParts) {
  return { nowMs: now(), consoleToken: consoleToken || undefined };
}

/** Whether it's a session of the shop that its cookie is named after. The operator's is of the operator's own tenant. */
function isFor(
  { consoleTenant }: AuthParts,
  { tenant, person }: KnownSession,
  cookie: SessionCookie,
): boolean {
  return toShopKey(tenant) === cookie.shopKey && (person !== null || tenant === consoleTenant);
}

function toSession({ tenant, person }: KnownSession): ApiSession {
  return person === null
    ? toOperatorSession(tenant, "cookie")
    : toPersonSession({ tenant, person }, "cookie");
}

function toOperatorSession(tenant: string, signedInBy: ApiSession["signedInBy"]): ApiSession {
  return { tenant, actor: CONSOLE_ACTOR, name: null, role: "owner", signedInBy };
}

function toPersonSession({ tenant, person }: TokenHolder, signedInBy: ApiSession["signedInBy"]): ApiSession {
  const { actor, name, role } = person;
  return { tenant, actor, name, role, signedInBy };
}

interface AdmissionParts extends AuthParts {
  readonly nameUser: ReturnType<typeof createUserNames>;
}

/** The access of a user that a platform signed in. */
async function admit(
  { store, now, nameUser }: AdmissionParts,
  { tenant, userId }: PlatformSession,
  platform: Platform,
  bearer: string,
): Promise<Access> {
  const actor = `person:${userId ?? "unknown"}`;
  if (actor === CONSOLE_ACTOR) return NAMESAKE;
  const key = { tenant, actor };
  const known = await store.people.admit(key, now());
  if (known.kind !== "platform") return NAMESAKE;
  if (known.revokedAtMs !== null) return SHUT_OUT;
  const person = await nameUser(platform, bearer, key, known);
  return { outcome: "granted", session: toPersonSession({ tenant, person }, "bearer") };
}

const SHUT_OUT: Access = {
  outcome: "forbidden",
  why: "access-removed",
};
/** A platform user with the ID of the operator, or of a person with a token, is refused. */
const NAMESAKE: Access = { outcome: "forbidden", why: "user-id-taken" };

async function openPlatformSession(parts: AdmissionParts, bearer: string): Promise<Access> {
  let access: Access = { outcome: "refused" };
  for (const platform of parts.platforms) {
    const signal = AbortSignal.timeout(SESSION_TIMEOUT_MS);
    const session = await platform.openSession(bearer, { signal }).catch((error: unknown) => {
      parts.logger.warn({ err: error, platform: platform.name }, "a platform session couldn't be checked");
      access = { outcome: "unavailable", retryAtMs: isHoldfastError(error) ? error.retryAtMs : undefined };
      return null;
    });
    if (session !== null) return admit(parts, session, platform, bearer);
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
