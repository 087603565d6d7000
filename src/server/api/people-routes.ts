import { z } from "zod";
import type { Person, PersonChange, PersonKey, TenantPeople } from "../../store/people/person.ts";
import { CONSOLE_ACTOR, type ApiCall, type ApiRoute } from "./api-route.ts";
import { sendJson, sendProblem } from "../http/responses.ts";
import { createPersonToken, createTokenActor } from "../sign-in/person-token.ts";
import { ROLES } from "../../store/people/roles.ts";
import type { ServerParts } from "../server-parts.ts";
import { readValidBody } from "../http/valid-body.ts";

type PeopleParts = Pick<
  ServerParts,
  "store" | "logger" | "now" | "consoleToken" | "consoleTenant" | "bodyTimeoutMs"
>;

/** The longest name takes a tenth of it. */
const MAX_PERSON_BYTES = 4 * 1024;

/** `/api/people`: who may use the console, and what they may do. */
export function createPeopleRoutes(parts: PeopleParts): readonly ApiRoute[] {
  return [
    {
      path: "/people",
      operations: {
        GET: {
          id: "listPeople",
          summary: "List everyone with console access, including removed users.",
          role: "owner",
          answers: { 200: peopleJson },
          handle: (call) => listPeople(parts, call),
        },
        POST: {
          id: "addPerson",
          summary: "Create a user and a sign-in token. The token is shown only once.",
          role: "owner",
          body: newPersonJson,
          answers: { 201: z.object({ person: personJson, token: z.string() }) },
          problems: [408, 409, 413, 415, 422],
          handle: (call) => addPerson(parts, call),
        },
        PUT: {
          id: "changeDefaultRole",
          summary: "Set the role for users who sign in from a platform for the first time.",
          role: "owner",
          body: defaultRoleJson,
          answers: { 200: peopleJson },
          problems: [408, 413, 415, 422],
          handle: (call) => changeDefaultRole(parts, call),
        },
      },
    },
    {
      path: "/people/:actor",
      operations: {
        PUT: {
          id: "changePerson",
          summary: "Change a user's name or role. Setting a role restores access for a platform user.",
          role: "owner",
          body: personChangeJson,
          answers: { 200: personJson },
          problems: [404, 408, 409, 413, 415, 422],
          handle: (call) => changePerson(parts, call),
        },
        DELETE: {
          id: "revokePerson",
          summary: "Remove a user's access. Their token stops working and their sessions end right away.",
          role: "owner",
          answers: { 204: null },
          problems: [404, 409],
          handle: (call) => revokePerson(parts, call),
        },
      },
    },
  ];
}

/** Neither control characters, nor what breaks a line or turns the direction of writing, nor halves of characters. */
const NAME = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]*$/u;
const UP_TO_100 = /^.{0,100}$/su;

const nameJson = z
  .string()
  .trim()
  .min(1, "expected a name")
  .regex(UP_TO_100, "expected at most 100 characters")
  .regex(NAME, "expected a name without control characters");
const roleJson = z.enum(ROLES);
const newPersonJson = z.strictObject({ name: nameJson, role: roleJson });
const defaultRoleJson = z.strictObject({ defaultRole: roleJson });
const personChangeJson = z
  .strictObject({ name: nameJson.optional(), role: roleJson.optional() })
  .refine(({ name, role }) => name !== undefined || role !== undefined, "expected a name or a role");

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
const peopleJson = z.object({ people: z.array(personJson), defaultRole: roleJson });

