import type { StoreContext } from "../context.ts";
import type { CursorStore } from "../retention/upkeep.ts";

/** Up to where something was looked through. */
export function createCursors({ engine }: StoreContext): CursorStore {
  return {
    async loadCursor(tenant, name) {
      const row = await engine.read((db) =>
        db
          .selectFrom("cursors")
          .select("at")
          .where("tenant", "=", tenant)
          .where("name", "=", name)
          .executeTakeFirst(),
      );
      return row?.at ?? null;
    },

    async saveCursor(tenant, name, atMs) {
      await engine.write((db) =>
        db
          .insertInto("cursors")
          .values({ tenant, name, at: atMs })
          .onConflict((conflict) => conflict.columns(["tenant", "name"]).doUpdateSet({ at: atMs }))
          .execute(),
      );
    },
  };
}
