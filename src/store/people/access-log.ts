import { sql, type SqlBool } from "kysely";
import type { StoreContext } from "../context.ts";
import { parseCursor, toCursor } from "../sealing/page-cursor.ts";
import { CONSOLE_ACTOR } from "./person.ts";
import type { Database } from "../schema/schema.ts";
import type { TenantId } from "../../platform/platform.ts";
import { findRow, inChunks, insertRow, selectRows } from "../statements.ts";

/** What a person saw or did. */
export const ACCESS_KINDS = [
  /** Saw an order's content. */
  "order",
  /** The page loaded the next order ahead, before the person looked at it. */
  "ahead",
  /** Saw the names and email addresses of orders that share something with an order, which is the subject. */
  "linked",
  /** Saw a list of orders. */
  "orders",
  /** Saw or downloaded a disputed order's evidence. */
  "evidence",
  /** Saved a disputed order's evidence as a draft on the platform. */
  "evidence-draft",
  /** Saw all orders of a buyer; the subject is the order that names them. */
  "buyer",
  /** Saw the list of customers' data requests. */
  "data-requests",
  /** Saw the answer to one of them. */
  "data-request",
  "approve",
  "decline",
  /** Took a shipped order out of the queue. */
  "handle",
  /** Gave an order to a person to review. */
  "assign",
  /** Copied the link that asks an order's buyer. */
  "buyer-link",
  /** Downloaded or saw a file that an order's buyer sent. */
  "buyer-file",
  /** Undid an approval or a decline before it took effect. */
  "undo",
  /** Spent a credit on a new answer. */
  "recheck",
  "note",
  /** Saved a policy; the subject is its version. */
  "policy",
  /** Trusted, blocked or snoozed a buyer; the subject is the order that names them. */
  "list",
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

/** The kinds whose subject is an order, if they have one. */
const OF_ORDERS: ReadonlySet<string> = new Set<AccessKind>([
  "order",
  "ahead",
  "linked",
  "evidence",
  "evidence-draft",
  "buyer",
  "buyer-link",
  "buyer-file",
  "approve",
  "decline",
  "handle",
  "assign",
  "undo",
  "recheck",
  "note",
  "list",
]);

/** An entry as it's read back. */
export interface ListedAccess extends Access {
  /** The name of the order that it's about. Absent if it's about something else, or the order is gone. */
  readonly orderName?: string | undefined;
}

export interface AccessPage {
  /** Newest first. */
  readonly entries: readonly ListedAccess[];
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
      const { rows, names } = await engine.read(async (db) => {
        const found = await selectRows(db, "access_log", wanted, columns, isBehind, newest);
        return { rows: found, names: await selectNames(db, tenant, found) };
      });
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const position = last && ([last.at, String(last.entry_id)] as const);
      return {
        entries: page.map(({ at: atMs, actor: who, what: kind, subject }) => {
          const orderName = OF_ORDERS.has(kind) ? names.get(subject) : undefined;
          const entry = { atMs, actor: who, what: kind as AccessKind, subject };
          return orderName === undefined ? entry : { ...entry, orderName };
        }),
        nextCursor: position ? toCursor(keyring, tenant, CURSOR_PURPOSE, position) : null,
      };
    },
  };
}

/** The names of the orders that entries are about. */
async function selectNames(
  db: Database,
  tenant: string,
  entries: readonly { readonly what: string; readonly subject: string }[],
): Promise<ReadonlyMap<string, string>> {
  const about = entries.filter(({ what, subject }) => OF_ORDERS.has(what) && subject !== "");
  const ids = [...new Set(about.map(({ subject }) => subject))];
  const orders = await inChunks(ids, (some) =>
    selectRows(db, "orders", { tenant, order_id: some }, ["order_id", "name"]),
  );
  return new Map(orders.map(({ order_id: orderId, name }) => [orderId, name]));
}

/** Write to the access log, in the same unit of work as the logged action. */
export async function addAccess(db: Database, tenant: string, { atMs, actor, what, subject }: Access) {
  await insertRow(db, "access_log", { tenant, at: atMs, actor: toLogName(actor), what, subject });
}

/** The holder of the console token is called the operator here. */
function toLogName(actor: string): string {
  return actor === CONSOLE_ACTOR ? "operator" : actor;
}
