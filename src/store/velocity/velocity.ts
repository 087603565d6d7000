import { MOST_PER_KEY } from "../../engine/facts/velocity-counts.ts";
import { sql, type RawBuilder } from "kysely";
import { toMailboxKey, toOrderKey, type VelocityKeys } from "../../engine/velocity/keys.ts";
import {
  findFlooded,
  LINKS,
  LONGEST_WINDOW_MS,
  SIGHTING_KEPT_MS,
  toVelocityCounts,
  type Link,
  type LinkedSightings,
  type Sighting,
} from "../../engine/velocity/sightings.ts";
import type { Manner } from "../../engine/velocity/manner.ts";
import type { VelocityStore } from "../../engine/velocity/velocity-store.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { Engine } from "../engines/engine.ts";
import type { StoreContext } from "../context.ts";
import type { Database, Schema } from "../schema/schema.ts";
import { deleteRows, findRow, forChunks, upsert } from "../statements.ts";
import { addTallies, countForShop } from "./shop-tallies.ts";

/** How many of the oldest rows are checked for deletion per new order. More than one, so that their number falls. */
const OLDEST_LOOKED_AT = 32;
/** How many orders of a flood are deleted per new one. More than one, so that their number falls. */
const THINNED_AT_ONCE = 32;

interface Recorded {
  readonly tenant: TenantId;
  readonly orderKey: string;
  readonly keys: VelocityKeys;
  readonly atMs: number;
}

export function createVelocityStore({ engine }: Pick<StoreContext, "engine">): VelocityStore {
  return {
    async record(tenant, orderKey, keys, atMs) {
      const recorded = { tenant, orderKey, keys, atMs };
      const { shop } = keys;
      await engine.write(async (db) => {
        // Recorded twice at once, an order may count twice for its shop: one more among hundreds.
        const isNew = (await findRow(db, "velocity", { tenant, order_key: orderKey }, ["at"])) === undefined;
        await keep(db, recorded);
        await forgetOldest(engine, db, recorded);
        // Last, because the orders of a shop wait for each other here.
        if (isNew && shop !== undefined) await addTallies(db, { tenant, shop, atMs });
      });
      // Read after the commit: this sees orders recorded before it, and later ones see this order.
      const [linked, ofShop] = await engine.read(async (db) => [
        await findLinked(db, recorded),
        shop === undefined ? undefined : await countForShop(db, { tenant, shop, atMs }),
      ]);
      const flooded = findFlooded(linked, atMs);
      if (flooded.length > 0) await engine.write((db) => thin(db, recorded, flooded));
      return { ...toVelocityCounts(linked, keys, atMs), ...(ofShop && { shop: ofShop }) };
    },
  };
}

/** Delete orders, and all others of a mailbox. */
export async function eraseVelocity(
  db: Database,
  { keyring }: Pick<StoreContext, "keyring">,
  {
    tenant,
    orderIds,
    email,
  }: {
    readonly tenant: TenantId;
    readonly orderIds: readonly string[];
    readonly email: string | undefined;
  },
): Promise<void> {
  await forChunks(orderIds.map(toOrderKey), (keys) =>
    deleteRows(db, "velocity", { tenant, order_key: keys }),
  );
  if (email === undefined) return;
  const mailbox = toMailboxKey(email, (purpose, text) => keyring.digest(tenant, purpose, text));
  await deleteRows(db, "velocity", { tenant, mailbox });
}

async function keep(db: Database, { tenant, orderKey, keys, atMs }: Recorded): Promise<void> {
  const { mailbox = null, email = null, network = null, card = null, address = null } = keys;
  const { billingPostcode: postcode = null, kin = null, manner = null } = keys;
  const row = { mailbox, email, network, card, address, postcode, kin, manner, at: atMs, passing: 0 };
  await upsert(db, "velocity", { tenant, order_key: orderKey }, row);
}

/**
 * Most keys are never seen again, so old rows are found by age: a few per new order, and only of its tenant, because another
 * tenant may be importing its history.
 */
async function forgetOldest(engine: Engine, db: Database, { tenant, atMs }: Recorded): Promise<void> {
  const oldest = (place: string, lock: RawBuilder<unknown>) => sql`
    select ${sql.ref(place)} from (
      select ${sql.ref(place)}, tenant from velocity where at < ${atMs - SIGHTING_KEPT_MS}
      order by at limit ${OLDEST_LOOKED_AT} ${lock}) as oldest
    where tenant = ${tenant}`;
  const isOldest =
    engine.dialect === "sqlite"
      ? sql`rowid in (${oldest("rowid", sql``)})`
      : sql`ctid = any (array(${oldest("ctid", sql`for update skip locked`)}))`;
  await sql`delete from velocity where ${isOldest}`.execute(db);
}

type LinkedRow = Omit<Schema["velocity"], "tenant" | "mailbox" | "network" | "passing"> & {
  readonly link: Link;
};

async function findLinked(db: Database, { tenant, keys, atMs }: Recorded): Promise<LinkedSightings> {
  const linked: Record<Link, Sighting[]> = { mailbox: [], network: [], card: [], address: [] };
  const queries = LINKS.filter((link) => keys[link] !== undefined).map(
    (link) => sql`select * from (
      select ${sql.lit(link)} as link, order_key, at, email, card, postcode, address, kin, manner from velocity
      where tenant = ${tenant} and ${sql.ref(link)} = ${keys[link]}
        and at <= ${atMs} and at > ${atMs - LONGEST_WINDOW_MS}
      order by at desc, order_key desc limit ${MOST_PER_KEY}) as ${sql.ref(`by_${link}`)}`,
  );
  if (queries.length === 0) return linked;
  const { rows } = await sql<LinkedRow>`${sql.join(queries, sql` union all `)}`.execute(db);
  for (const { link, order_key: orderKey, at, ...kept } of rows) {
    linked[link].push({
      orderKey,
      atMs: at,
      email: kept.email ?? undefined,
      card: kept.card ?? undefined,
      billingPostcode: kept.postcode ?? undefined,
      address: kept.address ?? undefined,
      kin: kept.kin ?? undefined,
      manner: (kept.manner as Manner | null) ?? undefined,
    });
  }
  // A union doesn't guarantee an order.
  for (const link of LINKS) linked[link].sort((a, b) => b.atMs - a.atMs);
  return linked;
}

/** Keep only as many orders of a flood as are compared; orders from before it stay. */
async function thin(db: Database, { tenant, orderKey, keys, atMs }: Recorded, flooded: readonly Link[]) {
  const ofTenant = sql`tenant = ${tenant}`;
  await sql`update velocity set passing = 1 where ${ofTenant} and order_key = ${orderKey}`.execute(db);
  for (const link of flooded) {
    await sql`delete from velocity where ${ofTenant} and passing = 1 and order_key in (
      select order_key from velocity where ${ofTenant} and ${sql.ref(link)} = ${keys[link]} and at <= ${atMs}
      order by at desc, order_key desc limit ${THINNED_AT_ONCE} offset ${MOST_PER_KEY})`.execute(db);
  }
}
