import { sql } from "kysely";
import type { ShopCounts } from "../../engine/facts/shop-counts.ts";
import type { ShopKeys } from "../../engine/velocity/shop-keys.ts";
import {
  listTallies,
  listTallyWindows,
  listTraits,
  toShopCounts,
  type ShopSpan,
  type ShopTrait,
} from "../../engine/velocity/shop-tallies.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { Database } from "../schema/schema.ts";

/** An order, and what is counted of it for its shop. */
export interface CountedOrder {
  readonly tenant: TenantId;
  readonly shop: ShopKeys;
  readonly atMs: number;
}

/**
 * Count an order for its shop. One statement that locks its rows in the same sequence for every order, so that no two orders
 * wait for each other.
 */
export async function addTallies(db: Database, { tenant, shop, atMs }: CountedOrder): Promise<void> {
  const rows = listTallies(shop, atMs).map(
    ({ trait, item, step, span, atMs: slotMs, untilMs, newcomers, known }) =>
      sql`(${tenant}, ${trait}, ${item}, ${step}, ${span}, ${slotMs}, ${untilMs}, ${newcomers}, ${known})`,
  );
  await sql`insert into shop_tallies (tenant, trait, item, step, span, at, until, newcomers, known)
    values ${sql.join(rows)}
    on conflict (tenant, trait, item, span, at, step) do update set
      newcomers = shop_tallies.newcomers + excluded.newcomers, known = shop_tallies.known + excluded.known`.execute(
    db,
  );
}

interface SumRow {
  readonly trait: ShopTrait;
  readonly step: number;
  readonly span: ShopSpan;
  readonly first_at: number;
  readonly newcomers: number;
  readonly known: number;
}

/** What the shop's orders were like when an order was placed. */
export async function countForShop(
  db: Database,
  { tenant, shop, atMs }: CountedOrder,
): Promise<ShopCounts | undefined> {
  const windows = listTallyWindows(atMs);
  const queries = listTraits(shop).flatMap(({ trait, item }) =>
    windows.map(
      ({ span, fromMs, toMs }) => sql`
        select ${sql.lit(trait)} as trait, step, ${sql.lit(span)} as span, min(at) as first_at,
          cast(sum(newcomers) as integer) as newcomers, cast(sum(known) as integer) as known
        from shop_tallies
        where tenant = ${tenant} and trait = ${sql.lit(trait)} and item = ${item} and span = ${sql.lit(span)}
          and at between ${fromMs} and ${toMs}
        group by step`,
    ),
  );
  const { rows } = await sql<SumRow>`${sql.join(queries, sql` union all `)}`.execute(db);
  const sums = rows.map(({ first_at: firstMs, ...sum }) => ({ ...sum, atMs: firstMs }));
  return toShopCounts(sums, shop, atMs);
}
