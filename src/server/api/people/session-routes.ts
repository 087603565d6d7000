import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { refusalOf } from "../../../base/refusals.ts";
import {
  handleRoutes,
  pick,
  type ApiSession,
  type CallOf,
  type RouteDefinitions,
} from "../../http/api-route.ts";
import { sendNoAccess, type Access, type Authenticator, type OpenSession } from "../../sign-in/auth.ts";
import { toShopKey } from "../../../platform/shop-key.ts";
import { findCookieObjection, isFromHttpsPage } from "../../sign-in/cross-site.ts";
import { ProblemError, sendProblem } from "../../http/responses.ts";
import { isAtLeast, ROLES } from "../../../store/people/person.ts";
import type { LocalParts } from "../../parts/shop-locales.ts";
import {
  createSessionValue,
  listSessionValues,
  MOST_SESSIONS,
  SESSION_MS,
  toEndedCookies,
  toSessionCookie,
} from "../../sign-in/session-cookie.ts";

const MAX_TOKEN_LENGTH = 1_000;

const sessionJson = z.object({
  tenant: z.string(),
  shopKey: z.string().describe("names the shop in `X-Holdfast-Shop`. It isn't a secret"),
  shop: z.string().nullable().describe("the platform's name for the shop; null without a platform"),
  timeZone: z.string().nullable().describe("the shop's time zone, as an IANA name; null if it isn't known"),
  currency: z.string().nullable().describe("the shop's currency; null if it isn't known"),
  actor: z.string(),
  name: z.string().nullable(),
  role: z.enum(ROLES),
  signedInBy: z.enum(["cookie", "bearer"]),
  names: z.record(z.string(), z.string()).describe("names of users, by actor, also of removed ones"),
  colleagues: z.array(z.string()).readonly().describe("actors of users who can decide, to assign orders to"),
  about: z.object({ version: z.string(), verification: z.enum(["service", "local"]) }),
});

/** A shop that a browser is signed in to. */
const shopJson = sessionJson.pick({ tenant: true, shopKey: true, shop: true, name: true, role: true });

const SESSION_ROUTES = {
  "POST /session": {
    id: "signIn",
    summary: "Sign in with the console token or a personal token. Sets a cookie for 12 hours.",
    role: null,
    body: z.strictObject({ token: z.string().min(1).max(MAX_TOKEN_LENGTH) }),
    // Much more than a token and its quotes.
    maxBodyBytes: 4 * 1024,
    answers: {
      200: sessionJson.extend({
        dropped: z
          .array(shopJson)
          .describe(`the oldest sessions of this browser, which were ended: it can have ${MOST_SESSIONS}`),
      }),
    },
  },
  "GET /session": {
    id: "showSession",
    summary: "Show who is signed in and their role.",
    role: "viewer",
    answers: { 200: sessionJson },
  },
  "DELETE /session": {
    id: "signOut",
    summary: "Sign out and end the session in the cookie. Sessions of other shops stay.",
    role: "viewer",
    answers: { 204: null },
  },
  "GET /sessions": {
    id: "listSessions",
    summary: "List the shops that this browser is signed in to, from its own cookies.",
    role: null,
    answers: { 200: z.object({ sessions: z.array(shopJson) }) },
  },
  "DELETE /sessions": {
    id: "signOutOfAll",
    summary: "Sign out of every shop, and end the sessions in this browser's cookies.",
    role: null,
    answers: { 204: null },
  },
} satisfies RouteDefinitions;

type Call<Route extends keyof typeof SESSION_ROUTES> = CallOf<typeof SESSION_ROUTES, Route>;

export function createSessionRoutes(parts: LocalParts, authenticator: Authenticator) {
  return handleRoutes(SESSION_ROUTES, {
    "POST /session": (call) => signIn(parts, authenticator, call),
    "GET /session": async ({ session, answer }) => answer(200, await readSession(parts, session)),
    async "DELETE /session"({ session, req, answer }) {
      const shopKey = toShopKey(session.tenant);
      if (session.signedInBy === "bearer") return answer(204, undefined);
      await parts.store.sessions.end(listSessionValues(req, shopKey));
      answer(204, undefined, { "Set-Cookie": [...toEndedCookies(req, shopKey)] });
    },
    async "GET /sessions"({ req, answer }) {
      const sessions = (await authenticator.listSessions(req)).map(toShop);
      answer(200, { sessions });
    },
    async "DELETE /sessions"({ req, answer }) {
      const objection = findCookieObjection(req);
      if (objection !== null) throw new ProblemError(refusalOf(403, objection));
      await parts.store.sessions.end(listSessionValues(req));
      answer(204, undefined, { "Set-Cookie": [...toEndedCookies(req)] });
    },
  });
}

