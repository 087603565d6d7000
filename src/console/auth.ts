import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { PlatformSession } from "../pipeline/platform.ts";
import { isHoldfastError } from "../errors.ts";
import { CONSOLE_ACTOR, type ApiSession } from "./api-route.ts";
import { createFailureLimiter } from "./failure-limiter.ts";
import { sendProblem, toRetryAfter } from "./problem-response.ts";
import type { ServerParts } from "./server-parts.ts";

/** Whether a request may use the API. */
export type Access =
  | { readonly outcome: "granted"; readonly session: ApiSession }
  | { readonly outcome: "refused" }
  /** Too many wrong tokens from this address. */
  | { readonly outcome: "limited"; readonly untilMs: number }
  /** The token may be good, but the platform or the store could not be asked. */
  | { readonly outcome: "unavailable"; readonly retryAtMs: number | undefined };

type AuthParts = Pick<ServerParts, "platforms" | "consoleToken" | "consoleTenant" | "logger" | "now">;

/** Wrong tokens per address and minute: far above typing errors, far below guessing. */
const FAILURES_PER_WINDOW = 20;
const WINDOW_MS = 60_000;
/** A platform's sign-in may exchange tokens over the network. */
const SESSION_TIMEOUT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

/** RFC 6750 section 2.1: the scheme without regard to case, then one b64token. */
const BEARER = /^bearer +([\w.~+/-]+=*)$/i;

/**
 * Decide who is calling: the console token, or any platform's own session token. A blocked address can still use a
 * platform's session, which cannot be guessed, so a guesser behind a shared proxy locks out nobody but the operator.
 */
export function createAuthenticator(parts: AuthParts): (req: IncomingMessage) => Promise<Access> {
  const isConsoleToken = createTokenCheck(parts.consoleToken);
  const limiter = createFailureLimiter({
    failures: FAILURES_PER_WINDOW,
    windowMs: WINDOW_MS,
    now: parts.now,
  });

  return async (req) => {
    const bearer = BEARER.exec(req.headers.authorization ?? "")?.[1];
    if (bearer === undefined) return { outcome: "refused" };
    const address = req.socket.remoteAddress;
    const untilMs = limiter.blockedUntilMs(address);
    if (untilMs === undefined && isConsoleToken(bearer)) {
      return {
        outcome: "granted",
        session: { tenant: parts.consoleTenant, actor: CONSOLE_ACTOR, role: "owner" },
      };
    }
    const access = await openPlatformSession(parts, bearer);
    if (access.outcome !== "refused") return access;
    if (untilMs !== undefined) return { outcome: "limited", untilMs };
    limiter.fail(address);
    return access;
  };
}

/** Answer a request that may not use the API. */
export function sendNoAccess(
  res: ServerResponse,
  access: Exclude<Access, { readonly outcome: "granted" }>,
  nowMs: number,
): void {
  if (access.outcome === "limited") {
    const problem = { status: 429, detail: "too many wrong tokens from this address: wait and try again" };
    return sendProblem(res, problem, {
      "Retry-After": toRetryAfter(access.untilMs, nowMs, RETRY_AFTER_SECONDS),
    });
  }
  if (access.outcome === "unavailable") {
    const problem = { status: 503, detail: "the session could not be checked: try again" };
    return sendProblem(res, problem, {
      "Retry-After": toRetryAfter(access.retryAtMs, nowMs, RETRY_AFTER_SECONDS),
    });
  }
  return sendProblem(
    res,
    { status: 401, detail: "expected a bearer token: the console token or a platform's session token" },
    // The second header makes Shopify's App Bridge repeat the call once with a fresh session token.
    { "WWW-Authenticate": "Bearer", "X-Shopify-Retry-Invalid-Session-Request": "1" },
  );
}

/** Compares digests: equal in length whatever was sent, so neither content nor length shows in the time taken. */
function createTokenCheck(expected: string | undefined): (given: string) => boolean {
  if (expected === undefined || expected === "") return () => false;
  const digest = toDigest(expected);
  return (given) => timingSafeEqual(toDigest(given), digest);
}

function toDigest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

async function openPlatformSession(
  parts: AuthParts,
  bearer: string,
): Promise<Exclude<Access, { readonly outcome: "limited" }>> {
  let unavailable: (Access & { readonly outcome: "unavailable" }) | undefined;
  for (const platform of parts.platforms) {
    try {
      const signal = AbortSignal.timeout(SESSION_TIMEOUT_MS);
      const session = await platform.openSession(bearer, { signal });
      if (session !== null) return { outcome: "granted", session: toApiSession(session) };
    } catch (error) {
      parts.logger.warn({ err: error, platform: platform.name }, "a platform session could not be checked");
      unavailable = {
        outcome: "unavailable",
        retryAtMs: isHoldfastError(error) ? error.retryAtMs : undefined,
      };
    }
  }
  return unavailable ?? { outcome: "refused" };
}

function toApiSession(session: PlatformSession): ApiSession {
  return { tenant: session.tenant, actor: `person:${session.userId ?? "unknown"}`, role: "owner" };
}
