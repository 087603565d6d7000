import { nameActor } from "./words.ts";
import type { DataOf, Role } from "./api-types.ts";

/** What a shop sets for itself. */
export type Settings = DataOf<"GET /settings">;
/** Who may use the console. */
export type People = DataOf<"GET /people">;
/** Somebody who may use the console. */
export type Person = People["people"][number];

/** Every role with its description, lowest first. */
export const ROLE_OPTIONS = [
  ["viewer", "Viewer", "Can view everything."],
  ["reviewer", "Reviewer", "Can also decide on orders."],
  ["owner", "Owner", "Can also change settings."],
] as const;

/** A role with what it may do: `Viewer: can view everything`. */
export function nameRole(role: Role): string {
  const [, name, can = ""] = ROLE_OPTIONS.find(([one]) => one === role) ?? [];
  return `${name ?? role}: ${can.charAt(0).toLowerCase()}${can.slice(1, -1)}`;
}

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
  "data-request": "Viewed a customer's data",
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

/** The subject of an access in words; null if there is nothing to add. */
export function toSubjectWords(what: string, subject: string | null): string | null {
  if (subject === null) return what === "order" ? "the list of orders" : null;
  if (what === "people") return nameActor(subject);
  return what === "policy" ? `version ${subject}` : subject;
}
