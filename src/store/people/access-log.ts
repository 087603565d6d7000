import { sql, type SqlBool } from "kysely";
import type { StoreContext } from "../context.ts";
import { parseOrderCursor, toOrderCursor } from "../orders/order-cursor.ts";
import { CONSOLE_ACTOR } from "./person.ts";
import type { Database } from "../schema/schema.ts";
import type { TenantId } from "../../platform/platform.ts";
import { findRow, insertRow, selectRows } from "../statements.ts";

/** What somebody saw or did. */
export const ACCESS_KINDS = [
  /** Saw an order's content. */
  "order",
  /** Saw the list of customers' data requests. */
  "data-requests",
  /** Saw the answer to one of them. */
  "data-request",
  /** Let an order go. */
  "approve",
  /** Had an order cancelled. */
  "decline",
  /** Took back an approval or a refusal before it took effect. */
  "undo",
  /** Spent a credit on a new answer. */
  "recheck",
  /** Wrote a note on an order. */
  "note",
  /** Put another policy in force; the subject is its version. */
  "policy",
  /** Changed the settings. */
  "settings",
  /** Changed who may do what; the subject is the person it is about. */
  "people",
  /** Signed in without a platform. */
  "sign-in",
  /** Took a file of orders away. */
  "export",
] as const;
/** One of {@link ACCESS_KINDS}. */
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** Somebody saw personal data, or did something. */
export interface Access {
  readonly atMs: number;
  /** `person:ID`; read back as `operator` when it is whoever has the console token. */
  readonly actor: string;
  readonly what: AccessKind;
  /** Which: the order's id, the request's id, the policy's version, the person; empty for a list. */
  readonly subject: string;
}

/** One page of a tenant's access log. */
export interface AccessQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly actor?: string | undefined;
  readonly what?: AccessKind | undefined;
}

/** A page of the access log. */
export interface AccessPage {
  /** Newest first. */
  readonly entries: readonly Access[];
  readonly nextCursor: string | null;
}

const CURSOR_PURPOSE = "access-cursor";

/** Who saw personal data, and who did what. */
export function createAccessLog({ engine, keyring }: StoreContext) {
  return {
    /**
     * Keep that somebody saw or did something. `false`: the same person was noted for the same thing less than `withinMs`
     * before, and nothing is written. With 0 it is always written.
     */
    async recordAccess(tenant: TenantId, access: Access, withinMs: number): Promise<boolean> {
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

    /** A cursor that was not given out throws `ORDER_INVALID` with the field `cursor`. */
    async listAccess(tenant: TenantId, { limit, cursor, actor, what }: AccessQuery): Promise<AccessPage> {
      const after =
        cursor === undefined ? undefined : parseOrderCursor(keyring, tenant, cursor, CURSOR_PURPOSE);
      const wanted = {
        tenant,
        ...(actor !== undefined && { actor: toLogName(actor) }),
        ...(what !== undefined && { what }),
      };
      const isBehind =
        after && sql<SqlBool>`(at, entry_id) < (${after.receivedAtMs}, ${Number(after.orderId)})`;
      const columns = ["entry_id", "at", "actor", "what", "subject"] as const;
      // One more than asked for tells whether there is another page.
      const newest = sql`order by at desc, entry_id desc limit ${limit + 1}`;
      const rows = await engine.read((db) => selectRows(db, "access_log", wanted, columns, isBehind, newest));
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
  await insertRow(db, "access_log", { tenant, at: atMs, actor: toLogName(actor), what, subject });
}

/** Whoever has the console token is the operator here. */
function toLogName(actor: string): string {
  return actor === CONSOLE_ACTOR ? "operator" : actor;
}

async function wasNoted(
  db: Database,
  tenant: string,
  { atMs, actor, what, subject }: Access,
  withinMs: number,
): Promise<boolean> {
  const entry = { tenant, subject, what, actor: toLogName(actor) };
  // One that lies further ahead was noted by a clock that has been set back since.
  const isSoon = sql<SqlBool>`at > ${atMs - withinMs} and at <= ${atMs + withinMs}`;
  const noted = await findRow(db, "access_log", entry, ["at"], isSoon);
  return noted !== undefined;
}
