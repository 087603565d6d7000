import { sql, type Updateable } from "kysely";
import type { ErrorCode } from "../../base/errors.ts";
import type { TenantId } from "../../platform/platform.ts";
import { claimDue, toDueAt, type ClaimOptions, FREE } from "../engines/engine.ts";
import { DELIVERIES } from "../engines/work-lines.ts";
import { writeWork, type StoreContext } from "../context.ts";
import type { Database, DeliveryRow, Schema } from "../schema/schema.ts";
import type { Place } from "../sealing/sealing.ts";
import { toInstallationName } from "../tenants/tenants.ts";
import { findRow, selectOne, updateRows, toChunks } from "../statements.ts";

export interface NewDelivery extends DeliveryKey {
  readonly platform: string;
  readonly topic: string;
  readonly receivedAtMs: number;
  readonly body: Buffer;
}

export interface ClaimedDelivery extends NewDelivery {
  readonly attempts: number;
}

export interface DeliveryKey {
  readonly tenant: TenantId;
  readonly deliveryId: string;
}

/** What older deliveries show about this one's body. Newer ones don't count, because the first isn't a repeat. */
export interface BodyTrace {
  /** Another tenant received the same body before, or in the same millisecond. */
  readonly underAnotherTenant: boolean;
  /** The same tenant received it under the same topic before, and that delivery was processed or is waiting. */
  readonly repeated: boolean;
}

/** How many deliveries wait for an installation. */
export interface AwaitingCounts {
  readonly ofTenant: number;
  readonly inAll: number;
}

/** SQLite takes 32,766 parameters in a statement, Postgres 65,535; a delivery has ten. */
const ROWS_PER_INSERT = 500;
/** How long until a delivery that can't be decrypted is tried again. It stays in the backlog until somebody fixes it. */
const UNREADABLE_RETRY_MS = 3_600_000;

export interface DeliveryStore {
  /**
   * Store deliveries durably in one transaction. Resolves, in the order of the input, to whether each was new. A
   * repeat of a stored `(tenant, deliveryId)` isn't, even within the same batch.
   */
  save(deliveries: readonly NewDelivery[]): Promise<readonly boolean[]>;
  /**
   * Claim due deliveries, oldest first, but so that one tenant's flood doesn't delay another tenant's first delivery.
   */
  claim(options: ClaimOptions): Promise<readonly ClaimedDelivery[]>;
  /** Mark the delivery as done: its body is erased, and its id stays for deduplication. */
  finish(key: DeliveryKey, owner: string, outcome: string): Promise<void>;
  /** Try again later. */
  retry(key: DeliveryKey, owner: string, dueAtMs: number, error: ErrorCode | null): Promise<void>;
  /**
   * What is known about a delivery's body. A delivery whose outcome begins with `ignored` or `refused` wasn't
   * processed.
   */
  traceBody(key: DeliveryKey): Promise<BodyTrace>;
  /**
   * Store a delivery, sealed, until its tenant installs the app: `saveCredential` makes it due. Resolves to `false`
   * without a change if the tenant has been installed by now.
   */
  awaitInstallation(key: DeliveryKey, owner: string): Promise<boolean>;
  countAwaiting(tenant: TenantId): Promise<AwaitingCounts>;
}

export function createDeliveryStore(context: StoreContext): DeliveryStore {
  const { engine } = context;
  return {
    save: (deliveries) => saveDeliveries(context, deliveries),
    claim: (options) => claimDeliveries(context, options),

    async finish(key, owner, outcome) {
      const finished = { body: null, due_at: null, ...FREE, outcome, error: null };
      await engine.write((db) => updateOwn(db, key, owner, finished));
    },

    async retry(key, owner, dueAtMs, error) {
      const postponed = { due_at: Math.ceil(dueAtMs), ...FREE, error };
      await engine.write((db) => updateOwn(db, key, owner, postponed));
    },

    traceBody: (key) => engine.read((db) => traceBody(db, key)),

    awaitInstallation: (key, owner) =>
      // Wait for an installation that is being saved, or it would miss this delivery.
      engine.write((db) => awaitInstallation(db, key, owner), { alone: toInstallationName(key.tenant) }),

    countAwaiting: (tenant) => {
      const query = sql<AwaitingCounts>`
        select
          cast((select count(*) from deliveries where awaits_installation = 1) as bigint) as "inAll",
          cast((select count(*) from deliveries where awaits_installation = 1 and tenant = ${tenant}) as bigint)
            as "ofTenant"`;
      return engine.read((db) => selectOne(db, query));
    },
  };
}

