import { sql, type SqlBool } from "kysely";
import { LINK_KINDS, type LinkKind } from "../../order/link-kinds.ts";
import { toMailboxKey } from "../../engine/velocity/keys.ts";
import { toKnownNow, type MappedOrder } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import { placeOfOrder } from "../orders/order-rows.ts";
import type { OrderRevision } from "../orders/order-record.ts";
import type { Database, OrderRow } from "../schema/schema.ts";
import type { Sealer } from "../sealing/sealing.ts";
import { findNewestPolicy, placeOfPolicy, toPolicyName } from "../tenants/policies.ts";
import { findRow, insertRow, selectRows, updateRows } from "../statements.ts";
import { LINK_COLUMNS } from "../schema/link-columns.ts";

/** Columns that recognize a customer on a list. */
export const RECOGNIZED_BY = ["mapped", "revised", ...Object.values(LINK_COLUMNS)] as const;

export type RecognizableRow = Pick<OrderRow, "order_id" | (typeof RECOGNIZED_BY)[number]>;

/** The keys of a customer's list entries, as `kind digest`. */
export function toListKeys(
  { sealer, keyring }: StoreContext,
  tenant: string,
  rows: readonly RecognizableRow[],
  email: string | undefined,
): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (kind: LinkKind, digest: string | null | undefined): void => {
    if (digest != null) found.add(`${kind} ${digest}`);
  };
  if (email !== undefined)
    add(
      "mailbox",
      toMailboxKey(email, (purpose, text) => keyring.digest(tenant, purpose, text)),
    );
  for (const row of rows) {
    const states = openStates(sealer, tenant, row);
    for (const kind of LINK_KINDS) {
      // The columns also recognize an order whose content can't be decrypted.
      add(kind, row[LINK_COLUMNS[kind]]);
      for (const state of states) add(kind, sealer.linkKeys(tenant, toKnownNow(state))[kind]);
    }
  }
  return found;
}

/** An order's screened content and its newer content, as far as they are stored and can be decrypted. */
export function openStates(
  sealer: Sealer,
  tenant: string,
  row: Pick<OrderRow, "order_id" | "mapped" | "revised">,
): readonly MappedOrder[] {
  const key = { tenant, orderId: row.order_id };
  const open = (column: "mapped" | "revised") => sealer.tryJson(placeOfOrder(column, key), row[column]);
  const revision = open("revised") as OrderRevision | undefined;
  const states = [open("mapped") as MappedOrder | undefined, revision?.mapped];
  return states.filter((state) => state !== undefined);
}

/** Kinds that unrelated people share. Such an entry may be about somebody else at that address or network. */
const SHARED_KINDS = ["address", "network"] as const satisfies readonly LinkKind[];

/** The keys that recognize a customer's entries. */
export interface ErasedKeys {
  readonly all: ReadonlySet<string>;
  /** Without the keys of an address or network that somebody else's order has too, so that blocks on those stay. */
  readonly own: ReadonlySet<string>;
}

/** Separate a customer's own keys from those that others' orders share. `erased`: IDs of the customer's orders. */
export async function findOwnKeys(
  { engine }: StoreContext,
  tenant: string,
  keys: ReadonlySet<string>,
  erased: ReadonlySet<string>,
): Promise<ErasedKeys> {
  const own = new Set(keys);
  for (const key of keys) {
    const kind = SHARED_KINDS.find((one) => key.startsWith(`${one} `));
    if (kind === undefined) continue;
    const sharesIt = sql<SqlBool>`${sql.ref(LINK_COLUMNS[kind])} = ${key.slice(kind.length + 1)}`;
    // One more than the customer's own orders.
    const some = sql`limit ${erased.size + 1}`;
    const others = await engine.read((db) =>
      selectRows(db, "orders", { tenant }, ["order_id"], sharesIt, some),
    );
    if (others.some(({ order_id: orderId }) => !erased.has(orderId))) own.delete(key);
  }
  return { all: keys, own };
}

/**
 * Remove entries from the lists in all versions of a tenant's policy. The current policy gets a new version, so that a
 * draft or a request that still has the entries can't restore them.
 */
export async function eraseListEntries(
  context: StoreContext,
  tenant: string,
  keys: ErasedKeys,
  nowMs: number,
): Promise<void> {
  if (keys.all.size === 0) return;
  const { engine, sealer, pace } = context;
  const alone = toPolicyName(tenant);
  const replaceCurrent = async (db: Database): Promise<void> => {
    const newest = await findNewestPolicy(db, tenant);
    const document = await readWithout(context, db, tenant, newest, keys);
    if (document === null) return;
    const version = newest + 1;
    const sealed = sealer.sealJson(placeOfPolicy(tenant, version), document);
    await insertRow(db, "policies", { tenant, version, document: sealed, saved_at: nowMs, actor: null });
  };
  await engine.write(replaceCurrent, { alone });
  const versions = await engine.read((db) => selectRows(db, "policies", { tenant }, ["version"]));
  // One version at a time, because a list of a thousand entries can have a thousand versions. Read and write in one
  // unit, because two customers can be erased at once.
  for (const { version } of versions) {
    await pace(tenant);
    const replace = async (db: Database): Promise<void> => {
      const document = await readWithout(context, db, tenant, version, keys);
      if (document === null) return;
      const sealed = sealer.sealJson(placeOfPolicy(tenant, version), document);
      await updateRows(db, "policies", { tenant, version }, { document: sealed });
    };
    await engine.write(replace, { alone });
  }
}

/** A version's document without the entries; null if it has none of them or can't be read. */
async function readWithout(
  { sealer }: StoreContext,
  db: Database,
  tenant: string,
  version: number,
  keys: ErasedKeys,
): Promise<object | null> {
  const row = await findRow(db, "policies", { tenant, version }, ["document"]);
  const document = sealer.tryJson(placeOfPolicy(tenant, version), row?.document) as Lists | undefined;
  const { lists } = document ?? {};
  if (!Array.isArray(lists)) return null;
  // Trust and snoozed rules were meant for the customer, so they don't stay for others at the same address.
  const left = lists.filter(({ list, kind, digest }: ListKey) => {
    const theirs = list === "block" ? keys.own : keys.all;
    return !theirs.has(`${kind} ${digest}`);
  });
  return left.length === lists.length ? null : { ...document, lists: left };
}

interface ListKey {
  readonly list: string;
  readonly kind: string;
  readonly digest: string;
}

/** The part of a saved policy that this needs. */
interface Lists {
  readonly lists?: readonly ListKey[];
}
