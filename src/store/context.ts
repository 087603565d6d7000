import type { Logger } from "../base/logger.ts";
import type { Engine } from "./engines/engine.ts";
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
