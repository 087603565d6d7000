import { HoldfastError, isHoldfastError } from "../errors.ts";
import type { AccessKind } from "../store/upkeep.ts";
import { CONSOLE_ACTOR, type ApiSession } from "./api-route.ts";
import type { ServerParts } from "./server-parts.ts";

/** What noting who sees personal data takes. */
export type AccessParts = Pick<ServerParts, "store" | "now">;

/** Somebody who looks again within this looks at the same thing still, in milliseconds. */
const SAME_LOOK_MS = 10 * 60_000;

/**
 * Note that somebody is about to see personal data, before it is shown to them.
 *
 * @param subject - The order's or the request's id; empty for a list.
 * @throws {HoldfastError} `STORE_UNAVAILABLE`, which is answered with 503: what cannot be noted is not shown.
 */
export async function noteAccess(
  { store, now }: AccessParts,
  { tenant, actor }: ApiSession,
  what: AccessKind,
  subject: string,
): Promise<void> {
  const access = { atMs: now(), actor: actor === CONSOLE_ACTOR ? "operator" : actor, what, subject };
  try {
    await store.recordAccess(tenant, access, SAME_LOOK_MS);
  } catch (cause) {
    if (isHoldfastError(cause, "STORE_UNAVAILABLE")) throw cause;
    throw new HoldfastError("STORE_UNAVAILABLE", "who sees it could not be noted, so it is not shown", {
      retryable: true,
      cause,
    });
  }
}
