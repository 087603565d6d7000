import { type RawBuilder, sql, type SqlBool } from "kysely";
import type { WorkLine } from "./work-lines.ts";
import type { Dialect } from "../schema/column-types.ts";
import type { Database } from "../schema/schema.ts";
import type { TenantId } from "../../platform/platform.ts";

type IdColumn = WorkLine["id"];

export interface DueKey {
  readonly tenant: string;
  /** `delivery_id` or `order_id`. */
  readonly id: string;
}

/** How many of the claimed rows each tenant may get. */
export interface ClaimShares {
  /** Rows for a tenant that isn't in `left`. */
  readonly each: number;
  /** Rows left for tenants that already have some; 0 for none. */
  readonly left: ReadonlyMap<TenantId, number>;
}

export interface ClaimOptions {
  /** Unique per process. */
  readonly owner: string;
  readonly nowMs: number;
  readonly leaseMs: number;
  readonly limit: number;
  /** Only for claims of orders. Default: each tenant may get all. */
  readonly shares?: ClaimShares | undefined;
}

/** Lines of one table, each before the next, of which a claim takes at most `limit` rows. */
type ClaimRoom = Pick<ClaimOptions, "limit" | "shares"> & {
  readonly lines: readonly [WorkLine, ...WorkLine[]];
};

export interface DueQuery extends Pick<ClaimOptions, "nowMs" | "limit"> {
  readonly line: WorkLine;
  readonly shares: ClaimShares;
}

export interface UnitOptions {
  /** Units with the same name run one after the other, also across processes. */
  readonly alone?: string | undefined;
  /**
   * The unit may take minutes, for example a migration or the erasure of a whole tenant.
   *
   * @default false
   */
  readonly unhurried?: boolean | undefined;
  /**
   * A request waits for the unit. If units share a queue, urgent ones go first.
   *
   * @default false
   */
  readonly urgent?: boolean | undefined;
}

/**
 * The differences between databases: connections, transactions, locks. The queries above it are the same for all. Every
 * method throws `STORE_UNAVAILABLE` if the database can't be reached.
 */
export interface Engine {
  /** Selects column types that have no common name. */
  readonly dialect: Dialect;
  /** Whether several processes may share the database. */
  readonly isShared: boolean;
  /** Run a query that sees only committed data. */
  read<T>(query: (db: Database) => Promise<T>): Promise<T>;
  /**
   * Run a unit of work in a transaction. Resolves once it is durable. If the unit throws, it is rolled back. A unit may only
   * await queries of its `db`, one after the other, because others wait for it. It may run again after a conflict, so it must
   * change nothing but the database.
   *
   * Each statement sees what was committed before it. If another unit is changing a row, the statement waits and reads the
   * row again. If two statements must see the same data, use {@link UnitOptions.alone}.
   */
  write<T>(unit: (db: Database) => Promise<T>, options?: UnitOptions): Promise<T>;
  /** Run work for a tenant. If more reads and units wait than can run at once, tenants take turns. */
  onBehalfOf<T>(tenant: string, work: () => Promise<T>): Promise<T>;
  /**
   * Inside a unit: keys of at most `limit` due rows of a line: each tenant's first row before any tenant's second, then in
   * the line's order, and no tenant gets more than its share. No other unit gets these rows before this one ends.
   */
  selectDue(db: Database, due: DueQuery): Promise<readonly DueKey[]>;
  /**
   * The time for leases, in milliseconds since the epoch: the database's clock if several processes share it, so that no
   * process's clock ends another's lease; otherwise `nowMs`.
   */
  leaseClock(nowMs: number): RawBuilder<number>;
  /**
   * The registration under which this process takes leases, which end with its connection to the database. Null if leases end
   * only by time. After an outage it takes 2 seconds, in which other processes save their answers.
   */
  processId(): Promise<string | null>;
  /** Whether what was leased under a registration still belongs to this process. If not, others may have taken it over. */
  ownsLeasesOf(processId: string | null): boolean;
  /** Call `listener` when others may take over what this process has leased. Returns a function that stops that. */
  onLeasesLost(listener: () => void): () => void;
  /** After a unit that made something due: notify the other processes soon. Never throws. */
  announceWork(): void;
  /** Call `listener` when a process has announced work. Returns a function that stops that. A call can get lost. */
  onWork(listener: () => void): () => void;
  /** After a change of a tenant's orders: tell the listeners of all processes soon. Never throws. */
  announceChange(tenant: string): void;
  /**
   * Call `listener` with each tenant whose orders have changed in any process, or with null if some calls may have got lost.
   * Returns a function that stops that.
   */
  onChange(listener: (tenant: string | null) => void): () => void;
  /** Remove deleted data from the disk too, as far as the database can. Never throws. */
  scrub(): Promise<void>;
  /** Finish the current work and close the database. Repeatable. */
  close(): Promise<void>;
}

