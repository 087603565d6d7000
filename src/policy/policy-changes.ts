import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { RISK_LEVELS } from "../order/risk-level.ts";
import type { Policy } from "./policy.ts";

/** One thing that differs between two policies. */
export const policyChangeJson = z.discriminatedUnion("kind", [
  z.object({
    kind: z.enum(["rule-added", "rule-removed", "rule-changed"]),
    rule: z.string().describe("its name"),
  }),
  z.object({ kind: z.literal("rules-moved") }),
  z.object({ kind: z.literal("level"), level: z.enum(RISK_LEVELS) }),
  z.object({ kind: z.literal("setting"), path: z.string().describe("for example `hold.deadlineHours`") }),
]);
type PolicyChange = z.infer<typeof policyChangeJson>;

/** What differs between two policies, without the values. Rules are recognized by their names. Pure. */
export function listPolicyChanges(before: Policy, after: Policy): readonly PolicyChange[] {
  const { levels: formerLevels, rules: formerRules, ...former } = before;
  const { levels, rules, ...settings } = after;
  return [
    ...listRuleChanges(formerRules, rules),
    ...RISK_LEVELS.filter((level) => !isDeepStrictEqual(formerLevels[level], levels[level])).map((level) => {
      return { kind: "level", level } as const;
    }),
    ...listSettings(former, settings).map((path) => ({ kind: "setting", path }) as const),
  ];
}

function listRuleChanges(before: Policy["rules"], after: Policy["rules"]): readonly PolicyChange[] {
  const former = new Map(before.map((rule) => [rule.name, rule]));
  const names = new Set(after.map(({ name }) => name));
  const changes = after.flatMap((rule): readonly PolicyChange[] => {
    const old = former.get(rule.name);
    if (old === undefined) return [{ kind: "rule-added", rule: rule.name }];
    return isDeepStrictEqual(old, rule) ? [] : [{ kind: "rule-changed", rule: rule.name }];
  });
  const removed = before.filter(({ name }) => !names.has(name));
  const orderOf = (rules: Policy["rules"]) =>
    rules.map(({ name }) => name).filter((name) => former.has(name) && names.has(name));
  const isMoved = !isDeepStrictEqual(orderOf(before), orderOf(after));
  return [
    ...changes,
    ...removed.map(({ name }) => ({ kind: "rule-removed", rule: name }) as const),
    ...(isMoved ? [{ kind: "rules-moved" } as const] : []),
  ];
}

type Settings = Readonly<Record<string, unknown>>;

/** The paths of settings that differ. A section's settings are listed one by one. */
function listSettings(before: Settings, after: Settings): readonly string[] {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return names.flatMap((name) => {
    const [old, next] = [before[name], after[name]];
    if (isDeepStrictEqual(old, next)) return [];
    if (!isSection(old) || !isSection(next) || !SECTIONS.has(name)) return [name];
    return listSettings(old, next).map((path) => `${name}.${path}`);
  });
}

/** Sections whose settings have names of their own. */
const SECTIONS: ReadonlySet<string> = new Set(["unchecked", "hold", "cancel", "budget"]);

function isSection(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
