import type { IncomingMessage } from "node:http";
import { z } from "zod";
import type { ApiCall, ApiRoute, ApiSession, OpenCall } from "./api-route.ts";
import { sendNoAccess, type Access, type Authenticator } from "../sign-in/auth.ts";
import { findOriginObjection, isFromHttpsPage } from "../sign-in/cross-site.ts";
import { sendJson, sendProblem } from "../http/responses.ts";
import { discardRest } from "../http/request-body.ts";
import { ROLES } from "../../store/people/roles.ts";
import type { ServerParts } from "../server-parts.ts";
import {
  createSessionValue,
  listSessionValues,
  SESSION_MS,
  toEndedCookies,
  toSessionCookie,
} from "../sign-in/session-cookie.ts";
import { readValidBody } from "../http/valid-body.ts";

type SessionParts = Pick<
  ServerParts,
  "store" | "logger" | "metrics" | "now" | "about" | "https" | "bodyTimeoutMs"
>;

/** A token and its quotes, many times over. */
const MAX_SIGN_IN_BYTES = 4 * 1024;
const MAX_TOKEN_LENGTH = 1_000;

/** `POST`, `GET` and `DELETE /api/session`: sign in without a platform, who is signed in, and sign out. */
export function createSessionRoutes(parts: SessionParts, authenticator: Authenticator): readonly ApiRoute[] {
  return [
    {
      path: "/session",
      operations: {
        POST: {
          id: "signIn",
          summary: "Sign in with the console token or a personal token. Sets a cookie for 12 hours.",
          role: null,
          body: signInJson,
          answers: { 200: sessionJson },
          problems: [408, 413, 415, 422],
          handle: (call) => signIn(parts, authenticator, call),
        },
        GET: {
          id: "showSession",
          summary: "Show who is signed in and their role.",
          role: "viewer",
          answers: { 200: sessionJson },
          handle: async ({ session, res }) => sendJson(res, 200, await readSession(parts, session)),
        },
        DELETE: {
          id: "signOut",
          summary: "Sign out and end the session in the cookie.",
          role: "viewer",
          answers: { 204: null },
          handle: (call) => signOut(parts, call),
        },
      },
    },
  ];
}

const signInJson = z.strictObject({ token: z.string().min(1).max(MAX_TOKEN_LENGTH) });

const sessionJson = z.object({
  tenant: z.string(),
  shop: z.string().nullable().describe("the platform's name for the shop; null without a platform"),
  actor: z.string(),
  name: z.string().nullable(),
  role: z.enum(ROLES),
  signedInBy: z.enum(["cookie", "bearer"]),
  names: z.record(z.string(), z.string()).describe("names of users, by actor"),
  about: z.object({ version: z.string(), verification: z.enum(["service", "local"]) }),
});

/** Who is signed in, and what those are called who did what the page tells of. */
async function readSession(
  { store, about }: Pick<SessionParts, "store" | "about">,
  session: ApiSession,
): Promise<z.infer<typeof sessionJson>> {
  const { people } = await store.listPeople(session.tenant);
  const { tenant, actor, name, role, signedInBy } = session;
  const colon = tenant.indexOf(":");
  const { version, verification } = about;
  return {
    tenant,
    shop: colon === -1 ? null : tenant.slice(colon + 1),
    actor,
    name,
    role,
    signedInBy,
    names: Object.fromEntries(
      people.flatMap((person) => (person.name === null ? [] : [[person.actor, person.name]])),
    ),
    about: { version, verification },
  };
}

async function signIn(parts: SessionParts, authenticator: Authenticator, call: OpenCall): Promise<void> {
  const { req, res } = call;
  // Another site's page can't sign anyone in, not even as another user. Browsers would refuse its JSON anyway.
  const objection = findOriginObjection(req);
  if (objection !== null) {
    sendProblem(res, { status: 403, detail: objection });
    return discardRest(req);
  }
  const body = await readValidBody(call, signInJson, { ...parts, maxBytes: MAX_SIGN_IN_BYTES });
  if (body === undefined) return undefined;
  const access = await authenticator.signIn(body.token, req.ip);
  if (access.outcome !== "granted") return refuse(parts, res, access);
  const session: ApiSession = { ...access.session, signedInBy: "cookie" };
  const value = await start(parts, session, body.token, listSessionValues(req));
  parts.metrics.signedIn("accepted");
  parts.logger.info({ actor: session.actor }, "somebody signed in");
  return sendJson(res, 200, await readSession(parts, session), {
    "Set-Cookie": toSessionCookie(value, isSecure(parts, req)),
  });
}

function refuse(
  parts: SessionParts,
  res: OpenCall["res"],
  access: Exclude<Access, { readonly outcome: "granted" }>,
): void {
  const outcome = access.outcome === "limited" ? "limited" : "refused";
  parts.metrics.signedIn(outcome);
  parts.logger.warn({ outcome }, "a sign-in failed");
  if (access.outcome !== "refused") return sendNoAccess(res, access, parts.now());
  return sendProblem(
    res,
    { status: 401, detail: "This token is unknown or was revoked. Check it and try again." },
    { "WWW-Authenticate": "Bearer" },
  );
}

/** Always a value that we generate, so that a value known to others never becomes a session. */
async function start(
  { store, now }: SessionParts,
  { tenant, actor }: ApiSession,
  token: string,
  formerValues: readonly string[],
): Promise<string> {
  const value = createSessionValue();
  const nowMs = now();
  await store.startSession(
    { tenant, actor, value, token, nowMs, expiresAtMs: nowMs + SESSION_MS },
    formerValues,
  );
  return value;
}

async function signOut(parts: SessionParts, { session, req, res }: ApiCall): Promise<void> {
  if (session.signedInBy === "cookie") await parts.store.endSessions(listSessionValues(req));
  res.writeHead(204, {
    "Set-Cookie": [...toEndedCookies(isSecure(parts, req))],
    "Cache-Control": "no-store",
  });
  res.end();
}

/** Behind a proxy that ends TLS the app may not know that people reach it over https; their browser does. */
function isSecure({ https = false }: SessionParts, req: IncomingMessage): boolean {
  return https || isFromHttpsPage(req);
}
