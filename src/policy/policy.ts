import { z } from "zod";
import { toFieldsError, type FieldProblem } from "../base/errors.ts";
import { ACTIONS, type Action } from "../order/decision.ts";
import { foldAddress, toDigits, cutText } from "../order/text.ts";
import { toFieldProblems } from "../order/request.ts";
import { PLATFORM_RISKS, PROTECTIONS } from "../order/order-context.ts";
import { foldCategory } from "./product-facts.ts";
import { filledText as text, limitedList, listsSchema } from "./lists.ts";
import { FACTOR_LIMITS } from "../engine/own-weights.ts";
import { RISK_LEVELS } from "../order/risk-level.ts";

/** Default number of orders an hour from one mailbox, network or delivery address that may cost credits. */
export const DEFAULT_PER_SOURCE_HOURLY = 30;

/** Sizes a policy document may have. */
export const POLICY_LIMITS = {
  /** Tags of one level or rule. */
  tags: 10,
  /** The longest order tag that Shopify takes. */
  tagLength: 40,
  rules: 200,
  ruleNameLength: 100,
  /** Entries of one list in a rule's conditions. */
  listEntries: 1_000,
  entryLength: 500,
  skipChannels: 20,
  /** The longest name of a channel. */
  channelLength: 100,
  /** The most factors of the local engine's points: more than it has signals. */
  localWeights: 200,
} as const;

/** An object that refuses keys it does not know, naming those it does. */
function strict<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `not a setting; expected one of ${Object.keys(shape).join(", ")}`
        : "expected an object",
  });
}

/** An object whose keys all have defaults, and that may be left out itself. */
const section = <T extends z.ZodRawShape>(shape: T) =>
  strict(shape)
    .readonly()
    .prefault({} as never);

const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, `expected one of ${values.join(", ")}`);
const flag = () => z.boolean("expected true or false");

function wholeNumber(min: number, max: number) {
  const expected = `expected a whole number from ${min} to ${max}`;
  return z.int(expected).min(min, expected).max(max, expected);
}

const TAG_EXPECTED = `expected 1 to ${POLICY_LIMITS.tagLength} characters without commas, line breaks or white space at the ends`;
const tagSchema = z
  .string(TAG_EXPECTED)
  .max(POLICY_LIMITS.tagLength, TAG_EXPECTED)
  .regex(/^(?!\s)[^,\p{Cc}\p{Cs}]+(?<!\s)$/u, TAG_EXPECTED);
const tagsSchema = limitedList(tagSchema, POLICY_LIMITS.tags, "tags");

const LIST_EXPECTED = `expected a list of 1 to ${POLICY_LIMITS.listEntries} entries`;
type ListSchema<T> = z.ZodType<readonly z.output<T>[], readonly z.input<T>[] | z.input<T>>;
/** A list, or one entry by itself. An empty list would never match, so the rule would look active and do nothing. */
const list = <T extends z.ZodType>(entry: T): ListSchema<T> =>
  z.preprocess(
    (value) => (typeof value === "string" ? [value] : value),
    z
      .array(entry, LIST_EXPECTED)
      .min(1, LIST_EXPECTED)
      .max(POLICY_LIMITS.listEntries, LIST_EXPECTED)
      .readonly(),
  ) as ListSchema<T>;

const texts = () => list(text(POLICY_LIMITS.entryLength));
// A text that folds to nothing would match every order.
const textsThat = (has: (entry: string) => boolean, expected: string) =>
  list(text(POLICY_LIMITS.entryLength).refine(has, expected));
const amount = () => z.number("expected an amount").nonnegative("expected an amount that is not negative");

