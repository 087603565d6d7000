import { sql, type SqlBool } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import { addAccess } from "../people/access-log.ts";
import type { StoreContext } from "../context.ts";
import type { Database } from "../schema/schema.ts";
import type { Place } from "../sealing/sealing.ts";
import { findRow, insertRow, selectOne, selectRows } from "../statements.ts";

/** One version of a tenant's policy. The caller validates the document. */
export interface PolicyVersion {
  readonly version: number;
  readonly document: unknown;
  readonly savedAtMs: number;
}

/** A saved version of a policy, without its document. */
export interface SavedPolicy {
  /** From 1. Version 0 is the default policy, which wasn't saved. */
  readonly version: number;
  readonly savedAtMs: number;
  /** Who saved it, `person:ID`; null if that wasn't recorded. */
  readonly actor: string | null;
}

/** The newest version of an installed tenant's policy. */
export interface NewestPolicy {
  readonly tenant: TenantId;
  readonly platform: string;
  readonly installedAtMs: number;
  readonly version: number;
}

export interface PolicyStore {
  /** The newest version of each installed tenant that saved a policy and whose access is stored. */
  listNewest(): Promise<readonly NewestPolicy[]>;
  /** The newest saved policy; null if there is none, so that the default applies. */
  load(tenant: TenantId): Promise<PolicyVersion | null>;
  /**
   * Save the next version. `null` if `expectedVersion` isn't the newest (0 for the default).
   *
   * @param actor - Who saves it, `person:ID`. Stored with it and written to the access log in the same transaction.
   *   Default: no name and no entry.
   */
  save(
    tenant: TenantId,
    document: unknown,
    expectedVersion: number | undefined,
    nowMs: number,
    actor?: string,
  ): Promise<PolicyVersion | null>;
  /** Versions of a tenant's policy below `before`, newest first. */
  list(
    tenant: TenantId,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<readonly SavedPolicy[]>;
  /** One version as it was saved; null if it doesn't exist. */
  get(tenant: TenantId, version: number): Promise<(SavedPolicy & { readonly document: unknown }) | null>;
}

export function createPolicies({ engine, sealer }: StoreContext): PolicyStore {
  return {
    async listNewest() {
      // One look into the index for each tenant, however many versions it has.
      const query = sql<NewestPolicy>`
        select tenant, platform, installed_at as "installedAtMs", version from (
          select t.tenant, t.platform, t.installed_at,
            (select p.version from policies p where p.tenant = t.tenant order by p.version desc limit 1) as version
          from tenants t where t.state = 'installed' and t.secret is not null) newest
        where version is not null order by tenant`;
      return (await engine.read((db) => query.execute(db))).rows;
    },

    async load(tenant) {
      const newest = sql`order by version desc limit 1`;
      const columns = ["version", "document", "saved_at"] as const;
      const [row] = await engine.read((db) =>
        selectRows(db, "policies", { tenant }, columns, undefined, newest),
      );
      if (row === undefined) return null;
      const document = sealer.openJson(placeOfPolicy(tenant, row.version), row.document);
      return { version: row.version, document, savedAtMs: row.saved_at };
    },

    save(tenant, document, expectedVersion, nowMs, actor) {
      const unit = async (db: Database): Promise<PolicyVersion | null> => {
        const current = await findNewestPolicy(db, tenant);
        if (expectedVersion !== undefined && expectedVersion !== current) return null;
        const version = current + 1;
        const sealed = sealer.sealJson(placeOfPolicy(tenant, version), document);
        const row = { tenant, version, document: sealed, saved_at: nowMs, actor: actor ?? null };
        await insertRow(db, "policies", row);
        if (actor !== undefined) {
          await addAccess(db, tenant, { atMs: nowMs, actor, what: "policy", subject: String(version) });
        }
        return { version, document, savedAtMs: nowMs };
      };
      return engine.write(unit, { alone: toPolicyName(tenant) });
    },

    async list(tenant, { before, limit }) {
      const isBefore = before === null ? undefined : sql<SqlBool>`version < ${before}`;
      const newest = sql`order by version desc limit ${limit}`;
      const rows = await engine.read((db) =>
        selectRows(db, "policies", { tenant }, ["version", "saved_at", "actor"], isBefore, newest),
      );
      return rows.map(({ version, saved_at: savedAtMs, actor }) => ({ version, savedAtMs, actor }));
    },

    async get(tenant, version) {
      const columns = ["saved_at", "actor", "document"] as const;
      const row = await engine.read((db) => findRow(db, "policies", { tenant, version }, columns));
      if (row === undefined) return null;
      const document = sealer.openJson(placeOfPolicy(tenant, version), row.document);
      return { version, savedAtMs: row.saved_at, actor: row.actor, document };
    },
  };
}

/** The name under which changes to a tenant's policy run one at a time. */
export function toPolicyName(tenant: string): string {
  return `policy:${tenant}`;
}

/** The newest version of a tenant's policy; 0 if none was saved. */
export async function findNewestPolicy(db: Database, tenant: string): Promise<number> {
  const query = sql<{ version: number | null }>`
    select max(version) as version from policies where tenant = ${tenant}`;
  return (await selectOne(db, query)).version ?? 0;
}

export function placeOfPolicy(tenant: string, version: number): Place {
  return { tenant, table: "policies", column: "document", row: String(version) };
}
