import type { Kysely } from "kysely";
import type { Engine } from "../engines/engine.ts";

/** One step of the schema. A released one is never changed. */
export interface Migration {
  /** Counts from 1 without gaps. */
  readonly version: number;
  readonly name: string;
  up(db: Kysely<unknown>, dialect: Engine["dialect"]): Promise<void>;
}
