import type { IncomingMessage } from "node:http";
import { z } from "zod";
import {
  handleRoutes,
  pick,
  type ApiSession,
  type CallOf,
  type RouteDefinitions,
} from "../../http/api-route.ts";
import { sendNoAccess, type Access, type Authenticator } from "../../sign-in/auth.ts";
import { isFromHttpsPage } from "../../sign-in/cross-site.ts";
import { sendProblem } from "../../http/responses.ts";
import { ROLES } from "../../../store/people/person.ts";
import type { LocalParts } from "../../parts/shop-locales.ts";
import {
  createSessionValue,
  listSessionValues,
  SESSION_MS,
  toEndedCookies,
  toSessionCookie,
} from "../../sign-in/session-cookie.ts";

const MAX_TOKEN_LENGTH = 1_000;

const sessionJson = z.object({
  tenant: z.string(),
  shop: z.string().nullable().describe("the platform's name for the shop; null without a platform"),
  timeZone: z.string().nullable().describe("the shop's time zone, as an IANA name; null if it isn't known"),
  currency: z.string().nullable().describe("the shop's currency; null if it isn't known"),
  actor: z.string(),
  name: z.string().nullable(),
  role: z.enum(ROLES),
  signedInBy: z.enum(["cookie", "bearer"]),
  names: z.record(z.string(), z.string()).describe("names of users, by actor"),
  about: z.object({ version: z.string(), verification: z.enum(["service", "local"]) }),
});

const SESSION_ROUTES = {
  "POST /session": {
    id: "signIn",
    summary: "Sign in with the console token or a personal token. Sets a cookie for 12 hours.",
    role: null,
    body: z.strictObject({ token: z.string().min(1).max(MAX_TOKEN_LENGTH) }),
    // Much more than a token and its quotes.
    maxBodyBytes: 4 * 1024,
    answers: { 200: sessionJson },
  },
  "GET /session": {
    id: "showSession",
    summary: "Show who is signed in and their role.",
    role: "viewer",
    answers: { 200: sessionJson },
  },
  "DELETE /session": {
    id: "signOut",
    summary: "Sign out and end the session in the cookie.",
    role: "viewer",
    answers: { 204: null },
  },
} satisfies RouteDefinitions;

type Call<Route extends keyof typeof SESSION_ROUTES> = CallOf<typeof SESSION_ROUTES, Route>;

export function createSessionRoutes(parts: LocalParts, authenticator: Authenticator) {
  return handleRoutes(SESSION_ROUTES, {
    "POST /session": (call) => signIn(parts, authenticator, call),
    "GET /session": async ({ session, answer }) => answer(200, await readSession(parts, session)),
    async "DELETE /session"({ session, req, answer }) {
      if (session.signedInBy === "cookie") await parts.store.sessions.end(listSessionValues(req));
      answer(204, undefined, { "Set-Cookie": [...toEndedCookies(isSecure(parts, req))] });
    },
  });
}

async function readSession(
  { store, about, localeOf }: Pick<LocalParts, "store" | "about" | "localeOf">,
  session: ApiSession,
): Promise<z.infer<typeof sessionJson>> {
  const { tenant } = session;
  const [people, locale] = await Promise.all([store.people.list(tenant), localeOf(tenant)]);
  const colon = tenant.indexOf(":");
  const shop = colon === -1 ? null : tenant.slice(colon + 1);
  const names = Object.fromEntries(
    people.flatMap((person) => (person.name === null ? [] : [[person.actor, person.name]])),
  );
  const { version, verification } = about;
  return pick(sessionJson, { ...session, ...locale, shop, names, about: { version, verification } });
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
  await parts.store.sessions.start(started, listSessionValues(req));
  parts.logger.info({ actor }, "somebody signed in");
  return answer(200, await readSession(parts, session), {
    "Set-Cookie": toSessionCookie(value, isSecure(parts, req)),
  });
}

function refuse(
  parts: LocalParts,
  res: Call<"POST /session">["res"],
  access: Exclude<Access, { readonly outcome: "granted" }>,
): void {
  const outcome = access.outcome === "limited" ? "limited" : "refused";
  parts.logger.warn({ outcome }, "a sign-in failed");
  if (access.outcome !== "refused") return sendNoAccess(res, access, parts.now());
  return sendProblem(
    res,
    { status: 401, detail: "This token is unknown or was revoked. Check it and try again." },
    { "WWW-Authenticate": "Bearer" },
  );
}

/** Behind a proxy that terminates TLS, the app may not know that people use https, but their browser does. */
function isSecure({ https = false }: LocalParts, req: IncomingMessage): boolean {
  return https || isFromHttpsPage(req);
}
