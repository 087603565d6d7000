import type { StoreContext } from "../context.ts";
import type { Place } from "../sealing/sealing.ts";
import type { TenantId } from "../../platform/platform.ts";
import { findRow, upsert } from "../statements.ts";

/** Answers to customers' data requests, sealed. */
export function createReports({ engine, sealer }: StoreContext) {
  return {
    /** Keep the answer to a customer's data request for the tenant to fetch. A repeat replaces it. */
    async saveReport(tenant: TenantId, requestId: string, content: string, nowMs: number): Promise<void> {
      const sealed = sealer.sealBytes(placeOfReport(tenant, requestId), content);
      const report = { content: sealed, saved_at: nowMs };
      await engine.write((db) => upsert(db, "reports", { tenant, request_id: requestId }, report));
    },

    /** Newest first. */
    listReports: (tenant: TenantId) =>
      engine.read((db) =>
        db
          .selectFrom("reports")
          .select(["request_id as requestId", "saved_at as savedAtMs"])
          .where("tenant", "=", tenant)
          .orderBy("saved_at", "desc")
          .orderBy("request_id")
          .execute(),
      ),

    async getReport(tenant: TenantId, requestId: string): Promise<string | null> {
      const key = { tenant, request_id: requestId };
      const row = await engine.read((db) => findRow(db, "reports", key, ["content"]));
      return row === undefined
        ? null
        : sealer.openBytes(placeOfReport(tenant, requestId), row.content).toString();
    },
  };
}

/** Where a report is sealed for. */
export function placeOfReport(tenant: string, requestId: string): Place {
  return { tenant, table: "reports", column: "content", row: requestId };
}
