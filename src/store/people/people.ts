import { sql, type SqlBool } from "kysely";
import {
  type Role,
  CONSOLE_ACTOR,
  type ActOf,
  type NewPerson,
  type PersonChange,
  type PersonKey,
  type Person,
  type TokenHolder,
} from "./person.ts";
import type { TenantId } from "../../platform/platform.ts";
import { addAccess } from "./access-log.ts";
import { forgetNotices } from "./notices.ts";
import type { StoreContext } from "../context.ts";
import type { Database, Schema } from "../schema/schema.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { Place, Sealer } from "../sealing/sealing.ts";
import { deleteRows, insertRow, selectOne, updateRows } from "../statements.ts";
import { eraseViewsOf } from "./saved-views.ts";

/** How many people with tokens a tenant may have: more than any team, and few enough for one page. */
const TOKENS_PER_TENANT = 200;

/** People who use the console. Each change is written together with its access log entry, or not at all. */
export interface PeopleStore extends Admission, PeopleChanges {}

export function createPeopleStore(context: StoreContext): PeopleStore {
  return { ...createAdmission(context), ...createPeopleChanges(context) };
}

interface Admission {
  /**
   * The person that a platform signed in. A tenant's first person becomes its owner; later ones are reviewers.
   */
  admit(key: PersonKey, nowMs: number): Promise<Person>;
  /** Store the name that a platform has for a person. A name that they have already stays: an owner may have given it. */
  nameOnce(key: PersonKey, name: string): Promise<void>;
  /** The person with this token; null if it is unknown or revoked, or if its tenant uninstalled the app. */
  findTokenHolder(token: string, nowMs: number): Promise<TokenHolder | null>;
  /** All people of a tenant, oldest first, including removed ones. */
  list(tenant: TenantId): Promise<readonly Person[]>;
}

function createAdmission(context: StoreContext): Admission {
  const { engine, keyring, sealer } = context;
  return {
    async admit(key, nowMs) {
      const known = await engine.read((db) => selectPerson(db, key).executeTakeFirst());
      if (known !== undefined) {
        await markSeen(context, key, known.seen_at, nowMs);
        return toPerson(sealer, key.tenant, known);
      }
      const unit = async (db: Database): Promise<PersonRow> => {
        const role = await toFirstRole(db, key.tenant);
        await db
          .insertInto("people")
          .values({ ...key, role, created_at: nowMs, seen_at: nowMs })
          // Another request of the same person may arrive at the same time.
          .onConflict((conflict) => conflict.columns(["tenant", "actor"]).doNothing())
          .execute();
        return selectPerson(db, key).executeTakeFirstOrThrow();
      };
      const row = await engine.write(unit, { alone: toPeopleName(key.tenant) });
      return toPerson(sealer, key.tenant, row);
    },

    async nameOnce(key, name) {
      const sealed = sealer.sealBytes(placeOfName(key), name);
      const isUnnamed = sql<SqlBool>`name is null`;
      await engine.write((db) => updateRows(db, "people", ofPerson(key), { name: sealed }, isUnnamed));
    },

    async findTokenHolder(token, nowMs) {
      const row = await engine.read((db) =>
        db
          .selectFrom("people")
          .leftJoin("tenants", "tenants.tenant", "people.tenant")
          .select(["people.tenant", "tenants.state as tenant_state", ...PERSON_COLUMNS])
          .where("people.token_digest", "=", toTokenDigest(keyring, token))
          .where("people.revoked_at", "is", null)
          .executeTakeFirst(),
      );
      if (row === undefined || row.tenant_state === "uninstalled") return null;
      const { tenant, actor } = row;
      await markSeen(context, { tenant, actor }, row.seen_at, nowMs);
      return { tenant, person: toPerson(sealer, tenant, row) };
    },

    list: (tenant) =>
      engine.read(async (db) => {
        const rows = await selectPeople(db, tenant).orderBy("created_at").orderBy("actor").execute();
        return rows.map((row) => toPerson(sealer, tenant, row));
      }),
  };
}

interface PeopleChanges {
  /** Add a person with a token. `null` if there are too many already. */
  add(person: NewPerson, act: ActOf): Promise<Person | null>;
  /**
   * Change a name or a role, with effect from the next request. Giving a role to a removed person of a platform lets
   * them in again. Only the operator may demote the last owner.
   */
  change(
    key: PersonKey,
    changes: { readonly name?: string | undefined; readonly role?: Role | undefined },
    act: ActOf,
  ): Promise<PersonChange>;
  /**
   * Remove a person: their token becomes invalid, their sessions end and their notices' settings go. Repeatable. Only the operator may remove the
   * last owner.
   */
  revoke(key: PersonKey, act: ActOf): Promise<PersonChange>;
}

