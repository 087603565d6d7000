import { z } from "zod";
import type { AccessEnd } from "../../../src/index.ts";

/** A shop's access, as stored encrypted. */
export interface Credential {
  readonly accessToken: string;
  /** When the access token ends, milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** Absent for access that does not expire: it is used until Shopify refuses it. */
  readonly refreshToken?: string | undefined;
  /** When the refresh token ends, milliseconds since the epoch. Absent: not known. */
  readonly refreshUntilMs?: number | undefined;
}

const credentialSchema = z.object({
  accessToken: z.string().min(1),
  expiresAtMs: z.number(),
  refreshToken: z.string().min(1).optional(),
  refreshUntilMs: z.number().optional(),
});

/** Lifetime of a token whose answer names none, in milliseconds; Shopify's own is an hour. */
const DEFAULT_LIFE_MS = 3_600_000;

const grantSchema = z.object({
  access_token: z.string().min(1),
  // A response without it must not make the token permanent, or it is never refreshed again (shopify-app-js issue 3400).
  expires_in: z.coerce.number().positive().optional().catch(undefined),
  refresh_token: z.string().min(1).optional().catch(undefined),
  refresh_token_expires_in: z.coerce.number().positive().optional().catch(undefined),
});

/** Read a kept credential; null when there is none or it is not one of ours. */
export function parseCredential(secret: string | null): Credential | null {
  if (secret === null) return null;
  try {
    return credentialSchema.parse(JSON.parse(secret));
  } catch {
    return null;
  }
}

/**
 * Read a token endpoint's answer; null when it holds no access token. A refresh that gives no new refresh token
 * leaves the `previous` one in place.
 */
export function parseGrant(body: unknown, nowMs: number, previous?: string): Credential | null {
  const parsed = grantSchema.safeParse(body);
  if (!parsed.success) return null;
  const {
    access_token: accessToken,
    expires_in: seconds,
    refresh_token: refreshToken = previous,
    refresh_token_expires_in: refreshSeconds,
  } = parsed.data;
  const expiresAtMs = nowMs + (seconds === undefined ? DEFAULT_LIFE_MS : seconds * 1000);
  return {
    accessToken,
    expiresAtMs,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(refreshSeconds === undefined ? {} : { refreshUntilMs: nowMs + refreshSeconds * 1000 }),
  };
}

/**
 * Why Shopify accepted neither the access token nor the refresh token: `refused` if they should still work, as after an
 * uninstall; `expired` if they may have expired.
 */
export function toAccessEnd({ refreshToken, refreshUntilMs }: Credential, nowMs: number): AccessEnd {
  return refreshToken === undefined || (refreshUntilMs ?? 0) > nowMs ? "refused" : "expired";
}
