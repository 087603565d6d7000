import { sql, type SqlBool } from "kysely";
import type { ErrorCode } from "../../base/errors.ts";
import type { StoreContext } from "../context.ts";
import type { Database, Schema } from "../schema/schema.ts";
import { deleteRows, updateRows, upsert } from "../statements.ts";
import type { AttemptGrant, CircuitBlock, StoredBlock } from "./attempt.ts";
import { LONGEST_BLOCK_MS, toCounting } from "./attempt-limit.ts";

/** Blocks of calls to the service, for all processes that share the store. */
export function createBlocks({ engine }: StoreContext) {
  return {
    async saveBlock(name: string, block: CircuitBlock | null): Promise<void> {
      if (block === null) {
        await engine.write((db) => deleteRows(db, "circuits", { name }));
        return;
      }
      const row = {
        code: block.code,
        until_at: Math.ceil(block.untilMs),
        pause: block.pause ? 1 : 0,
        trial_until: 0,
      };
      await engine.write((db) => upsert(db, "circuits", { name }, row));
    },

    findBlocks: (names: readonly string[], nowMs: number) =>
      engine.read((db) => selectBlocks(db, names, nowMs)),
  };
}

export async function selectBlocks(
  db: Database,
  names: readonly string[],
  nowMs: number,
): Promise<readonly StoredBlock[]> {
  if (names.length === 0) return [];
  const rows = await db.selectFrom("circuits").selectAll().where("name", "in", names).execute();
  return toCounting(rows.map(toBlock), nowMs);
}

export function toBlock(row: Schema["circuits"]): StoredBlock {
  const { name, code, until_at: untilMs, pause, trial_until: trialUntilMs } = row;
  return { name, code: code as ErrorCode, untilMs, pause: pause === 1, trialUntilMs };
}

/** Take the trial of a block that is over, so that only one process makes the trial call. */
export async function takeTrial(
  db: Database,
  block: StoredBlock | undefined,
  nowMs: number,
  untilMs: number,
): Promise<AttemptGrant | undefined> {
  if (block === undefined) return undefined;
  const { name, code, pause } = block;
  const isFree = sql<SqlBool>`(trial_until <= ${nowMs} or trial_until > ${nowMs + LONGEST_BLOCK_MS})`;
  const taken = await updateRows(db, "circuits", { name }, { trial_until: untilMs }, isFree);
  return taken === 0 ? { outcome: "blocked", code, retryAtMs: untilMs, pause } : undefined;
}
