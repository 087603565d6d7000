import type { StoreContext } from "../context.ts";
import type { Place } from "../sealing/sealing.ts";
import type { TenantStore } from "../tenants/tenant-store.ts";
import { findRow, upsert } from "../statements.ts";

type Reports = Pick<TenantStore, "saveReport" | "listReports" | "getReport">;

/** Answers to customers' data requests. */
export function createReports({ engine, sealer }: StoreContext): Reports {
  return {
    async saveReport(tenant, requestId, content, nowMs) {
      const sealed = sealer.sealBytes(placeOfReport(tenant, requestId), content);
      const report = { content: sealed, saved_at: nowMs };
      await engine.write((db) => upsert(db, "reports", { tenant, request_id: requestId }, report));
    },

    listReports: (tenant) =>
      engine.read((db) =>
        db
          .selectFrom("reports")
          .select(["request_id as requestId", "saved_at as savedAtMs"])
          .where("tenant", "=", tenant)
          .orderBy("saved_at", "desc")
          .orderBy("request_id")
          .execute(),
      ),

    async getReport(tenant, requestId) {
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
