import { z } from "zod";
import { refusalOf } from "../../../base/refusals.ts";
import { expected } from "../../../base/field-codes.ts";
import { isHoldfastError } from "../../../base/errors.ts";
import { toIso } from "../../../base/iso-time.ts";
import type { TenantId } from "../../../platform/platform.ts";
import {
  CONSOLE_ACTOR,
  ROLES,
  type Person,
  type PersonChange,
  type PersonKey,
} from "../../../store/people/person.ts";
import {
  handleRoutes,
  pick,
  type ApiSession,
  type CallOf,
  type RouteDefinitions,
} from "../../http/api-route.ts";
import { type ProblemAnswer, ProblemError } from "../../http/responses.ts";
import { createPersonToken, createTokenActor } from "../../sign-in/auth.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { oneOf } from "../../../policy/schema-fields.ts";

/** No control characters, line breaks, characters that change the writing direction, or lone surrogates. */
const NAME = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]*$/u;
const UP_TO_100 = /^.{0,100}$/su;

const nameJson = z
  .string()
  .trim()
  .min(1, expected("name"))
  .regex(UP_TO_100, expected("max-characters", { max: 100 }))
  .regex(NAME, expected("name-characters"));
const roleJson = oneOf(ROLES);
/** The format of an actor. All people have it, and databases refuse some other texts. */
const actorParams = z.object({ actor: z.string().regex(/^person:[^\p{Cc}\p{Cs}]{1,200}$/u) });

const moment = z.iso.datetime();
const personJson = z.object({
  actor: z.string(),
  name: z.string().nullable(),
  role: roleJson,
  kind: z.enum(["operator", "token", "platform"]),
  createdAt: moment.nullable().describe("null for the operator, who signs in with the console token"),
  seenAt: moment.nullable().describe("accurate to about ten minutes"),
  revokedAt: moment.nullable(),
});
const peopleJson = z.object({
  people: z.array(personJson),
  hasWorkspace: z.boolean().describe("whether /workspace-members lists people to add"),
});
const membersJson = z.object({
  members: z.array(z.object({ name: z.string(), email: z.string().nullable() })),
});

const PEOPLE_ROUTES = {
  "GET /people": {
    id: "listPeople",
    summary: "List everyone with console access, including removed users.",
    role: "owner",
    answers: { 200: peopleJson },
  },
  "GET /workspace-members": {
    id: "listWorkspaceMembers",
    summary:
      "List the members of the operator's workspaces, to add users by. Only the operator's tenant has them.",
    role: "owner",
    answers: { 200: membersJson },
    problems: [404],
  },
  "POST /people": {
    id: "addPerson",
    summary: "Create a user and a sign-in token. The token is shown only once.",
    role: "owner",
    body: z.strictObject({ name: nameJson, role: roleJson }),
    answers: { 201: z.object({ person: personJson, token: z.string() }) },
    problems: [409],
  },
  "PUT /people/:actor": {
    id: "changePerson",
    summary: "Change a user's name or role. Setting a role restores access for a platform user.",
    role: "owner",
    params: actorParams,
    body: z
      .strictObject({ name: nameJson.optional(), role: roleJson.optional() })
      .refine(({ name, role }) => name !== undefined || role !== undefined, expected("name-or-role")),
    answers: { 200: personJson },
    problems: [409],
  },
  "DELETE /people/:actor": {
    id: "revokePerson",
    summary: "Remove a user's access. Their token stops working and their sessions end right away.",
    role: "owner",
    params: actorParams,
    answers: { 204: null },
    problems: [409],
  },
} satisfies RouteDefinitions;

type Call<Route extends keyof typeof PEOPLE_ROUTES> = CallOf<typeof PEOPLE_ROUTES, Route>;

export function createPeopleRoutes(parts: ServerParts) {
  return handleRoutes(PEOPLE_ROUTES, {
    "GET /people": async ({ session: { tenant }, answer }) => answer(200, await readPeople(parts, tenant)),
    "GET /workspace-members": (call) => listMembers(parts, call),
    "POST /people": (call) => addPerson(parts, call),
    "PUT /people/:actor": (call) => changePerson(parts, call),
    "DELETE /people/:actor": (call) => revokePerson(parts, call),
  });
}

function toPersonJson(person: Person): z.infer<typeof personJson> {
  const { createdAtMs, seenAtMs, revokedAtMs } = person;
  const moments = { createdAt: toIso(createdAtMs), seenAt: toIso(seenAtMs), revokedAt: toIso(revokedAtMs) };
  return pick(personJson, { ...person, ...moments });
}