/** A person as the API shows them. */
function toPersonJson(person: Person): z.infer<typeof personJson> {
  const { actor, name, role, kind, createdAtMs, seenAtMs, revokedAtMs } = person;
  return {
    actor,
    name,
    role,
    kind,
    createdAt: toIso(createdAtMs),
    seenAt: toIso(seenAtMs),
    revokedAt: toIso(revokedAtMs),
  };
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

function toPeopleJson(
  { consoleToken = "", consoleTenant }: PeopleParts,
  tenant: string,
  { people, defaultRole }: TenantPeople,
): z.infer<typeof peopleJson> {
  const hasOperator = tenant === consoleTenant && consoleToken !== "";
  const kept = people.map((person) => toPersonJson(person));
  return { people: hasOperator ? [OPERATOR, ...kept] : kept, defaultRole };
}

async function listPeople(parts: PeopleParts, { session, res }: ApiCall): Promise<void> {
  const listed = await parts.store.listPeople(session.tenant);
  return sendJson(res, 200, toPeopleJson(parts, session.tenant, listed));
}

async function addPerson(parts: PeopleParts, call: ApiCall): Promise<void> {
  const { session, res } = call;
  const body = await readValidBody(call, newPersonJson, { ...parts, maxBytes: MAX_PERSON_BYTES });
  if (body === undefined) return undefined;
  const token = createPersonToken();
  const { tenant } = session;
  const person = await parts.store.addPerson(
    { ...body, tenant, actor: createTokenActor(), token },
    toAct(parts, call),
  );
  if (person === null) {
    return sendProblem(res, {
      status: 409,
      detail: "You've reached the token limit. Revoke tokens you no longer use.",
    });
  }
  parts.logger.info({ actor: session.actor, person: person.actor, role: person.role }, "a token was created");
  return sendJson(res, 201, { person: toPersonJson(person), token });
}

async function changeDefaultRole(parts: PeopleParts, call: ApiCall): Promise<void> {
  const { tenant, actor } = call.session;
  const body = await readValidBody(call, defaultRoleJson, { ...parts, maxBytes: MAX_PERSON_BYTES });
  if (body === undefined) return undefined;
  await parts.store.saveDefaultRole(tenant, body.defaultRole, toAct(parts, call));
  parts.logger.info({ actor, role: body.defaultRole }, "the role of new people was changed");
  return listPeople(parts, call);
}

async function changePerson(parts: PeopleParts, call: ApiCall): Promise<void> {
  const { session, res } = call;
  const body = await readValidBody(call, personChangeJson, { ...parts, maxBytes: MAX_PERSON_BYTES });
  if (body === undefined) return undefined;
  const key = toKey(call);
  if (key === null) return sendProblem(res, UNKNOWN);
  if (key.actor === CONSOLE_ACTOR) return sendProblem(res, OPERATOR_STAYS);
  const isOwn = key.actor === session.actor;
  if (isOwn && body.role !== undefined && body.role !== session.role) return sendProblem(res, OWN_ROLE);
  const change = await parts.store.changePerson(key, body, toAct(parts, call));
  if (change.outcome !== "changed") return sendNoChange(res, change);
  parts.logger.info(
    { actor: session.actor, person: key.actor, role: change.person.role },
    "a person was changed",
  );
  return sendJson(res, 200, toPersonJson(change.person));
}

async function revokePerson(parts: PeopleParts, call: ApiCall): Promise<void> {
  const { session, res } = call;
  const key = toKey(call);
  if (key === null) return sendProblem(res, UNKNOWN);
  if (key.actor === CONSOLE_ACTOR) return sendProblem(res, OPERATOR_STAYS);
  if (key.actor === session.actor) return sendProblem(res, OWN_ROLE);
  const change = await parts.store.revokePerson(key, toAct(parts, call));
  if (change.outcome !== "changed") return sendNoChange(res, change);
  parts.logger.info({ actor: session.actor, person: key.actor }, "a person's access was removed");
  res.writeHead(204, { "Cache-Control": "no-store" });
  res.end();
  return undefined;
}

const OPERATOR_STAYS = {
  status: 409,
  detail: "The operator's access comes from CONSOLE_TOKEN. Change or remove that variable.",
} as const;
const OWN_ROLE = {
  status: 409,
  detail: "You can't change your own role or remove your own access. Ask another owner.",
} as const;

const UNKNOWN = { status: 404, detail: "User not found." } as const;

/** What people are named by; anything else is nobody, and some of it no database takes. */
const ACTOR = /^person:[^\p{Cc}\p{Cs}]{1,200}$/u;

/** The tenant is part of the key, so another tenant's person is as unknown as one that never was. */
function toKey({ session, req }: ApiCall): PersonKey | null {
  const actor = String(req.params["actor"]);
  return ACTOR.test(actor) ? { tenant: session.tenant, actor } : null;
}

function toAct({ now }: PeopleParts, { session }: ApiCall) {
  return { by: session.actor, atMs: now() };
}

function sendNoChange(
  res: ApiCall["res"],
  { outcome }: Exclude<PersonChange, { readonly outcome: "changed" }>,
): void {
  switch (outcome) {
    case "unknown":
      return sendProblem(res, UNKNOWN);
    case "last-owner":
      return sendProblem(res, {
        status: 409,
        detail: "This is the last owner. Give another user the owner role first.",
      });
    case "revoked":
      return sendProblem(res, { status: 409, detail: "This token was revoked. Create a new one." });
    default:
      return outcome satisfies never;
  }
}

function toIso(ms: number): string;
function toIso(ms: number | null): string | null;
function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
