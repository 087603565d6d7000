import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMedusaShop } from "../../../adapters/medusa/index.ts";
import type { HostShop } from "../../../src/adapter-kit.ts";
import { createDatabase, type TestDatabase } from "../../support/postgres-database.ts";

let database: TestDatabase;
let client: Client;
let shop: HostShop;
beforeAll(async () => {
  database = await createDatabase({ empty: true });
  client = new Client({ connectionString: database.url });
  await client.connect();
  // The columns of Medusa's table that are used.
  await client.query(`create table "order" (id text primary key, metadata jsonb, updated_at timestamptz)`);
  shop = createMedusaShop({
    resolve: (name: string) => (name === "__pg_connection__" ? { raw } : {}),
  });
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** As Knex: with `?` for values. */
async function raw(statement: string, values: readonly unknown[]): Promise<void> {
  let at = 0;
  await client.query(
    statement.replaceAll("?", () => `$${(at += 1)}`),
    [...values],
  );
}

async function place(id: string, metadata: unknown): Promise<void> {
  await client.query(`insert into "order" values ($1, $2)`, [id, JSON.stringify(metadata)]);
}

async function readMetadata(id: string): Promise<unknown> {
  return (await client.query<{ metadata: unknown }>(`select metadata from "order" where id = $1`, [id]))
    .rows[0]?.metadata;
}

it("keeps what the shop writes to an order's metadata at the same time", async () => {
  await place("order_1", { gift: true });
  const other = new Client({ connectionString: database.url });
  await other.connect();
  // The shop's change is under way: it has read the row, and hasn't committed.
  await other.query("begin");
  await other.query(`update "order" set metadata = metadata || '{"note":"ring twice"}' where id = 'order_1'`);

  const marking = shop.mark("order_1", { riskLevel: "high", hold: "decision", tags: ["fraud"] });
  await other.query("commit");
  await marking;
  await other.end();

  expect(await readMetadata("order_1")).toEqual({
    gift: true,
    note: "ring twice",
    holdfast: { riskLevel: "high", hold: "decision", tags: ["fraud"] },
  });
});

it("keeps other marks", async () => {
  await place("order_2", { holdfast: { riskLevel: "high", tags: ["fraud"] } });

  await Promise.all([shop.mark("order_2", { hold: null }), shop.mark("order_2", { tags: [] })]);

  expect(await readMetadata("order_2")).toEqual({ holdfast: { riskLevel: "high", hold: null, tags: [] } });
});

it.each([[null], ["text"], [[1]], [{ holdfast: "mine" }]])("writes over metadata %j", async (metadata) => {
  const id = `order ${JSON.stringify(metadata)}`;
  await place(id, metadata);

  await shop.mark(id, { hold: "decision" });

  expect(await readMetadata(id)).toEqual({ holdfast: { hold: "decision" } });
});
