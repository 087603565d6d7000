import { sql } from "kysely";
import type { StoreContext } from "./kysely-store.ts";
import { parseOrderCursor, toOrderCursor } from "./order-cursor.ts";
import type { Database } from "./schema.ts";
import type { Access, AccessKind, AccessLogStore } from "./upkeep.ts";

const CURSOR_PURPOSE = "access-cursor";

/** Who saw personal data. */
export function createAccessLog({ engine, keyring }: StoreContext): AccessLogStore {
  return {
    async recordAccess(tenant, access, withinMs) {
      const isKnown = (db: Database) => wasNoted(db, tenant, access, withinMs);
      // A page that looks again every few seconds costs no write.
      if (await engine.read(isKnown)) return false;
      const unit = async (db: Database): Promise<boolean> => {
        if (await isKnown(db)) return false;
        const { atMs, actor, what, subject } = access;
        await db.insertInto("access_log").values({ tenant, at: atMs, actor, what, subject }).execute();
        return true;
      };
      return engine.write(unit, { alone: `access:${tenant}` });
    },

    async listAccess(tenant, { limit, cursor }) {
      const after =
        cursor === undefined ? undefined : parseOrderCursor(keyring, tenant, cursor, CURSOR_PURPOSE);
      const rows = await engine.read((db) => {
        // One more than asked for tells whether there is another page.
        let query = selectNewest(db, tenant).limit(limit + 1);
        if (after !== undefined) {
          const entryId = Number(after.orderId);
          query = query.where(sql<boolean>`(at, entry_id) < (${after.receivedAtMs}, ${entryId})`);
        }
        return query.execute();
      });
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const position = last && { receivedAtMs: last.at, orderId: String(last.entry_id) };
      return {
        entries: page.map(({ at: atMs, actor, what, subject }) => {
          return { atMs, actor, what: what as AccessKind, subject };
        }),
        nextCursor: position ? toOrderCursor(keyring, tenant, position, CURSOR_PURPOSE) : null,
      };
    },
  };
}

function selectNewest(db: Database, tenant: string) {
  return db
    .selectFrom("access_log")
    .select(["entry_id", "at", "actor", "what", "subject"])
    .where("tenant", "=", tenant)
    .orderBy("at", "desc")
    .orderBy("entry_id", "desc");
}

async function wasNoted(
  db: Database,
  tenant: string,
  { atMs, actor, what, subject }: Access,
  withinMs: number,
): Promise<boolean> {
  const noted = await db
    .selectFrom("access_log")
    .select("entry_id")
    .where("tenant", "=", tenant)
    .where("subject", "=", subject)
    .where("what", "=", what)
    .where("actor", "=", actor)
    .where("at", ">", atMs - withinMs)
    .limit(1)
    .executeTakeFirst();
  return noted !== undefined;
}
