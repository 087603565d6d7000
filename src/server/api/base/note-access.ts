import { z } from "zod";
import { isHoldfastError, toStoreUnavailable } from "../../../base/errors.ts";
import type { AccessKind } from "../../../store/people/access-log.ts";
import { oneOf } from "../../../policy/schema-fields.ts";
import type { ApiSession } from "../../http/api-route.ts";
import type { ServerParts } from "../../parts/server-parts.ts";

/** Further views within this time count as the same view, in milliseconds. */
const SAME_LOOK_MS = 10 * 60_000;

/**
 * Record that a person is about to see personal data, before it is shown.
 *
 * @param subject - The order's or the request's id; empty for a list.
 * @param withinMs - A repeat within this time isn't recorded again. 0 records every time.
 * @throws {HoldfastError} `STORE_UNAVAILABLE`, which is answered with 503: data isn't shown if the view can't be recorded.
 */
export async function noteAccess(
  { store, now }: Pick<ServerParts, "store" | "now">,
  { tenant, actor }: Pick<ApiSession, "tenant" | "actor">,
  what: AccessKind,
  subject: string,
  withinMs = SAME_LOOK_MS,
): Promise<void> {
  try {
    await store.accessLog.record(tenant, { atMs: now(), actor, what, subject }, withinMs);
  } catch (cause) {
    if (isHoldfastError(cause, "STORE_UNAVAILABLE")) throw cause;
    const message = "the access log cannot be written, so the request was not carried out";
    throw toStoreUnavailable(message, cause);
  }
}

/** Whether the page loads an order before somebody looks at it. */
export const aheadQuery = z.object({
  ahead: oneOf(["true"])
    .optional()
    .describe(
      "the order is loaded before somebody looks at it. The access log says `ahead` instead of that it was seen; ask again without this when it is shown",
    ),
});

/**
 * Record an action before it is done. Unlike views, every action is recorded.
 *
 * @param subject - The object of the action: the order's ID, the person, the version.
 * @throws {HoldfastError} `STORE_UNAVAILABLE`, which is answered with 503: nothing is done if it can't be recorded.
 */
export function noteAct(
  parts: Pick<ServerParts, "store" | "now">,
  session: Pick<ApiSession, "tenant" | "actor">,
  what: AccessKind,
  subject: string,
): Promise<void> {
  return noteAccess(parts, session, what, subject, 0);
}
