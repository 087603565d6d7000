import type { ErrorCode } from "../errors.ts";
import type { StoreContext } from "./kysely-store.ts";
import type { Database } from "./schema.ts";
import type { AttemptGrant, CircuitStore, SharedBlock } from "./store.ts";

/** Longest that a block may still last, in milliseconds, so that a clock that was set back does not block for good. */
const LONGEST_PAUSE_MS = 3_600_000;
const LONGEST_BLOCK_MS = 180_000;

/** What holds back calls, for all processes that share the store. */
export function createCircuitStore({ engine }: StoreContext): CircuitStore {
  return {
    async saveCircuit(name, block) {
      if (block === null) {
        await engine.write((db) => db.deleteFrom("circuits").where("name", "=", name).execute());
        return;
      }
      const row = {
        code: block.code,
        until_at: Math.ceil(block.untilMs),
        pause: block.pause ? 1 : 0,
        trial_until: 0,
      };
      await engine.write((db) =>
        db
          .insertInto("circuits")
          .values({ name, ...row })
          .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
          .execute(),
      );
    },

    findBlocks: (names, nowMs) => engine.read((db) => selectBlocks(db, names, nowMs)),
  };
}

/** The blocks of the named circuits that still count. */
export async function selectBlocks(
  db: Database,
  names: readonly string[],
  nowMs: number,
): Promise<readonly SharedBlock[]> {
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom("circuits")
    .selectAll()
    .where("name", "in", [...names])
    .execute();
  return rows
    .map(({ name, code, until_at: untilAt, pause, trial_until: trialUntilMs }) => {
      const isPause = pause === 1;
      const longestMs = isPause ? LONGEST_PAUSE_MS : LONGEST_BLOCK_MS;
      const untilMs = Math.min(untilAt, nowMs + longestMs);
      return {
        name,
        code: code as ErrorCode,
        untilMs,
        pause: isPause,
        trialUntilMs: Math.min(trialUntilMs, nowMs + LONGEST_BLOCK_MS),
      };
    })
    .filter(({ pause, untilMs }) => !pause || untilMs > nowMs);
}

/** Why a call may not be made now, as far as the named circuits know. */
export function toHeldBack(blocks: readonly SharedBlock[], nowMs: number): AttemptGrant | undefined {
  for (const { name, code, untilMs, pause, trialUntilMs } of blocks) {
    const retryAtMs = Math.max(untilMs, trialUntilMs);
    if (retryAtMs > nowMs) return { outcome: "held-back", name, code, retryAtMs, pause };
  }
  return undefined;
}

/** Take the trial of each block that is over, so that one process alone makes the call that finds out. */
export async function takeTrials(
  db: Database,
  blocks: readonly SharedBlock[],
  nowMs: number,
  untilMs: number,
): Promise<AttemptGrant | undefined> {
  for (const { name, code, pause } of blocks) {
    const taken = await db
      .updateTable("circuits")
      .set({ trial_until: untilMs })
      .where("name", "=", name)
      .where((eb) => eb.or([eb("trial_until", "<=", nowMs), eb("trial_until", ">", untilMs)]))
      .returning("name")
      .executeTakeFirst();
    if (taken === undefined) return { outcome: "held-back", name, code, retryAtMs: untilMs, pause };
  }
  return undefined;
}
