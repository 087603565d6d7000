import { setImmediate } from "node:timers/promises";
import type { Conditions } from "../conditions/groups.ts";
import { policySchema, type PolicyRule } from "../policy.ts";
import { POLICY_LIMITS } from "../schema-fields.ts";
import { findPersonalRuleNames, findUnmatchable } from "../unmatchable.ts";
import { readExport, toPlainName, type ExportedLine } from "./read-export.ts";
import { toCondition, type Imported, type ImportProblem } from "./to-condition.ts";

/** A rule of the export that wasn't imported. */
export interface LeftOut {
  readonly line: number;
  readonly name: string;
  readonly problem: ImportProblem;
  /** What the line asks about, as it's written. */
  readonly field: string;
}

/** The IP addresses of a rule. */
export interface ImportedNetworks {
  readonly line: number;
  readonly name: string;
  readonly field: string;
  readonly ips: readonly string[];
}

export interface ImportedRules {
  /** Rules of the export. */
  readonly found: number;
  /** How many of them became part of `rules` or `networks`. */
  readonly imported: number;
  /** To be added after the policy's own rules. */
  readonly rules: readonly PolicyRule[];
  /** IP addresses for the block list. */
  readonly networks: readonly ImportedNetworks[];
  readonly leftOut: readonly LeftOut[];
}

export interface ImportOptions {
  /** The shop's currency, in which amounts are; null if it isn't known. */
  readonly currency: string | null;
  /** How many rules the policy has room for. */
  readonly room: number;
  /** Names of rules that the policy has. */
  readonly names?: readonly string[];
}

type Then = PolicyRule["then"];

/**
 * What a rule of the Fraud Filter does becomes at least as careful: only an answer of the service cancels, so "Cancel" is at
 * least a hold, and "Warn" at least a tag.
 */
const THENS: readonly (readonly [readonly string[], Then])[] = [
  [["cancel", "cancelorder", "cancelorders"], { atLeast: "hold", tags: [] }],
  [["warn", "warning", "flag", "report"], { atLeast: "tag", tags: ["fraud-filter"] }],
];
const HOLD = THENS[0]?.[1];

/** A rule of the export: the lines that name it. */
interface Exported {
  readonly line: number;
  readonly name: string;
  readonly lines: readonly ExportedLine[];
}

interface Made extends Pick<Exported, "line" | "name"> {
  readonly field: string;
  readonly when: Conditions;
  readonly then: Then;
}

/** Rules that are read at a time, so that other requests get their turn. */
const AT_A_TIME = 100;

/**
 * Rules and IP addresses for a policy from a CSV export of Shopify's Fraud Filter. A rule is imported whole or not at all,
 * because without one of its conditions it would apply to more orders.
 *
 * @throws {HoldfastError} `INPUT_INVALID` for a file that isn't CSV, lacks a column or is too long.
 */
export async function importFraudFilter(csv: string, options: ImportOptions): Promise<ImportedRules> {
  const found = toExported(readExport(csv));
  const made: Made[] = [];
  const networks: ImportedNetworks[] = [];
  const leftOut: LeftOut[] = [];
  for (const [index, one] of found.entries()) {
    if (index % AT_A_TIME === AT_A_TIME - 1) await setImmediate();
    const result = toMade(one, options.currency);
    if ("problem" in result) leftOut.push(result);
    else if ("ips" in result) networks.push(result);
    else made.push(result);
  }
  const rules = toRules(made, options.names ?? []);
  for (const { line, name, field } of rules.slice(options.room).flatMap(({ from }) => from))
    leftOut.push({ line, name, field, problem: "too-many-rules" });
  return {
    found: found.length,
    imported: found.length - leftOut.length,
    rules: rules.slice(0, options.room).map(({ rule }) => rule),
    networks,
    leftOut: leftOut.toSorted((one, other) => one.line - other.line),
  };
}

/** Lines that follow each other with the same name are one rule. */
function toExported(lines: readonly ExportedLine[]): readonly Exported[] {
  const rules: { line: number; name: string; lines: ExportedLine[] }[] = [];
  for (const one of lines) {
    const last = rules.at(-1);
    if (last !== undefined && one.name !== "" && last.name === one.name) last.lines.push(one);
    else rules.push({ line: one.line, name: one.name, lines: [one] });
  }
  return rules;
}

type Result = Made | LeftOut | ImportedNetworks;

function toMade({ line, name, lines }: Exported, currency: string | null): Result {
  const [first] = lines;
  const leave = ({ at = first, problem }: Fault): LeftOut => ({
    line: at?.line ?? line,
    name,
    problem,
    field: at?.field ?? "",
  });
  const then = findThen(first?.action ?? "");
  if (then === undefined) return leave({ problem: "unknown-action" });
  // An export may name the action only once.
  const other = lines.find(({ action }) => action !== "" && findThen(action) !== then);
  if (other !== undefined) return leave({ at: other, problem: "two-actions" });
  const asked = toAsked(lines);
  if ("problem" in asked) return leave(asked);
  const result = toResult(asked, then, currency);
  return "problem" in result ? leave(result) : { line, name, field: first?.field ?? "", ...result };
}

interface AskedFor {
  readonly when: Conditions;
  readonly ips: readonly string[];
}

function toResult(
  { when: asked, ips }: AskedFor,
  then: Then,
  currency: string | null,
): Fault | Pick<Made, "when" | "then"> | Pick<ImportedNetworks, "ips"> {
  if (ips.length > 0)
    return then === HOLD && Object.keys(asked).length === 0 ? { ips } : { problem: "only-blocks" };
  const when = withCurrency(asked, currency);
  if (when === null) return { problem: "no-currency" };
  return isUsable({ when, then }) ? { when, then } : { problem: "invalid-value" };
}

