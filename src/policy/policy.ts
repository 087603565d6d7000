import { z } from "zod";
import { toFieldsError } from "../base/errors.ts";
import { expected } from "../base/field-codes.ts";
import { MODEL_LIMITS } from "../engine/model/shop-model.ts";
import {
  BUYER_CHECK_METHODS,
  BUYER_LANGUAGES,
  RIGHT_ANSWERS,
  type RightAnswer,
} from "../order/buyer-check.ts";
import { ACTIONS, type Action } from "../order/decision.ts";
import { toExpectation, toFieldProblems } from "../order/field-problems.ts";
import { foldText } from "../order/text.ts";
import { OUTCOME_CONDITIONS } from "./conditions/conditions.ts";
import { conditionsSchema, listConditions } from "./conditions/groups.ts";
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

/** What a rule can ask for at least. Every level does at least "allow". */
const AT_LEAST = ["tag", "hold", "cancel"] as const satisfies readonly Action[];

/** Cards, and the wallets that pay with one. Bank transfer, cash on delivery and invoices stay. */
const CARD_PAYMENTS = [
  "credit card",
  "debit card",
  "Shopify Payments",
  "Shop Pay",
  "Apple Pay",
  "Google Pay",
  "PayPal",
] as const;

/** An object whose keys all have defaults, and that may be left out itself. */
const section = <T extends z.ZodRawShape>(shape: T) =>
  strict(shape)
    .readonly()
    .prefault({} as never);

const TAG_EXPECTED = expected("tag", { max: POLICY_LIMITS.tagLength });
const tagSchema = z
  .string(TAG_EXPECTED)
  .max(POLICY_LIMITS.tagLength, TAG_EXPECTED)
  .regex(/^(?!\s)[^,\p{Cc}\p{Cs}]+(?<!\s)$/u, TAG_EXPECTED);
const tagsSchema = limitedList(tagSchema, POLICY_LIMITS.tags, "tags");

/** Who doesn't ship yet can be asked. A canceled order is over. */
const ONLY_HELD = expected("only-held");
const verifySchema = oneOf(RIGHT_ANSWERS).optional();

const decidingSchema = strict({
  skip: z.undefined().optional(),
  /** Replaces the level's action. */
  action: oneOf(ACTIONS).optional(),
  /** Replaces the level's action if that is milder. */
  atLeast: oneOf(AT_LEAST).optional(),
  tags: tagsSchema.readonly().optional(),
  /** Ask the buyer of an order that this rule holds, and what a right answer does. */
  verify: verifySchema,
}).superRefine(({ action, atLeast, verify }, context) => {
  if (verify !== undefined && (action ?? atLeast) !== "hold")
    context.addIssue({ code: "custom", path: ["verify"], message: ONLY_HELD });
  if ((action === undefined) !== (atLeast === undefined)) return;
  const [path, message] =
    action === undefined
      ? ["action", expected("one-of", { allowed: ACTIONS.join(", ") })]
      : ["atLeast", expected("either-action")];
  context.addIssue({ code: "custom", path: [path], message });
});

/** What happens to the orders of a rule that doesn't skip the check. */
export type DecidingThen = {
  readonly skip?: undefined;
  readonly tags?: readonly string[] | undefined;
  readonly verify?: RightAnswer | undefined;
} & (
  | { readonly action: Action; readonly atLeast?: undefined }
  | { readonly action?: undefined; readonly atLeast: (typeof AT_LEAST)[number] }
);
type RuleThen = { readonly skip: true } | DecidingThen;

const ruleSchema = strict({
  /** Shown with the decision, in the clear: `findPersonalRuleNames` refuses what looks like a person's. */
  name: text(POLICY_LIMITS.ruleNameLength),
  when: conditionsSchema,
  // The type says what zod's doesn't: a rule has an action or `atLeast`.
  then: z
    .discriminatedUnion("skip", [strict({ skip: z.literal(true) }), decidingSchema], expected("rule-then"))
    .readonly() as unknown as z.ZodType<RuleThen, RuleThen>,
})
  .superRefine(({ when, then }, context) => {
    if (then.skip === undefined) return;
    for (const { name, path } of listConditions(when)) {
      if (!OUTCOME_CONDITIONS.includes(name)) continue;
      const message = expected("condition-of-outcome");
      context.addIssue({ code: "custom", path: ["when", ...path], message });
    }
  })
  .readonly();

