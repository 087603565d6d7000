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

/** Everybody of a tenant. */
interface TenantPeople {
  /** The oldest first, those who were shut out too. */
  readonly people: readonly Person[];
  /** The role of people that a platform signs in for the first time. The very first is owner. Default `reviewer`. */
  readonly defaultRole: Role;
}

/** Somebody who proved who they are, and for which tenant. */
export interface TokenHolder {
  readonly tenant: TenantId;
  readonly person: Person;
}

/** People and what they may do. What changes them is written together with its entry in the access log, or not at all. */
export interface PeopleStore {
  /** The person that a platform signed in. The first of a tenant is kept as its owner, later ones with the default role. */
  admitPerson(key: PersonKey, nowMs: number): Promise<Person>;
  /** Whose token this is; null when it is nobody's, was revoked, or its tenant has left. */
  findTokenHolder(token: string, nowMs: number): Promise<TokenHolder | null>;
  listPeople(tenant: TenantId): Promise<TenantPeople>;
  /** Keep somebody with a token. `null`: there are too many already. */
  addPerson(person: NewPerson, act: ActOf): Promise<Person | null>;
  /**
   * Change a name or a role, from the next request on. Somebody of a platform who was shut out is let in again by a role.
   * Only the operator may take the last owner's ownership away.
   */
  changePerson(
    key: PersonKey,
    changes: { readonly name?: string | undefined; readonly role?: Role | undefined },
    act: ActOf,
  ): Promise<PersonChange>;
  /** Shut somebody out: their token is void, their sessions end. Repeatable. The same rule for the last owner. */
  revokePerson(key: PersonKey, act: ActOf): Promise<PersonChange>;
  /** The role of people that a platform signs in for the first time from now on. */
  saveDefaultRole(tenant: TenantId, role: Role, act: ActOf): Promise<void>;
}

/** A session to begin. */
export interface NewSession extends PersonKey {
  /** What the browser keeps, in the clear; only a digest of it is kept. */
  readonly value: string;
  /** The token that they signed in with, in the clear; only a digest of it is kept. */
  readonly token: string;
  readonly nowMs: number;
  readonly expiresAtMs: number;
}

/** The person that a session belongs to. */
interface KnownSession {
  readonly tenant: TenantId;
  /** Null: the operator. */
  readonly person: Person | null;
}

/** Who is signed in without a platform. */
export interface SessionStore {
  /** Begin a session, end those that the browser had before, and write the access log; all of it or nothing. */
  startSession(session: NewSession, formerValues: readonly string[]): Promise<void>;
  /**
   * Whose session this is; null when it is nobody's, ran out, or what they signed in with is good no more.
   *
   * @param options.consoleToken - The operator's token of now. Default: there is no operator.
   */
  findSession(
    value: string,
    options: { readonly nowMs: number; readonly consoleToken: string | undefined },
  ): Promise<KnownSession | null>;
  /** End sessions. Repeatable. */
  endSessions(values: readonly string[]): Promise<void>;
}
