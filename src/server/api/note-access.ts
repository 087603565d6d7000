import { HoldfastError, isHoldfastError } from "../../base/errors.ts";
import type { Access, AccessKind } from "../../store/people/access-log.ts";
import type { ApiSession } from "./api-route.ts";
import type { ServerParts } from "../server-parts.ts";

/** What recording access needs. */
export type AccessParts = Pick<ServerParts, "store" | "now">;

/** Somebody who looks again within this looks at the same thing still, in milliseconds. */
const SAME_LOOK_MS = 10 * 60_000;

/**
 * Record that a person is about to see personal data, before it is shown.
 *
 * @param subject - The order's or the request's id; empty for a list.
 * @throws {HoldfastError} `STORE_UNAVAILABLE`, which is answered with 503: what cannot be noted is not shown.
 */
export function noteAccess(
  parts: AccessParts,
  session: AccessSession,
  what: AccessKind,
  subject: string,
): Promise<void> {
  return note(parts, session, { what, subject }, SAME_LOOK_MS);
}

/**
 * Record an action before it is done. Unlike views, every action is recorded.
 *
 * @param subject - What it is done to: the order's id, the person, the version.
 * @throws {HoldfastError} `STORE_UNAVAILABLE`, which is answered with 503: what cannot be noted is not done.
 */
export function noteAct(
  parts: AccessParts,
  session: AccessSession,
  what: AccessKind,
  subject: string,
): Promise<void> {
  return note(parts, session, { what, subject }, 0);
}

type AccessSession = Pick<ApiSession, "tenant" | "actor">;

async function note(
  { store, now }: AccessParts,
  { tenant, actor }: AccessSession,
  done: Pick<Access, "what" | "subject">,
  withinMs: number,
): Promise<void> {
  const access = { atMs: now(), actor, ...done };
  try {
    await store.recordAccess(tenant, access, withinMs);
  } catch (cause) {
    if (isHoldfastError(cause, "STORE_UNAVAILABLE")) throw cause;
    throw new HoldfastError(
      "STORE_UNAVAILABLE",
      "the access log cannot be written, so the request was not carried out",
      {
        retryable: true,
        cause,
      },
    );
  }
}
