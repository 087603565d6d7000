import type { AccessEnd, TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import type { Decision } from "../../order/decision.ts";
import type { OrderState } from "../orders/order-states.ts";
import { SETTLED_COLUMNS } from "../orders/orders.ts";
import type { Database } from "../schema/schema.ts";
import type { Place } from "../sealing/sealing.ts";
import type { TimelineEntry } from "../orders/order-record.ts";
import { areOrders, deleteRows, findRow, inChunks, updateRows, upsert } from "../statements.ts";
import { addTimelines } from "../orders/history.ts";

/** A tenant as kept. */
export interface TenantRecord {
  readonly tenant: TenantId;
  readonly platform: string;
  readonly state: "installed" | "uninstalled";
  readonly installedAtMs: number;
  /** When it left; null while it is installed. */
  readonly uninstalledAtMs: number | null;
  /** The platform refused access that should still have worked, as it does once the app was uninstalled there. */
  readonly accessRefused: boolean;
}

/** Tenants, and their access to a platform. */
export interface TenantStore {
  getTenant(tenant: TenantId): Promise<TenantRecord | null>;
  /**
   * Keep a tenant's secret. `installed` makes it an installed tenant from `nowMs` on, and due what waited for that,
   * and the orders that were held when it left; `refreshed` is ignored unless it is one.
   */
  saveCredential(
    tenant: TenantId,
    platform: string,
    secret: string,
    occasion: "installed" | "refreshed",
    nowMs: number,
  ): Promise<void>;
  loadCredential(tenant: TenantId): Promise<string | null>;
  /** Forget a tenant's secret. `refused`: the platform no longer takes it although its time had not run out. */
  discardCredential(tenant: TenantId, why: AccessEnd, nowMs: number): Promise<void>;
  /**
   * The tenant uninstalled: secrets go, its unfinished orders are settled with the entry. Nothing changes when it is
   * `not-installed`, or was installed after `atMs`.
   */
  uninstallTenant(
    tenant: TenantId,
    atMs: number,
    entry: TimelineEntry,
  ): Promise<"uninstalled" | "not-installed" | "installed-again">;
  /** Tenants that are installed, with the platform of each; whether we still have access to it. */
  listTenants(): Promise<
    readonly (Pick<TenantRecord, "tenant" | "platform" | "installedAtMs"> & { readonly hasAccess: boolean })[]
  >;
}

export function createTenants({ engine, sealer }: StoreContext): TenantStore {
  return {
    async getTenant(tenant) {
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
        const installation = { tenant, platform, secret: sealed, nowMs };
        await engine.write((db) => install(db, installation), { alone: toInstallationName(tenant) });
        engine.announceWork();
        return;
      }
      // A refresh that was under way while the tenant left must not bring it back.
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

    uninstallTenant: (tenant, atMs, entry) =>
      engine.write((db) => leave(db, tenant, atMs, entry), { alone: toInstallationName(tenant) }),

    async listTenants() {
      const rows = await engine.read((db) =>
        db
          .selectFrom("tenants")
          .select(["tenant", "platform", "installed_at as installedAtMs"])
          .select((eb) => eb.case().when("secret", "is", null).then(0).else(1).end().as("access"))
          .where("state", "=", "installed")
          .orderBy("tenant")
          .execute(),
      );
      return rows.map(({ access, ...tenant }) => ({ ...tenant, hasAccess: access === 1 }));
    },
  };
}

/** Under this name a tenant's installation is changed, and waited for, one unit at a time. */
export function toInstallationName(tenant: string): string {
  return `installation:${tenant}`;
}

function placeOfSecret(tenant: string): Place {
  return { tenant, table: "tenants", column: "secret", row: tenant };
}

async function install(
  db: Database,
  { tenant, platform, secret, nowMs }: { tenant: string; platform: string; secret: Buffer; nowMs: number },
): Promise<void> {
  const installation = {
    platform,
    state: "installed",
    installed_at: nowMs,
    uninstalled_at: null,
    access_refused_at: null,
    secret,
  } as const;
  const before = await findRow(db, "tenants", { tenant }, ["uninstalled_at"]);
  await upsert(db, "tenants", { tenant }, installation);
  const awaiting = { tenant, awaits_installation: 1 };
  await updateRows(db, "deliveries", awaiting, { awaits_installation: 0, due_at: nowMs });
  const leftAtMs = before?.uninstalled_at ?? null;
  if (leftAtMs !== null) await resumeHeld(db, tenant, { leftAtMs, nowMs });
}

/**
 * Take up the orders that were held when the tenant left: their holds may still be there, and nobody else would take them
 * off. They have no deadline, since a person has to look at what happened meanwhile.
 */
async function resumeHeld(
  db: Database,
  tenant: string,
  { leftAtMs, nowMs }: { readonly leftAtMs: number; readonly nowMs: number },
): Promise<void> {
  const rows = await db
    .selectFrom("orders")
    .innerJoin("order_steps as steps", (join) =>
      join.onRef("steps.tenant", "=", "orders.tenant").onRef("steps.order_id", "=", "orders.order_id"),
    )
    .select(["orders.order_id as orderId", "orders.decision", "steps.step", "steps.at"])
    .where("orders.tenant", "=", tenant)
    .where("orders.state", "=", "settled")
    .where("orders.settled_at", ">=", leftAtMs)
    .where("steps.step", "in", ["hold", "release", "cancel"])
    .where("steps.state", "=", "done")
    .execute();
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId);
  const held = [...byOrder.values()].filter((steps) => isHeld(steps)).map(([order]) => order);
  const byState = Map.groupBy(
    held.filter((order) => order !== undefined),
    toResumedState,
  );
  const event = { kind: "review", problems: [] } as const;
  const detail = "the shop installed the app again: its hold is looked after again";
  const entry = { atMs: nowMs, kind: event.kind, detail, event, actor: "holdfast" };
  for (const [state, orders] of byState) {
    const orderIds = orders.map(({ orderId }) => orderId);
    await inChunks(orderIds, async (ids) => {
      await db.updateTable("orders").set({ state, due_at: nowMs }).where(areOrders(tenant, ids)).execute();
      await addTimelines(db, tenant, ids, [entry]);
      return [];
    });
  }
}

