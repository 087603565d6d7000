import { sql, type RawBuilder } from "kysely";
import type { TenantId } from "../platform/platform.ts";
import type { StoreContext } from "./context.ts";

/** Rows that one query of a scan reads. On SQLite, requests wait for it: about a millisecond. */
export const ROWS_PER_SLICE = { sqlite: 2_000, postgres: 50_000 } as const;

/** From `sinceMs` on and before `untilMs`, in milliseconds since the epoch. */
export interface TimeWindow {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** What to scan: orders by receipt, or calls by start. */
export interface Scan extends TimeWindow {
  readonly table: "orders" | "attempts";
  /** Null for all tenants. */
  readonly tenant: TenantId | null;
  /** Reads the rows of all tenants, through an index that lists them together. */
  readonly ofAll?: boolean | undefined;
  /** Default: oldest first. */
  readonly newestFirst?: boolean | undefined;
  /** Stops the scan between two slices. The scan then rejects. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Split a window into slices of at most {@link ROWS_PER_SLICE} rows, with a turn of the event loop before each. Rows of
 * the same millisecond stay together.
 */
export async function* toSlices(context: StoreContext, scan: Scan): AsyncGenerator<TimeWindow> {
  let { sinceMs, untilMs } = scan;
  while (sinceMs < untilMs) {
    await context.pace(scan.tenant ?? "", scan.signal);
    const rest = { sinceMs, untilMs };
    const edgeMs = await findEdge(context, { ...scan, ...rest });
    if (edgeMs === undefined) {
      yield rest;
      return;
    }
    const slice = scan.newestFirst ? { sinceMs: edgeMs, untilMs } : { sinceMs, untilMs: edgeMs + 1 };
    yield slice;
    [sinceMs, untilMs] = scan.newestFirst ? [sinceMs, edgeMs] : [edgeMs + 1, untilMs];
  }
}

export async function sumSlices<Name extends string>(
  context: StoreContext,
  scan: Scan,
  count: (slice: TimeWindow) => RawBuilder<Readonly<Record<Name, number>>>,
): Promise<Readonly<Partial<Record<Name, number>>>> {
  const sums: Partial<Record<Name, number>> = {};
  for await (const slice of toSlices(context, scan)) {
    const { rows } = await context.engine.read((db) => count(slice).execute(db));
    for (const name in rows[0]) sums[name] = (sums[name] ?? 0) + rows[0][name];
  }
  return sums;
}

/** The time of the last row that fits into a slice; undefined if all remaining rows fit. */
async function findEdge(
  { engine }: StoreContext,
  { table, tenant, ofAll = tenant === null, newestFirst, sinceMs, untilMs }: Scan,
): Promise<number | undefined> {
  const column = table === "orders" ? sql.ref("received_at") : sql.ref("started_at");
  const where = ofAll ? sql`1 = 1` : sql`tenant = ${tenant}`;
  const order = newestFirst ? sql`desc` : sql`asc`;
  const { rows } = await engine.read((db) =>
    sql<{ at: number }>`
      select ${column} as at from ${sql.table(table)}
      where ${where} and ${column} >= ${sinceMs} and ${column} < ${untilMs}
      order by ${column} ${order} limit 1 offset ${ROWS_PER_SLICE[engine.dialect] - 1}`.execute(db),
  );
  return rows[0]?.at;
}