const OPERATOR: z.infer<typeof personJson> = {
  actor: CONSOLE_ACTOR,
  name: null,
  role: "owner",
  kind: "operator",
  createdAt: null,
  seenAt: null,
  revokedAt: null,
};

async function readPeople(parts: ServerParts, tenant: TenantId): Promise<z.infer<typeof peopleJson>> {
  const { store, consoleToken = "", consoleTenant } = parts;
  const hasOperator = tenant === consoleTenant && consoleToken !== "";
  const kept = (await store.people.list(tenant)).map((person) => toPersonJson(person));
  const hasWorkspace = toMemberReader(parts, tenant) !== undefined;
  return { people: hasOperator ? [OPERATOR, ...kept] : kept, hasWorkspace };
}

/** The workspaces belong to the operator, so other tenants don't see their members. */
function toMemberReader({ readWorkspaceMembers, consoleTenant }: ServerParts, tenant: TenantId) {
  return tenant === consoleTenant ? readWorkspaceMembers : undefined;
}

async function listMembers(parts: ServerParts, call: Call<"GET /workspace-members">): Promise<void> {
  const { session, answer } = call;
  const read = toMemberReader(parts, session.tenant);
  if (read === undefined) throw new ProblemError(refusalOf(404, "workspace-missing"));
  try {
    return answer(200, { members: [...(await read())] });
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    const { code } = error;
    // The message may quote the other service's response, and with it a person.
    parts.logger.warn({ code }, "the workspaces' members couldn't be read");
    throw new ProblemError({ ...refusalOf(503, "members-unreadable"), code }, { "Retry-After": "30" });
  }
}

async function addPerson(parts: ServerParts, call: Call<"POST /people">): Promise<void> {
  const { session, body, answer } = call;
  const token = createPersonToken();
  const { tenant } = session;
  const person = await parts.store.people.add(
    { ...body, tenant, actor: createTokenActor(), token },
    toAct(parts, call),
  );
  if (person === null) throw new ProblemError(refusalOf(409, "token-limit"));
  parts.logger.info({ actor: session.actor, person: person.actor, role: person.role }, "a token was created");
  return answer(201, { person: toPersonJson(person), token });
}

async function changePerson(parts: ServerParts, call: Call<"PUT /people/:actor">): Promise<void> {
  const { session, body, answer } = call;
  const key = toKey(call);
  const isOwn = key.actor === session.actor;
  if (isOwn && body.role !== undefined && body.role !== session.role) throw new ProblemError(OWN_ROLE);
  const person = toChanged(await parts.store.people.change(key, body, toAct(parts, call)));
  parts.logger.info({ actor: session.actor, person: key.actor, role: person.role }, "a person was changed");
  return answer(200, toPersonJson(person));
}

async function revokePerson(parts: ServerParts, call: Call<"DELETE /people/:actor">): Promise<void> {
  const { session, answer } = call;
  const key = toKey(call);
  if (key.actor === session.actor) throw new ProblemError(OWN_ROLE);
  toChanged(await parts.store.people.revoke(key, toAct(parts, call)));
  parts.logger.info({ actor: session.actor, person: key.actor }, "a person's access was removed");
  return answer(204, undefined);
}

const OPERATOR_STAYS = refusalOf(409, "operator-fixed");
const OWN_ROLE = refusalOf(409, "own-role");

function toChanged(change: PersonChange): Person {
  if (change.outcome === "changed") return change.person;
  throw new ProblemError(NO_CHANGE[change.outcome]);
}

/** The tenant is part of the key, so another tenant's person isn't found. */
function toKey({ session, params }: Call<"PUT /people/:actor" | "DELETE /people/:actor">): PersonKey {
  if (params.actor === CONSOLE_ACTOR) throw new ProblemError(OPERATOR_STAYS);
  return { tenant: session.tenant, actor: params.actor };
}

function toAct({ now }: ServerParts, { session }: { readonly session: ApiSession }) {
  return { by: session.actor, atMs: now() };
}

const NO_CHANGE: Readonly<Record<Exclude<PersonChange["outcome"], "changed">, ProblemAnswer>> = {
  unknown: refusalOf(404, "user-not-found"),
  "last-owner": refusalOf(409, "last-owner"),
  revoked: refusalOf(409, "token-revoked"),
};
