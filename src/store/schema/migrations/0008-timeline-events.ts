import { sql } from "kysely";
import type { Migration } from "../migration.ts";

/** What timelines, steps and problems said in texts, as data beside the texts. */
export const timelineEventsMigration: Migration = {
  version: 8,
  name: "timeline-events",
  async up(db) {
    await db.schema.alterTable("order_timeline").addColumn("event", "text").execute();
    await db.schema.alterTable("order_steps").addColumn("cause", "text").execute();
    await db.schema.alterTable("orders").addColumn("problems", "text").execute();
    // How an order ended counts in decisions and reports, so it's taken over. Other old entries are shown as they are.
    for (const [ended, step, settled] of [
      ["cancelled", "already-cancelled", "cancelled-on-platform"],
      ["shipped", "already-fulfilled", "fulfilled"],
    ] as const) {
      const fields = `"ended":"${ended}"}`;
      await sql`update order_timeline set event = '{"kind":"' || kind || '",' || ${fields}
        where detail = ${step} and (kind like '%-moot' or kind like '%-impossible')`.execute(db);
      await sql`update order_timeline set event = ${`{"kind":"settled","problems":[],${fields}`}
        where kind = 'settled' and detail = ${settled}`.execute(db);
      await sql`update order_steps set cause = ${ended}
        where detail = ${step} and state in ('moot', 'impossible')`.execute(db);
    }
    await sql`update order_steps set cause = 'shadow' where detail = 'shadow-mode' and state = 'moot'`.execute(
      db,
    );
  },
};
