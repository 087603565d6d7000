import { sql, type SqlBool } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import type { Database } from "../schema/schema.ts";
import { selectOne, selectRows, updateRows, upsert } from "../statements.ts";

/** What people are told once, however often and in however many processes it comes up. */
export interface IncidentKey {
  /** The tenant that it is about, and is erased with. Default: the installation. */
  readonly tenant?: TenantId | undefined;
  /** E.g. the name of an alert and the id of its order. Nothing personal. */
  readonly name: string;
}

/** An incident that comes up, or goes on. */
export interface IncidentReport extends IncidentKey {
  readonly nowMs: number;
  /** For how long nobody tells it again, in milliseconds. Default: until it is resolved. */
  readonly quietMs?: number | undefined;
}

/** The clocks of processes differ by less. */
const CLOCKS_DIFFER_MS = 3_600_000;

/** The store of incidents. */
export type IncidentStore = ReturnType<typeof createIncidentStore>;

/** What everybody who shares the store has told, so that one caller tells it. */
export function createIncidentStore({ engine }: StoreContext) {
  return {
    /**
     * It came up. `isNews`: the caller tells it, since it was over, was never told, or its quiet time has passed. A moment
     * that is over an hour in the future was written by a clock that was wrong, and keeps nobody quiet.
     *
     * @returns Also when it was told last: now, if it is news.
     */
    openIncident: (report: IncidentReport) =>
      engine.write(async (db) => {
        if (await tell(db, report, { reopen: true })) return { isNews: true, toldAtMs: report.nowMs };
        const { told_at: toldAtMs } = await find(db, report);
        return { isNews: false, toldAtMs };
      }),

    /** It goes on. `tell`: the caller says so. `told`: its quiet time has not passed. `over`: it was resolved. */
    remindIncident: (report: IncidentReport) =>
      engine.write(async (db) => {
        if (await tell(db, report, { reopen: false })) return "tell";
        return (await find(db, report)).resolved_at === null ? "told" : "over";
      }),

    /**
     * It ended. `true`: the caller says so, since it was open.
     *
     * @param toldSinceMs - It was told at or after this moment without the store, which could not be asked: unless somebody
     *   has resolved it since, the caller says that it ended.
     */
    resolveIncident: (incident: IncidentKey, nowMs: number, toldSinceMs?: number) =>
      engine.write((db) => resolve(db, incident, nowMs, toldSinceMs)),

    /** Those of a tenant's incidents with these names that were told, at `toldSinceMs` or later, and aren't over. */
    async listOpenIncidents(
      tenant: TenantId,
      names: readonly string[],
      toldSinceMs = 0,
    ): Promise<readonly string[]> {
      const isOpen = sql<SqlBool>`resolved_at is null and told_at >= ${toldSinceMs}`;
      const rows = await engine.read((db) =>
        selectRows(db, "incidents", { tenant, name: names }, ["name"], isOpen),
      );
      return rows.map(({ name }) => name);
    },
  };
}

/** One statement, so that one of several callers tells it. The row stays locked until the unit ends. */
async function tell(
  db: Database,
  { tenant = "", name, nowMs, quietMs }: IncidentReport,
  { reopen }: { readonly reopen: boolean },
): Promise<boolean> {
  const quietUntilMs = quietMs === undefined ? null : nowMs + quietMs;
  const told = { told_at: nowMs, quiet_until: quietUntilMs, resolved_at: null };
  const isDue = sql`(incidents.quiet_until <= ${nowMs} or incidents.told_at > ${nowMs + CLOCKS_DIFFER_MS})`;
  const isToTell = reopen
    ? sql<SqlBool>`(incidents.resolved_at is not null or ${isDue})`
    : sql<SqlBool>`incidents.resolved_at is null and ${isDue}`;
  return upsert(db, "incidents", { tenant, name }, told, isToTell);
}

function find(db: Database, { tenant = "", name }: IncidentKey) {
  return selectOne(
    db,
    sql<{ told_at: number; resolved_at: number | null }>`
      select told_at, resolved_at from incidents where tenant = ${tenant} and name = ${name}`,
  );
}

/** What is over may be erased some time after its quiet time, which ends now. */
async function resolve(
  db: Database,
  { tenant = "", name }: IncidentKey,
  nowMs: number,
  toldSinceMs: number | undefined,
): Promise<boolean> {
  const over = { quiet_until: nowMs, resolved_at: nowMs };
  if (toldSinceMs === undefined) {
    const isOpen = sql<SqlBool>`resolved_at is null`;
    return (await updateRows(db, "incidents", { tenant, name }, over, isOpen)) > 0;
  }
  const { rows } = await sql`
    insert into incidents (tenant, name, told_at, quiet_until, resolved_at)
    values (${tenant}, ${name}, ${nowMs}, ${nowMs}, ${nowMs})
    on conflict (tenant, name) do update set quiet_until = ${nowMs}, resolved_at = ${nowMs}
    where incidents.resolved_at is null or incidents.resolved_at < ${toldSinceMs}
    returning name`.execute(db);
  return rows.length > 0;
}
