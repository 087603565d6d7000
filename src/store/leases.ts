import { sql, type SqlBool } from "kysely";
import type { TenantId } from "../platform/platform.ts";
import { APP_OWNER_PREFIX, type StoreContext } from "./context.ts";
import type { Engine } from "./engines/engine.ts";
import { FREE } from "./orders/orders.ts";
import type { Database } from "./schema/schema.ts";
import { deleteRows, findRow, updateRows, upsert } from "./statements.ts";

/**
 * A lease that ends this much later than the one that is asked for was taken by a clock that was ahead, perhaps by days
 * and by a process that is gone: two times for which the same lease is taken differ by less.
 */
const LEASES_DIFFER_MS = 3_600_000;

/** Nothing but orders and deliveries is leased for longer at a time. */
const LONGEST_LEASE_MS = 5 * 60_000;

/** How the clock was set back. */
export interface ClockMove {
  readonly byMs: number;
  readonly nowMs: number;
  readonly leaseMs: number;
}

/** Which process does what one alone may do, and up to where it got. */
export function createLeases({ engine }: StoreContext) {
  return {
    /**
     * A named lease, for work that only one process may do. `false`: somebody else has it. Repeatable by its owner. One
     * that ends over an hour later than `untilMs` is given away: a clock that was ahead took it. With `endsWithProcess` it
     * ends when this process is gone, even before `untilMs`: for work that another process then has to do.
     */
    async acquireLease(
      name: string,
      owner: string,
      nowMs: number,
      untilMs: number,
      { endsWithProcess = false }: { readonly endsWithProcess?: boolean } = {},
    ): Promise<boolean> {
      const leaseNow = engine.leaseClock(nowMs);
      const forMs = untilMs - nowMs;
      const row = {
        owner,
        lease_until: sql<number>`${leaseNow} + ${forMs}`,
        process_id: endsWithProcess ? await engine.processId() : null,
      };
      const far = sql<number>`${leaseNow} + ${forMs + LEASES_DIFFER_MS}`;
      const isFree = sql<SqlBool>`(leases.owner = ${owner} or leases.lease_until <= ${leaseNow} or leases.lease_until > ${far})`;
      return engine.write((db) => upsert(db, "leases", { name }, row, isFree));
    },

    async releaseLease(name: string, owner: string): Promise<void> {
      await engine.write((db) => deleteRows(db, "leases", { name, owner }));
    },

    /**
     * Take back all leases of processes that no longer run. Only for a store that one process owns: where several share
     * it, each notices when another is gone.
     */
    releaseAllLeases: () => releaseAllLeases(engine),

    /**
     * The clock was set back by `byMs` to `nowMs`: what is due later is due that much sooner, though not before `nowMs`, and
     * what is leased, orders and deliveries for `leaseMs`, is leased from `nowMs` on. Repeating it makes nothing late.
     */
    clockSetBack: (move: ClockMove) => setBack(engine, move),

    /** Up to where something was looked through; null when it never was. */
    async loadCursor(tenant: TenantId, name: string): Promise<number | null> {
      const row = await engine.read((db) => findRow(db, "cursors", { tenant, name }, ["at"]));
      return row?.at ?? null;
    },

    async saveCursor(tenant: TenantId, name: string, at: number): Promise<void> {
      await engine.write((db) => upsert(db, "cursors", { tenant, name }, { at }));
    },
  };
}

async function releaseAllLeases(engine: Engine): Promise<void> {
  await engine.write(async (db) => {
    const isLeased = sql<SqlBool>`lease_owner is not null`;
    await updateRows(db, "deliveries", {}, FREE, sql<SqlBool>`ready_at is not null and ${isLeased}`);
    await updateRows(db, "orders", {}, FREE, isLeased);
    // Nobody is left to end these calls, and nobody knows whether they were billed. Storefronts that share the file go on;
    // the calls of those that died are given up when their leases run out.
    const isOfApp = sql<SqlBool>`owner like ${`${APP_OWNER_PREFIX}%`}`;
    await updateRows(db, "attempts", { state: "sent" }, { state: "unknown" }, isOfApp);
    await db.deleteFrom("leases").execute();
  });
}

/** Keeps due times and leases, which name moments of the clock, in step with it. */
async function setBack(engine: Engine, { byMs, nowMs, leaseMs }: ClockMove): Promise<void> {
  const leaseNow = engine.leaseClock(nowMs);
  const shorten = (db: Database, table: "deliveries" | "orders" | "leases" | "attempts", forMs: number) => {
    const until = sql<number>`${leaseNow} + ${forMs}`;
    return db.updateTable(table).set({ lease_until: until }).where("lease_until", ">", until);
  };
  const unit = async (db: Database) => {
    for (const table of ["deliveries", "orders"] as const) {
      const sooner = sql<number>`case when due_at > ${nowMs + byMs} then due_at - ${byMs} else ${nowMs} end`;
      await db.updateTable(table).set({ due_at: sooner }).where("due_at", ">", nowMs).execute();
      await shorten(db, table, leaseMs).execute();
    }
    await shorten(db, "leases", LONGEST_LEASE_MS).execute();
    await shorten(db, "attempts", LONGEST_LEASE_MS).where("state", "=", "sent").execute();
  };
  await engine.write(unit, { alone: "clock", unhurried: true });
}
