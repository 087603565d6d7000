import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import type { Place } from "../sealing/sealing.ts";
import { findRow, upsert } from "../statements.ts";

/** A tenant's stored settings. The reader validates the document. */
export interface KeptSettings {
  /** From 1; each save adds one. */
  readonly version: number;
  /** Null if it can't be opened because it was sealed with another data key. */
  readonly content: unknown;
  readonly savedAtMs: number;
}

export interface SettingsStore {
  /** The settings; null if none were saved. */
  load(tenant: TenantId): Promise<KeptSettings | null>;
  /**
   * Replace the settings, sealed. `null` without a change if `expectedVersion` isn't the newest (0 before the first save).
   * Former settings aren't kept, because they contain keys.
   */
  save(
    tenant: TenantId,
    content: unknown,
    expectedVersion: number | undefined,
    nowMs: number,
  ): Promise<KeptSettings | null>;
}

export function createSettings({ engine, sealer }: StoreContext): SettingsStore {
  return {
    async load(tenant) {
      const columns = ["version", "content", "saved_at"] as const;
      const row = await engine.read((db) => findRow(db, "settings", { tenant }, columns));
      if (row === undefined) return null;
      const content = sealer.tryJson(placeOfSettings(tenant, row.version), row.content) ?? null;
      return { version: row.version, content, savedAtMs: row.saved_at };
    },

    async save(tenant, content, expectedVersion, nowMs) {
      return engine.write(
        async (db) => {
          const current = (await findRow(db, "settings", { tenant }, ["version"]))?.version ?? 0;
          if (expectedVersion !== undefined && expectedVersion !== current) return null;
          const version = current + 1;
          const sealed = sealer.sealJson(placeOfSettings(tenant, version), content);
          await upsert(db, "settings", { tenant }, { version, content: sealed, saved_at: nowMs });
          return { version, content, savedAtMs: nowMs };
        },
        { alone: `settings:${tenant}` },
      );
    },
  };
}

/** Sealed for its version, so that nobody can put back an older key. */
function placeOfSettings(tenant: string, version: number): Place {
  return { tenant, table: "settings", column: "content", row: String(version) };
}
