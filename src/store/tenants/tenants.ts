import { sql, type SqlBool } from "kysely";
import type { AccessEnd, TenantId } from "../../platform/platform.ts";
import { writeWork, type StoreContext } from "../context.ts";
import type { Decision } from "../../order/decision.ts";
import { ORDER_STATES, type OrderState } from "../orders/order-states.ts";
import { SETTLED_COLUMNS } from "../orders/orders.ts";
import type { Database } from "../schema/schema.ts";
import type { Place } from "../sealing/sealing.ts";
import type { TimelineEntry } from "../orders/order-record.ts";
import { deleteRows, findRow, forChunks, updateRows, upsert } from "../statements.ts";
import { addTimelines } from "../orders/history.ts";
import { FREE } from "../engines/engine.ts";

export interface TenantRecord {
  readonly tenant: TenantId;
  readonly platform: string;
  readonly state: "installed" | "uninstalled";
  readonly installedAtMs: number;
  /** When it uninstalled the app; null while it is installed. */
  readonly uninstalledAtMs: number | null;
  /** The platform refused access that should still have worked, as happens once the app is uninstalled there. */
  readonly accessRefused: boolean;
}

export interface InstalledTenant {
  readonly tenant: TenantId;
  readonly platform: string;
  readonly installedAtMs: number;
  readonly hasAccess: boolean;
}

export interface TenantStore {
  get(tenant: TenantId): Promise<TenantRecord | null>;
  /**
   * Store a tenant's secret. `installed` makes the tenant installed from `nowMs` on, and makes due whatever waited for the
   * install or was unfinished when it last uninstalled. `refreshed` is ignored if the tenant isn't installed.
   */
  saveCredential(
    tenant: TenantId,
    platform: string,
    secret: string,
    occasion: "installed" | "refreshed",
    nowMs: number,
  ): Promise<void>;
  loadCredential(tenant: TenantId): Promise<string | null>;
  /** Delete a tenant's secret. `refused`: the platform no longer accepts it although it hadn't expired. */
  discardCredential(tenant: TenantId, why: AccessEnd, nowMs: number): Promise<void>;
  /**
   * The tenant uninstalled the app: delete its secrets and settle its unfinished orders with the entry. Nothing changes if
   * it is `not-installed` or was installed after `atMs`.
   */
  uninstall(
    tenant: TenantId,
    atMs: number,
    entry: TimelineEntry,
  ): Promise<"uninstalled" | "not-installed" | "installed-again">;
  /** Installed tenants with their platforms, and whether we still have access. */
  list(): Promise<readonly InstalledTenant[]>;
}

export function createTenants({ engine, sealer }: StoreContext): TenantStore {
  return {
    async get(tenant) {
      const columns = ["platform", "state", "installed_at", "uninstalled_at", "access_refused_at"] as const;
      const row = await engine.read((db) => findRow(db, "tenants", { tenant }, columns));
      if (row === undefined) return null;
      const { platform, state, installed_at: installedAtMs, uninstalled_at: uninstalledAtMs } = row;
      const accessRefused = row.access_refused_at !== null;
      return { tenant, platform, state, installedAtMs, uninstalledAtMs, accessRefused };
    },

    async saveCredential(tenant, platform, secret, occasion, nowMs) {
      const sealed = sealer.sealBytes(placeOfSecret(tenant), secret);
      if (occasion === "installed") {
        const ended = { uninstalled_at: null, access_refused_at: null };
        const row = { platform, state: "installed", installed_at: nowMs, ...ended, secret: sealed } as const;
        const install = async (db: Database): Promise<void> => {
          await upsert(db, "tenants", { tenant }, row);
          const awaiting = { tenant, awaits_installation: 1 };
          await updateRows(db, "deliveries", awaiting, { awaits_installation: 0, due_at: nowMs });
          await resumeLeft(db, tenant, nowMs);
        };
        return writeWork(engine, install, () => true, { alone: toInstallationName(tenant) });
      }
      // A refresh that was under way while the tenant uninstalled must not bring it back.
      const refreshed = { secret: sealed, access_refused_at: null };
      await engine.write((db) => updateRows(db, "tenants", { tenant, state: "installed" }, refreshed));
    },

    async loadCredential(tenant) {
      const row = await engine.read((db) => findRow(db, "tenants", { tenant }, ["secret"]));
      const sealed = row?.secret ?? null;
      return sealed === null ? null : sealer.openBytes(placeOfSecret(tenant), sealed).toString();
    },

    async discardCredential(tenant, why, nowMs) {
      const refused = why === "refused" ? { access_refused_at: nowMs } : {};
      await engine.write((db) => updateRows(db, "tenants", { tenant }, { secret: null, ...refused }));
    },

    uninstall: (tenant, atMs, entry) =>
      engine.write((db) => leave(db, tenant, atMs, entry), { alone: toInstallationName(tenant) }),

    async list() {
      const query = sql<Pick<TenantRecord, "tenant" | "platform" | "installedAtMs"> & { access: number }>`
        select tenant, platform, installed_at as "installedAtMs", case when secret is null then 0 else 1 end as access
        from tenants where state = 'installed' order by tenant`;
      const { rows } = await engine.read((db) => query.execute(db));
      return rows.map(({ access, ...tenant }) => ({ ...tenant, hasAccess: access === 1 }));
    },
  };
}

