import { SANDBOX_TABLE, type SandboxTableRow } from "../../engine/sandbox-scenarios.ts";
import type { ServedRequest } from "../../sandbox/sandbox-service.ts";

/** An order id is the caller's own text: cut, so that a line stays a line. */
const ORDER_ID_CHARACTERS = 40;
/** Everything but control, format and separator characters, which a terminal could obey. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Names of what is asked for, other than the check of an order. */
const NAMES: Readonly<Record<ServedRequest["kind"], string>> = {
  verification: "order",
  organizations: "organizations",
  catalog: "catalog",
  management: "management",
  "sandbox-credits": "sandbox/credits",
  "sandbox-scenarios": "sandbox/scenarios",
  "wrong-method": "method not allowed",
  unknown: "no such path",
};
const ENDS: Readonly<Record<NonNullable<ServedRequest["ended"]>, string>> = {
  silent: "silence",
  reset: "reset",
  closed: "closed",
  "caller-left": "caller left",
};

/** A request as one line for a person. */
export function toRequestText(request: ServedRequest): string {
  const { at, kind, status, ended, riskLevel, metered, creditsLeft, rule } = request;
  const subject = kind === "verification" ? toOrderText(request.orderId) : NAMES[kind];
  const cells = [
    new Date(at).toISOString().slice(11, 23),
    subject.padEnd(20),
    (status === null ? ENDS[ended ?? "silent"] : String(status)).padEnd(11),
    (riskLevel ?? "-").padEnd(8),
    metered ? "metered" : "free   ",
    `${toCreditsText(creditsLeft)} left`,
    ...(rule === undefined ? [] : [`forced: ${rule}`]),
  ];
  return cells.join("  ");
}

/** A request as one JSON line. */
export function toRequestJson(request: ServedRequest): string {
  const { at, kind, creditsLeft, orderId, riskLevel, rule, ended, ...rest } = request;
  return JSON.stringify({
    event: "request",
    time: new Date(at).toISOString(),
    kind,
    ...rest,
    ended: ended ?? null,
    orderId: orderId === undefined ? null : clean(orderId),
    riskLevel: riskLevel ?? null,
    rule: rule ?? null,
    creditsLeft: Number.isFinite(creditsLeft) ? creditsLeft : null,
  });
}

/** Credits for a person. */
export function toCreditsText(credits: number): string {
  return Number.isFinite(credits) ? String(credits) : "unlimited";
}

/** The table of magic values for a person. */
export function toScenarioText(): string {
  const rows: readonly (readonly string[])[] = [
    ["field", "value", "metered", "answer"],
    ...SANDBOX_TABLE.map(toCells),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")).join("\n");
}

function toCells({ by, value, metered, answer }: SandboxTableRow): readonly string[] {
  return [by, value, metered ? "yes" : "no", answer];
}

function toOrderText(orderId: string | undefined): string {
  return orderId === undefined ? "(no order id)" : clean(orderId);
}

function clean(orderId: string): string {
  const text = orderId.replaceAll(UNPRINTABLE, "");
  return text.length > ORDER_ID_CHARACTERS ? `${text.slice(0, ORDER_ID_CHARACTERS)}…` : text;
}
