import type { Migration } from "../migration.ts";

/**
 * What timelines, steps and problems said in texts, as data beside the texts. Columns only, which costs no time however many
 * rows there are: older rows are read by their texts, as those of a process of an earlier release have to be anyway.
 */
export const timelineEventsMigration: Migration = {
  version: 8,
  name: "timeline-events",
  async up(db) {
    await db.schema.alterTable("order_timeline").addColumn("event", "text").execute();
    await db.schema.alterTable("order_steps").addColumn("cause", "text").execute();
    await db.schema.alterTable("orders").addColumn("problems", "text").execute();
  },
};
