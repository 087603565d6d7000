import type { Logger } from "../base/logger.ts";
import type { Engine } from "./engines/engine.ts";
import type { Database } from "./schema/schema.ts";
import type { Pacer } from "./engines/pacing.ts";
import type { Keyring } from "./sealing/keyring.ts";
import type { Sealer } from "./sealing/sealing.ts";

export interface StoreContext {
  readonly engine: Engine;
  readonly keyring: Keyring;
  readonly sealer: Sealer;
  readonly logger: Logger;
  /** Lets other work run between two slices of a scan. */
  readonly pace: Pacer;
}

/** Prefix of an app process's owner name. Only app processes do the store's work; storefronts may share the store. */
export const APP_OWNER_PREFIX = "app:";

/** Run a unit of work. If it made something due, notify the other processes. */
export async function writeWork<T>(
  engine: Engine,
  unit: (db: Database) => Promise<T>,
  isDue: (made: T) => boolean = Boolean,
  options?: Parameters<Engine["write"]>[1],
): Promise<T> {
  const made = await engine.write(unit, options);
  if (isDue(made)) engine.announceWork();
  return made;
}
