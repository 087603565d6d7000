import { sql, type SqlBool } from "kysely";
import type { StoreContext } from "../context.ts";
import { parseCursor, toCursor } from "../sealing/page-cursor.ts";
import { CONSOLE_ACTOR } from "./person.ts";
import type { Database } from "../schema/schema.ts";
import type { TenantId } from "../../platform/platform.ts";
import { findRow, insertRow, selectRows } from "../statements.ts";

/** What a person saw or did. */
export const ACCESS_KINDS = [
  /** Saw an order's content. */
  "order",
  /** Saw the list of customers' data requests. */
  "data-requests",
  /** Saw the answer to one of them. */
  "data-request",
  "approve",
  "decline",
  /** Undid an approval or a decline before it took effect. */
  "undo",
  /** Spent a credit on a new answer. */
  "recheck",
  "note",
  /** Saved a policy; the subject is its version. */
  "policy",
  "settings",
  /** Changed a person's access; the subject is that person. */
  "people",
  /** Signed in without a platform. */
  "sign-in",
  "export",
] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** An entry: a person saw personal data or did something. */
export interface Access {
  readonly atMs: number;
  /** `person:ID`; read back as `operator` for the holder of the console token. */
  readonly actor: string;
  readonly what: AccessKind;
  /** The order's ID, the request's ID, the policy's version or the person; empty for a list. */
  readonly subject: string;
}

export interface AccessQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly actor?: string | undefined;
  readonly what?: AccessKind | undefined;
}

export interface AccessPage {
  /** Newest first. */
  readonly entries: readonly Access[];
  readonly nextCursor: string | null;
}

const CURSOR_PURPOSE = "access-cursor";

export interface AccessLog {
  /**
   * Record that a person saw or did something. `false` if the same entry was written less than `withinMs` ago; then
   * nothing is written. With 0 it is always written.
   */
  record(tenant: TenantId, access: Access, withinMs: number): Promise<boolean>;
  /** An unknown cursor throws `ORDER_INVALID` with the field `cursor`. */
  list(tenant: TenantId, query: AccessQuery): Promise<AccessPage>;
}

export function createAccessLog({ engine, keyring }: StoreContext): AccessLog {
  return {
    async record(tenant, access, withinMs) {
      if (withinMs <= 0) {
        await engine.write((db) => addAccess(db, tenant, access));
        return true;
      }
      const { atMs, actor, what, subject } = access;
      const same = { tenant, subject, what, actor: toLogName(actor) };
      // An entry in the future was written before the clock was set back.
      const isSoon = sql<SqlBool>`at > ${atMs - withinMs} and at <= ${atMs + withinMs}`;
      const isKnown = async (db: Database) =>
        (await findRow(db, "access_log", same, ["at"], isSoon)) !== undefined;
      // A page that polls every few seconds doesn't cause a write each time.
      if (await engine.read(isKnown)) return false;
      const unit = async (db: Database): Promise<boolean> => {
        if (await isKnown(db)) return false;
        await addAccess(db, tenant, access);
        return true;
      };
      return engine.write(unit, { alone: `access:${tenant}` });
    },

    async list(tenant, { limit, cursor, actor, what }) {
      const after = parseCursor(keyring, tenant, CURSOR_PURPOSE, cursor);
      const wanted = {
        tenant,
        ...(actor !== undefined && { actor: toLogName(actor) }),
        ...(what !== undefined && { what }),
      };
      const isBehind = after && sql<SqlBool>`(at, entry_id) < (${after[0]}, ${Number(after[1])})`;
      const columns = ["entry_id", "at", "actor", "what", "subject"] as const;
      // Read one more than asked for, to know whether there is another page.
      const newest = sql`order by at desc, entry_id desc limit ${limit + 1}`;
      const rows = await engine.read((db) => selectRows(db, "access_log", wanted, columns, isBehind, newest));
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const position = last && ([last.at, String(last.entry_id)] as const);
      return {
        entries: page.map(({ at: atMs, ...entry }) => {
          return { atMs, actor: entry.actor, what: entry.what as AccessKind, subject: entry.subject };
        }),
        nextCursor: position ? toCursor(keyring, tenant, CURSOR_PURPOSE, position) : null,
      };
    },
  };
}

/** Write to the access log, in the same unit of work as the logged action. */
export async function addAccess(db: Database, tenant: string, { atMs, actor, what, subject }: Access) {
  await insertRow(db, "access_log", { tenant, at: atMs, actor: toLogName(actor), what, subject });
}

/** The holder of the console token is called the operator here. */
function toLogName(actor: string): string {
  return actor === CONSOLE_ACTOR ? "operator" : actor;
}
