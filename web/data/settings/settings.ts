import { nameActor } from "../api/words.ts";
import { toMiddle } from "../base/format.ts";
import type { DataOf, Role, OrderDetail } from "../api/api-types.ts";
import { t } from "../base/texts.ts";

export type Settings = DataOf<"GET /settings">;
export type People = DataOf<"GET /people">;
export type Person = People["people"][number];

/** The parts of the settings: the last part of the address, and the name. */
export const SETTINGS_PARTS = [
  [null, t("settings.service-and-alerts")],
  ["notices", t("notices.notices")],
  ["money", t("settings.money")],
  ["disputes", t("order.disputes")],
  ["people", t("settings.people")],
  ["access", t("settings.access-log")],
  ["requests", t("settings.data-requests")],
  ["setup", t("settings.setup")],
  ["about", t("settings.about")],
] as const;

/** Every role with its description, lowest first. */
export const ROLE_OPTIONS = [
  ["viewer", t("settings.viewer"), t("settings.can-view-everything")],
  ["reviewer", t("settings.reviewer"), t("settings.can-also-decide-on-orders")],
  ["owner", t("settings.owner"), t("settings.can-also-change-settings")],
] as const;

/** A role with what it may do: `Viewer: can view everything`. */
export function nameRole(role: Role): string {
  const [, name, can = ""] = ROLE_OPTIONS.find(([one]) => one === role) ?? [];
  return t("settings.role-can", { role: name ?? role, can: toMiddle(can.slice(0, -1)) });
}

export const ROLE_NAMES = ROLE_OPTIONS.map(([role, name]) => [role, name] as const);

/** How a person signs in. */
export const KIND_WORDS: Readonly<Record<Person["kind"], string>> = {
  operator: t("settings.console-token"),
  token: t("settings.a-token"),
  platform: t("settings.the-platform"),
};

export const ACCESS_WORDS: Readonly<Record<string, string>> = {
  order: t("settings.viewed-an-order"),
  ahead: t("settings.loaded-ahead"),
  linked: t("settings.viewed-linked-orders"),
  evidence: t("settings.viewed-evidence"),
  "evidence-draft": t("settings.saved-evidence-draft"),
  orders: t("settings.viewed-orders"),
  buyer: t("settings.viewed-a-buyer"),
  "data-requests": t("settings.viewed-data-requests"),
  "data-request": t("settings.viewed-a-customers-data"),
  approve: t("settings.approved-an-order"),
  undo: t("settings.undid-a-decision"),
  decline: t("settings.declined-an-order"),
  handle: t("settings.marked-an-order-as-handled"),
  assign: t("settings.assigned-an-order"),
  list: t("settings.changed-a-list"),
  recheck: t("settings.rechecked-an-order"),
  note: t("settings.wrote-a-note"),
  policy: t("settings.saved-a-policy"),
  settings: t("settings.changed-the-settings"),
  people: t("settings.changed-user-access"),
  "sign-in": t("settings.signed-in"),
  export: t("settings.downloaded-orders"),
};

/** The subject of an access in words; null if there is nothing to add. */
export function toSubjectWords(what: string, subject: string | null): string | null {
  if (subject === null) return null;
  if (what === "people") return nameActor(subject);
  return what === "policy" ? t("settings.version", { version: subject }) : subject;
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
    { id: "received", label: t("settings.received"), at: order?.receivedAt ?? null },
    { id: "decided", label: t("settings.decided"), at: order?.decidedAt ?? null },
    {
      id: "settled",
      label: isHeld ? t("settings.held-for-review") : t("settings.settled"),
      at: settledAt ?? null,
    },
  ] as const;
}
