import type { Logger } from "../base/logger.ts";
import type { Engine } from "./engines/engine.ts";
import type { Database } from "./schema/schema.ts";
import type { Pacer } from "./engines/pacing.ts";
import type { Keyring } from "./sealing/keyring.ts";
import type { Sealer } from "./sealing/sealing.ts";

/** What every part of the store works with. */
export interface StoreContext {
  readonly engine: Engine;
  readonly keyring: Keyring;
  readonly sealer: Sealer;
  readonly logger: Logger;
  /** Gives way between two slices of a scan. */
  readonly pace: Pacer;
}

/** Begins the owner name of an app process, which alone works on its store, unlike storefronts that may share it. */
export const APP_OWNER_PREFIX = "app:";

/** Run a unit and, where it made something due, let the other processes know. */
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
