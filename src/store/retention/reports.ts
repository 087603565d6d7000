import { sql } from "kysely";
import type { StoreContext } from "../context.ts";
import type { Place } from "../sealing/sealing.ts";
import type { TenantId } from "../../platform/platform.ts";
import { findRow, selectRows, upsert } from "../statements.ts";

export interface ReportStore {
  /** Store the answer to a customer's data request for the tenant to fetch. A repeated request replaces it. */
  save(tenant: TenantId, requestId: string, content: string, nowMs: number): Promise<void>;
  /** Newest first. */
  list(tenant: TenantId): Promise<readonly { readonly requestId: string; readonly savedAtMs: number }[]>;
  get(tenant: TenantId, requestId: string): Promise<string | null>;
}

export function createReports({ engine, sealer }: StoreContext): ReportStore {
  return {
    async save(tenant, requestId, content, nowMs) {
      const sealed = sealer.sealBytes(placeOfReport(tenant, requestId), content);
      const report = { content: sealed, saved_at: nowMs };
      await engine.write((db) => upsert(db, "reports", { tenant, request_id: requestId }, report));
    },

    async list(tenant) {
      const newestFirst = sql`order by saved_at desc, request_id`;
      const rows = await engine.read((db) =>
        selectRows(db, "reports", { tenant }, ["request_id", "saved_at"], undefined, newestFirst),
      );
      return rows.map((row) => ({ requestId: row.request_id, savedAtMs: row.saved_at }));
    },

    async get(tenant, requestId) {
      const key = { tenant, request_id: requestId };
      const row = await engine.read((db) => findRow(db, "reports", key, ["content"]));
      return row === undefined
        ? null
        : sealer.openBytes(placeOfReport(tenant, requestId), row.content).toString();
    },
  };
}

export function placeOfReport(tenant: string, requestId: string): Place {
  return { tenant, table: "reports", column: "content", row: requestId };
}
