import type { TenantId } from "../../platform/platform.ts";

/** What a person may do in the console, least first: look, decide on orders, change how Holdfast works. */
export const ROLES = ["viewer", "reviewer", "owner"] as const;
/** What a person may do in the console. */
export type Role = (typeof ROLES)[number];

/** Whether somebody who is `role` may do what takes `needed`. */
export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Whoever has the console token: it names nobody. */
export const CONSOLE_ACTOR = "person:console";

/** Somebody who may use a tenant's console. The operator, who has the console token, is not kept. */
export interface Person {
  /** `person:ID`. */
  readonly actor: string;
  /** What others call them; null: nobody said. */
  readonly name: string | null;
  readonly role: Role;
  /** Whether a platform signs them in, or a token of their own. */
  readonly kind: "token" | "platform";
  readonly createdAtMs: number;
  /** When they last used the console, to about ten minutes; null: never. */
  readonly seenAtMs: number | null;
  /** When they were shut out; null: they are not. */
  readonly revokedAtMs: number | null;
}

/** Which person. */
export interface PersonKey {
  readonly tenant: TenantId;
  /** `person:ID`. */
  readonly actor: string;
}

/** Somebody to give a token to. */
export interface NewPerson extends PersonKey {
  readonly name: string;
  readonly role: Role;
  /** In the clear; only a digest of it is kept. */
  readonly token: string;
}

/** Who changes something, and when; kept in the access log with the change. */
export interface ActOf {
  /** `person:ID`. */
  readonly by: string;
  readonly atMs: number;
}

/** What came of changing a person. */
export type PersonChange =
  | { readonly outcome: "changed"; readonly person: Person }
  | { readonly outcome: "unknown" }
  /** Nobody else could change anything afterwards. */
  | { readonly outcome: "last-owner" }
  /** Their token is void for ever. */
  | { readonly outcome: "revoked" };

/** Somebody who proved who they are, and for which tenant. */
export interface TokenHolder {
  readonly tenant: TenantId;
  readonly person: Person;
}
