import { sql } from "kysely";
import type { StoreContext } from "../context.ts";
import type { Place } from "../sealing/sealing.ts";
import type { TenantId } from "../../platform/platform.ts";
import { findRow, selectRows, upsert } from "../statements.ts";

export function createReports({ engine, sealer }: StoreContext) {
  return {
    /** Store the answer to a customer's data request for the tenant to fetch. A repeated request replaces it. */
    async save(tenant: TenantId, requestId: string, content: string, nowMs: number): Promise<void> {
      const sealed = sealer.sealBytes(placeOfReport(tenant, requestId), content);
      const report = { content: sealed, saved_at: nowMs };
      await engine.write((db) => upsert(db, "reports", { tenant, request_id: requestId }, report));
    },

    /** Newest first. */
    async list(tenant: TenantId) {
      const newestFirst = sql`order by saved_at desc, request_id`;
      const rows = await engine.read((db) =>
        selectRows(db, "reports", { tenant }, ["request_id", "saved_at"], undefined, newestFirst),
      );
      return rows.map((row) => ({ requestId: row.request_id, savedAtMs: row.saved_at }));
    },

    async get(tenant: TenantId, requestId: string): Promise<string | null> {
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