const rulesSchema = limitedList(ruleSchema, POLICY_LIMITS.rules, "rules").superRefine((rules, context) => {
  const names = new Set<string>();
  for (const [index, { name }] of rules.entries()) {
    if (names.has(name)) {
      const message = expected("rule-name-taken");
      context.addIssue({ code: "custom", path: [index, "name"], message });
    }
    names.add(name);
  }
});

const level = (action: Action, tags: string[]) =>
  strict({
    action: oneOf(ACTIONS).default(action),
    tags: tagsSchema.default(tags).readonly(),
    /** Ask the buyer of an order that this level holds, and what a right answer does. Default: nobody is asked. */
    verify: verifySchema,
  })
    .refine(({ action: does, verify }) => verify === undefined || does === "hold", {
      path: ["verify"],
      message: ONLY_HELD,
    })
    .readonly()
    .prefault({} as never);

const MODEL_EXPECTED = expected("model", { max: MODEL_LIMITS.features });
function modelPoints(most: number) {
  const wanted = expected("model-points", { most });
  return z.number(wanted).min(-most, wanted).max(most, wanted);
}
// Features that the engine doesn't know have no effect, since a policy can be older than the engine.
export const modelSchema = strict({
  /** What an average good order gets from the features, which is taken off every order. */
  center: modelPoints(MODEL_LIMITS.center),
  /** Points by feature, such as `NIGHT:6` for the signal with 6 points. */
  points: z
    .record(
      z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,59}(:-?\d{1,3}(\.\d{1,2})?)?$/, MODEL_EXPECTED),
      modelPoints(MODEL_LIMITS.points),
      MODEL_EXPECTED,
    )
    .refine((points) => Object.keys(points).length <= MODEL_LIMITS.features, MODEL_EXPECTED)
    .readonly(),
}).readonly();

/** In these, the buyer's own device places the order, or staff do. */
const NO_AGENTS: ReadonlySet<string> = new Set(["web", "pos", "draft", "subscription"]);
const agentChannel = text(POLICY_LIMITS.channelLength).refine(
  (name) => !NO_AGENTS.has(foldText(name)),
  expected("agent-channel"),
);

const CAP_EXPECTED = expected("credits-cap");
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
  /** What the platform's checkout does with a buyer on the block list, before there is an order. */
  blockedAtCheckout: oneOf(["nothing", "refuse", "another-payment"]).default("nothing"),
  /** With `another-payment`: what is in the names of the payment methods that the checkout hides from such a buyer. */
  hiddenPayments: limitedList(text(POLICY_LIMITS.paymentNameLength), POLICY_LIMITS.hiddenPayments, "entries")
    .default([...CARD_PAYMENTS])
    .readonly(),
  hold: section({
    /** How long a hold waits for a person, in hours. */
    deadlineHours: wholeNumber(1, 2_160).default(72),
    /** What happens to a hold that nobody decided on. */
    onDeadline: oneOf(["keep", "release", "cancel"]).default("keep"),
    /** What happens when another app or a workflow releases a hold. The order stays in review either way. */
    onAppRelease: oneOf(["hold-again", "respect"]).default("hold-again"),
  }),
  /** How buyers of held orders are asked, where a level or a rule says `verify`. */
  verify: section({
    methods: limitedList(oneOf(BUYER_CHECK_METHODS), BUYER_CHECK_METHODS.length, "entries")
      .default([...BUYER_CHECK_METHODS])
      .readonly(),
    /** The shop's name, as buyers know it. Default: the shop's address on its platform. */
    shopName: text(POLICY_LIMITS.shopNameLength).optional(),
    /** The language for buyers whose own isn't known. */
    language: oneOf(BUYER_LANGUAGES).default("en"),
    /** Keep the addresses of orders that went well as long as the orders themselves, to ask later buyers there. */
    keepAddresses: flag().default(false),
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
  /** What the shop's own outcomes add to the local engine's points. */
  localModel: modelSchema.optional(),
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
  /** Channels of AI agents, by the platform's own names. Their orders have the channel `agent`. */
  agentChannels: limitedList(agentChannel, POLICY_LIMITS.agentChannels, "channels").default([]).readonly(),
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
  const parsed = policySchema.safeParse(document, { error: toExpectation });
  if (parsed.success) return parsed.data;
  const fields = toFieldProblems(parsed.error);
  const count = fields.length === 1 ? "one field is" : `${fields.length} fields are`;
  throw toFieldsError("POLICY_INVALID", `the policy is invalid: ${count} at fault`, fields);
}

/** The policy of a tenant that hasn't saved one. */
export const DEFAULT_POLICY: Policy = parsePolicy({});