/** Whether the steps that were done leave a hold. */
function isHeld(steps: readonly { readonly step: string; readonly at: number }[]): boolean {
  const find = (name: string) => steps.find(({ step }) => step === name);
  const hold = find("hold");
  const release = find("release");
  return (
    hold !== undefined && find("cancel") === undefined && (release === undefined || release.at < hold.at)
  );
}

/** Where a held order goes on: what a person approved is released, what nobody decided is decided. */
function toResumedState({ decision }: { readonly decision: string | null }): OrderState {
  if (decision === null) return "received";
  const { source, action } = JSON.parse(decision) as Decision;
  return source === "person" && action === "allow" ? "decided" : "review";
}

async function leave(
  db: Database,
  tenant: string,
  atMs: number,
  entry: TimelineEntry,
): Promise<"uninstalled" | "not-installed" | "installed-again"> {
  const known = await findRow(db, "tenants", { tenant }, ["state", "installed_at"]);
  if (known?.state !== "installed") return "not-installed";
  if (known.installed_at > atMs) return "installed-again";
  const left = { state: "uninstalled", uninstalled_at: atMs, secret: null } as const;
  await updateRows(db, "tenants", { tenant }, left);
  await settleUnfinished(db, tenant, entry);
  return "uninstalled";
}

async function settleUnfinished(db: Database, tenant: string, entry: TimelineEntry): Promise<void> {
  const settled = await db
    .updateTable("orders")
    .set({ ...SETTLED_COLUMNS, settled_at: entry.atMs })
    .where("tenant", "=", tenant)
    .where("state", "<>", "settled")
    .returning("order_id")
    .execute();
  const orderIds = settled.map((row) => row.order_id);
  await inChunks(orderIds, async (ids) => {
    await addTimelines(db, tenant, ids, [entry]);
    return [];
  });
}

/** Delete the tenant's own row; `false` when it was installed after that moment. */
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
