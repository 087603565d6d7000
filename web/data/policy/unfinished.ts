import type { Policy, RuleConditions } from "../../../src/policy/policy.ts";
import type { FieldProblem } from "../api/api.ts";
import { t } from "../base/texts.ts";
import { CONDITION_NAMES } from "./policy-conditions.ts";

/**
 * What a person has begun and not finished yet: a set without conditions, a condition without a value. The server would
 * refuse it, so it isn't asked. At the fields as the server names them.
 */
export function findUnfinished({ rules }: Pick<Policy, "rules">): readonly FieldProblem[] {
  return rules.flatMap(({ when }, index) => findIn(when, `rules[${index}].when`));
}

function findIn(when: RuleConditions, path: string): readonly FieldProblem[] {
  if (Object.values(when).every((one) => one === undefined))
    return [{ path, message: t("policy.add-one-condition") }];
  const own = CONDITION_NAMES.flatMap((name) =>
    isBlank(when[name]) ? [{ path: `${path}.${name}`, message: t("policy.enter-a-value") }] : [],
  );
  const inGroups = (["any", "not"] as const).flatMap((name) =>
    (when[name] ?? []).flatMap((set, index) => findIn(set, `${path}.${name}[${index}]`)),
  );
  return [...own, ...inGroups];
}

/** An empty list, a range without an end, or what isn't a number. Undefined: there is no such condition. */
function isBlank(value: unknown): boolean {
  if (typeof value === "number") return Number.isNaN(value);
  if (typeof value !== "object" || value === null) return value === null;
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every((end) => end == null);
}
