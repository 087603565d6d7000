import type { Logger } from "../../../base/logger.ts";
import type { Keyring } from "../../sealing/keyring.ts";

/** Options of {@link createSqliteStore}. */
export type SqliteStoreOptions = {
  /** The database file, made with its folder when missing (modes 0600 and 0700), or `:memory:`. */
  readonly path: string;
  /**
   * Own the database: a second process that wants to own it fails to start, and what an earlier process left
   * unfinished is taken up at once. Others can still read and write.
   *
   * @default false
   */
  readonly exclusive?: boolean | undefined;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: (() => number) | undefined;
  /** Default: silent. */
  readonly logger?: Logger | undefined;
} & ({ readonly keyring: Keyring } | { readonly dataKey: Uint8Array });
