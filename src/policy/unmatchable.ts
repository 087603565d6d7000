import { toFieldsError } from "../base/errors.ts";
import { toFieldProblem, type FieldCode, type FieldProblem, type Params } from "../base/field-codes.ts";
import type { Policy, PolicyRule } from "./policy.ts";
import { toCountryCode } from "../order/countries/country-code.ts";
import { ALL_GROUPS } from "../engine/signals/all-signals.ts";
import { RISK_CATEGORIES } from "../order/result.ts";
import { AGENT_CHANNEL } from "../order/agent-orders.ts";
import { foldText, toDigits } from "../order/text.ts";
import { toPath } from "../order/field-problems.ts";
import type { ConditionName } from "./conditions/conditions.ts";
import { listConditions } from "./conditions/groups.ts";
import { COUNTRY_UNIONS } from "./conditions/kinds.ts";

/** Why an entry can match no order, with what to write instead. */
type Wrong = (path: string) => FieldProblem;
/** Why an entry of a condition can match no order; null when it can. */
type Check = (entry: string) => Wrong | null;

function wrong<Code extends FieldCode>(code: Code, ...params: Params<Code>): Wrong {
  return (path) => toFieldProblem(path, code, ...params);
}

/** As many digits as the shortest phone numbers have. */
const FEWEST_DIGITS = 5;

/** Conditions that compare whole values of a known form. A value without that form never matches. */
const CHECKS: Readonly<Partial<Record<ConditionName, Check>>> = {
  country: checkCountry,
  shippingCountry: checkCountry,
  billingCountry: checkCountry,
  currency: (entry) => (CURRENCIES.has(entry.toUpperCase()) ? null : wrong("currency-unknown")),
  email: (entry) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(entry.trim()) ? null : wrong("email-whole")),
  emailDomain: (entry) => (/^@?[^\s@:/*]+\.[^\s@:/*.]+$/u.test(entry.trim()) ? null : wrong("domain")),
  phone: (entry) => (toDigits(entry).length >= FEWEST_DIGITS ? null : wrong("phone-whole")),
  orderTag: checkTag,
  customerTag: checkTag,
  avs: checkCode,
  cvv: checkCode,
  factor: checkFactor,
};

const SIGNALS: ReadonlySet<string> = new Set(
  ALL_GROUPS.flatMap(({ signals }) => signals.map(({ code }) => code)),
);

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

function checkTag(entry: string): Wrong | null {
  return entry.includes(",") ? wrong("tag-commas") : null;
}

function checkCode(entry: string): Wrong | null {
  return /^[A-Z]$/i.test(entry.trim()) ? null : wrong("letter-code");
}

function checkCountry(entry: string): Wrong | null {
  if (COUNTRY_UNIONS.has(entry)) return wrong("country-union");
  return toCountryCode(entry) === undefined ? wrong("country-unknown") : null;
}

const FACTORS: ReadonlySet<string> = new Set([...RISK_CATEGORIES, ...SIGNALS].map((name) => foldText(name)));

/** The service may have codes of its own, but it has these categories. */
function checkFactor(entry: string): Wrong | null {
  return FACTORS.has(foldText(entry)) || /[A-Z]_[A-Z]/i.test(entry)
    ? null
    : wrong("factor-unknown", { categories: RISK_CATEGORIES.join(", ") });
}

/**
 * The parts of a policy that can match no order, and so would look active and do nothing: entries of rules, such as the
 * country `Atlantis`. A saved policy with such parts stays usable; call this before a policy is saved or tried.
 *
 * @param kept - The policy in force. Parts that are unchanged from it don't prevent saving something else.
 * @returns One problem per entry, at `rules[0].when.country[1]`.
 */
export function findUnmatchable(policy: Policy, kept: Policy | null = null): readonly FieldProblem[] {
  const { rules } = policy;
  const known = new Set(kept?.rules.map((rule) => JSON.stringify(rule)));
  const hasOtherAgents = String(policy.agentChannels) !== String(kept?.agentChannels ?? []);
  const inRules = rules.flatMap((rule, index) => {
    const [path, isKept] = [`rules[${index}].when`, known.has(JSON.stringify(rule))];
    return [
      ...(isKept ? [] : checkRule(rule, path)),
      ...(isKept && !hasOtherAgents ? [] : checkChannels(rule, policy, path)),
    ];
  });
  const isSkipKept = !hasOtherAgents && String(policy.skipChannels) === String(kept?.skipChannels);
  return [...inRules, ...(isSkipKept ? [] : checkSkips(policy))];
}

/** A skipped channel that is also an agent's: its orders have the channel `agent`. */
function checkSkips({ skipChannels, agentChannels }: Policy): readonly FieldProblem[] {
  const agents = agentChannels.map((name) => foldText(name));
  return checkEntries(skipChannels, (entry) => checkAgents(entry, agents), "skipChannels");
}

function checkAgents(entry: string, agents: readonly string[]): Wrong | null {
  const name = foldText(entry);
  return name !== AGENT_CHANNEL && agents.includes(name) ? wrong("agent-channel-named") : null;
}

function checkRule({ when }: PolicyRule, path: string): readonly FieldProblem[] {
  return listConditions(when).flatMap(({ name, given, path: place }) =>
    checkEntries(given, CHECKS[name], toPath([path, ...place])),
  );
}

function checkEntries(given: unknown, check: Check | undefined, path: string): readonly FieldProblem[] {
  if (check === undefined || !Array.isArray(given)) return [];
  return given.flatMap((entry: string, index): readonly FieldProblem[] => {
    const found = check(entry);
    return found === null ? [] : [found(`${path}[${index}]`)];
  });
}

/**
 * Orders of a skipped channel reach no rule, and those of an agent's channel have the channel `agent`. An exception for such a
 * channel does no harm.
 */
function checkChannels(
  { when }: PolicyRule,
  { skipChannels, agentChannels }: Policy,
  path: string,
): readonly FieldProblem[] {
  const [skipped = [], agents = []] = [skipChannels, agentChannels].map((names) =>
    names.map((name) => foldText(name)),
  );
  const check: Check = (entry) =>
    skipped.includes(foldText(entry)) ? wrong("channel-skipped") : checkAgents(entry, agents);
  return listConditions(when)
    .filter(({ name, path: place }) => name === "channel" && !place.includes("not"))
    .flatMap(({ given, path: place }) => checkEntries(given, check, toPath([path, ...place])));
}

/**
 * Check that every rule of a policy can match something.
 *
 * @throws {HoldfastError} `POLICY_INVALID` with one entry in `fields` for each that cannot.
 */
export function assertMatchable(policy: Policy): void {
  const fields = findUnmatchable(policy);
  if (fields.length === 0) return;
  const message = "the policy has rules that no order can match";
  throw toFieldsError("POLICY_INVALID", message, fields);
}

const DIGITS_ONLY = /^(?=.*\p{Nd})[\p{Nd}\p{P}\p{Z}\p{C}+]+$/u;

function isPersonal(name: string): boolean {
  const plain = name.normalize("NFKC");
  return plain.includes("@") || DIGITS_ONLY.test(plain);
}

/**
 * Rules whose names look like an email address or a phone number, as field problems. A rule's name is visible in every
 * decision it makes, in the log and in exports.
 */
export function findPersonalRuleNames({ rules }: Policy): readonly FieldProblem[] {
  return rules.flatMap(({ name }, index) =>
    isPersonal(name) ? [toFieldProblem(`rules[${index}].name`, "name-personal")] : [],
  );
}