/** When something is due that arrived at `atMs` by one process's clock: not later than now by the shared clock. */
export function toDueAt(engine: Engine, atMs: number): RawBuilder<number> | number {
  if (!engine.isShared) return atMs;
  return sql<number>`least(cast(${atMs} as bigint), ${engine.leaseClock(atMs)})`;
}

/** A condition that selects exactly these rows, by the primary key. */
export function isOneOf(idColumn: IdColumn, keys: readonly DueKey[]): RawBuilder<SqlBool> {
  const values = sql.join(keys.map((key) => sql`(${key.tenant}, ${key.id})`));
  return sql<SqlBool>`(tenant, ${sql.ref(idColumn)}) in (values ${values})`;
}

/** The lease columns of a row that nobody works on. */
export const FREE = { lease_owner: null, lease_until: null, process_id: null } as const;

/** Lease what is due to whoever claims it. Resolves to the rows that `take` makes theirs, in the order of their lines. */
export async function claimDue<Row extends Pick<DueKey, "tenant"> & { [Id in IdColumn]?: string }>(
  engine: Engine,
  { owner, nowMs, leaseMs }: Omit<ClaimOptions, "limit">,
  rooms: readonly ClaimRoom[],
  take: (
    db: Database,
    isClaimed: RawBuilder<SqlBool>,
    lease: { lease_owner: string; lease_until: RawBuilder<number>; process_id: string | null },
  ) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const open = rooms.filter(({ limit }) => limit > 0);
  const [id] = open.map(({ lines: [line] }) => line.id);
  if (id === undefined) return [];
  const lease_until = sql<number>`${engine.leaseClock(nowMs)} + ${leaseMs}`;
  const lease = { lease_owner: owner, lease_until, process_id: await engine.processId() };
  return engine.write(async (db) => {
    const keys: DueKey[] = [];
    for (const room of open) keys.push(...(await fill(engine, db, room, nowMs)));
    if (keys.length === 0) return [];
    // RETURNING promises no order.
    const rows = await take(db, isOneOf(id, keys), lease);
    const byKey = new Map(rows.map((row) => [`${row.tenant}\0${row[id]}`, row]));
    return keys.flatMap((key) => byKey.get(toName(key)) ?? []);
  });
}

/** Keys of a room's lines. A row that is in several of them is taken once. */
async function fill(
  engine: Engine,
  db: Database,
  { lines, limit, shares = { each: limit, left: new Map() } }: ClaimRoom,
  nowMs: number,
): Promise<readonly DueKey[]> {
  const found = new Map<string, DueKey>();
  const left = new Map(shares.left);
  for (const line of lines) {
    if (found.size === limit) break;
    const more = await engine.selectDue(db, { line, nowMs, limit, shares: { each: shares.each, left } });
    for (const key of more) {
      if (found.size === limit || found.has(toName(key))) continue;
      found.set(toName(key), key);
      left.set(key.tenant, (left.get(key.tenant) ?? shares.each) - 1);
    }
  }
  return [...found.values()];
}

function toName({ tenant, id }: DueKey): string {
  return `${tenant}\0${id}`;
}
