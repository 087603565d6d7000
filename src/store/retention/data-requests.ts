import type { StoreContext } from "../context.ts";
import type { Place } from "../sealing/sealing.ts";
import type { TenantStore } from "../tenants/tenant-store.ts";

type Reports = Pick<TenantStore, "saveReport" | "listReports" | "getReport">;

/** Answers to customers' data requests. */
export function createReports({ engine, sealer }: StoreContext): Reports {
  return {
    async saveReport(tenant, requestId, content, nowMs) {
      const report = {
        content: sealer.sealBytes(placeOfReport(tenant, requestId), content),
        saved_at: nowMs,
      };
      await engine.write((db) =>
        db
          .insertInto("reports")
          .values({ tenant, request_id: requestId, ...report })
          .onConflict((conflict) => conflict.columns(["tenant", "request_id"]).doUpdateSet(report))
          .execute(),
      );
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
      const row = await engine.read((db) =>
        db
          .selectFrom("reports")
          .select("content")
          .where("tenant", "=", tenant)
          .where("request_id", "=", requestId)
          .executeTakeFirst(),
      );
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
