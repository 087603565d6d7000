import type { Logger } from "../../base/logger.ts";
import type { CursorStore } from "../../store/retention/upkeep.ts";

/** Knows when a run of the erasure was last done, by any process, and says when that was too long ago. */
export interface RetentionWatch {
  done(): Promise<void>;
  /** A run failed here; `error` says why. */
  failed(error: unknown): Promise<void>;
  /** The time for a run came, and none was done here: somebody else is at it, or something is in the way. */
  missed(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** An erasure that is late by hours is nobody's night; one that does not happen for a day is somebody's duty. */
const ALERT_AFTER_MS = DAY_MS;
/** After a long time off the first run may take its time, and another process may be at it. */
const PATIENCE_MS = DAY_MS / 2;
/** Under this the cursor of no tenant says when a run was last done. */
const CURSOR = ["", "retention-done"] as const;

/** Create a {@link RetentionWatch}. */
export function createRetentionWatch(store: CursorStore, logger: Logger, now: () => number): RetentionWatch {
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
    async failed(error) {
      logger.warn({ err: error }, "erasing what is too old failed: it is tried again in an hour");
      if ((await findLate()) !== undefined) tell({ err: error });
    },
    async missed() {
      const sinceMs = await findLate();
      if (sinceMs !== undefined && now() >= sinceMs + PATIENCE_MS) tell({});
    },
  };
}
