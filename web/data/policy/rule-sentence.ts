import type { PolicyRule, RuleConditions } from "../../../src/policy/policy.ts";
import { LEVEL_WORDS, quote } from "../api/words.ts";
import { joinSentences, toMiddle } from "../base/format.ts";
import { t } from "../base/texts.ts";
import { CONDITION_NAMES, CONDITIONS } from "./policy-conditions.ts";
import { joinSome, LISTS, sayRange } from "./rule-words.ts";

/** A rule in plain language: `Hold orders of 500 USD or more from first-time customers shipped to Norway.` */
export function toRuleSentence({ when, then }: Pick<PolicyRule, "when" | "then">): string {
  const orders = sayOrders(when);
  if (then.skip === true) return t("conditions.rule-skip", { orders });
  const { action, atLeast, tags = [], verify } = then;
  const rule =
    action === undefined
      ? t("conditions.rule-at-least", { action: atLeast, orders, tags: sayTags(atLeast, tags) })
      : t("conditions.rule", { action, orders, tags: sayTags(action, tags) });
  return verify === undefined ? rule : joinSentences([rule, t("asking.option", { verify })]);
}

function sayOrders(when: RuleConditions): string {
  const levels = toLevels(when);
  const subject = t("conditions.orders", { levels: levels ?? "none" });
  const conditions = sayPhrases(when).join(t("conditions.between"));
  const orders = conditions === "" ? subject : t("conditions.orders-said", { orders: subject, conditions });
  if (when.not === undefined) return orders;
  return t("conditions.orders-except", { orders, sets: saySets(when.not) });
}

function toLevels({ level = [] }: RuleConditions): string | undefined {
  return level.length === 0 ? undefined : LISTS.or.format(level.map((one) => toMiddle(LEVEL_WORDS[one])));
}

/** What each condition says about orders, except for the level and for exceptions. */
function sayPhrases(when: RuleConditions): readonly string[] {
  const said = CONDITION_NAMES.map((name) =>
    when[name] === undefined ? "" : (CONDITIONS[name].say?.(when[name] as never) ?? ""),
  );
  return [sayAmount(when), sayScore(when), ...said, sayAny(when)].filter((phrase) => phrase !== "");
}

function sayAny({ any = [] }: RuleConditions): string {
  if (any.length === 0) return "";
  return any.length === 1 ? saySets(any) : t("conditions.any-said", { sets: saySets(any) });
}

/** Sets of conditions of which one is enough. What several conditions say together stands in brackets. */
export function saySets(sets: readonly RuleConditions[]): string {
  return joinSome(sets.map((set) => saySet(set)));
}

function saySet(when: RuleConditions): string {
  const levels = toLevels(when);
  const phrases = [
    ...(levels === undefined ? [] : [t("conditions.level-said", { levels })]),
    ...sayPhrases(when),
  ];
  const { not } = when;
  if (not !== undefined) phrases.push(t("conditions.not-set", { sets: saySets(not) }));
  const [only = "…"] = phrases;
  return phrases.length <= 1 ? only : t("conditions.in-set", { set: phrases.join(t("conditions.between")) });
}

function sayAmount({ minAmount, maxAmount, currency = [] }: RuleConditions): string {
  const units = currency.map((code) => code.toUpperCase());
  const [unit] = units;
  const range = toRange(minAmount, maxAmount, units.length === 1 ? unit : undefined);
  const currencies = units.length === 0 ? "" : joinSome(units);
  if (range === "") return units.length === 0 ? "" : t("conditions.in-currencies", { currencies });
  if (units.length === 0) return t("conditions.any-currency", { range });
  return units.length === 1 ? range : t("conditions.range-in", { range, currencies });
}

function toRange(min: number | undefined, max: number | undefined, unit: string | undefined): string {
  const inUnit = (amount: string) => (unit === undefined ? amount : t("conditions.units", { amount, unit }));
  return sayRange(
    { min, max },
    {
      from: (least) => t("conditions.at-least", { min: inUnit(least) }),
      to: (most) => t("conditions.at-most", { max: inUnit(most) }),
      both: (least, most) => t("conditions.from-to", { min: least, max: inUnit(most) }),
    },
  );
}

function sayScore({ minScore, maxScore }: RuleConditions): string {
  return sayRange(
    { min: minScore, max: maxScore },
    {
      from: (min) => t("conditions.score-at-least", { min }),
      to: (max) => t("conditions.score-at-most", { max }),
      both: (min, max) => t("conditions.score-from-to", { min, max }),
    },
  );
}

function sayTags(action: string, all: readonly string[]): string {
  if (all.length === 0) return "";
  const tags = LISTS.and.format(all.map((tag) => quote(tag)));
  return action === "tag" ? t("conditions.with-tags", { tags }) : t("conditions.and-tags", { tags });
}
