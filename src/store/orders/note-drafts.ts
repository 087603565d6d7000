import { sql, type SqlBool } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import { isOneOf, type DueKey } from "../engines/engine.ts";
import type { Database } from "../schema/schema.ts";
import type { Place } from "../sealing/sealing.ts";
import { deleteRows, ofOrder, selectRows, upsert, type OrderKey } from "../statements.ts";
import { lockRow } from "./locked-order.ts";

/** How many drafts a person gets back, newest first. */
export const MOST_DRAFTS = 100;

export interface DraftText {
  /** `person:ID`. Nobody else reads it. */
  readonly actor: string;
  /** Null: there is none any more. */
  readonly text: string | null;
  readonly atMs: number;
}

/** Notes that people haven't saved yet. */
export interface NoteDrafts {
  /** Keep or drop a person's draft. `erased`: the order's content was erased, so nothing is written about it. */
  keepDraft(key: OrderKey, draft: DraftText): Promise<"erased" | "unknown" | "kept">;
  /** A person's drafts, by order ID: the newest {@link MOST_DRAFTS}. */
  listDrafts(tenant: TenantId, actor: string): Promise<ReadonlyMap<string, string>>;
}

export function createNoteDrafts({ engine, sealer }: StoreContext): NoteDrafts {
  return {
    keepDraft: (key, { actor, text, atMs }) =>
      engine.write(async (db) => {
        const row = await lockRow(db, key, engine.leaseClock(atMs));
        if (row === undefined) return "unknown";
        const own = { ...ofOrder(key), actor };
        if (text === null) await deleteRows(db, "note_drafts", own);
        else if (row.erased_at !== null) return "erased";
        else
          await upsert(db, "note_drafts", own, {
            text: sealer.sealBytes(toPlace(key, actor), text),
            at: atMs,
          });
        return "kept";
      }),

    async listDrafts(tenant, actor) {
      const newest = sql`order by at desc limit ${MOST_DRAFTS}`;
      const rows = await engine.read((db) =>
        selectRows(db, "note_drafts", { tenant, actor }, ["order_id", "text"], undefined, newest),
      );
      return new Map(
        rows.flatMap(({ order_id: orderId, text }) => {
          const opened = sealer.tryBytes(toPlace({ tenant, orderId }, actor), text)?.toString();
          return opened === undefined ? [] : [[orderId, opened] as const];
        }),
      );
    },
  };
}

/** Delete the drafts about orders whose content is erased. */
export async function eraseDrafts(db: Database, keys: readonly DueKey[]): Promise<void> {
  if (keys.length === 0) return;
  await deleteRows(db, "note_drafts", {}, sql<SqlBool>`${isOneOf("order_id", keys)}`);
}

function toPlace({ tenant, orderId }: OrderKey, actor: string): Place {
  return { tenant, table: "note_drafts", column: "text", row: `${orderId}\0${actor}` };
}
