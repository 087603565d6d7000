import { randomBytes } from "node:crypto";
import { DATA_KEY_BYTES } from "../sealing/keyring.ts";
import { createSqliteStore } from "./sqlite/sqlite-store.ts";
import { MEMORY_PATH } from "./sqlite/sqlite-files.ts";
import type { Store } from "../store.ts";

/** Options of {@link createMemoryStore}. */
export interface MemoryStoreOptions {
  /** 32 bytes. Default: random, so that nothing outlives the process. */
  readonly dataKey?: Uint8Array | undefined;
}

/** A {@link Store} that is gone with the process: SQLite in memory, with the semantics of the file. */
export function createMemoryStore(options: MemoryStoreOptions = {}): Promise<Store> {
  return createSqliteStore({ path: MEMORY_PATH, dataKey: options.dataKey ?? randomBytes(DATA_KEY_BYTES) });
}
