import type { Logger } from "../../../base/logger.ts";
import type { Keyring } from "../../sealing/keyring.ts";

// A file of its own: a storefront's types name it, and nothing in it may name those of `pg`.

/** Options of {@link createPostgresStore}. */
export type PostgresStoreOptions = {
  /** `postgres://USER:PASSWORD@HOST:PORT/NAME`, with `sslmode` and the like as `pg` understands them. */
  readonly url: string;
  /**
   * Connections of this process at most. Beside them there are one that listens, one that shows the other
   * processes that this one lives, and, during migrations and erasures of whole tenants, up to two more.
   *
   * @default 10
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
