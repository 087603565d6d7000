import type { Logger } from "../../base/logger.ts";
import type { Keyring } from "../sealing/keyring.ts";

// A separate file, because a storefront's types include it and it must not need the types of `pg`.

/** Options of {@link createPostgresStore}. */
export type PostgresStoreOptions = {
  /** `postgres://USER:PASSWORD@HOST:PORT/NAME`, with `sslmode` and the like as `pg` understands them. */
  readonly url: string;
  /**
   * The most connections of this process. When the database accepts no more, queries wait up to 30 s for one. In addition there are one that listens, one that shows other processes that this
   * one is alive, and up to two more during migrations and erasures of tenants.
   *
   * @default 3
   */
  readonly poolSize?: number | undefined;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: (() => number) | undefined;
  /** Default: silent. */
  readonly logger?: Logger | undefined;
} & (
  | { readonly keyring: Keyring }
  | {
      /** 32 bytes, the same for every process. Without it the store refuses to open. */
      readonly dataKey: Uint8Array | undefined;
    }
);
