import type { Role } from "./roles.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { StoreContext } from "../context.ts";
import type { Person, PersonKey } from "./person.ts";
import type { Database } from "../schema/schema.ts";
import type { Place, Sealer } from "../sealing/sealing.ts";

/** Its role is that of people who are seen for the first time. No person is called so: they are `person:ID`. */
export const DEFAULT_ROLE_ACTOR = "*";

/** Until an owner says otherwise. The first of a shop is its owner: see {@link toFirstRole}. */
const DEFAULT_ROLE: Role = "reviewer";

/** When somebody was seen is written this often at most, in milliseconds: a page that asks every few seconds costs no write. */
const SEEN_AGAIN_MS = 10 * 60_000;

/** What {@link toPerson} reads. */
export const PERSON_COLUMNS = [
  "people.actor",
  "people.name",
  "people.role",
  "people.token_digest",
  "people.created_at",
  "people.seen_at",
  "people.revoked_at",
] as const;

/** A row of {@link PERSON_COLUMNS}. */
export interface PersonRow {
  readonly actor: string;
  readonly name: Uint8Array | null;
  readonly role: string;
  readonly token_digest: string | null;
  readonly created_at: number;
  readonly seen_at: number | null;
  readonly revoked_at: number | null;
}

/** The row of one person. */
export function selectPeople(db: Database, { tenant, actor }: PersonKey) {
  return db
    .selectFrom("people")
    .select(PERSON_COLUMNS)
    .where("tenant", "=", tenant)
    .where("actor", "=", actor);
}

/** A person as the console knows them. A name that cannot be opened is none. */
export function toPerson(sealer: Sealer, tenant: string, row: PersonRow): Person {
  const { actor, name } = row;
  const place = placeOfName({ tenant, actor });
  return {
    actor,
    name:
      name === null ? null : (sealer.attempt(place, () => sealer.openBytes(place, name).toString()) ?? null),
    // A role that this release does not know is least of all.
    role: row.role as Role,
    kind: row.token_digest === null ? "platform" : "token",
    createdAtMs: row.created_at,
    seenAtMs: row.seen_at,
    revokedAtMs: row.revoked_at,
  };
}

/** Where a name is sealed for. */
export function placeOfName({ tenant, actor }: PersonKey): Place {
  return { tenant, table: "people", column: "name", row: actor };
}

/** What is kept of a token. It has to be found without knowing the tenant. */
export function toTokenDigest(keyring: Keyring, token: string): string {
  return keyring.digest("", "person-token", token);
}

/** What people become who are seen for the first time. */
export async function readDefaultRole(db: Database, tenant: string): Promise<Role> {
  const row = await selectPeople(db, { tenant, actor: DEFAULT_ROLE_ACTOR }).executeTakeFirst();
  return row === undefined ? DEFAULT_ROLE : (row.role as Role);
}

/**
 * The role of a person who signs in through a platform for the first time: owner when nobody did before them,
 * else what the default role says. Only one unit at a time may ask, or two could both be the first.
 */
export async function toFirstRole(db: Database, tenant: string): Promise<Role> {
  const earlier = await db
    .selectFrom("people")
    .select("actor")
    .where("tenant", "=", tenant)
    .where("token_digest", "is", null)
    .where("actor", "<>", DEFAULT_ROLE_ACTOR)
    .limit(1)
    .executeTakeFirst();
  return earlier === undefined ? "owner" : readDefaultRole(db, tenant);
}

/** Note that somebody uses the console, now and then. Never throws: nothing depends on it. */
export async function markSeen(
  { engine, logger }: StoreContext,
  { tenant, actor }: PersonKey,
  seenAtMs: number | null,
  nowMs: number,
): Promise<void> {
  if (seenAtMs !== null && seenAtMs > nowMs - SEEN_AGAIN_MS) return;
  try {
    await engine.write((db) =>
      db
        .updateTable("people")
        .set({ seen_at: nowMs })
        .where("tenant", "=", tenant)
        .where("actor", "=", actor)
        .execute(),
    );
  } catch (error) {
    logger.warn({ err: error }, "when somebody was last seen could not be kept");
  }
}
