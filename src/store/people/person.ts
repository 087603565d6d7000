import type { TenantId } from "../../platform/platform.ts";

/** Roles in the console, lowest first: view, decide on orders, change settings and people. */
export const ROLES = ["viewer", "reviewer", "owner"] as const;
export type Role = (typeof ROLES)[number];

export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The holder of the console token, who has no name. */
export const CONSOLE_ACTOR = "person:console";

/** The operator isn't stored as one. */
export interface Person {
  /** `person:ID`. */
  readonly actor: string;
  /** Null if none was given, or if it can't be decrypted. */
  readonly name: string | null;
  readonly role: Role;
  /** Whether they sign in through a platform or with their own token. */
  readonly kind: "token" | "platform";
  readonly createdAtMs: number;
  /** When they last used the console, to about ten minutes; null for never. */
  readonly seenAtMs: number | null;
  /** When they were removed; null if they weren't. */
  readonly revokedAtMs: number | null;
}

export interface PersonKey {
  readonly tenant: TenantId;
  /** `person:ID`. */
  readonly actor: string;
}

export interface NewPerson extends PersonKey {
  readonly name: string;
  readonly role: Role;
  /** In the clear; only its digest is stored. */
  readonly token: string;
}

/** Who makes a change, and when. Written to the access log with the change. */
export interface ActOf {
  /** `person:ID`. */
  readonly by: string;
  readonly atMs: number;
}

export type PersonChange =
  | { readonly outcome: "changed"; readonly person: Person }
  | { readonly outcome: "unknown" }
  /** No owner would be left. */
  | { readonly outcome: "last-owner" }
  /** They were removed, and their token can't become valid again. */
  | { readonly outcome: "revoked" };

export interface TokenHolder {
  readonly tenant: TenantId;
  readonly person: Person;
}