function createPeopleChanges(context: StoreContext): PeopleChanges {
  const { engine, keyring, sealer } = context;
  return {
    async add({ token, name, ...person }, act) {
      const { tenant, actor } = person;
      const unit = async (db: Database) => {
        if ((await countTokens(db, tenant)) >= TOKENS_PER_TENANT) return null;
        await insertRow(db, "people", {
          ...person,
          name: sealer.sealBytes(placeOfName(person), name),
          token_digest: toTokenDigest(keyring, token),
          created_at: act.atMs,
          created_by: act.by,
        });
        await addAccess(db, tenant, toEntry(act, actor));
        return selectPerson(db, person).executeTakeFirstOrThrow();
      };
      const row = await engine.write(unit, { alone: toPeopleName(tenant) });
      return row === null ? null : toPerson(sealer, tenant, row);
    },

    change: (key, { name, role }, act) =>
      change(context, key, act, async (db, known) => {
        const isVoid = known.revoked_at !== null && known.token_digest !== null;
        if (role !== undefined && isVoid) return "revoked";
        if (role !== undefined && role !== "owner" && (await isLastOwner(db, key, act))) return "last-owner";
        await updateRows(db, "people", ofPerson(key), {
          ...(name === undefined ? {} : { name: sealer.sealBytes(placeOfName(key), name) }),
          ...(role === undefined ? {} : { role, revoked_at: null }),
        });
        return null;
      }),

    revoke: (key, act) =>
      change(context, key, act, async (db, known) => {
        if (await isLastOwner(db, key, act)) return "last-owner";
        await updateRows(db, "people", ofPerson(key), { revoked_at: known.revoked_at ?? act.atMs });
        await deleteRows(db, "sessions", ofPerson(key));
        await eraseViewsOf(db, key);
        // Nobody else sees the drafts, and somebody else has to take the orders.
        await deleteRows(db, "note_drafts", ofPerson(key));
        await deleteRows(db, "order_assignments", ofPerson(key));
        await forgetNotices(db, key);
        return null;
      }),
  };
}

/** One change at a time per tenant, or two owners could demote each other. */
function change(
  { engine, sealer }: StoreContext,
  key: PersonKey,
  act: ActOf,
  unit: (db: Database, known: PersonRow) => Promise<Refusal>,
): Promise<PersonChange> {
  const work = async (db: Database): Promise<PersonChange> => {
    const known = await selectPerson(db, key).executeTakeFirst();
    if (known === undefined) return { outcome: "unknown" };
    const refusal = await unit(db, known);
    if (refusal !== null) return { outcome: refusal };
    await addAccess(db, key.tenant, toEntry(act, key.actor));
    const row = await selectPerson(db, key).executeTakeFirstOrThrow();
    return { outcome: "changed", person: toPerson(sealer, key.tenant, row) };
  };
  return engine.write(work, { alone: toPeopleName(key.tenant) });
}

type Refusal = Exclude<PersonChange["outcome"], "changed" | "unknown"> | null;

function toPeopleName(tenant: string): string {
  return `people:${tenant}`;
}

function toEntry({ by, atMs }: ActOf, subject: string) {
  return { atMs, actor: by, what: "people", subject } as const;
}

function ofPerson({ tenant, actor }: PersonKey) {
  return { tenant, actor };
}

async function countTokens(db: Database, tenant: string): Promise<number> {
  const query = sql<{ count: number }>`
    select count(*) as count from people
    where tenant = ${tenant} and token_digest is not null and revoked_at is null`;
  return (await selectOne(db, query)).count;
}

/** Whether no owner would be left. The operator may do that. */
async function isLastOwner(db: Database, { tenant, actor }: PersonKey, { by }: ActOf): Promise<boolean> {
  if (by === CONSOLE_ACTOR) return false;
  const role: Role = "owner";
  const current = selectPeople(db, tenant).where("revoked_at", "is", null);
  const owners = await current.where("role", "=", role).execute();
  return owners.length === 1 && owners[0]?.actor === actor;
}

/** A last use is written at most this often, so that a polling page doesn't cause a write each time. */
const SEEN_AGAIN_MS = 10 * 60_000;

/** The columns that {@link toPerson} reads. */
export const PERSON_COLUMNS = [
  "people.actor",
  "people.name",
  "people.role",
  "people.token_digest",
  "people.created_at",
  "people.seen_at",
  "people.revoked_at",
] as const;

export type PersonRow = Omit<Schema["people"], "tenant" | "created_by">;

function selectPerson(db: Database, { tenant, actor }: PersonKey) {
  const people = db.selectFrom("people").select(PERSON_COLUMNS);
  return people.where("tenant", "=", tenant).where("actor", "=", actor);
}

function selectPeople(db: Database, tenant: string) {
  return db.selectFrom("people").select(PERSON_COLUMNS).where("tenant", "=", tenant);
}

/** A person as the console shows them. A name that can't be decrypted is left out. */
export function toPerson(sealer: Sealer, tenant: string, row: PersonRow): Person {
  const { actor } = row;
  return {
    actor,
    name: sealer.tryBytes(placeOfName({ tenant, actor }), row.name)?.toString() ?? null,
    // An unknown role counts as the lowest.
    role: row.role as Role,
    kind: row.token_digest === null ? "platform" : "token",
    createdAtMs: row.created_at,
    seenAtMs: row.seen_at,
    revokedAtMs: row.revoked_at,
  };
}

function placeOfName({ tenant, actor }: PersonKey): Place {
  return { tenant, table: "people", column: "name", row: actor };
}

/** The stored digest of a token. It is looked up before the tenant is known. */
export function toTokenDigest(keyring: Keyring, token: string): string {
  return keyring.digest("", "person-token", token);
}

/**
 * The role of a person who signs in through a platform for the first time. Only one unit of work may ask at a time, or two
 * people could both be the first.
 */
async function toFirstRole(db: Database, tenant: string): Promise<Role> {
  const signedIn = selectPeople(db, tenant).where("token_digest", "is", null);
  const earlier = await signedIn.limit(1).executeTakeFirst();
  return earlier === undefined ? "owner" : "reviewer";
}

/** Record now and then that a person uses the console. Never throws, because nothing depends on it. */
export async function markSeen(
  { engine, logger }: StoreContext,
  { tenant, actor }: PersonKey,
  seenAtMs: number | null,
  nowMs: number,
): Promise<void> {
  if (seenAtMs !== null && seenAtMs > nowMs - SEEN_AGAIN_MS) return;
  try {
    await engine.write((db) => updateRows(db, "people", { tenant, actor }, { seen_at: nowMs }));
  } catch (error) {
    logger.warn({ err: error }, "a person's last use couldn't be saved");
  }
}
