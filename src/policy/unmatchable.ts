import { toFieldsError, type FieldProblem } from "../base/errors.ts";
import type { Policy, PolicyRule, RuleConditions } from "./policy.ts";
import { toCountryCode } from "../order/countries/country-code.ts";
import { ALL_GROUPS } from "../engine/signals/all-signals.ts";
import { foldText, toDigits } from "../order/text.ts";

/** Why an entry of a condition can match no order, with what to write instead; null when it can. */
type Check = (entry: string) => string | null;

/** As many digits as the shortest phone numbers have. */
const FEWEST_DIGITS = 5;

/** Conditions that compare whole values of a known form. A value without that form never matches. */
const CHECKS: Readonly<Partial<Record<keyof RuleConditions, Check>>> = {
  country: checkCountry,
  shippingCountry: checkCountry,
  billingCountry: checkCountry,
  currency: (entry) =>
    CURRENCIES.has(entry.toUpperCase())
      ? null
      : "No such currency. Use the three-letter code, for example USD.",
  email: (entry) =>
    /^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(entry.trim())
      ? null
      : "Use a complete email address. To match all addresses of a domain, use the condition emailDomain.",
  emailDomain: (entry) =>
    /^@?[^\s@:/*]+\.[^\s@:/*.]+$/u.test(entry.trim())
      ? null
      : "Use what follows the @, for example example.com. List subdomains one by one.",
  phone: (entry) =>
    toDigits(entry).length >= FEWEST_DIGITS
      ? null
      : "Use the whole number as the order has it. Parts of a number never match.",
  orderTag: checkTag,
  customerTag: checkTag,
  avs: checkCode,
  cvv: checkCode,
};

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

function checkTag(entry: string): string | null {
  return entry.includes(",") ? "A tag has no commas. List tags one by one." : null;
}

function checkCode(entry: string): string | null {
  return /^[A-Z]$/i.test(entry.trim()) ? null : "Use the code, which is one letter, for example N.";
}

/** Codes that stand for several countries: no address has one. */
const UNIONS: ReadonlySet<string> = new Set(["EU", "EZ", "UN", "QO"]);

function checkCountry(entry: string): string | null {
  const written = entry.trim().toUpperCase();
  if (UNIONS.has(written)) return "No order has this code. List the countries one by one.";
  const code = toCountryCode(entry);
  if (code !== undefined && code === written) return null;
  return `Use the two-letter code${code === undefined ? ", for example SG" : `: ${code}`}.`;
}

/**
 * The parts of a policy that can match no order, and so would look active and do nothing: entries of rules, such as the
 * country `Singapore`, which orders write as `SG`, and weights of signals that the local engine doesn't have. A saved
 * policy with such parts stays usable; call this before a policy is saved or tried.
 *
 * @param kept - The policy in force. Parts that are unchanged from it don't prevent saving something else.
 * @returns One problem per entry, at `rules[0].when.country[1]` or `localWeights.CODE`.
 */
export function findUnmatchable(policy: Policy, kept: Policy | null = null): readonly FieldProblem[] {
  const { rules, skipChannels } = policy;
  const known = new Set(kept?.rules.map((rule) => JSON.stringify(rule)));
  const inRules = rules.flatMap((rule, index) =>
    known.has(JSON.stringify(rule))
      ? []
      : [
          ...checkRule(rule, `rules[${index}].when`),
          ...checkChannels(rule, skipChannels, `rules[${index}].when`),
        ],
  );
  return [...inRules, ...checkWeights(policy, kept)];
}

const SIGNALS: ReadonlySet<string> = new Set(
  ALL_GROUPS.flatMap(({ signals }) => signals.map(({ code }) => code)),
);

function checkWeights({ localWeights = {} }: Policy, kept: Policy | null): readonly FieldProblem[] {
  return Object.keys(localWeights)
    .filter((code) => !SIGNALS.has(code) && !Object.hasOwn(kept?.localWeights ?? {}, code))
    .map((code) => ({
      path: `localWeights.${code}`,
      message: "The local engine has no such signal. Use a code from its documentation, for example NIGHT.",
    }));
}

function checkRule({ when }: PolicyRule, path: string): readonly FieldProblem[] {
  return Object.entries(CHECKS).flatMap(([name, check]) => {
    const entries = (when as Readonly<Record<string, unknown>>)[name];
    if (!Array.isArray(entries)) return [];
    return entries.flatMap((entry: string, index): readonly FieldProblem[] => {
      const message = check(entry);
      return message === null ? [] : [{ path: `${path}.${name}[${index}]`, message }];
    });
  });
}

/** Orders of a skipped channel reach no rule. */
function checkChannels(
  { when: { channel = [] } }: PolicyRule,
  skipChannels: Policy["skipChannels"],
  path: string,
): readonly FieldProblem[] {
  const skipped = new Set(skipChannels.map((entry) => foldText(entry)));
  return channel.flatMap((entry, index) => {
    const message = "Orders from this channel aren't checked. Remove it from skipChannels first.";
    return skipped.has(foldText(entry)) ? [{ path: `${path}.channel[${index}]`, message }] : [];
  });
}

/**
 * Check that every rule and weight of a policy can match something.
 *
 * @throws {HoldfastError} `POLICY_INVALID` with one entry in `fields` for each that cannot.
 */
export function assertMatchable(policy: Policy): void {
  const fields = findUnmatchable(policy);
  if (fields.length === 0) return;
  const message = "the policy has rules that no order can match, or weights for unknown signals";
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
  const message = "expected a name without @ and with letters: names are shown in the clear";
  return rules.flatMap(({ name }, index) =>
    isPersonal(name) ? [{ path: `rules[${index}].name`, message }] : [],
  );
}
