import { HoldfastError } from "../../base/errors.ts";
import type { Engine } from "../engines/engine.ts";
import type { Keyring } from "../sealing/keyring.ts";
import { migrate } from "./migrate.ts";
import type { Database } from "./schema.ts";

/** What {@link prepareDatabase} needs to know. */
export interface DatabaseOwner {
  readonly keyring: Keyring;
  /** What to call the database in an error: its path, but never an address with a password. */
  readonly name: string;
  readonly nowMs: number;
}

/**
 * Bring the schema up to date and check that the data key is the database's. One unit, so that a database that is
 * refused is left as it was, and that processes which start together do it one after the other.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming `DATA_KEY`, `STORE_SCHEMA_NEWER`, `STORE_UNAVAILABLE`.
 */
export function prepareDatabase(engine: Engine, { keyring, name, nowMs }: DatabaseOwner): Promise<void> {
  return engine.write(
    async (db) => {
      await migrate(db, engine.dialect, nowMs);
      if (await isKeyOfDatabase(db, keyring)) return;
      throw new HoldfastError("CONFIG_INVALID", `DATA_KEY: expected the key that ${name} was made with`, {
        retryable: false,
      });
    },
    { alone: "prepare", unhurried: true },
  );
}

/** The database remembers a digest that only its own key computes. */
async function isKeyOfDatabase(db: Database, keyring: Keyring): Promise<boolean> {
  const value = toKeyCheck(keyring);
  await db
    .insertInto("meta")
    .values({ name: KEY_CHECK, value })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  return (await findKeyCheck(db)) === value;
}

const KEY_CHECK = "data-key-check";

/** What a database remembers of its data key: a digest that no other key computes. */
export function toKeyCheck(keyring: Keyring): string {
  return keyring.digest("", "data-key", "check");
}

/** The {@link toKeyCheck} of the key that the database was made with; undefined when none was used yet. */
export async function findKeyCheck(db: Database): Promise<string | undefined> {
  const kept = await db.selectFrom("meta").select("value").where("name", "=", KEY_CHECK).executeTakeFirst();
  return kept?.value;
}
