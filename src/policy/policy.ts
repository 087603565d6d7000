import { z } from "zod";
import { toFieldsError } from "../base/errors.ts";
import { FACTOR_LIMITS } from "../engine/own-weights.ts";
import { ACTIONS, type Action } from "../order/decision.ts";
import { toFieldProblems } from "../order/field-problems.ts";
import { CONDITION_SCHEMAS } from "./conditions.ts";
import { listsSchema } from "./lists.ts";
import {
  filledText as text,
  flag,
  limitedList,
  oneOf,
  POLICY_LIMITS,
  strict,
  wholeNumber,
} from "./schema-fields.ts";

/** Default number of orders an hour from one mailbox, network or delivery address that may cost credits. */
export const DEFAULT_PER_SOURCE_HOURLY = 30;

/** An object whose keys all have defaults, and that may be left out itself. */
const section = <T extends z.ZodRawShape>(shape: T) =>
  strict(shape)
    .readonly()
    .prefault({} as never);

const TAG_EXPECTED = `expected 1 to ${POLICY_LIMITS.tagLength} characters without commas, line breaks or white space at the ends`;
const tagSchema = z
  .string(TAG_EXPECTED)
  .max(POLICY_LIMITS.tagLength, TAG_EXPECTED)
  .regex(/^(?!\s)[^,\p{Cc}\p{Cs}]+(?<!\s)$/u, TAG_EXPECTED);
const tagsSchema = limitedList(tagSchema, POLICY_LIMITS.tags, "tags");

const conditionsSchema = strict(CONDITION_SCHEMAS)
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
  /** Buyers that are trusted or blocked at any risk level, and rules that are snoozed for a buyer. */
  lists: listsSchema.default([]).readonly(),
  hold: section({
    /** How long a hold waits for a person, in hours. */
    deadlineHours: wholeNumber(1, 2_160).default(72),
    /** What happens to a hold that nobody decided on. */
    onDeadline: oneOf(["keep", "release", "cancel"]).default("keep"),
    /** What happens when another app or a workflow releases a hold. The order stays in review either way. */
    onAppRelease: oneOf(["hold-again", "respect"]).default("hold-again"),
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
  const fields = toFieldProblems(parsed.error);
  const count = fields.length === 1 ? "one field is" : `${fields.length} fields are`;
  throw toFieldsError("POLICY_INVALID", `the policy is invalid: ${count} at fault`, fields);
}

/** The policy of a tenant that hasn't saved one. */
export const DEFAULT_POLICY: Policy = parsePolicy({});