function toShop({ session }: OpenSession): z.infer<typeof shopJson> {
  return pick(shopJson, { ...session, ...toNames(session.tenant) });
}

function toNames(tenant: string) {
  const colon = tenant.indexOf(":");
  return { shopKey: toShopKey(tenant), shop: colon === -1 ? null : tenant.slice(colon + 1) };
}

async function readSession(
  { store, about, localeOf }: Pick<LocalParts, "store" | "about" | "localeOf">,
  session: ApiSession,
): Promise<z.infer<typeof sessionJson>> {
  const { tenant } = session;
  const [people, locale] = await Promise.all([store.people.list(tenant), localeOf(tenant)]);
  const names = Object.fromEntries(
    people.flatMap((person) => (person.name === null ? [] : [[person.actor, person.name]])),
  );
  const colleagues = people
    .filter(({ role, revokedAtMs }) => revokedAtMs === null && isAtLeast(role, "reviewer"))
    .map(({ actor }) => actor);
  const { version, verification } = about;
  return pick(sessionJson, {
    ...session,
    ...locale,
    ...toNames(tenant),
    names,
    colleagues,
    about: { version, verification },
  });
}

async function signIn(
  parts: LocalParts,
  authenticator: Authenticator,
  { req, res, body, answer }: Call<"POST /session">,
): Promise<void> {
  const access = await authenticator.signIn(body.token, req.ip);
  if (access.outcome !== "granted") return refuse(parts, res, access);
  const session: ApiSession = { ...access.session, signedInBy: "cookie" };
  const { tenant, actor } = session;
  // Always generate the value, so that a value known to others never becomes a session.
  const value = createSessionValue();
  const nowMs = parts.now();
  const started = { tenant, actor, value, token: body.token, nowMs, expiresAtMs: nowMs + SESSION_MS };
  const shopKey = toShopKey(tenant);
  const others = await listOthers(authenticator, req, shopKey);
  const dropped = others.slice(MOST_SESSIONS - 1);
  const former = dropped.map(({ cookie }) => cookie.value);
  await parts.store.sessions.start(started, [...listSessionValues(req, shopKey), ...former]);
  parts.logger.info({ actor }, "somebody signed in");
  const cookies = dropped.flatMap(({ cookie }) => toEndedCookies(req, cookie.shopKey));
  return answer(
    200,
    { ...(await readSession(parts, session)), dropped: dropped.map(toShop) },
    { "Set-Cookie": [toSessionCookie({ shopKey, value }, isSecure(parts, req)), ...cookies] },
  );
}

/** The browser's sessions of other shops, newest first. */
async function listOthers(authenticator: Authenticator, req: IncomingMessage, shopKey: string) {
  const all = await authenticator.listSessions(req);
  return all
    .filter(({ cookie }) => cookie.shopKey !== shopKey)
    .toSorted((one, other) => other.createdAtMs - one.createdAtMs);
}

function refuse(
  parts: LocalParts,
  res: Call<"POST /session">["res"],
  access: Exclude<Access, { readonly outcome: "granted" }>,
): void {
  const outcome = access.outcome === "limited" ? "limited" : "refused";
  parts.logger.warn({ outcome }, "a sign-in failed");
  if (access.outcome !== "refused") return sendNoAccess(res, access, parts.now());
  return sendProblem(res, refusalOf(401, "token-unknown"), { "WWW-Authenticate": "Bearer" });
}

/** Behind a proxy that terminates TLS, the app may not know that people use https, but their browser does. */
function isSecure({ https = false }: LocalParts, req: IncomingMessage): boolean {
  return https || isFromHttpsPage(req);
}
