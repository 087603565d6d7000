import { sql } from "kysely";
import type { StoreContext } from "../context.ts";
import type { Database } from "../schema/schema.ts";
import type { TenantStore } from "./tenant-store.ts";

/** A place that was taken is remembered for this long beyond its time, so that the same key is let through again. */
const QUOTA_MEMORY_MS = 7 * 86_400_000;

/** What a tenant may do only so often, and what it still has to do. */
export function createQuotas({ engine }: StoreContext): Pick<TenantStore, "takeQuota" | "countUndecided"> {
  return {
    takeQuota({ tenant, name, key, sinceMs, max, nowMs }) {
      const unit = async (db: Database): Promise<boolean> => {
        const taken = () => db.selectFrom("quotas").where("tenant", "=", tenant).where("name", "=", name);
        const own = await taken().select("quota_key").where("quota_key", "=", key).executeTakeFirst();
        if (own !== undefined) return true;
        const { count } = await taken()
          .select((eb) => eb.fn.countAll<number>().as("count"))
          .where("taken_at", ">", sinceMs)
          .executeTakeFirstOrThrow();
        if (count >= max) return false;
        await db
          .deleteFrom("quotas")
          .where("tenant", "=", tenant)
          .where("taken_at", "<", sinceMs - QUOTA_MEMORY_MS)
          .execute();
        await db.insertInto("quotas").values({ tenant, name, quota_key: key, taken_at: nowMs }).execute();
        return true;
      };
      return engine.write(unit, { alone: `quota:${name}:${tenant}` });
    },

    async countUndecided(tenant, beforeMs) {
      const { rows } = await engine.read((db) =>
        sql<{ undecided: number }>`
          select cast(sum(undecided) as bigint) as undecided from (
            select count(*) as undecided from deliveries
            where tenant = ${tenant} and ready_at is not null and received_at < ${beforeMs}
            union all
            select count(*) from orders
            where tenant = ${tenant} and ready_at is not null and received_at < ${beforeMs} and decision is null) as work`.execute(
          db,
        ),
      );
      return rows[0]?.undecided ?? 0;
    },
  };
}
