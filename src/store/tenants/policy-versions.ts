import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import { placeOfPolicy } from "./tenants.ts";
import { findRow } from "../statements.ts";

/** A saved version of a policy, without its document. */
export interface SavedPolicy {
  /** From 1; version 0 is the default policy, which nobody saved. */
  readonly version: number;
  readonly savedAtMs: number;
  /** Who saved it, `person:ID`; null when that was not kept. */
  readonly actor: string | null;
}

export interface PolicyVersionStore {
  /** Versions of a tenant's policy below `before`, newest first. */
  listPolicies(
    tenant: TenantId,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<readonly SavedPolicy[]>;
  /** One version as it was saved; null when there is none. */
  getPolicy(
    tenant: TenantId,
    version: number,
  ): Promise<(SavedPolicy & { readonly document: unknown }) | null>;
}

/** Create the {@link PolicyVersionStore} part of a store. */
export function createPolicyVersions({ engine, sealer }: StoreContext): PolicyVersionStore {
  return {
    listPolicies: (tenant, { before, limit }) =>
      engine.read((db) =>
        db
          .selectFrom("policies")
          .select(["version", "saved_at as savedAtMs", "actor"])
          .where("tenant", "=", tenant)
          .$if(before !== null, (query) => query.where("version", "<", before ?? 0))
          .orderBy("version", "desc")
          .limit(limit)
          .execute(),
      ),

    async getPolicy(tenant, version) {
      const columns = ["saved_at", "actor", "document"] as const;
      const row = await engine.read((db) => findRow(db, "policies", { tenant, version }, columns));
      if (row === undefined) return null;
      const document = sealer.openJson(placeOfPolicy(tenant, version), row.document);
      return { version, savedAtMs: row.saved_at, actor: row.actor, document };
    },
  };
}
