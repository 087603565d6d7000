import type { IncomingMessage } from "node:http";
import { readApiKey, toRefusal, type Refusal } from "./http.ts";
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

type Access<Granted> = { readonly rateState: RateState } & (
  | ({ readonly granted: true } & Granted)
  | { readonly granted: false; readonly refusal: Refusal }
);

/**
 * Checks callers: key, then rate limit, then organization. Every request with a known key counts, and its answer
 * carries that key's `rateState`.
 */
export type AccessCheck = ReturnType<typeof createAccessCheck>;

export function createAccessCheck(keys: Readonly<Record<string, SandboxKey>>, window: RateWindow) {
  // A map, so that a key named "__proto__" grants no access.
  const reach = new Map(Object.entries(keys));

  const refuse = (status: 401 | 403 | 429, rateState: RateState) =>
    ({ granted: false, refusal: toRefusal(status), rateState }) as const;

  function toKey(request: IncomingMessage, read = readApiKey): Access<{ readonly key: SandboxKey }> {
    const given = read(request);
    if (given === undefined) return refuse(401, window.untouched());
    const key = reach.get(given);
    if (key === undefined) return refuse(403, window.untouched());
    const { allowed, state } = window.take(given, key.rateLimit);
    return allowed ? { granted: true, key, rateState: state } : refuse(429, state);
  }

  return {
    toKey,
    /** The organization that a request names by its slug or id. */
    toOrganization(
      request: IncomingMessage,
      name: string,
    ): Access<{ readonly organization: SandboxOrganization }> {
      const access = toKey(request);
      if (!access.granted) return access;
      const organization = access.key.organizations.find(({ id, slug }) => slug === name || id === name);
      return organization === undefined ? refuse(403, access.rateState) : { ...access, organization };
    },
  };
}