/** The name under which changes to a tenant's installation run one at a time. */
export function toInstallationName(tenant: string): string {
  return `installation:${tenant}`;
}

function placeOfSecret(tenant: string): Place {
  return { tenant, table: "tenants", column: "secret", row: tenant };
}

/** The merchant has handled older orders. A person can still have one checked. */
const LEFT_FOR_MS = 24 * 3_600_000;

/** An order that was unfinished when its tenant uninstalled. */
interface LeftOrder {
  readonly orderId: string;
  readonly decision: string | null;
  /** 1: our hold may still be there. */
  readonly held: number;
  /** 1: it can be checked and is new enough. */
  readonly fresh: number;
  /** 1: at rest, it may be due again for the service's answer or the platform's newer data. */
  readonly open: number;
}

/**
 * Resume the orders that were held when the tenant uninstalled: their holds may still exist, and nobody else would remove
 * them. They get no deadline, because a person has to look at what happened meanwhile. New orders without a decision are
 * checked.
 */
async function resumeLeft(db: Database, tenant: string, nowMs: number): Promise<void> {
  const wasLeft = sql<SqlBool>`left_at is not null`;
  // Nearly all orders are settled. Appending '' keeps SQLite from using an index on the state, which would read them all.
  const query = sql<LeftOrder>`
    select order_id as "orderId", decision, case when ${IS_HELD} then 1 else 0 end as held,
      case when mapped is not null and received_at > ${nowMs - LEFT_FOR_MS} then 1 else 0 end as fresh,
      case when degraded = 1 or reread_at is not null then 1 else 0 end as open
    from orders where tenant = ${tenant} and ${wasLeft} and (state || '') = 'settled'`;
  const { rows } = await query.execute(db);
  await updateRows(db, "orders", { tenant }, { left_at: null }, wasLeft);
  for (const [state, orders] of Map.groupBy(rows, toResumedState)) {
    if (state === null) continue;
    const isChecked = state === "received";
    const event = isChecked ? ({ kind: "ready" } as const) : ({ kind: "review", problems: [] } as const);
    const what = isChecked ? "the order is checked now" : "its hold is watched again";
    const detail = `the shop installed the app again: ${what}`;
    const entry = { atMs: nowMs, kind: event.kind, detail, event, actor: "holdfast" };
    const orderIds = orders.map(({ orderId }) => orderId);
    await forChunks(orderIds, async (ids) => {
      await updateRows(db, "orders", { tenant, order_id: ids }, { state, due_at: nowMs });
      if (state !== "settled") await addTimelines(db, tenant, ids, [entry]);
    });
  }
}

/** The state in which an order resumes: approved orders are released, undecided ones are decided. Null if it stays at rest. */
function toResumedState({ decision, held, fresh, open }: LeftOrder): OrderState | null {
  if (decision === null) return held === 1 || fresh === 1 ? "received" : null;
  if (held === 0) return open === 1 ? "settled" : null;
  const { source, action } = JSON.parse(decision) as Decision;
  return source === "person" && action === "allow" ? "decided" : "review";
}

/** Whether the completed steps leave a hold. */
const IS_HELD = sql<SqlBool>`exists (
  select 1 from order_steps as hold
  where hold.tenant = orders.tenant and hold.order_id = orders.order_id and hold.step = 'hold' and hold.state = 'done'
    and not exists (
      select 1 from order_steps as later
      where later.tenant = hold.tenant and later.order_id = hold.order_id and later.state = 'done'
        and (later.step = 'cancel' or (later.step = 'release' and later.at >= hold.at))))`;

async function leave(db: Database, tenant: string, atMs: number, entry: TimelineEntry) {
  const known = await findRow(db, "tenants", { tenant }, ["state", "installed_at"]);
  if (known?.state !== "installed") return "not-installed";
  if (known.installed_at > atMs) return "installed-again";
  const left = { state: "uninstalled", uninstalled_at: atMs, secret: null } as const;
  await updateRows(db, "tenants", { tenant }, left);
  await settleUnfinished(db, tenant, entry);
  return "uninstalled";
}

/** Naming the states lets the index find the few orders that match. */
const UNFINISHED = ORDER_STATES.filter((state) => state !== "settled");

async function settleUnfinished(db: Database, tenant: string, entry: TimelineEntry): Promise<void> {
  const settled = await db
    .updateTable("orders")
    .set({ ...SETTLED_COLUMNS, settled_at: entry.atMs, left_at: entry.atMs })
    .where("tenant", "=", tenant)
    .where("state", "in", UNFINISHED)
    .returning("order_id")
    .execute();
  const orderIds = settled.map((row) => row.order_id);
  await forChunks(orderIds, (ids) => addTimelines(db, tenant, ids, [entry]));
  // Orders at rest that were due again: nothing more is paid for a tenant that has uninstalled.
  const resting = { due_at: null, ...FREE, left_at: entry.atMs };
  await updateRows(db, "orders", { tenant }, resting, sql<SqlBool>`ready_at is not null`);
}

/** Delete the tenant's own row; `false` if it was installed after that time. */
export async function forgetTenant(
  db: Database,
  tenant: string,
  installedBeforeMs: number,
): Promise<boolean> {
  const installed = await findRow(db, "tenants", { tenant, state: "installed" }, ["installed_at"]);
  if (installed !== undefined && installed.installed_at > installedBeforeMs) return false;
  await deleteRows(db, "tenants", { tenant });
  return true;
}
