import { randomBytes } from "node:crypto";
import { createSqliteStore } from "../../src/store/opening/sqlite-store.ts";
import { MEMORY_PATH } from "../../src/store/engines/sqlite/sqlite-files.ts";
import type { Store } from "../../src/store/store.ts";

/** Open an app's store on SQLite in memory, which ends with the process. */
export function createTestStore(dataKey: Uint8Array = randomBytes(32)): Promise<Store> {
  return createSqliteStore({ path: MEMORY_PATH, dataKey });
}
