import { sql } from "kysely";
import type { StoreContext } from "./context.ts";

/** What the store does when the clock that rules it was set. */
export interface ClockStore {
  /**
   * The clock was set back by `byMs` to `nowMs`: what is due later is due that much sooner, though not before `nowMs`, and
   * what is leased, orders and deliveries for `leaseMs`, is leased from `nowMs` on. Repeating it makes nothing late.
   */
  clockSetBack(move: {
    readonly byMs: number;
    readonly nowMs: number;
    readonly leaseMs: number;
  }): Promise<void>;
}

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
