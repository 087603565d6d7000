import { type RawBuilder, sql, type SqlBool } from "kysely";
import type { Database } from "../schema/schema.ts";
import type { TenantId } from "../../platform/platform.ts";

/** Tables whose rows are work. */
export type WorkTable = "deliveries" | "orders";

/** What identifies a row of a tenant in each of them. */
export const ID_COLUMNS = { deliveries: "delivery_id", orders: "order_id" } as const;
type IdColumn = (typeof ID_COLUMNS)[WorkTable];

/** A row that may be claimed. */
export interface DueKey {
  readonly tenant: string;
  /** `delivery_id` or `order_id`. */
  readonly id: string;
}

/** How much of what is claimed each tenant may get. */
export interface ClaimShares {
  /** Rows for a tenant that `left` does not name. */
  readonly each: number;
  /** Rows left for the tenants that have some already; 0 for none. */
  readonly left: ReadonlyMap<TenantId, number>;
}

/** Who claims work, how much, and for how long. */
export interface ClaimOptions {
  /** Unique per process. */
  readonly owner: string;
  readonly nowMs: number;
  readonly leaseMs: number;
  readonly limit: number;
  /** Heeded by claims of orders. Default: each may get all. */
  readonly shares?: ClaimShares;
}

/** How a unit of work runs. */
export interface UnitOptions {
  /** Units of the same name run one after the other, those of other processes too. */
  readonly alone?: string | undefined;
  /**
   * The unit may take minutes, such as a migration or the erasure of a whole tenant.
   *
   * @default false
   */
  readonly unhurried?: boolean | undefined;
  /**
   * Somebody waits for the unit on the other side of a connection: where units share one queue it goes before those that
   * are not urgent.
   *
   * @default false
   */
  readonly urgent?: boolean | undefined;
}

/**
 * What differs between databases: connections, transactions, locks. The queries above it are the same for all.
 * Every method throws `STORE_UNAVAILABLE` when the database cannot be reached.
 */
export interface Engine {
  /** Picks column types where no common name exists. */
  readonly dialect: "sqlite" | "postgres";
  /** Whether several processes may work on the database at once. */
  readonly isShared: boolean;
  /** Run a query that sees committed data only. */
  read<T>(query: (db: Database) => Promise<T>): Promise<T>;
  /**
   * Run a unit of work in a transaction. Resolves once it is durable; when the unit throws, it is rolled back. A
   * unit may only await queries of the `db` it is given, one after the other: others wait for it. It may be run again
   * when it got in another's way, so it must not change anything but the database.
   *
   * Each statement sees what was committed before that statement, and a row that another unit is changing is waited
   * for and looked at again. What two statements must see alike needs {@link UnitOptions.alone}.
   */
  write<T>(unit: (db: Database) => Promise<T>, options?: UnitOptions): Promise<T>;
  /** Run work whose reads and units, when there are more than can run at once, take turns with other tenants' ones. */
  onBehalfOf<T>(tenant: string, work: () => Promise<T>): Promise<T>;
  /**
   * Inside a unit: keys of at most `limit` due rows, each tenant's first before any tenant's second, then the oldest
   * first, no tenant's more than its share. Rows are not given to another unit before this one has ended.
   */
  selectDue(
    db: Database,
    table: WorkTable,
    nowMs: number,
    limit: number,
    shares?: ClaimShares,
  ): Promise<readonly DueKey[]>;
  /**
   * The moment, in milliseconds since the epoch, that leases are taken and looked at by: the database's own where several
   * processes share it, so that no process's clock ends another's lease; otherwise `nowMs`.
   */
  leaseClock(nowMs: number): RawBuilder<number>;
  /**
   * The registration under which this process takes leases, which end with its connection to the database. Null: they
   * end by time alone.
   */
  processId(): Promise<string | null>;
  /** Call `listener` when others may take what this process has leased; resolves to how to stop that. */
  onLeasesLost(listener: () => void): () => void;
  /** After a unit that made something due: let the other processes know, soon. Never throws. */
  announceWork(): void;
  /** Call `listener` when a process has announced work; resolves to how to stop that. A hint that can get lost. */
  onWork(listener: () => void): () => void;
  /** Make what was deleted leave the disk too, as far as the database can. Never throws. */
  scrub(): Promise<void>;
  /** Finish what is under way and close the database. Repeatable. */
  close(): Promise<void>;
}

/** When something is due that came at `atMs` by the clock of one process: not later than now by the clock of all. */
export function toDueAt(engine: Engine, atMs: number): RawBuilder<number> | number {
  if (!engine.isShared) return atMs;
  return sql<number>`least(cast(${atMs} as bigint), ${engine.leaseClock(atMs)})`;
}

/** A condition that picks exactly these rows, by the primary key. */
export function isOneOf(idColumn: IdColumn, keys: readonly DueKey[]): RawBuilder<SqlBool> {
  const values = sql.join(keys.map((key) => sql`(${key.tenant}, ${key.id})`));
  return sql<SqlBool>`(tenant, ${sql.ref(idColumn)}) in (values ${values})`;
}

/** Lease what is due to whoever claims it. Resolves to the rows that `take` makes theirs, in the order in which they are due. */
export async function claimDue<Row extends Pick<DueKey, "tenant"> & { [Id in IdColumn]?: string }>(
  engine: Engine,
  table: WorkTable,
  { owner, nowMs, leaseMs, limit, shares }: ClaimOptions,
  take: (
    db: Database,
    isClaimed: RawBuilder<SqlBool>,
    lease: { lease_owner: string; lease_until: RawBuilder<number>; process_id: string | null },
  ) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const id = ID_COLUMNS[table];
  const lease_until = sql<number>`${engine.leaseClock(nowMs)} + ${leaseMs}`;
  const lease = { lease_owner: owner, lease_until, process_id: await engine.processId() };
  return engine.write(async (db) => {
    const keys = await engine.selectDue(db, table, nowMs, limit, shares);
    if (keys.length === 0) return [];
    // RETURNING promises no order.
    const rows = await take(db, isOneOf(id, keys), lease);
    const byKey = new Map(rows.map((row) => [`${row.tenant}\0${row[id]}`, row]));
    return keys.flatMap((key) => byKey.get(`${key.tenant}\0${key.id}`) ?? []);
  });
}

/** Cut a list into lists of at most `size`: a statement takes a limited number of parameters. */
export function* toChunks<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}
