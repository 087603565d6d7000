import { sql, type SqlBool } from "kysely";
import type { TenantId } from "../platform/platform.ts";
import { APP_OWNER_PREFIX, type StoreContext } from "./context.ts";
import { type Engine, FREE } from "./engines/engine.ts";
import type { Database } from "./schema/schema.ts";
import { deleteRows, findRow, updateRows, upsert } from "./statements.ts";

/**
 * A lease that ends this much later than the requested one was taken while a clock was ahead, perhaps by days, and perhaps by
 * a process that is gone. The durations requested for one lease differ by less.
 */
const LEASES_DIFFER_MS = 3_600_000;

/** Only orders and deliveries are leased for longer at a time. */
const LONGEST_LEASE_MS = 5 * 60_000;

/** By how much the clock was set back, and to when. */
export interface ClockMove {
  readonly byMs: number;
  readonly nowMs: number;
  readonly leaseMs: number;
}

/** Named leases, for work of only one process at a time. */
export interface LeaseStore {
  /**
   * Take a named lease, for work that only one process may do. `false` if another owner has it. Its owner can repeat this.
   * A lease that ends over an hour after `untilMs` was taken while a clock was ahead, so it can be taken over. With
   * `endsWithProcess` it also ends when this process is gone, for work that another process then has to do.
   */
  acquire(
    name: string,
    owner: string,
    nowMs: number,
    untilMs: number,
    options?: { readonly endsWithProcess?: boolean },
  ): Promise<boolean>;
  release(name: string, owner: string): Promise<void>;
  /**
   * End all leases of processes that no longer run. Only for a store that one process owns. If several share it, each
   * notices when another is gone.
   */
  releaseAll(): Promise<void>;
  /**
   * The clock was set back by `byMs` to `nowMs`: move due times back by that much, but not before `nowMs`, and let leases
   * begin at `nowMs`, those of orders and deliveries for `leaseMs`. Repeating it makes nothing late.
   */
  clockSetBack(move: ClockMove): Promise<void>;
}

export function createLeases({ engine }: StoreContext): LeaseStore {
  return {
    async acquire(name, owner, nowMs, untilMs, { endsWithProcess = false } = {}) {
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

    async release(name, owner) {
      await engine.write((db) => deleteRows(db, "leases", { name, owner }));
    },

    releaseAll: () =>
      engine.write(async (db) => {
        const isLeased = sql<SqlBool>`lease_owner is not null`;
        await updateRows(db, "deliveries", {}, FREE, sql<SqlBool>`ready_at is not null and ${isLeased}`);
        await updateRows(db, "orders", {}, FREE, isLeased);
        // The process that made these calls is gone, so it isn't known whether they were billed. Storefronts that share
        // the file keep theirs; calls of storefronts that died are marked as lost when their leases expire.
        const isOfApp = sql<SqlBool>`owner like ${`${APP_OWNER_PREFIX}%`}`;
        await updateRows(db, "attempts", { state: "sent" }, { state: "unknown" }, isOfApp);
        await db.deleteFrom("leases").execute();
      }),

    clockSetBack: (move) => setBack(engine, move),
  };
}

/** How far each scan has got. */
export interface CursorStore {
  /** How far a scan has got; null if it never ran. */
  load(tenant: TenantId, name: string): Promise<number | null>;
  save(tenant: TenantId, name: string, at: number): Promise<void>;
}

export function createCursors({ engine }: StoreContext): CursorStore {
  return {
    async load(tenant, name) {
      const row = await engine.read((db) => findRow(db, "cursors", { tenant, name }, ["at"]));
      return row?.at ?? null;
    },

    async save(tenant, name, at) {
      await engine.write((db) => upsert(db, "cursors", { tenant, name }, { at }));
    },
  };
}

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
