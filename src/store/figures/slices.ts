import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { StoreContext } from "../context.ts";
import type { Schema } from "../schema/schema.ts";

/** Rows that one query of a scan looks at. On SQLite requests wait meanwhile: about a millisecond. */
export const ROWS_PER_SLICE = { sqlite: 2_000, postgres: 50_000 } as const;

/** From `sinceMs` on and before `untilMs`, in milliseconds since the epoch. */
export interface TimeWindow {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** What is scanned. */
export interface Scan extends TimeWindow {
  readonly table: keyof Schema;
  /** The moment of a row; an index leads to it. */
  readonly at: string;
  /** Which rows count. */
  readonly where: RawBuilder<SqlBool>;
  /** Who takes turns with others' scans: a tenant, or empty for all of them. */
  readonly owner: string;
  /** Default: oldest first. */
  readonly newestFirst?: boolean | undefined;
  /** Ends the scan between two slices, which rejects then. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Part a window into slices of at most {@link ROWS_PER_SLICE} rows, with a turn of the event loop before each. Rows of the
 * same millisecond stay together.
 */
export async function* toSlices(context: StoreContext, scan: Scan): AsyncGenerator<TimeWindow> {
  let { sinceMs, untilMs } = scan;
  while (sinceMs < untilMs) {
    await context.pace(scan.owner, scan.signal);
    const rest = { sinceMs, untilMs };
    const edgeMs = await findEdge(context, scan, rest);
    if (edgeMs === undefined) {
      yield rest;
      return;
    }
    const slice = scan.newestFirst ? { sinceMs: edgeMs, untilMs } : { sinceMs, untilMs: edgeMs + 1 };
    yield slice;
    [sinceMs, untilMs] = scan.newestFirst ? [sinceMs, edgeMs] : [edgeMs + 1, untilMs];
  }
}

/** The moment of the last row that fits into a slice; undefined when all that is left does. */
async function findEdge(
  { engine }: StoreContext,
  { table, at, where, newestFirst }: Scan,
  { sinceMs, untilMs }: TimeWindow,
): Promise<number | undefined> {
  const column = sql.ref(at);
  const order = newestFirst ? sql`desc` : sql`asc`;
  const { rows } = await engine.read((db) =>
    sql<{ at: number }>`
      select ${column} as at from ${sql.table(table)}
      where ${where} and ${column} >= ${sinceMs} and ${column} < ${untilMs}
      order by ${column} ${order} limit 1 offset ${ROWS_PER_SLICE[engine.dialect] - 1}`.execute(db),
  );
  return rows[0]?.at;
}
