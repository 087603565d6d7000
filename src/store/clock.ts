import { sql } from "kysely";
import type { StoreContext } from "./kysely-store.ts";
import type { ClockStore } from "./store.ts";

/** Nothing but orders and deliveries is leased for longer at a time. */
const LONGEST_LEASE_MS = 5 * 60_000;

/** Keeps due times and leases, which name moments of the clock, in step with it. */
export function createClockStore({ engine }: StoreContext): ClockStore {
  return {
    async clockSetBack({ byMs, nowMs, leaseMs }) {
      const leaseNow = engine.leaseClock(nowMs);
      await engine.write(
        async (db) => {
          for (const table of ["deliveries", "orders"] as const) {
            await db
              .updateTable(table)
              .set((eb) => ({
                due_at: eb
                  .case()
                  .when("due_at", ">", nowMs + byMs)
                  .then(sql<number>`due_at - ${byMs}`)
                  .else(nowMs)
                  .end(),
              }))
              .where("due_at", ">", nowMs)
              .execute();
            const until = sql<number>`${leaseNow} + ${leaseMs}`;
            await db
              .updateTable(table)
              .set({ lease_until: until })
              .where("lease_until", ">", until)
              .execute();
          }
          const until = sql<number>`${leaseNow} + ${LONGEST_LEASE_MS}`;
          const ends = { lease_until: until };
          await db.updateTable("leases").set(ends).where("lease_until", ">", until).execute();
          await db
            .updateTable("attempts")
            .set(ends)
            .where("state", "=", "sent")
            .where("lease_until", ">", until)
            .execute();
        },
        { alone: "clock", unhurried: true },
      );
    },
  };
}