const conditionsSchema = strict({
  /** Any of these levels. */
  level: list(oneOf(RISK_LEVELS)).optional(),
  /** Decided without the service. */
  degraded: flag().optional(),
  /** At least this much, in major units of the order's currency. */
  minAmount: amount().optional(),
  /** At most this much, in major units of the order's currency. */
  maxAmount: amount().optional(),
  currency: list(
    z
      .string("expected a three-letter currency code")
      .regex(/^[A-Za-z]{3}$/, "expected a three-letter currency code"),
  ).optional(),
  /** Billing or shipping country, written as the order writes it: an ISO code where the platform has one. */
  country: texts().optional(),
  shippingCountry: texts().optional(),
  billingCountry: texts().optional(),
  firstTimeCustomer: flag().optional(),
  email: texts().optional(),
  /** The part after the @, exactly: list subdomains separately. */
  emailDomain: texts().optional(),
  /** Compared by digits. */
  phone: textsThat((entry) => toDigits(entry) !== "", "expected a phone number with digits").optional(),
  /** Part of the street of either address; case, punctuation and white space do not count. */
  address: textsThat((entry) => foldAddress(entry) !== "", "expected letters or digits").optional(),
  sku: texts().optional(),
  /** Part of the name of any line. */
  product: texts().optional(),
  paymentBrand: texts().optional(),
  /** `web`, `pos`, `draft`, `subscription`, or the platform's own name of the source. */
  channel: texts().optional(),
  /** Name of any payment gateway of the order. */
  gateway: texts().optional(),
  orderTag: texts().optional(),
  customerTag: texts().optional(),
  /** A gift card is among the goods. */
  giftCard: flag().optional(),
  /** The whole name of a shipping method. */
  shippingMethod: texts().optional(),
  /** At least this many units in all. */
  quantity: wholeNumber(1, 1_000_000).optional(),
  /** Result codes of the address verification system. */
  avs: texts().optional(),
  /** Result codes of the card's security code. */
  cvv: texts().optional(),
  /** What the platform itself advises. */
  platformRisk: list(oneOf(PLATFORM_RISKS)).optional(),
  /** How the platform's chargeback protection covers the order. */
  protect: list(oneOf(PROTECTIONS)).optional(),
  /** A company buys (B2B). */
  companyOrder: flag().optional(),
  /** Any discount was used. */
  discount: flag().optional(),
  /** Category of any product, by the shop's catalog: `Shoes` also stands for `Shoes > Boots`. */
  productCategory: textsThat(
    (entry) => foldCategory(entry) !== "",
    "expected a category, for example Shoes > Boots",
  ).optional(),
  /** Brand of any product, by the shop's catalog. */
  brand: texts().optional(),
  /** Manufacturer of any product, by the shop's catalog. */
  manufacturer: texts().optional(),
})
  .refine(
    (when) => Object.values(when).some((condition) => condition !== undefined),
    "expected at least one condition",
  )
  .refine(({ minAmount = 0, maxAmount = Infinity }) => minAmount <= maxAmount, {
    path: ["maxAmount"],
    error: "expected an amount that is not below minAmount",
  })
  .readonly();

const ruleSchema = strict({
  /** Shown with the decision, in the clear: `findPersonalRuleNames` refuses what looks like a person's. */
  name: text(POLICY_LIMITS.ruleNameLength),
  when: conditionsSchema,
  then: z
    .discriminatedUnion(
      "skip",
      [
        strict({ skip: z.literal(true) }),
        strict({
          skip: z.undefined().optional(),
          action: oneOf(ACTIONS),
          tags: tagsSchema.readonly().optional(),
        }),
      ],
      "expected an action with optional tags, or skip: true",
    )
    .readonly(),
})
  .superRefine(({ when, then }, context) => {
    if (then.skip === undefined) return;
    for (const condition of ["level", "degraded"] as const) {
      if (when[condition] === undefined) continue;
      const message = "a rule that skips the check can't use its outcome: remove this condition";
      context.addIssue({ code: "custom", path: ["when", condition], message });
    }
  })
  .readonly();

const rulesSchema = limitedList(ruleSchema, POLICY_LIMITS.rules, "rules").superRefine((rules, context) => {
  const names = new Set<string>();
  for (const [index, { name }] of rules.entries()) {
    if (names.has(name)) {
      const message = "expected a unique name: another rule has this one";
      context.addIssue({ code: "custom", path: [index, "name"], message });
    }
    names.add(name);
  }
});

const level = (action: Action, tags: string[]) =>
  section({ action: oneOf(ACTIONS).default(action), tags: tagsSchema.default(tags).readonly() });

const FACTOR_EXPECTED = `expected a factor from ${FACTOR_LIMITS.least} to ${FACTOR_LIMITS.most}`;
const WEIGHTS_EXPECTED = `expected at most ${POLICY_LIMITS.localWeights} factors by the codes of signals, such as EMAIL_DISPOSABLE`;
// Codes that the engine doesn't know have no effect, since a policy can be older than the engine.
const weightsSchema = z
  .record(
    z.string().regex(/^[A-Z][A-Z0-9_]{0,59}$/, WEIGHTS_EXPECTED),
    z
      .number(FACTOR_EXPECTED)
      .min(FACTOR_LIMITS.least, FACTOR_EXPECTED)
      .max(FACTOR_LIMITS.most, FACTOR_EXPECTED),
    WEIGHTS_EXPECTED,
  )
  .refine((weights) => Object.keys(weights).length <= POLICY_LIMITS.localWeights, WEIGHTS_EXPECTED)
  .readonly();

const CAP_EXPECTED = "expected a whole number that is not negative, or null for no cap";
const count = () => z.int(CAP_EXPECTED).nonnegative(CAP_EXPECTED);
const cap = () => count().nullable().default(null);