async function saveDeliveries(context: StoreContext, deliveries: readonly NewDelivery[]) {
  if (deliveries.length === 0) return [];
  // Seal before the transaction, because others wait for it. Sort, so that batches with the same deliveries can't
  // deadlock.
  const rows = deliveries
    .map((delivery) => toRow(context, delivery))
    .toSorted((a, b) => compare(toName(a), toName(b)));
  const { engine } = context;
  const insert = async (db: Database): Promise<Set<string>> => {
    const inserted = new Set<string>();
    for (const chunk of toChunks(rows, ROWS_PER_INSERT)) {
      const returned = await db
        .insertInto("deliveries")
        .values(chunk)
        .onConflict((conflict) => conflict.columns(["tenant", "delivery_id"]).doNothing())
        .returning(["tenant", "delivery_id"])
        .execute();
      for (const row of returned) inserted.add(toName(row));
    }
    return inserted;
  };
  // The platform waits for its receipt, and sends the webhook again after a timeout.
  const kept = await writeWork(engine, insert, ({ size }) => size > 0, { urgent: true });
  // Removing the key here makes a repeat within the batch count as a repeat.
  return deliveries.map(({ tenant, deliveryId }) => kept.delete(toName({ tenant, delivery_id: deliveryId })));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

const toName = ({ tenant, delivery_id: id }: Pick<DeliveryRow, "tenant" | "delivery_id">) =>
  `${tenant}\0${id}`;

async function traceBody(db: Database, key: DeliveryKey): Promise<BodyTrace> {
  const isOlderTwin = sql`twin.body_digest = own.body_digest and twin.received_at <= own.received_at`;
  const { rows } = await sql<{ elsewhere: number; before: number }>`
    select
      case when exists (select 1 from deliveries as twin where ${isOlderTwin} and twin.tenant < own.tenant)
        or exists (select 1 from deliveries as twin where ${isOlderTwin} and twin.tenant > own.tenant)
        then 1 else 0 end as elsewhere,
      case when exists (select 1 from deliveries as twin
        where ${isOlderTwin} and twin.tenant = own.tenant and twin.topic = own.topic
          and twin.delivery_id <> own.delivery_id and (twin.awaits_installation = 1
            or (twin.outcome not like 'ignored%' and twin.outcome not like 'refused%'))) then 1 else 0 end as before
    from deliveries as own where own.tenant = ${key.tenant} and own.delivery_id = ${key.deliveryId}`.execute(
    db,
  );
  const [found] = rows;
  return { underAnotherTenant: found?.elsewhere === 1, repeated: found?.before === 1 };
}

async function awaitInstallation(db: Database, key: DeliveryKey, owner: string): Promise<boolean> {
  const installed = { tenant: key.tenant, state: "installed" } as const;
  if ((await findRow(db, "tenants", installed, ["tenant"])) !== undefined) return false;
  const awaiting = { awaits_installation: 1, due_at: null, ...FREE, error: null };
  await updateOwn(db, key, owner, awaiting);
  return true;
}

async function claimDeliveries({ engine, sealer }: StoreContext, options: ClaimOptions) {
  const { owner, nowMs } = options;
  const rows = await claimDue(
    engine,
    options,
    [{ ...options, lines: [DELIVERIES] }],
    (db, isClaimed, lease) =>
      db
        .updateTable("deliveries")
        .set({ ...lease, attempts: sql`attempts + 1` })
        .where(isClaimed)
        .returningAll()
        .execute(),
  );
  const readable: ClaimedDelivery[] = [];
  for (const { tenant, delivery_id: deliveryId, platform, topic, ...row } of rows) {
    const key = { tenant, deliveryId };
    const body = sealer.tryBytes(placeOfBody(key), row.body);
    if (body !== undefined) {
      // The column includes this claim.
      const attempts = row.attempts - 1;
      readable.push({ ...key, platform, topic, receivedAtMs: row.received_at, body, attempts });
    } else {
      // One delivery that can't be decrypted must not keep the others from being claimed.
      const aside = { due_at: nowMs + UNREADABLE_RETRY_MS, ...FREE, error: "DATA_UNREADABLE" };
      await engine.write((db) => updateOwn(db, key, owner, aside));
    }
  }
  return readable;
}

function updateOwn(db: Database, key: DeliveryKey, owner: string, changes: Updateable<Schema["deliveries"]>) {
  const own = { tenant: key.tenant, delivery_id: key.deliveryId, lease_owner: owner };
  return updateRows(db, "deliveries", own, changes);
}

function toRow({ engine, sealer }: StoreContext, delivery: NewDelivery) {
  return {
    tenant: delivery.tenant,
    delivery_id: delivery.deliveryId,
    platform: delivery.platform,
    topic: delivery.topic,
    received_at: delivery.receivedAtMs,
    body: sealer.sealBytes(placeOfBody(delivery), delivery.body),
    body_digest: sealer.bodyDigest(delivery.body),
    attempts: 0,
    due_at: toDueAt(engine, delivery.receivedAtMs),
  };
}

export function placeOfBody(key: DeliveryKey): Place {
  return { tenant: key.tenant, table: "deliveries", column: "body", row: key.deliveryId };
}
