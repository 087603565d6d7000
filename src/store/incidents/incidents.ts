import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import type { Database } from "../schema/schema.ts";
import { forChunks, selectOne, selectRows, updateRows, upsert } from "../statements.ts";

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
  /** What the caller is about to send, if it is the one to tell it: kept until it was sent. Default: nothing is kept. */
  readonly unsent?: string | undefined;
}

/** A message that nobody is known to have sent. */
export interface UnsentIncident extends IncidentKey {
  readonly unsent: string;
}

/** The clocks of processes differ by less. */
const CLOCKS_DIFFER_MS = 3_600_000;

/** How long a message belongs to whoever claimed it. A process that still sends it claims it again, twice in this time. */
export const SENDING_MS = 2 * 60_000;

/** The store of incidents. */
export type IncidentStore = ReturnType<typeof createIncidentStore>;

/** What everybody who shares the store has told, so that one caller tells it. */
export function createIncidentStore({ engine }: StoreContext) {
  const sendingUntil = (nowMs: number) => sql<number>`${engine.leaseClock(nowMs)} + ${SENDING_MS}`;
  // What is further ahead than it can be was written before the clock was set back.
  const isOver = (nowMs: number) => sql<SqlBool>`(sending_until <= ${engine.leaseClock(nowMs)}
    or sending_until > ${sendingUntil(nowMs)})`;
  const toUnsent = (nowMs: number, unsent: string | undefined): Unsent =>
    unsent === undefined ? SENT : { unsent, sending_until: sendingUntil(nowMs) };

  return {
    /**
     * It came up. `isNews`: the caller tells it, since it was over, was never told, or its quiet time has passed. A moment
     * that is over an hour in the future was written by a clock that was wrong, and keeps nobody quiet.
     *
     * @returns Also when it was told last: now, if it is news.
     */
    openIncident: (report: IncidentReport) =>
      engine.write(async (db) => {
        if (await tell(db, report, toUnsent(report.nowMs, report.unsent), { reopen: true }))
          return { isNews: true, toldAtMs: report.nowMs };
        const { told_at: toldAtMs } = await find(db, report);
        return { isNews: false, toldAtMs };
      }),

    /** It goes on. `tell`: the caller says so. `told`: its quiet time has not passed. `over`: it was resolved. */
    remindIncident: (report: IncidentReport) =>
      engine.write(async (db) => {
        const unsent = toUnsent(report.nowMs, report.unsent);
        if (await tell(db, report, unsent, { reopen: false })) return "tell";
        return (await find(db, report)).resolved_at === null ? "told" : "over";
      }),

    /**
     * It ended. `true`: the caller says so, since it was open. A message about it that wasn't sent gives way to `unsent`.
     *
     * @param toldSinceMs - It was told at or after this moment without the store, which could not be asked: unless somebody
     *   has resolved it since, the caller says that it ended.
     */
    resolveIncident: (
      incident: IncidentKey & Pick<IncidentReport, "unsent">,
      nowMs: number,
      toldSinceMs?: number,
    ): Promise<boolean> =>
      engine.write((db) =>
        resolve(db, incident, { nowMs, toldSinceMs, ...toUnsent(nowMs, incident.unsent) }),
      ),

    /** A message was sent, or given up: it is kept no longer. `false`: it wasn't kept any more. */
    forgetUnsent: ({ tenant = "", name, unsent }: UnsentIncident): Promise<boolean> =>
      engine.write(async (db) => (await updateRows(db, "incidents", { tenant, name, unsent }, SENT)) > 0),

    /**
     * Messages whose senders had {@link SENDING_MS} and are gone. They are the caller's for as long from now on, as those are
     * that it says it is still sending: `own`.
     */
    takeUnsent: (nowMs: number, own: readonly string[] = []): Promise<readonly UnsentIncident[]> =>
      engine.write(async (db) => {
        const claimed = { sending_until: sendingUntil(nowMs) };
        await forChunks(own, (unsent) => updateRows(db, "incidents", { unsent }, claimed));
        const rows = await db
          .updateTable("incidents")
          .set(claimed)
          .where("unsent", "is not", null)
          .where(isOver(nowMs))
          .returning(["tenant", "name", "unsent"])
          .execute();
        return rows.flatMap(({ tenant, name, unsent }) =>
          unsent === null ? [] : { tenant: tenant === "" ? undefined : tenant, name, unsent },
        );
      }),

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

/** What is kept of the message about an incident. */
interface Unsent {
  readonly unsent: string | null;
  readonly sending_until: number | RawBuilder<number> | null;
}

const SENT: Unsent = { unsent: null, sending_until: null };

/** One statement, so that one of several callers tells it. The row stays locked until the unit ends. */
async function tell(
  db: Database,
  { tenant = "", name, nowMs, quietMs }: IncidentReport,
  unsent: Unsent,
  { reopen }: { readonly reopen: boolean },
): Promise<boolean> {
  const quietUntilMs = quietMs === undefined ? null : nowMs + quietMs;
  const told = { told_at: nowMs, quiet_until: quietUntilMs, resolved_at: null, ...unsent };
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
  {
    nowMs,
    toldSinceMs,
    ...unsent
  }: Unsent & { readonly nowMs: number; readonly toldSinceMs?: number | undefined },
): Promise<boolean> {
  const over = { quiet_until: nowMs, resolved_at: nowMs, ...unsent };
  if (toldSinceMs === undefined) {
    const isOpen = sql<SqlBool>`resolved_at is null`;
    return (await updateRows(db, "incidents", { tenant, name }, over, isOpen)) > 0;
  }
  const rows = await db
    .insertInto("incidents")
    .values({ tenant, name, told_at: nowMs, ...over })
    .onConflict((conflict) =>
      conflict
        .columns(["tenant", "name"])
        .doUpdateSet(over)
        .where(sql<SqlBool>`(incidents.resolved_at is null or incidents.resolved_at < ${toldSinceMs})`),
    )
    .returning("name")
    .execute();
  return rows.length > 0;
}
