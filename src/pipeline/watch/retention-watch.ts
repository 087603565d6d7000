import type { Logger } from "../../base/logger.ts";
import type { CursorStore } from "../../store/leases.ts";
import type { RetentionLimits } from "../../store/retention/retention.ts";
import type { IncidentStore } from "../../store/store.ts";

const DAY_MS = 86_400_000;
/** An erasure that is late by hours is nobody's night; one that does not happen for a day is somebody's duty. */
const ALERT_AFTER_MS = DAY_MS;
/** After a long time off the first run may take its time, and another process may be at it. */
const PATIENCE_MS = DAY_MS / 2;
/** Under this the cursor of no tenant says when a run was last done. */
const CURSOR = ["", "retention-done"] as const;

/** Knows when a run of the erasure was last done, by any process, and says when that was too long ago. */
export function createRetentionWatch(store: CursorStore, logger: Logger, now: () => number) {
  let firstUndoneMs: number | undefined;
  let lateSinceMs: number | undefined;
  let toldMs: number | undefined;

  /** A moment that is yet to come was told by a clock that was ahead. */
  function isPast(atMs: number | null | undefined): atMs is number {
    return typeof atMs === "number" && atMs <= now();
  }

  /** The store that cannot erase may not answer this either. */
  async function findLastDone(): Promise<number | null> {
    const doneMs = await store.loadCursor(...CURSOR).catch(() => null);
    return isPast(doneMs) ? doneMs : null;
  }

  /** Since when it has been late; undefined while it is not. */
  async function findLate(): Promise<number | undefined> {
    if (!isPast(firstUndoneMs)) firstUndoneMs = now();
    const sinceMs = (await findLastDone()) ?? firstUndoneMs;
    if (now() < sinceMs + ALERT_AFTER_MS) lateSinceMs = undefined;
    else if (!isPast(lateSinceMs)) lateSinceMs = now();
    return lateSinceMs;
  }

  function tell(fields: { readonly err?: unknown }): void {
    if (isPast(toldMs) && now() < toldMs + ALERT_AFTER_MS) return;
    toldMs = now();
    logger.error(
      { ...fields, alert: "retention_failed" },
      "personal data that is too old has not been erased for a day",
    );
  }

  return {
    async done() {
      await store.saveCursor(...CURSOR, now());
      [firstUndoneMs, lateSinceMs, toldMs] = [undefined, undefined, undefined];
    },
    /** A run failed here; `error` says why. */
    async failed(error: unknown) {
      logger.warn({ err: error }, "erasing what is too old failed: it is tried again in an hour");
      if ((await findLate()) !== undefined) tell({ err: error });
    },
    /** The time for a run came, and none was done here: somebody else is at it, or something is in the way. */
    async missed() {
      const sinceMs = await findLate();
      if (sinceMs !== undefined && now() >= sinceMs + PATIENCE_MS) tell({});
    },
  };
}

/** Keeps a clock that was set wrong, or a mistyped setting, from erasing what cannot be brought back. */
export interface LeapGuard {
  /**
   * Whether a run may erase up to these limits. Not when they leapt since the last run that ended, or on a database on
   * which none did, until the leap has lasted for hours.
   */
  allows(limits: RetentionLimits): Promise<boolean>;
  /** A run erased up to these limits. */
  hasErased(limits: RetentionLimits): Promise<void>;
}

/** A weekend without the app is no leap. */
const LEAP_MS = 3 * DAY_MS;
/**
 * A machine that starts with a wrong clock is put right within minutes, and one of several that stays wrong is
 * contradicted by the next run of another.
 */
const LASTING_MS = 6 * 3_600_000;
/** Under this the cursor of no tenant says how far was erased. */
const NO_TENANT = "";
const CURSORS = { content: "retention-content", orders: "retention-orders" } as const;
/** Open while a leap lasts. */
const LEAP = { name: "retention_leap" };

/** What {@link createLeapGuard} uses of a store. */
export type LeapStore = CursorStore & Pick<IncidentStore, "openIncident" | "resolveIncident">;

/** Create a {@link LeapGuard}. */
export function createLeapGuard(store: LeapStore, logger: Logger): LeapGuard {
  /** By how much the limits are ahead of those of the last run; null when there was none. */
  async function measure({ contentBeforeMs, ordersBeforeMs }: RetentionLimits): Promise<number | null> {
    const contentMs = await store.loadCursor(NO_TENANT, CURSORS.content);
    const ordersMs = await store.loadCursor(NO_TENANT, CURSORS.orders);
    if (contentMs === null || ordersMs === null) return null;
    return Math.max(contentBeforeMs - contentMs, ordersBeforeMs - ordersMs);
  }

  return {
    async allows(limits) {
      const leapMs = await measure(limits);
      if (leapMs !== null && leapMs <= LEAP_MS) return true;
      const { nowMs } = limits;
      const { isNews, toldAtMs } = await store.openIncident({ ...LEAP, nowMs });
      if (isNews) tell(logger, leapMs);
      return nowMs >= toldAtMs + LASTING_MS;
    },

    async hasErased({ nowMs, contentBeforeMs, ordersBeforeMs }) {
      await store.saveCursor(NO_TENANT, CURSORS.content, contentBeforeMs);
      await store.saveCursor(NO_TENANT, CURSORS.orders, ordersBeforeMs);
      await store.resolveIncident(LEAP, nowMs);
    },
  };
}

function tell(logger: Logger, leapMs: number | null): void {
  const hours = LASTING_MS / 3_600_000;
  if (leapMs === null) {
    logger.info({}, `nothing was ever erased on this database: the first time is in ${hours} hours`);
    return;
  }
  logger.warn(
    { leapDays: Math.round(leapMs / DAY_MS) },
    `what counts as too old leapt by days since it was last erased: nothing is erased for ${hours} hours; see to the clock, KEEP_CONTENT_DAYS and KEEP_ORDERS_DAYS, unless the app was off for as long`,
  );
}
