import { sql } from "kysely";
import type { StoreContext } from "../context.ts";
import { parseOrderCursor, toOrderCursor } from "../orders/order-cursor.ts";
import { CONSOLE_ACTOR } from "./person.ts";
import type { Database } from "../schema/schema.ts";
import type { Access, AccessKind, AccessLogStore } from "../retention/upkeep.ts";

const CURSOR_PURPOSE = "access-cursor";

/** Who saw personal data, and who did what. */
export function createAccessLog({ engine, keyring }: StoreContext): AccessLogStore {
  return {
    async recordAccess(tenant, access, withinMs) {
      if (withinMs <= 0) {
        await engine.write((db) => addAccess(db, tenant, access));
        return true;
      }
      const isKnown = (db: Database) => wasNoted(db, tenant, access, withinMs);
      // A page that looks again every few seconds costs no write.
      if (await engine.read(isKnown)) return false;
      const unit = async (db: Database): Promise<boolean> => {
        if (await isKnown(db)) return false;
        await addAccess(db, tenant, access);
        return true;
      };
      return engine.write(unit, { alone: `access:${tenant}` });
    },

    async listAccess(tenant, { limit, cursor, actor, what }) {
      const after =
        cursor === undefined ? undefined : parseOrderCursor(keyring, tenant, cursor, CURSOR_PURPOSE);
      const rows = await engine.read((db) => {
        // One more than asked for tells whether there is another page.
        let query = selectNewest(db, tenant).limit(limit + 1);
        if (actor !== undefined) query = query.where("actor", "=", toLogName(actor));
        if (what !== undefined) query = query.where("what", "=", what);
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
        entries: page.map(({ at: atMs, ...entry }) => {
          return { atMs, actor: entry.actor, what: entry.what as AccessKind, subject: entry.subject };
        }),
        nextCursor: position ? toOrderCursor(keyring, tenant, position, CURSOR_PURPOSE) : null,
      };
    },
  };
}

/** Write to the access log, inside the unit of what is logged. */
export async function addAccess(
  db: Database,
  tenant: string,
  { atMs, actor, what, subject }: Access,
): Promise<void> {
  await db
    .insertInto("access_log")
    .values({ tenant, at: atMs, actor: toLogName(actor), what, subject })
    .execute();
}

/** Whoever has the console token is the operator here. */
function toLogName(actor: string): string {
  return actor === CONSOLE_ACTOR ? "operator" : actor;
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
    .where("actor", "=", toLogName(actor))
    .where("at", ">", atMs - withinMs)
    .limit(1)
    .executeTakeFirst();
  return noted !== undefined;
}
