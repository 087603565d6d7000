import { nameActor } from "./words.ts";
import type { Role } from "./session.ts";

/** What `GET /api/settings` answers. */
export interface Settings {
  readonly version: number;
  readonly service: {
    readonly from: "own" | "environment" | "none";
    readonly url: string | null;
    readonly organization: string | null;
    readonly keyHint: string | null;
    readonly savedAt: string | null;
    readonly problem?: "unreadable" | "no-address" | null;
  };
  readonly alerts: {
    readonly email: readonly string[];
    readonly webhookUrl: string | null;
    readonly hasWebhookSecret: boolean;
    readonly canMail: boolean;
  };
  readonly platform: string | null;
}

/** Somebody who may use the console. */
export interface Person {
  readonly actor: string;
  readonly name: string | null;
  readonly role: Role;
  readonly kind: "operator" | "token" | "platform";
  readonly createdAt: string | null;
  readonly seenAt: string | null;
  readonly revokedAt: string | null;
}

/** What `GET /api/people` answers. */
export interface People {
  readonly people: readonly Person[];
  readonly defaultRole: Role;
}

/** Every role with what it may do, least first. */
export const ROLE_OPTIONS = [
  ["viewer", "Viewer", "Can view everything."],
  ["reviewer", "Reviewer", "Can also decide on orders."],
  ["owner", "Owner", "Can also change settings."],
] as const;

/** The names of the roles, for a list to choose from. */
export const ROLE_NAMES = ROLE_OPTIONS.map(([role, name]) => [role, name] as const);

/** How a person signs in. */
export const KIND_WORDS: Readonly<Record<Person["kind"], string>> = {
  operator: "Console token",
  token: "A token",
  platform: "The platform",
};

/** What the access log notes, for people. */
export const ACCESS_WORDS: Readonly<Record<string, string>> = {
  order: "Viewed an order",
  "data-requests": "Viewed data requests",
  "data-request": "Viewed a customer’s data",
  approve: "Approved an order",
  undo: "Undid a decision",
  decline: "Declined an order",
  recheck: "Rechecked an order",
  note: "Wrote a note",
  policy: "Saved a policy",
  settings: "Changed the settings",
  people: "Changed user access",
  "sign-in": "Signed in",
  export: "Downloaded orders",
};

/** What an access was about, in words; null when there is nothing to add. */
export function toSubjectWords(what: string, subject: string | null): string | null {
  if (subject === null) return what === "order" ? "the list of orders" : null;
  if (what === "people") return nameActor(subject);
  return what === "policy" ? `version ${subject}` : subject;
}
