import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import type { Database } from "../schema/schema.ts";
import { forgetTenant, toInstallationName } from "../tenants/tenants.ts";
import { deleteRows, findRow, forChunks, upsert } from "../statements.ts";

/** How many rows of a tenant one SQLite transaction deletes. Requests wait for it: a few milliseconds. */
const ROWS_PER_SLICE = 200;

/** Tables with an order's data, children before parents. */
export const ORDER_TABLES = [
  "order_timeline",
  "order_steps",
  "order_changes",
  "order_outcomes",
  "disputes",
  "review_claims",
  "order_assignments",
  "note_drafts",
  "buyer_checks",
  "buyer_evidence",
  "card_codes",
  "kept_addresses",
  "orders",
] as const;

/** Tables with a tenant column, children before parents, without the deliveries. */
const TENANT_TABLES = [
  ...ORDER_TABLES,
  // Deleting calls changes their days' counts, so these go afterwards.
  "attempts",
  "credit_days",
  "answers",
  "savings",
  "quotas",
  "kept_orders",
  "incidents",
  "attempt_sources",
  "velocity",
  "shop_tallies",
  "cursors",
  "access_log",
  "sessions",
  "saved_views",
  "page_notices",
  "notice_settings",
  "people",
  "policies",
  "settings",
  "reports",
] as const;

/** Tables whose rows have a name that may contain a tenant. */
const NAMED_TABLES = ["leases", "circuits"] as const;

export interface TenantErasure {
  /**
   * Erase the tenant: every row of every table. Resolves to `false` without a change if it was installed after
   * `installedBeforeMs`. Default: erase in any case. The time is stored under a digest that doesn't reveal the
   * tenant.
   */
  eraseTenant(tenant: TenantId, installedBeforeMs?: number): Promise<boolean>;
  /**
   * The `installedBeforeMs` of the tenant's last erasure; null if there was none. Data from before it may have been
   * stored once.
   */
  findErasure(tenant: TenantId): Promise<number | null>;
}

export function createTenantErasure(context: StoreContext): TenantErasure {
  const { engine } = context;
  return {
    async eraseTenant(tenant, installedBeforeMs = Number.MAX_SAFE_INTEGER) {
      // Access first, so that a shop that installs the app meanwhile starts fresh.
      const forget = async (db: Database): Promise<boolean> => {
        if (!(await forgetTenant(db, tenant, installedBeforeMs))) return false;
        const name = toErasureName(context, tenant);
        if (installedBeforeMs !== Number.MAX_SAFE_INTEGER)
          await upsert(db, "meta", { name }, { value: String(installedBeforeMs) });
        return true;
      };
      if (!(await engine.write(forget, { alone: toInstallationName(tenant) }))) return false;
      // Postgres runs in another process, so one long transaction blocks nobody.
      if (engine.isShared) await engine.write((db) => eraseAtOnce(db, tenant), { unhurried: true });
      else await eraseSliceBySlice(context, tenant);
      await engine.scrub();
      return true;
    },

    async findErasure(tenant) {
      const name = toErasureName(context, tenant);
      const row = await engine.read((db) => findRow(db, "meta", { name }, ["value"]));
      return row === undefined ? null : Number(row.value);
    },
  };
}

/** A digest, so that the name doesn't reveal the tenant. */
function toErasureName({ keyring }: StoreContext, tenant: string): string {
  return `erased:${keyring.digest(tenant, "erased", tenant)}`;
}

async function eraseAtOnce(db: Database, tenant: string): Promise<void> {
  for (const table of ["deliveries", ...TENANT_TABLES] as const)
    await db.deleteFrom(table).where("tenant", "=", tenant).execute();
  await deleteNamed(db, tenant);
}

async function eraseSliceBySlice(context: StoreContext, tenant: string): Promise<void> {
  // No work on the tenant may start meanwhile, except on the delivery that requested this.
  await eraseRows(context, "deliveries", tenant, sql<SqlBool>`lease_owner is null`);
  for (const table of TENANT_TABLES) await eraseRows(context, table, tenant);
  await context.engine.write((db) => deleteNamed(db, tenant));
  // Delete the deliveries last, so that the request is repeated after a crash.
  await eraseRows(context, "deliveries", tenant);
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

/** By convention, the names of a tenant's rows end with the tenant. */
async function deleteNamed(db: Database, tenant: string): Promise<void> {
  for (const table of NAMED_TABLES) {
    const rows = await db.selectFrom(table).select("name").execute();
    const names = rows
      .map((row) => row.name)
      .filter((name) => name === tenant || name.endsWith(`:${tenant}`));
    await forChunks(names, (some) => deleteRows(db, table, { name: some }));
  }
}
