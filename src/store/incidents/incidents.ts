import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import type { Database } from "../schema/schema.ts";
import { forChunks, selectOne, selectRows, updateRows, upsert } from "../statements.ts";

/** Something that people are told once, even if it comes up many times and in several processes. */
export interface IncidentKey {
  /** The tenant it is about. Erasing the tenant erases the incident. Default: the installation. */
  readonly tenant?: TenantId | undefined;
  /** E.g. the name of an alert and the id of its order. Nothing personal. */
  readonly name: string;
}

/** An incident that begins or continues. */
export interface IncidentReport extends IncidentKey {
  readonly nowMs: number;
  /** Don't report it again within this time, in milliseconds. Default: until it is resolved. */
  readonly quietMs?: number | undefined;
  /** The message that the caller sends if it has to report the incident. Stored until it was sent. Default: none. */
  readonly unsent?: string | undefined;
}

/** A message that may not have been sent. */
export interface UnsentIncident extends IncidentKey {
  readonly unsent: string;
}

/** The clocks of processes differ by less than this. */
const CLOCKS_DIFFER_MS = 3_600_000;

/** How long a claim on a message lasts. A process that is still sending it renews the claim twice in this time. */
export const SENDING_MS = 2 * 60_000;

/** Incidents that were reported, shared by all processes, so that only one caller reports each. */
export interface IncidentStore {
  /**
   * Record that the incident came up. `isNews`: the caller has to report it, because it was over or never reported,
   * or its quiet time has passed. A quiet time that ends over an hour too late was written by a wrong clock and is
   * ignored.
   *
   * @returns Also when it was last reported: now, if it is news.
   */
  open(report: IncidentReport): Promise<{ readonly isNews: boolean; readonly reportedAtMs: number }>;
  /**
   * Record that the incident continues. `report`: the caller reports that. `quiet`: its quiet time hasn't passed.
   * `over`: it was resolved.
   */
  remind(report: IncidentReport): Promise<"report" | "quiet" | "over">;
  /**
   * Record that the incident ended. `true` if it was open: the caller reports that. An unsent message about it is
   * replaced with `unsent`.
   *
   * @param reportedSinceMs - The caller reported it at or after this moment while the store couldn't be reached. Unless
   *   somebody has resolved it since, the caller reports that it ended.
   */
  resolve(
    incident: IncidentKey & Pick<IncidentReport, "unsent">,
    nowMs: number,
    reportedSinceMs?: number,
  ): Promise<boolean>;
  /** Drop a message that was sent or given up. `false` if it was no longer stored. */
  forgetUnsent(incident: UnsentIncident): Promise<boolean>;
  /**
   * Claim messages whose senders are gone, because their claim expired. This also renews the caller's claim on the
   * messages in `own`, which it is still sending. Claims last {@link SENDING_MS}.
   */
  takeUnsent(nowMs: number, own?: readonly string[]): Promise<readonly UnsentIncident[]>;
  /** A tenant's open incidents with these names that were reported at `reportedSinceMs` or later. */
  listOpen(tenant: TenantId, names: readonly string[], reportedSinceMs?: number): Promise<readonly string[]>;
}

export function createIncidentStore({ engine }: StoreContext): IncidentStore {
  const sendingUntil = (nowMs: number) => sql<number>`${engine.leaseClock(nowMs)} + ${SENDING_MS}`;
  // A time too far in the future was written before the clock was set back.
  const isOver = (nowMs: number) => sql<SqlBool>`(sending_until <= ${engine.leaseClock(nowMs)}
    or sending_until > ${sendingUntil(nowMs)})`;
  const toUnsent = (nowMs: number, unsent: string | undefined): Unsent =>
    unsent === undefined ? SENT : { unsent, sending_until: sendingUntil(nowMs) };

  return {
    open: (report) =>
      engine.write(async (db) => {
        if (await markReported(db, report, toUnsent(report.nowMs, report.unsent), { reopen: true }))
          return { isNews: true, reportedAtMs: report.nowMs };
        return { isNews: false, reportedAtMs: (await find(db, report)).told_at };
      }),

    remind: (report) =>
      engine.write(async (db) => {
        const unsent = toUnsent(report.nowMs, report.unsent);
        if (await markReported(db, report, unsent, { reopen: false })) return "report";
        return (await find(db, report)).resolved_at === null ? "quiet" : "over";
      }),

    resolve({ tenant = "", name, unsent }, nowMs, reportedSinceMs) {
      // Its quiet time ends now, so that it can be erased some time later.
      const over = { quiet_until: nowMs, resolved_at: nowMs, ...toUnsent(nowMs, unsent) };
      const incident = { tenant, name };
      if (reportedSinceMs === undefined) {
        const isOpen = sql<SqlBool>`resolved_at is null`;
        return engine.write(async (db) => (await updateRows(db, "incidents", incident, over, isOpen)) > 0);
      }
      const isOpen = sql<SqlBool>`(incidents.resolved_at is null or incidents.resolved_at < ${reportedSinceMs})`;
      const reported = { told_at: nowMs, ...over };
      return engine.write((db) => upsert(db, "incidents", incident, reported, isOpen));
    },

    forgetUnsent: ({ tenant = "", name, unsent }) =>
      engine.write(async (db) => (await updateRows(db, "incidents", { tenant, name, unsent }, SENT)) > 0),

    takeUnsent: (nowMs, own = []) =>
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

    async listOpen(tenant, names, reportedSinceMs = 0) {
      const isOpen = sql<SqlBool>`resolved_at is null and told_at >= ${reportedSinceMs}`;
      const rows = await engine.read((db) =>
        selectRows(db, "incidents", { tenant, name: names }, ["name"], isOpen),
      );
      return rows.map(({ name }) => name);
    },
  };
}

interface Unsent {
  readonly unsent: string | null;
  readonly sending_until: number | RawBuilder<number> | null;
}

const SENT: Unsent = { unsent: null, sending_until: null };

/** One statement, so that only one of several callers reports it. The row stays locked until the unit ends. */
async function markReported(
  db: Database,
  { tenant = "", name, nowMs, quietMs }: IncidentReport,
  unsent: Unsent,
  { reopen }: { readonly reopen: boolean },
): Promise<boolean> {
  const quietUntilMs = quietMs === undefined ? null : nowMs + quietMs;
  const reported = { told_at: nowMs, quiet_until: quietUntilMs, resolved_at: null, ...unsent };
  const isDue = sql`(incidents.quiet_until <= ${nowMs} or incidents.told_at > ${nowMs + CLOCKS_DIFFER_MS})`;
  const isNews = reopen
    ? sql<SqlBool>`(incidents.resolved_at is not null or ${isDue})`
    : sql<SqlBool>`incidents.resolved_at is null and ${isDue}`;
  return upsert(db, "incidents", { tenant, name }, reported, isNews);
}

function find(db: Database, { tenant = "", name }: IncidentKey) {
  return selectOne(
    db,
    sql<{ told_at: number; resolved_at: number | null }>`
      select told_at, resolved_at from incidents where tenant = ${tenant} and name = ${name}`,
  );
}
