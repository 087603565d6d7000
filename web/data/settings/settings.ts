import { nameActor } from "../api/words.ts";
import type { DataOf, Role, OrderDetail } from "../api/api-types.ts";

export type Settings = DataOf<"GET /settings">;
export type People = DataOf<"GET /people">;
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

export const ROLE_NAMES = ROLE_OPTIONS.map(([role, name]) => [role, name] as const);

/** How a person signs in. */
export const KIND_WORDS: Readonly<Record<Person["kind"], string>> = {
  operator: "Console token",
  token: "A token",
  platform: "The platform",
};

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

export type Setup = DataOf<"GET /setup">;
export type SetupStep = Setup["steps"][number];
export type Finding = Setup["findings"][number];

export function countLeft({ steps }: Setup): number {
  return steps.filter(({ done }) => !done).length;
}

/** Whether nothing was ever decided here, so that empty views should say how to begin. */
export function isFirstRun(setup: Setup | null): boolean {
  return setup !== null && !setup.done && setup.steps.some(({ id, done }) => id === "first-order" && !done);
}

export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  const ranks: readonly Finding["status"][] = ["problem", "warning", "ok", "skipped"];
  return findings.toSorted((one, other) => ranks.indexOf(one.status) - ranks.indexOf(other.status));
}

type StagedOrder = Pick<OrderDetail, "receivedAt" | "decidedAt" | "settledAt" | "state"> & {
  readonly timeline: readonly { readonly at: string }[];
};

/**
 * The stages of an order's way through Holdfast, and when it reached each; null: not yet. A held order counts as done
 * until a person decides. `order` is null if it isn't known yet.
 */
export function toStages(order: StagedOrder | null) {
  const isHeld = order?.state === "review";
  const settledAt = isHeld ? order.timeline.at(-1)?.at : order?.settledAt;
  return [
    { id: "received", label: "Received", at: order?.receivedAt ?? null },
    { id: "decided", label: "Decided", at: order?.decidedAt ?? null },
    { id: "settled", label: isHeld ? "Held for review" : "Settled", at: settledAt ?? null },
  ] as const;
}
