import { toStableText } from "../base/stable-text.ts";
import type { Policy, PolicyRule } from "../../../src/policy/policy.ts";
import { CONDITION_NAMES, CONDITIONS, type ConditionName, toRuleSentence } from "./policy-conditions.ts";
import { FIELD_GROUPS, MODE, nameSetting, readSetting, type Field } from "./policy-fields.ts";
import { ACTION_WORDS, LEVELS, LEVEL_WORDS, LINK_WORDS, LIST_WORDS } from "../api/words.ts";

/** Something that differs between two policies. Null: it's absent. */
export interface PolicyChange {
  /** Where in the document: `hold.deadlineHours`. */
  readonly path: string;
  /** The same for people: `Hold deadline`. */
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Everything that differs between two policies, in the order of the form. */
export function diffPolicies(before: Policy, after: Policy): readonly PolicyChange[] {
  const diff = (path: string, label: string, say: (policy: Policy) => string): PolicyChange => {
    return { path, label, before: say(before), after: say(after) };
  };
  const diffSetting = (path: string, field: Field, label = field.label) =>
    diff(path, label, (policy) => nameSetting(field, readSetting(policy, path)));
  const levels = LEVELS.flatMap((level) => {
    const name = `${LEVEL_WORDS[level]} risk`;
    return [
      diff(`levels.${level}.action`, name, (policy) => ACTION_WORDS[policy.levels[level].action]),
      diff(`levels.${level}.tags`, `${name}: tags`, (policy) => toTags(policy.levels[level].tags)),
    ];
  });
  const changes = [
    diffSetting("mode", MODE),
    ...levels,
    diff("unchecked.tags", "Tags for orders not checked by the service", (policy) =>
      toTags(policy.unchecked?.tags),
    ),
    ...diffRules(before.rules, after.rules),
    diff("lists", "Trusted and blocked buyers, and snoozed rules", (policy) => toListWords(policy.lists)),
    ...FIELD_GROUPS.flatMap(({ title, fields }) =>
      Object.entries(fields).map(([path, field]) =>
        diffSetting(path, field, `${title}: ${field.label.charAt(0).toLowerCase()}${field.label.slice(1)}`),
      ),
    ),
    diff("localWeights", "Weights of the local engine's signals", (policy) =>
      toWeightWords(policy.localWeights),
    ),
  ];
  return changes.filter((change) => change.before !== change.after);
}

/** What the policy before cancels automatically and the policy after doesn't, in words. */
export function findSofter(before: Policy, after: Policy): readonly string[] {
  if (before.mode === "shadow") return [];
  if (after.mode === "shadow") return ["every order"];
  const levels = LEVELS.filter(
    (level) => before.levels[level].action === "cancel" && after.levels[level].action !== "cancel",
  );
  const cancels = new Set(after.rules.filter(({ then }) => isCancel(then)).map(({ name: rule }) => rule));
  const rules = before.rules.filter((rule) => isCancel(rule.then) && !cancels.has(rule.name));
  const isDeadline = before.hold.onDeadline === "cancel" && after.hold.onDeadline !== "cancel";
  return [
    ...levels.map((level) => `${LEVEL_WORDS[level].toLowerCase()} risk`),
    ...rules.map((rule) => `rule ${name(rule)}`),
    ...(isDeadline ? ["holds past their deadline"] : []),
  ];
}

function isCancel(then: PolicyRule["then"]): boolean {
  return then.skip !== true && then.action === "cancel";
}

function toListWords(lists: Policy["lists"] | undefined): string {
  const words = (lists ?? []).map(
    ({ list, rule, kind, label, until }) =>
      `${LIST_WORDS[list]}${rule === undefined ? "" : ` “${rule}”`}: ${LINK_WORDS[kind].toLowerCase()} ${label}${until === null ? "" : ` until ${until}`}`,
  );
  return toTags(words);
}

function toWeightWords(weights: Policy["localWeights"] = {}): string {
  const words = Object.entries(weights)
    .filter(([, factor]) => factor !== 1)
    .map(([code, factor]) => `${code} ×${factor}`);
  return words.length === 0 ? "standard" : words.toSorted().join(", ");
}

function toTags(tags: readonly string[] | undefined): string {
  return tags === undefined || tags.length === 0 ? "none" : tags.join(", ");
}

/** Rules are matched by name, which is unique. A rule that was only renamed isn't new. */
function diffRules(before: readonly PolicyRule[], after: readonly PolicyRule[]): readonly PolicyChange[] {
  const pairs = pairRules(before, after);
  const changes = after.flatMap((rule, index) => {
    const path = `rules[${index}]`;
    const old = pairs.get(rule);
    if (old !== undefined) return diffRule(path, old, rule);
    return [{ path, label: `New rule ${name(rule)}`, before: null, after: toRuleSentence(rule) }];
  });
  const kept = new Set(pairs.values());
  const gone = before.flatMap((rule, index): readonly PolicyChange[] => {
    const label = `Removed rule ${name(rule)}`;
    return kept.has(rule)
      ? []
      : [{ path: `rules[${index}]`, label, before: toRuleSentence(rule), after: null }];
  });
  const order = after.flatMap((rule) => pairs.get(rule) ?? []);
  const formerly = before.filter((rule) => kept.has(rule));
  return [
    ...changes,
    ...gone,
    { path: "rules", label: "Rule order", before: toOrder(formerly), after: toOrder(order) },
  ];
}

function pairRules(before: readonly PolicyRule[], after: readonly PolicyRule[]): Map<PolicyRule, PolicyRule> {
  const pairs = new Map<PolicyRule, PolicyRule>();
  const free = new Set(before);
  const pair = (isSame: (old: PolicyRule, rule: PolicyRule) => boolean) => {
    for (const rule of after) {
      const old = pairs.has(rule) ? undefined : [...free].find((one) => isSame(one, rule));
      if (old === undefined) continue;
      pairs.set(rule, old);
      free.delete(old);
    }
  };
  pair((old, rule) => old.name === rule.name);
  pair((old, rule) => toStableText([old.when, old.then]) === toStableText([rule.when, rule.then]));
  return pairs;
}

function diffRule(path: string, old: PolicyRule, rule: PolicyRule): readonly PolicyChange[] {
  const label = `Rule ${name(rule)}`;
  const conditions = CONDITION_NAMES.map((condition) => ({
    path: `${path}.when.${condition}`,
    label: `${label}: ${CONDITIONS[condition].label.toLowerCase()}`,
    before: toCondition(condition, old),
    after: toCondition(condition, rule),
  }));
  return [
    { path: `${path}.name`, label, before: old.name, after: rule.name },
    ...conditions,
    { path: `${path}.then`, label: `${label}: what happens`, before: toThen(old), after: toThen(rule) },
  ];
}

function toCondition(condition: ConditionName, { when }: PolicyRule): string | null {
  return when[condition] === undefined ? null : nameSetting(CONDITIONS[condition], when[condition]);
}

function toThen({ then }: PolicyRule): string {
  if (then.skip === true) return "not checked";
  const { action, tags = [] } = then;
  return tags.length === 0 ? ACTION_WORDS[action] : `${ACTION_WORDS[action]}, tags ${tags.join(", ")}`;
}

function toOrder(rules: readonly PolicyRule[]): string {
  return rules.map((rule) => name(rule)).join(", ");
}

function name(rule: PolicyRule): string {
  return `“${rule.name}”`;
}
