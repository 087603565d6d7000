import type { StoreContext } from "./kysely-store.ts";
import { SETTLED_COLUMNS } from "./orders.ts";
import type { Database } from "./schema.ts";
import type { Place } from "./sealing.ts";
import type { PolicyVersion, TenantStore, TimelineEntry } from "./store.ts";

type TenantAccess = Pick<
  TenantStore,
  | "getTenant"
  | "saveCredential"
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
  return { ...createInstallations(context), ...createPolicies(context), ...createLeases(context) };
}

function createInstallations({ engine, sealer }: StoreContext) {
  return {
    async getTenant(tenant) {
      const row = await engine.read((db) =>
        db
          .selectFrom("tenants")
          .select(["platform", "state", "installed_at"])
          .where("tenant", "=", tenant)
          .executeTakeFirst(),
      );
      if (row === undefined) return null;
      return { tenant, platform: row.platform, state: row.state, installedAtMs: row.installed_at };
    },

    async saveCredential(tenant, platform, secret, occasion, nowMs) {
      const sealed = sealer.sealBytes(placeOfSecret(tenant), secret);
      await engine.write(async (db) => {
        if (occasion === "installed") await install(db, { tenant, platform, secret: sealed, nowMs });
        else {
          // A refresh that was under way while the tenant left must not bring it back.
          await db
            .updateTable("tenants")
            .set({ secret: sealed })
            .where("tenant", "=", tenant)
            .where("state", "=", "installed")
            .execute();
        }
      });
    },

    async loadCredential(tenant) {
      const row = await engine.read((db) =>
        db.selectFrom("tenants").select("secret").where("tenant", "=", tenant).executeTakeFirst(),
      );
      const sealed = row?.secret ?? null;
      return sealed === null ? null : sealer.openBytes(placeOfSecret(tenant), sealed).toString();
    },

    async discardCredential(tenant) {
      await engine.write((db) =>
        db.updateTable("tenants").set({ secret: null }).where("tenant", "=", tenant).execute(),
      );
    },

    uninstallTenant(tenant, platform, triggeredAtMs, entry) {
      return engine.write(async (db) => {
        const left = await db
          .insertInto("tenants")
          .values({ tenant, platform, state: "uninstalled", installed_at: triggeredAtMs, secret: null })
          .onConflict((conflict) =>
            conflict
              .column("tenant")
              .doUpdateSet({ state: "uninstalled", secret: null })
              .where("tenants.installed_at", "<=", triggeredAtMs),
          )
          .returning("tenant")
          .executeTakeFirst();
        if (left === undefined) return "installed-again";
        await settleUnfinished(db, tenant, entry);
        return "uninstalled";
      });
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

    savePolicy(tenant, document, expectedVersion, nowMs) {
      return engine.write(async (db): Promise<PolicyVersion | null> => {
        await engine.serialize(db, `policy:${tenant}`);
        const newest = await db
          .selectFrom("policies")
          .select((eb) => eb.fn.max("version").as("version"))
          .where("tenant", "=", tenant)
          .executeTakeFirst();
        const current = newest?.version ?? 0;
        if (expectedVersion !== undefined && expectedVersion !== current) return null;
        const version = current + 1;
        const sealed = sealer.sealJson(placeOfPolicy(tenant, version), document);
        await db
          .insertInto("policies")
          .values({ tenant, version, document: sealed, saved_at: nowMs })
          .execute();
        return { version, document, savedAtMs: nowMs };
      });
    },
  } satisfies Partial<TenantAccess>;
}

function createLeases({ engine }: StoreContext) {
  return {
    async acquireLease(name, owner, nowMs, untilMs) {
      const held = await engine.write((db) =>
        db
          .insertInto("leases")
          .values({ name, owner, lease_until: untilMs })
          .onConflict((conflict) =>
            conflict
              .column("name")
              .doUpdateSet({ owner, lease_until: untilMs })
              .where((eb) => eb.or([eb("leases.owner", "=", owner), eb("leases.lease_until", "<=", nowMs)])),
          )
          .returning("name")
          .execute(),
      );
      return held.length > 0;
    },

    async releaseLease(name, owner) {
      await engine.write((db) =>
        db.deleteFrom("leases").where("name", "=", name).where("owner", "=", owner).execute(),
      );
    },
  } satisfies Partial<TenantAccess>;
}

function placeOfSecret(tenant: string): Place {
  return { tenant, table: "tenants", column: "secret", row: tenant };
}

function placeOfPolicy(tenant: string, version: number): Place {
  return { tenant, table: "policies", column: "document", row: String(version) };
}

async function install(
  db: Database,
  { tenant, platform, secret, nowMs }: { tenant: string; platform: string; secret: Buffer; nowMs: number },
): Promise<void> {
  const installation = { platform, state: "installed", installed_at: nowMs, secret } as const;
  await db
    .insertInto("tenants")
    .values({ tenant, ...installation })
    .onConflict((conflict) => conflict.column("tenant").doUpdateSet(installation))
    .execute();
}

async function settleUnfinished(db: Database, tenant: string, entry: TimelineEntry): Promise<void> {
  const { atMs, kind, detail, actor } = entry;
  // The history first: afterwards nobody can tell which orders were unfinished.
  await db
    .insertInto("order_timeline")
    .columns(["tenant", "order_id", "at", "kind", "detail", "actor"])
    .expression((eb) =>
      eb
        .selectFrom("orders")
        .select((row) => [
          "tenant",
          "order_id",
          row.val(atMs).as("at"),
          row.val(kind).as("kind"),
          row.val(detail).as("detail"),
          row.val(actor).as("actor"),
        ])
        .where("tenant", "=", tenant)
        .where("state", "<>", "settled"),
    )
    .execute();
  await db
    .updateTable("orders")
    .set({ ...SETTLED_COLUMNS, settled_at: atMs })
    .where("tenant", "=", tenant)
    .where("state", "<>", "settled")
    .execute();
}