interface Fault {
  /** Default: the rule's first line. */
  readonly at?: ExportedLine | undefined;
  readonly problem: ImportProblem;
}

/** What the lines ask for together. */
function toAsked(lines: readonly ExportedLine[]): Fault | AskedFor {
  const when: Asked = {};
  const ips: string[] = [];
  for (const at of lines) {
    const imported = toCondition(at);
    if (imported.kind === "problem") return { at, problem: imported.problem };
    if (imported.kind === "network") for (const ip of imported.entries) ips.push(ip);
    else if (!add(when, imported)) return { at, problem: "two-parts" };
  }
  return { when, ips };
}

/** Amounts are in the shop's currency, unless the rule names another. Null if neither is known. */
function withCurrency(when: Conditions, currency: string | null): Conditions | null {
  const hasAmount = when.minAmount !== undefined || when.maxAmount !== undefined;
  if (!hasAmount || when.currency !== undefined) return when;
  return currency === null ? null : { ...when, currency: [currency] };
}

function findThen(action: string): Then | undefined {
  return THENS.find(([names]) => names.includes(toPlainName(action)))?.[1];
}

/** Details of which an order has one: whoever asks for two values means either. */
const SINGLE: ReadonlySet<string> = new Set([
  "email",
  "emailDomain",
  "currency",
  "billingCountry",
  "shippingCountry",
  "paymentBrand",
  "avs",
  "cvv",
  "channel",
]);

/** Add a condition to those that must be met too; false if a rule can't say both. */
function add(when: Asked, imported: Exclude<Imported, { kind: "problem" | "network" }>): boolean {
  if (imported.kind === "bound") {
    const isTaken = Object.keys(imported.given).some((name) => name in when);
    Object.assign(when, imported.given);
    return !isTaken;
  }
  const { name, entries, kind } = imported;
  const into: Record<string, unknown> = kind === "not" ? toExceptions(when, name) : when;
  const before = into[name] as string[] | undefined;
  if (before === undefined) into[name] = [...entries];
  else if (kind === "in" && !SINGLE.has(name)) return false;
  else for (const entry of entries) before.push(entry);
  return true;
}

type Asked = Record<string, unknown> & { not?: Record<string, unknown>[] };

/** The set of exceptions that asks about a detail: an order has none of its values. */
function toExceptions(when: Asked, name: string): Record<string, unknown> {
  const all = (when.not ??= []);
  const known = all.find((one) => name in one);
  if (known !== undefined) return known;
  const own = {};
  all.push(own);
  return own;
}

/** Whether the policy takes the rule, and some order can match it. */
function isUsable({ when, then }: Pick<Made, "when" | "then">): boolean {
  const policy = policySchema.safeParse({ rules: [{ name: "imported", when, then }], skipChannels: [] }).data;
  return policy !== undefined && findUnmatchable(policy).length === 0;
}

interface FinishedRule {
  readonly rule: PolicyRule;
  readonly from: readonly Made[];
}

/** Rules that ask for one value of the same kind become one with a list. Those that hold come before those that tag. */
function toRules(made: readonly Made[], names: readonly string[]): readonly FinishedRule[] {
  const rules: FinishedRule[] = [];
  const toTitle = createTitles(names);
  for (const [, then] of THENS) {
    const own = made.filter((one) => one.then === then);
    const lists = Map.groupBy(own, ({ when }) => toListName(when));
    for (const [name, all] of lists) {
      const finished =
        name === null ? all.map((one) => ({ when: one.when, from: [one] })) : toLists(name, all);
      for (const { when, from } of finished) {
        rules.push({ rule: { name: toTitle(from, name), when, then }, from });
      }
    }
  }
  return rules;
}

/** The only condition, if it's a list; else null. */
function toListName(when: Conditions): keyof Conditions | null {
  const [name, ...others] = Object.keys(when) as (keyof Conditions)[];
  return name !== undefined && others.length === 0 && name !== "not" && Array.isArray(when[name])
    ? name
    : null;
}

function toLists(name: keyof Conditions, all: readonly Made[]) {
  const lists: { when: Conditions; from: Made[] }[] = [];
  const seen = new Set<string>();
  let entries: string[] = [];
  for (const one of all) {
    const more = (one.when[name] as readonly string[]).filter((entry) => !seen.has(entry));
    for (const entry of more) seen.add(entry);
    const last = lists.at(-1);
    if (last === undefined || entries.length + more.length > POLICY_LIMITS.listEntries) {
      entries = [...more];
      lists.push({ when: { [name]: entries }, from: [one] });
    } else {
      for (const entry of more) entries.push(entry);
      last.from.push(one);
    }
  }
  return lists;
}

/** Gives each rule a name that no other has, and that names nobody. */
function createTitles(names: readonly string[]) {
  const taken = new Set(names);
  const counts = new Map<string, number>();
  return (from: readonly Made[], name: keyof Conditions | null): string => {
    const [first] = from;
    const own = from.length === 1 && first !== undefined && isSpeaking(first.name) ? first.name : undefined;
    const title = `Fraud Filter: ${(own ?? name ?? `line ${first?.line}`).slice(0, POLICY_LIMITS.ruleNameLength - 30)}`;
    let count = counts.get(title) ?? 1;
    const toNext = (): string => (count === 1 ? title : `${title} (${count})`);
    while (taken.has(toNext())) count += 1;
    const next = toNext();
    counts.set(title, count + 1);
    taken.add(next);
    return next;
  };
}

/** Whether a name can be shown in the clear. */
export function isSpeaking(name: string): boolean {
  const policy = policySchema.safeParse({
    rules: [{ name, when: { minAmount: 0 }, then: { action: "tag" } }],
  }).data;
  return policy !== undefined && findPersonalRuleNames(policy).length === 0;
}
