import { createHash } from "node:crypto";
import type { TenantId } from "./platform.ts";

/** 96 bits, in base64url. */
const LENGTH = 16;

/**
 * A short name of a shop for the console's addresses, cookies and headers. It isn't a secret: it opens nothing without a
 * session of that shop. It is the same everywhere, so that a bookmark outlives sessions and keys.
 */
export function toShopKey(tenant: TenantId): string {
  return createHash("sha256").update(`holdfast shop ${tenant}`).digest("base64url").slice(0, LENGTH);
}
