import { toMiddle } from "../base/format.ts";
import { toStableText } from "../base/stable-text.ts";
import type { Policy, PolicyRule } from "../../../src/policy/policy.ts";
import { CONDITION_NAMES, CONDITIONS, type ConditionName } from "./policy-conditions.ts";
import { GROUP_WORDS, type GroupName } from "./condition-groups.ts";
import { saySets, toRuleSentence } from "./rule-sentence.ts";
import { FIELD_GROUPS, MODE, nameSetting, readSetting, type Field } from "./policy-fields.ts";
import { ACTION_WORDS, LEVELS, LIST_WORDS, nameLink, quote } from "../api/words.ts";
import { t } from "../base/texts.ts";
import { withAsking } from "./asking.ts";

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
    const name = t("policy.level-risk", { level });
    return [
      diff(`levels.${level}.action`, name, ({ levels }) =>
        withAsking(ACTION_WORDS[levels[level].action], levels[level].verify),
      ),
      diff(`levels.${level}.tags`, t("policy.tags-of", { name }), (policy) =>
        toTags(policy.levels[level].tags),
      ),
    ];
  });
  const changes = [
    diffSetting("mode", MODE),
    ...levels,
    diff("unchecked.tags", t("policy.tags-for-orders-not-checked-by"), (policy) =>
      toTags(policy.unchecked?.tags),
    ),
    ...diffRules(before.rules, after.rules),
    diff("lists", t("policy.trusted-and-blocked-buyers-and-snoozed"), (policy) => toListWords(policy.lists)),
    ...FIELD_GROUPS.flatMap(({ title, fields }) =>
      Object.entries(fields).map(([path, field]) =>
        diffSetting(path, field, t("policy.setting-of", { group: title, setting: toMiddle(field.label) })),
      ),
    ),
    diff("localModel", t("policy.the-local-engines-own-model"), (policy) => toModelWords(policy.localModel)),
  ];
  return changes.filter((change) => change.before !== change.after);
}

/** What the policy before cancels automatically and the policy after doesn't, in words. */
export function findSofter(before: Policy, after: Policy): readonly string[] {
  if (before.mode === "shadow") return [];
  if (after.mode === "shadow") return [t("policy.every-order")];
  const levels = LEVELS.filter(
    (level) => before.levels[level].action === "cancel" && after.levels[level].action !== "cancel",
  );
  const cancels = new Set(after.rules.filter(({ then }) => isCancel(then)).map(({ name: rule }) => rule));
  const rules = before.rules.filter((rule) => isCancel(rule.then) && !cancels.has(rule.name));
  const isDeadline = before.hold.onDeadline === "cancel" && after.hold.onDeadline !== "cancel";
  return [
    ...levels.map((level) => t("policy.softer-level", { level })),
    ...rules.map((rule) => t("policy.softer-rule", { name: name(rule) })),
    ...(isDeadline ? [t("policy.holds-past-their-deadline")] : []),
  ];
}

function isCancel(then: PolicyRule["then"]): boolean {
  return then.skip !== true && (then.action ?? then.atLeast) === "cancel";
}

function toListWords(lists: Policy["lists"] | undefined): string {
  return toTags((lists ?? []).map((entry) => toListEntry(entry)));
}

function toListEntry({ list, rule, kind, label, until }: Policy["lists"][number]): string {
  const parts = { list: LIST_WORDS[list], kind: nameLink(kind), label };
  const entry =
    rule === undefined
      ? t("policy.list-entry", parts)
      : t("policy.list-entry-rule", { ...parts, rule: quote(rule) });
  return until === null ? entry : t("policy.until", { entry, date: until });
}

function toModelWords(model: Policy["localModel"]): string {
  if (model === undefined) return t("policy.none");
  return Object.entries(model.points)
    .map(([feature, points]) => `${feature} ${points > 0 ? "+" : "−"}${Math.abs(points)}`)
    .join(", ");
}

function toTags(tags: readonly string[] | undefined): string {
  return tags === undefined || tags.length === 0 ? t("policy.none") : tags.join(", ");
}

/** Rules are matched by name, which is unique. A rule that was only renamed isn't new. */
function diffRules(before: readonly PolicyRule[], after: readonly PolicyRule[]): readonly PolicyChange[] {
  const pairs = pairRules(before, after);
  const changes = after.flatMap((rule, index) => {
    const path = `rules[${index}]`;
    const old = pairs.get(rule);
    if (old !== undefined) return diffRule(path, old, rule);
    return [
      { path, label: t("policy.new-rule", { name: name(rule) }), before: null, after: toRuleSentence(rule) },
    ];
  });
  const kept = new Set(pairs.values());
  const gone = before.flatMap((rule, index): readonly PolicyChange[] => {
    const label = t("policy.removed-rule", { name: name(rule) });
    return kept.has(rule)
      ? []
      : [{ path: `rules[${index}]`, label, before: toRuleSentence(rule), after: null }];
  });
  const order = after.flatMap((rule) => pairs.get(rule) ?? []);
  const formerly = before.filter((rule) => kept.has(rule));
  return [
    ...changes,
    ...gone,
    { path: "rules", label: t("policy.rule-order"), before: toOrder(formerly), after: toOrder(order) },
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
  const label = t("policy.rule-of", { name: name(rule) });
  const conditions = CONDITION_NAMES.map((condition) => ({
    path: `${path}.when.${condition}`,
    label: t("policy.setting-of", { group: label, setting: toMiddle(CONDITIONS[condition].label) }),
    before: toCondition(condition, old),
    after: toCondition(condition, rule),
  }));
  const groups = (Object.keys(GROUP_WORDS) as GroupName[]).map((group) => ({
    path: `${path}.when.${group}`,
    label: t("policy.setting-of", { group: label, setting: toMiddle(GROUP_WORDS[group].title) }),
    before: toGroup(group, old),
    after: toGroup(group, rule),
  }));
  return [
    { path: `${path}.name`, label, before: old.name, after: rule.name },
    ...conditions,
    ...groups,
    {
      path: `${path}.then`,
      label: t("policy.what-happens", { rule: label }),
      before: toThen(old),
      after: toThen(rule),
    },
  ];
}

function toCondition(condition: ConditionName, { when }: PolicyRule): string | null {
  return when[condition] === undefined ? null : nameSetting(CONDITIONS[condition], when[condition]);
}

function toGroup(group: GroupName, { when }: PolicyRule): string | null {
  const sets = when[group];
  return sets === undefined ? null : saySets(sets);
}

function toThen({ then }: PolicyRule): string {
  if (then.skip === true) return t("policy.not-checked");
  const { action, atLeast, tags = [], verify } = then;
  const does =
    action === undefined
      ? t("policy.then-at-least", { action: ACTION_WORDS[atLeast] })
      : ACTION_WORDS[action];
  const what = withAsking(does, verify);
  return tags.length === 0 ? what : t("policy.then-tags", { action: what, tags: tags.join(", ") });
}

function toOrder(rules: readonly PolicyRule[]): string {
  return rules.map((rule) => name(rule)).join(", ");
}

function name(rule: PolicyRule): string {
  return quote(rule.name);
}