/** The policy document. Missing keys take their defaults at every level; unknown keys are refused. */
export const policySchema = strict({
  /** `shadow` decides and records but changes nothing in the shop. */
  mode: oneOf(["active", "shadow"]).default("active"),
  /** What happens at each risk level, unless a rule overrides it. */
  levels: section({
    low: level("allow", []),
    medium: level("tag", ["holdfast-medium"]),
    high: level("hold", ["holdfast-high"]),
    critical: level("cancel", ["holdfast-critical"]),
  }),
  /** Extra tags for orders that a configured verification service didn't check. */
  unchecked: section({ tags: tagsSchema.default(["holdfast-unchecked"]).readonly() }),
  /** Checked in order; the first that matches wins. */
  rules: rulesSchema.default([]).readonly(),
  /** Buyers who are trusted or blocked, whatever the level says. */
  lists: listsSchema,
  hold: section({
    /** How long a hold waits for a person, in hours. */
    deadlineHours: wholeNumber(1, 2_160).default(72),
    /** What happens to a hold that nobody decided on. */
    onDeadline: oneOf(["keep", "release", "cancel"]).default("keep"),
  }),
  cancel: section({
    refund: flag().default(true),
    restock: flag().default(true),
    notifyCustomer: flag().default(false),
    /** How long an order is held before it is canceled, so that somebody can stop the cancel, in minutes. */
    coolOffMinutes: wholeNumber(0, 10_080).default(0),
    /** Automatic cancels per hour; beyond it a cancel becomes a hold. */
    maxPerHour: wholeNumber(0, 10_000).default(20),
  }),
  /** What decides if the service hasn't answered. */
  whenUnavailable: oneOf(["local", "hold", "allow"]).default("local"),
  /** The shop's own factors of the local engine's points, by signal; ours where left out. */
  localWeights: weightsSchema.optional(),
  /** Whether an order is held until it is decided; `hold` costs API calls to the platform. */
  whileChecking: oneOf(["nothing", "hold"]).default("nothing"),
  /** Whether the authorized payment of an approved order is captured, in shops that capture by hand. */
  captureWhenApproved: flag().default(false),
  /** What judges a platform's test orders; only `service` costs credits. */
  testOrders: oneOf(["local", "service", "skip"]).default("local"),
  /** Channels whose orders aren't checked, looked at before the rules. */
  skipChannels: limitedList(text(POLICY_LIMITS.channelLength), POLICY_LIMITS.skipChannels, "channels")
    .default(["pos"])
    .readonly(),
  /** Orders of customers with one of these tags are held instead of canceled. */
  optOutTags: tagsSchema.default(["holdfast-manual-review"]).readonly(),
  /** Whether an order is checked again after a material change. */
  rescreenOnChange: flag().default(true),
  /** Caps in credits; null for none. */
  budget: section({
    daily: cap(),
    monthly: cap(),
    /** Orders of one mailbox, network or delivery address that may cost credits in an hour. */
    perSourceHourly: count().nullable().default(DEFAULT_PER_SOURCE_HOURLY),
  }),
}).readonly();

/** A policy with every key set. Frozen at every level. */
export type Policy = z.infer<typeof policySchema>;
/** A policy as people write it: every key is optional. */
export type PolicyDocument = z.input<typeof policySchema>;
/** One rule of a {@link Policy}. */
export type PolicyRule = Policy["rules"][number];
/** Conditions of a {@link PolicyRule}: all given conditions must match, and at least one is given. */
export type RuleConditions = PolicyRule["when"];

/**
 * Check a policy document and fill in the defaults.
 *
 * @throws {HoldfastError} `POLICY_INVALID` with one entry in `fields` per field at fault.
 */
export function parsePolicy(document: unknown): Policy {
  const parsed = policySchema.safeParse(document);
  if (parsed.success) return parsed.data;
  const fields = toPolicyProblems(parsed.error);
  const count = fields.length === 1 ? "one field is" : `${fields.length} fields are`;
  throw toFieldsError("POLICY_INVALID", `the policy is invalid: ${count} at fault`, fields);
}

/** Keys come from the document, so long ones are cut before a message repeats them. */
const MAX_KEY_LENGTH = 60;

/** One problem per unknown key, at the key, instead of one for all at their parent. */
function toPolicyProblems(error: z.ZodError): readonly FieldProblem[] {
  const issues = error.issues.flatMap((issue): z.core.$ZodIssue[] =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ ...issue, path: [...issue.path, cutText(key, MAX_KEY_LENGTH)] }))
      : [issue],
  );
  return toFieldProblems(new z.ZodError(issues));
}

/** The policy of a tenant that hasn't saved one. */
export const DEFAULT_POLICY: Policy = parsePolicy({});
