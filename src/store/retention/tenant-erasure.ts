import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { StoreContext } from "../context.ts";
import type { Database } from "../schema/schema.ts";
import { forgetTenant, toInstallationName } from "../tenants/tenants.ts";
import { deleteRows, findRow, forChunks, upsert } from "../statements.ts";

/** Rows of a tenant that one transaction of SQLite deletes. Requests wait for it: a few milliseconds. */
const ROWS_PER_SLICE = 200;

/** Tables of what is kept of an order, children before parents. */
export const ORDER_TABLES = [
  "order_timeline",
  "order_steps",
  "order_changes",
  "order_outcomes",
  "disputes",
  "review_claims",
  "orders",
] as const;

/** Tables with a tenant, children before parents, without the deliveries. */
const TENANT_TABLES = [
  ...ORDER_TABLES,
  "attempts",
  "answers",
  "savings",
  "quotas",
  "incidents",
  "attempt_sources",
  "velocity",
  "cursors",
  "access_log",
  "sessions",
  "people",
  "policies",
  "settings",
  "reports",
] as const;

/** Tables whose rows have a name, which may be a tenant's. */
const NAMED_TABLES = ["leases", "circuits"] as const;

/** Erase everything of a tenant, unless it was installed again after `installedBeforeMs`. */
export async function eraseTenant(
  context: StoreContext,
  tenant: string,
  installedBeforeMs = Number.MAX_SAFE_INTEGER,
): Promise<boolean> {
  const { engine } = context;
  // Its access first, so that whoever installs the app while the rest goes starts afresh.
  const forget = async (db: Database): Promise<boolean> => {
    if (!(await forgetTenant(db, tenant, installedBeforeMs))) return false;
    const name = toErasureName(context, tenant);
    if (installedBeforeMs !== Number.MAX_SAFE_INTEGER)
      await upsert(db, "meta", { name }, { value: String(installedBeforeMs) });
    return true;
  };
  const isLeft = await engine.write(forget, { alone: toInstallationName(tenant) });
  if (!isLeft) return false;
  if (engine.isShared) {
    // The database works elsewhere: nobody waits for one long transaction.
    await engine.write((db) => eraseAtOnce(db, tenant), { unhurried: true });
    await engine.scrub();
    return true;
  }
  // Nobody may start work on the tenant meanwhile, except on the delivery that asks for this.
  await eraseRows(context, "deliveries", tenant, sql<SqlBool>`lease_owner is null`);
  for (const table of TENANT_TABLES) await eraseRows(context, table, tenant);
  await engine.write(async (db) => {
    for (const table of NAMED_TABLES) await deleteNamed(db, table, tenant);
  });
  // Last of all: until then a crash leaves somebody to ask again.
  await eraseRows(context, "deliveries", tenant);
  await engine.scrub();
  return true;
}

/** A digest, so that nothing names the tenant. */
function toErasureName({ keyring }: StoreContext, tenant: string): string {
  return `erased:${keyring.digest(tenant, "erased", tenant)}`;
}

/** When a tenant of this name was last erased. */
export async function findErasure(context: StoreContext, tenant: string): Promise<number | null> {
  const name = toErasureName(context, tenant);
  const row = await context.engine.read((db) => findRow(db, "meta", { name }, ["value"]));
  return row === undefined ? null : Number(row.value);
}

async function eraseAtOnce(db: Database, tenant: string): Promise<void> {
  for (const table of ["deliveries", ...TENANT_TABLES] as const)
    await db.deleteFrom(table).where("tenant", "=", tenant).execute();
  for (const table of NAMED_TABLES) await deleteNamed(db, table, tenant);
}

/** A tenant's rows of a table in SQLite, slice by slice. */
async function eraseRows(
  { engine, pace }: StoreContext,
  table: (typeof TENANT_TABLES)[number] | "deliveries",
  tenant: string,
  condition: RawBuilder<SqlBool> = sql<SqlBool>`1 = 1`,
): Promise<void> {
  const name = sql.table(table);
  const some = sql`select rowid from ${name} where tenant = ${tenant} and ${condition} limit ${ROWS_PER_SLICE}`;
  const remove = sql`delete from ${name} where rowid in (${some})`;
  let deleted: bigint;
  do {
    await pace(tenant);
    ({ numAffectedRows: deleted = 0n } = await engine.write((db) => remove.execute(db)));
  } while (deleted > 0n);
}

/** Rows are named by their users; the convention for those of a tenant is that the name ends with it. */
async function deleteNamed(
  db: Database,
  table: (typeof NAMED_TABLES)[number],
  tenant: string,
): Promise<void> {
  const rows = await db.selectFrom(table).select("name").execute();
  const names = rows.map((row) => row.name).filter((name) => name === tenant || name.endsWith(`:${tenant}`));
  await forChunks(names, (some) => deleteRows(db, table, { name: some }));
}
