import type { IncomingMessage } from "node:http";
import { readApiKey, toFailure, type Answer } from "./http.ts";
import type { RateState, RateWindow } from "./rate-window.ts";
import { STATUS_MESSAGES } from "./status.ts";

/** An organization that a key can reach. */
export interface SandboxOrganization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly role: "owner" | "admin" | "member";
}

/** What one key can reach. */
export interface SandboxKey {
  readonly organizations: readonly SandboxOrganization[];
}

/** Outcome of checking a caller, with what the rate-limit headers say. */
export type Access =
  | { readonly granted: true; readonly key: SandboxKey; readonly standing: RateState }
  | { readonly granted: false; readonly refusal: Answer; readonly standing: RateState };

/** Checks callers: key, then organization, then rate limit. */
export type Gate = (request: IncomingMessage, organization?: string) => Access;

/** Create the {@link Gate} of a service. */
export function createGate(keys: Readonly<Record<string, SandboxKey>>, window: RateWindow): Gate {
  // A map: a key called "__proto__" must not open anything.
  const reach = new Map(Object.entries(keys));

  function refuse(status: keyof typeof STATUS_MESSAGES, standing: RateState): Access {
    return { granted: false, refusal: toFailure(status, STATUS_MESSAGES[status]), standing };
  }

  return (request, organization) => {
    const given = readApiKey(request);
    if (given === undefined) return refuse(401, window.untouched());
    const key = reach.get(given);
    if (key === undefined || !canReach(key, organization)) return refuse(403, window.untouched());
    const { allowed, state } = window.take(given);
    return allowed ? { granted: true, key, standing: state } : refuse(429, state);
  };
}

function canReach({ organizations }: SandboxKey, organization: string | undefined): boolean {
  return (
    organization === undefined ||
    organizations.some(({ id, slug }) => id === organization || slug === organization)
  );
}
