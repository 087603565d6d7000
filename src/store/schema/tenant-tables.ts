import type { GeneratedAlways } from "kysely";

/** Tenants and their secret. */
export interface TenantsTable {
  tenant: string;
  platform: string;
  state: "installed" | "uninstalled";
  installed_at: number;
  uninstalled_at: number | null;
  /** Sealed. */
  secret: Uint8Array | null;
  /** When the platform refused the tenant's access before its time; null while it has not. */
  access_refused_at: number | null;
}

/** What a tenant may do only so often, each time under the key of what it was done to. */
export interface QuotasTable {
  tenant: string;
  name: string;
  quota_key: string;
  taken_at: number;
}

/** Who looked at personal data. */
export interface AccessLogTable {
  entry_id: GeneratedAlways<number>;
  tenant: string;
  at: number;
  actor: string;
  what: string;
  subject: string;
}

/** People who use the console, and what they may do. */
export interface PeopleTable {
  tenant: string;
  /** `person:ID`, or `*` for the role of those who are seen for the first time. */
  actor: string;
  /** Sealed: what others call them; null: nobody said. */
  name: Uint8Array | null;
  role: string;
  /** Keyed digest of the token they sign in with; null for people that a platform signs in. */
  token_digest: string | null;
  created_at: number;
  created_by: string | null;
  seen_at: number | null;
  revoked_at: number | null;
}

/** Who is signed in without a platform. */
export interface SessionsTable {
  /** Digest of the cookie's value. */
  session_digest: string;
  tenant: string;
  actor: string;
  /** Digest of what they signed in with: another console token ends the sessions of the former. */
  credential: string;
  created_at: number;
  expires_at: number;
}

/** What a tenant has set, its service key among it. */
export interface SettingsTable {
  tenant: string;
  version: number;
  /** Sealed JSON. */
  content: Uint8Array;
  saved_at: number;
}
