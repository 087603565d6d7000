import type { Role } from "./roles.ts";
import { addAccess } from "./access-log.ts";
import type { StoreContext } from "../context.ts";
import { CONSOLE_ACTOR, type ActOf, type PeopleStore, type PersonChange, type PersonKey } from "./person.ts";
import {
  DEFAULT_ROLE_ACTOR,
  markSeen,
  PERSON_COLUMNS,
  placeOfName,
  readDefaultRole,
  selectPeople,
  toFirstRole,
  toPerson,
  toTokenDigest,
  type PersonRow,
} from "./people-rows.ts";
import type { Database } from "../schema/schema.ts";

/** Tokens in use that a tenant may have: far above any team, and few enough for one page. */
const TOKENS_PER_TENANT = 200;

/** People of the console. */
export function createPeopleStore(context: StoreContext): PeopleStore {
  return { ...createAdmission(context), ...createPeopleList(context), ...createPeopleChanges(context) };
}

function createAdmission(context: StoreContext) {
  const { engine, keyring, sealer } = context;
  return {
    async admitPerson(key, nowMs) {
      const known = await engine.read((db) => selectPeople(db, key).executeTakeFirst());
      if (known !== undefined) {
        await markSeen(context, key, known.seen_at, nowMs);
        return toPerson(sealer, key.tenant, known);
      }
      const unit = async (db: Database): Promise<PersonRow> => {
        const role = await toFirstRole(db, key.tenant);
        await db
          .insertInto("people")
          .values({ ...key, role, created_at: nowMs, seen_at: nowMs })
          // Another request of theirs may have come at the same time.
          .onConflict((conflict) => conflict.columns(["tenant", "actor"]).doNothing())
          .execute();
        return selectPeople(db, key).executeTakeFirstOrThrow();
      };
      const row = await engine.write(unit, { alone: toPeopleName(key.tenant) });
      return toPerson(sealer, key.tenant, row);
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
  } satisfies Partial<PeopleStore>;
}

function createPeopleList({ engine, sealer }: StoreContext) {
  return {
    listPeople: (tenant) =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom("people")
          .select(PERSON_COLUMNS)
          .where("tenant", "=", tenant)
          .where("actor", "<>", DEFAULT_ROLE_ACTOR)
          .orderBy("created_at")
          .orderBy("actor")
          .execute();
        const defaultRole = await readDefaultRole(db, tenant);
        return { people: rows.map((row) => toPerson(sealer, tenant, row)), defaultRole };
      }),
  } satisfies Partial<PeopleStore>;
}

function createPeopleChanges(context: StoreContext) {
  const { engine, keyring, sealer } = context;
  return {
    async addPerson({ token, name, ...person }, act) {
      const { tenant, actor } = person;
      const unit = async (db: Database) => {
        if ((await countTokens(db, tenant)) >= TOKENS_PER_TENANT) return null;
        await db
          .insertInto("people")
          .values({
            ...person,
            name: sealer.sealBytes(placeOfName(person), name),
            token_digest: toTokenDigest(keyring, token),
            created_at: act.atMs,
            created_by: act.by,
          })
          .execute();
        await addAccess(db, tenant, toEntry(act, actor));
        return selectPeople(db, person).executeTakeFirstOrThrow();
      };
      const row = await engine.write(unit, { alone: toPeopleName(tenant) });
      return row === null ? null : toPerson(sealer, tenant, row);
    },

    changePerson: (key, { name, role }, act) =>
      change(context, key, act, async (db, known) => {
        const isVoid = known.revoked_at !== null && known.token_digest !== null;
        if (role !== undefined && isVoid) return "revoked";
        if (role !== undefined && role !== "owner" && (await isLastOwner(db, key, act))) return "last-owner";
        await ofPerson(db, key)
          .set({
            ...(name === undefined ? {} : { name: sealer.sealBytes(placeOfName(key), name) }),
            ...(role === undefined ? {} : { role, revoked_at: null }),
          })
          .execute();
        return null;
      }),

    revokePerson: (key, act) =>
      change(context, key, act, async (db, known) => {
        if (await isLastOwner(db, key, act)) return "last-owner";
        await ofPerson(db, key)
          .set({ revoked_at: known.revoked_at ?? act.atMs })
          .execute();
        const { tenant, actor } = key;
        await db.deleteFrom("sessions").where("tenant", "=", tenant).where("actor", "=", actor).execute();
        return null;
      }),

    async saveDefaultRole(tenant, role, act) {
      const unit = async (db: Database): Promise<void> => {
        await db
          .insertInto("people")
          .values({ tenant, actor: DEFAULT_ROLE_ACTOR, role, created_at: act.atMs, created_by: act.by })
          .onConflict((conflict) => conflict.columns(["tenant", "actor"]).doUpdateSet({ role }))
          .execute();
        await addAccess(db, tenant, toEntry(act, "defaultRole"));
      };
      await engine.write(unit, { alone: toPeopleName(tenant) });
    },
  } satisfies Partial<PeopleStore>;
}

/** One change of one person at a time in a tenant, or two owners could take each other's ownership away. */
function change(
  { engine, sealer }: StoreContext,
  key: PersonKey,
  act: ActOf,
  unit: (db: Database, known: PersonRow) => Promise<Refusal>,
): Promise<PersonChange> {
  const work = async (db: Database): Promise<PersonChange> => {
    const known = await selectPeople(db, key).executeTakeFirst();
    if (known === undefined || key.actor === DEFAULT_ROLE_ACTOR) return { outcome: "unknown" };
    const refusal = await unit(db, known);
    if (refusal !== null) return { outcome: refusal };
    await addAccess(db, key.tenant, toEntry(act, key.actor));
    const row = await selectPeople(db, key).executeTakeFirstOrThrow();
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

function ofPerson(db: Database, { tenant, actor }: PersonKey) {
  return db.updateTable("people").where("tenant", "=", tenant).where("actor", "=", actor);
}

async function countTokens(db: Database, tenant: string): Promise<number> {
  const { count } = await db
    .selectFrom("people")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("tenant", "=", tenant)
    .where("token_digest", "is not", null)
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether nobody would be left to change anything. The operator needs nobody. */
async function isLastOwner(db: Database, { tenant, actor }: PersonKey, { by }: ActOf): Promise<boolean> {
  if (by === CONSOLE_ACTOR) return false;
  const role: Role = "owner";
  const owners = await db
    .selectFrom("people")
    .select("actor")
    .where("tenant", "=", tenant)
    .where("role", "=", role)
    .where("revoked_at", "is", null)
    .where("actor", "<>", DEFAULT_ROLE_ACTOR)
    .execute();
  return owners.length === 1 && owners[0]?.actor === actor;
}
