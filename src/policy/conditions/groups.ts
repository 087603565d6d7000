import { z } from "zod";
import { expected } from "../../base/field-codes.ts";
import type { CheckOutcome } from "../check-facts.ts";
import type { OrderFacts } from "../order-facts.ts";
import { POLICY_LIMITS, strict } from "../schema-fields.ts";
import { CONDITION_NAMES, CONDITION_SCHEMAS, isConditionMet, type ConditionName } from "./conditions.ts";

/** Groups of conditions inside conditions. `any`: one of them is met. `not`: none of them is. */
export const GROUP_NAMES = ["any", "not"] as const;
type GroupName = (typeof GROUP_NAMES)[number];

const GROUPS_EXPECTED = expected("groups", { max: POLICY_LIMITS.groupEntries });
/** Several sets of conditions, or one by itself. */
const groupOf = <T extends z.ZodType>(entry: T) =>
  z.preprocess(
    (value) => (Array.isArray(value) || typeof value !== "object" || value === null ? value : [value]),
    z
      .array(entry, GROUPS_EXPECTED)
      .min(1, GROUPS_EXPECTED)
      .max(POLICY_LIMITS.groupEntries, GROUPS_EXPECTED)
      .readonly(),
  ) as z.ZodType<readonly z.output<T>[], readonly z.input<T>[] | z.input<T>>;

interface Bounds {
  readonly minAmount?: number | undefined;
  readonly maxAmount?: number | undefined;
  readonly minScore?: number | undefined;
  readonly maxScore?: number | undefined;
}

/** An object of conditions that can be met. */
const conditionsOf = <T extends z.ZodType<object>>(schema: T) =>
  schema
    .refine(
      (when) => Object.values(when).some((condition) => condition !== undefined),
      expected("condition-needed"),
    )
    .refine(({ minAmount = 0, maxAmount = Infinity }: Bounds) => minAmount <= maxAmount, {
      path: ["maxAmount"],
      error: expected("amount-below-min"),
    })
    .refine(({ minScore = 0, maxScore = Infinity }: Bounds) => minScore <= maxScore, {
      path: ["maxScore"],
      error: expected("score-below-min"),
    })
    .readonly();

const innermostSchema = conditionsOf(
  strict(CONDITION_SCHEMAS, (keys) =>
    GROUP_NAMES.some((name) => keys.includes(name)) ? expected("groups-depth") : undefined,
  ),
);
const inGroupSchema = conditionsOf(
  strict({
    ...CONDITION_SCHEMAS,
    any: groupOf(innermostSchema).optional(),
    not: groupOf(innermostSchema).optional(),
  }),
);
type Schemas = typeof CONDITION_SCHEMAS;
type Own = { readonly [Name in ConditionName]?: z.output<Schemas[Name]> };
type Written = { readonly [Name in ConditionName]?: z.input<Schemas[Name]> };

/** Conditions at any level: all of them must be met. */
export interface Conditions extends Own {
  readonly any?: readonly Conditions[] | undefined;
  readonly not?: readonly Conditions[] | undefined;
}

/** {@link Conditions} as people write them. */
export interface ConditionsDocument extends Written {
  readonly any?: ConditionsDocument | readonly ConditionsDocument[] | undefined;
  readonly not?: ConditionsDocument | readonly ConditionsDocument[] | undefined;
}

/** A rule's conditions. Groups nest two levels deep at most, so that a form can show them. */
export const conditionsSchema: z.ZodType<Conditions, ConditionsDocument> = conditionsOf(
  strict({
    ...CONDITION_SCHEMAS,
    any: groupOf(inGroupSchema).optional(),
    not: groupOf(inGroupSchema).optional(),
  }),
);

/** One condition of a rule, with its place in the rule's `when`. */
export interface PlacedCondition {
  readonly path: readonly (string | number)[];
  readonly name: ConditionName;
  readonly given: unknown;
}

/** The conditions of a rule at every level. */
export function listConditions(
  when: Conditions,
  path: PlacedCondition["path"] = [],
): readonly PlacedCondition[] {
  const own = CONDITION_NAMES.filter((name) => when[name] !== undefined);
  const inGroups = GROUP_NAMES.flatMap((group) =>
    (when[group] ?? []).flatMap((entry, index) => listConditions(entry, [...path, group, index])),
  );
  return [...own.map((name) => ({ path: [...path, name], name, given: when[name] })), ...inGroups];
}

/** Whether any of the named conditions is used, at any level. */
export function usesAny(when: Conditions, names: readonly ConditionName[]): boolean {
  return (
    names.some((name) => when[name] !== undefined) ||
    GROUP_NAMES.some((group) => when[group]?.some((entry) => usesAny(entry, names)) === true)
  );
}

/** How sure it is that an order meets conditions, in three-valued logic. */
const [NO, UNKNOWN, YES] = [0, 1, 2];

/** Conditions whose data is gone, and what is assumed of them. */
interface Hidden {
  readonly names: ReadonlySet<ConditionName>;
  readonly as: number;
}

/**
 * Whether an order surely meets all conditions. A condition on something unknown is neither met nor not met, so neither it
 * nor its opposite matches.
 */
export function meetsAll(when: Conditions, facts: OrderFacts, outcome: CheckOutcome): boolean {
  return rate(when, facts, outcome) === YES;
}

/** {@link meetsAll}, or undefined if that depends on data that was known at the time and is gone. */
export function metAllThen(
  when: Conditions,
  facts: OrderFacts,
  outcome: CheckOutcome,
  names: ReadonlySet<ConditionName>,
): boolean | undefined {
  // Each group can only raise or only lower the result, so the extremes of the data give the extremes of the result.
  if (rate(when, facts, outcome, { names, as: YES }) !== YES) return false;
  return rate(when, facts, outcome, { names, as: NO }) === YES ? true : undefined;
}

function rate(when: Conditions, facts: OrderFacts, outcome: CheckOutcome, hidden?: Hidden): number {
  let least = YES;
  for (const name in when) {
    const rated = rateOne(when, name as ConditionName | GroupName, facts, outcome, hidden);
    if (rated === NO) return NO;
    least = Math.min(least, rated);
  }
  return least;
}

function rateOne(
  when: Conditions,
  name: ConditionName | GroupName,
  facts: OrderFacts,
  outcome: CheckOutcome,
  hidden: Hidden | undefined,
): number {
  const given = when[name];
  if (given === undefined) return YES;
  if (name === "any") {
    return Math.max(...(given as readonly Conditions[]).map((group) => rate(group, facts, outcome, hidden)));
  }
  if (name === "not") {
    const opposite = hidden && { ...hidden, as: YES - hidden.as };
    return Math.min(
      ...(given as readonly Conditions[]).map((group) => YES - rate(group, facts, outcome, opposite)),
    );
  }
  if (hidden?.names.has(name) === true) return hidden.as;
  const met = isConditionMet(name, given, facts, outcome);
  return met === undefined ? UNKNOWN : met ? YES : NO;
}
