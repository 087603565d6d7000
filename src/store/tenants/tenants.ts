import { sql } from "kysely";
import { addAccess } from "../people/access-log.ts";
import { toChunks } from "../engines/engine.ts";
import type { StoreContext } from "../context.ts";
import { addTimelines } from "../orders/order-rows.ts";
import { SETTLED_COLUMNS } from "../orders/orders.ts";
import type { Database } from "../schema/schema.ts";
import type { Place } from "../sealing/sealing.ts";
import type { PolicyVersion, TenantStore } from "./tenant-store.ts";
import type { TimelineEntry } from "../orders/order-record.ts";
import { deleteRows, findRow, updateRows, upsert } from "../statements.ts";

/** An entry has six parameters, of which a statement takes a limited number. */
const ENTRIES_PER_INSERT = 500;

/**
 * A lease that ends this much later than the one that is asked for was taken by a clock that was ahead, perhaps by days
 * and by a process that is gone: two times for which the same lease is taken differ by less.
 */
const LEASES_DIFFER_MS = 3_600_000;

type TenantAccess = Pick<
  TenantStore,
  | "getTenant"
  | "saveCredential"
  | "listInstalled"
  | "loadCredential"
  | "discardCredential"
  | "uninstallTenant"
  | "loadPolicy"
  | "savePolicy"
  | "acquireLease"
  | "releaseLease"
>;

/** Tenants: installation, secret, policy; and named leases. */
export function createTenantAccess(context: StoreContext): TenantAccess {
  return {
    ...createInstallations(context),
    ...createSecrets(context),
    ...createPolicies(context),
    ...createLeases(context),
  };
}

function createInstallations({ engine, sealer }: StoreContext) {
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

    async listInstalled() {
      const rows = await engine.read((db) =>
        db
          .selectFrom("tenants")
          .select(["tenant", "platform", "installed_at"])
          .where("state", "=", "installed")
          .where("secret", "is not", null)
          .execute(),
      );
      return rows.map(({ tenant, platform, installed_at: installedAtMs }) => ({
        tenant,
        platform,
        installedAtMs,
      }));
    },

    uninstallTenant: (tenant, atMs, entry) =>
      engine.write((db) => leave(db, tenant, atMs, entry), { alone: toInstallationName(tenant) }),
  } satisfies Partial<TenantAccess>;
}

function createSecrets({ engine, sealer }: StoreContext) {
  return {
    async loadCredential(tenant) {
      const row = await engine.read((db) => findRow(db, "tenants", { tenant }, ["secret"]));
      const sealed = row?.secret ?? null;
      return sealed === null ? null : sealer.openBytes(placeOfSecret(tenant), sealed).toString();
    },

    async discardCredential(tenant, why, nowMs) {
      const refused = why === "refused" ? { access_refused_at: nowMs } : {};
      await engine.write((db) => updateRows(db, "tenants", { tenant }, { secret: null, ...refused }));
    },
  } satisfies Partial<TenantAccess>;
}

function createPolicies({ engine, sealer }: StoreContext) {
  return {
    async loadPolicy(tenant) {
      const row = await engine.read((db) =>
        db
          .selectFrom("policies")
          .select(["version", "document", "saved_at"])
          .where("tenant", "=", tenant)
          .orderBy("version", "desc")
          .limit(1)
          .executeTakeFirst(),
      );
      if (row === undefined) return null;
      const document = sealer.openJson(placeOfPolicy(tenant, row.version), row.document);
      return { version: row.version, document, savedAtMs: row.saved_at };
    },

    savePolicy(tenant, document, expectedVersion, nowMs, actor) {
      const unit = async (db: Database): Promise<PolicyVersion | null> => {
        const current = await findNewestPolicy(db, tenant);
        if (expectedVersion !== undefined && expectedVersion !== current) return null;
        const version = current + 1;
        const sealed = sealer.sealJson(placeOfPolicy(tenant, version), document);
        await db
          .insertInto("policies")
          .values({ tenant, version, document: sealed, saved_at: nowMs, actor: actor ?? null })
          .execute();
        if (actor !== undefined) {
          await addAccess(db, tenant, { atMs: nowMs, actor, what: "policy", subject: String(version) });
        }
        return { version, document, savedAtMs: nowMs };
      };
      return engine.write(unit, { alone: `policy:${tenant}` });
    },
  } satisfies Partial<TenantAccess>;
}

function createLeases({ engine }: StoreContext) {
  return {
    async acquireLease(name, owner, nowMs, untilMs, { endsWithProcess = false } = {}) {
      const leaseNow = engine.leaseClock(nowMs);
      const forMs = untilMs - nowMs;
      const row = {
        owner,
        lease_until: sql<number>`${leaseNow} + ${forMs}`,
        process_id: endsWithProcess ? await engine.processId() : null,
      };
      const far = sql<number>`${leaseNow} + ${forMs + LEASES_DIFFER_MS}`;
      const held = await engine.write((db) =>
        db
          .insertInto("leases")
          .values({ name, ...row })
          .onConflict((conflict) =>
            conflict
              .column("name")
              .doUpdateSet(row)
              .where((eb) =>
                eb.or([
                  eb("leases.owner", "=", owner),
                  eb("leases.lease_until", "<=", leaseNow),
                  eb("leases.lease_until", ">", far),
                ]),
              ),
          )
          .returning("name")
          .execute(),
      );
      return held.length > 0;
    },

    releaseLease: (name, owner) => engine.write((db) => deleteRows(db, "leases", { name, owner })),
  } satisfies Partial<TenantAccess>;
}

/** Under this name a tenant's installation is changed, and waited for, one unit at a time. */
export function toInstallationName(tenant: string): string {
  return `installation:${tenant}`;
}

function placeOfSecret(tenant: string): Place {
  return { tenant, table: "tenants", column: "secret", row: tenant };
}

/** The version of a tenant's policy that was saved last; 0 when none was. */
export async function findNewestPolicy(db: Database, tenant: string): Promise<number> {
  const newest = await db
    .selectFrom("policies")
    .select((eb) => eb.fn.max("version").as("version"))
    .where("tenant", "=", tenant)
    .executeTakeFirst();
  return newest?.version ?? 0;
}

/** Where a version of a policy is sealed for. */
export function placeOfPolicy(tenant: string, version: number): Place {
  return { tenant, table: "policies", column: "document", row: String(version) };
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
  await upsert(db, "tenants", { tenant }, installation);
  const awaiting = { tenant, awaits_installation: 1 };
  await updateRows(db, "deliveries", awaiting, { awaits_installation: 0, due_at: nowMs });
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
  for (const chunk of toChunks(settled, ENTRIES_PER_INSERT)) {
    await addTimelines(
      db,
      tenant,
      chunk.map((row) => row.order_id),
      [entry],
    );
  }
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
