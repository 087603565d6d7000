import type { IncomingMessage } from "node:http";
import { readApiKey, toFailure, STATUS_MESSAGES } from "./http.ts";
import type { RateLimit, RateState, RateWindow } from "./rate-window.ts";

/** An organization that a key can reach. */
export interface SandboxOrganization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly role: "owner" | "admin" | "member";
  /** Its credits at the start, shared by all its keys. @default the service's `credits` */
  readonly credits?: number | undefined;
}

/** The access of one key. */
export interface SandboxKey {
  readonly organizations: readonly SandboxOrganization[];
  /** Requests it has per window. @default the service's `rateLimit` */
  readonly rateLimit?: RateLimit | undefined;
}

/**
 * Checks callers: key, then rate limit, then organization. Every request with a known key counts, and its answer
 * carries that key's `rateState`.
 */
export type AccessCheck = ReturnType<typeof createAccessCheck>;
/** Outcome of checking a caller, with the values of the rate-limit headers. */
export type Access = ReturnType<AccessCheck>;

/** Create the {@link AccessCheck} of a service. */
export function createAccessCheck(keys: Readonly<Record<string, SandboxKey>>, window: RateWindow) {
  // A map, so that a key named "__proto__" grants no access.
  const reach = new Map(Object.entries(keys));

  function refuse(status: keyof typeof STATUS_MESSAGES, rateState: RateState) {
    return { granted: false as const, refusal: toFailure(status, STATUS_MESSAGES[status]), rateState };
  }

  return (request: IncomingMessage, organization?: string) => {
    const given = readApiKey(request);
    if (given === undefined) return refuse(401, window.untouched());
    const key = reach.get(given);
    if (key === undefined) return refuse(403, window.untouched());
    const { allowed, state } = window.take(given, key.rateLimit);
    if (!allowed) return refuse(429, state);
    const reached = key.organizations.find(
      ({ id, slug }) => organization === undefined || id === organization || slug === organization,
    );
    if (organization !== undefined && reached === undefined) return refuse(403, state);
    // The requested organization, or the first one that the key reaches.
    return { granted: true as const, key, organization: reached, rateState: state };
  };
}
