import * as fc from "fast-check";
import { HoldfastError, type ErrorCode } from "../../src/base/errors.ts";
import { createLocalEngine } from "../../src/engine/engine.ts";
import type { VelocityCounts } from "../../src/engine/facts/velocity-counts.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import type { OrderContext } from "../../src/order/order-context.ts";
import { toKeptFacts } from "../../src/pipeline/decide/make-decision.ts";
import { OUTCOME_CONDITIONS } from "../../src/policy/conditions/conditions.ts";
import { toSendable } from "../../src/policy/sendable.ts";
import type { MappedOrder } from "../../src/platform/platform.ts";
import { type Decision, ACTIONS } from "../../src/order/decision.ts";
import type { SkipReason } from "../../src/order/skip-reasons.ts";
import { parsePolicy, type Policy } from "../../src/policy/policy.ts";
import type { PastOrder } from "../../src/policy/replay.ts";
import { toKnownFacts } from "../../src/policy/replay-rules.ts";
import { toMappedFacts, type StoredFacts } from "../../src/policy/order-facts.ts";
import { decideOn, type DecisionBasis } from "../../src/screening/judge-order.ts";
import { RISK_LEVELS } from "../../src/order/risk-level.ts";
import { anOrder, aResult } from "../support/orders.ts";

/** Few values, so that rules match about half the time. */
const EMAILS = ["jane@example.com", "joe@shop.example"];
const STREETS = ["1 Main Street", "7 Dock Road"];

const CONDITIONS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  level: fc.subarray([...RISK_LEVELS], { minLength: 1 }),
  degraded: fc.boolean(),
  minScore: fc.constantFrom(20, 45),
  maxScore: fc.constantFrom(45, 73, 99),
  factor: fc.constantFrom(["behavioral"], ["IP_TOR"], ["customer", "address"]),
  emailOrders1h: fc.constantFrom(1, 3),
  ipEmails24h: fc.constantFrom(2),
  shippingCountryDiffers: fc.boolean(),
  ipCountryDiffers: fc.boolean(),
  accountAgeDays: fc.constantFrom({ max: 7 }, { min: 1, max: 300 }),
  totalOrders: fc.constantFrom({ min: 1 }, { max: 0 }),
  timesAverage: fc.constantFrom(2, 0.5),
  minAmount: fc.constantFrom(50, 500),
  shippingCountry: fc.constantFrom(["US"], ["DE"]),
  firstTimeCustomer: fc.boolean(),
  sku: fc.constant(["MUG-1"]),
  email: fc.constantFrom(["jane@example.com"], ["joe@shop.example"]),
  emailDomain: fc.constantFrom(["example.com"], ["shop.example"]),
  phone: fc.constant(["+1 555 0100"]),
  address: fc.constantFrom(["main street"], ["dock"]),
  channel: fc.constantFrom(["web"], ["draft", "instagram"]),
  orderTag: fc.constantFrom(["rush"], ["vip"]),
  customerTag: fc.constantFrom(["vip"], ["manual"]),
  giftCard: fc.boolean(),
  quantity: fc.constantFrom(2, 10),
  productCategory: fc.constantFrom(["electronics"], ["Electronics > Phones", "shoes"]),
  brand: fc.constant(["ACME"]),
  manufacturer: fc.constant(["acme works"]),
};

/** A few conditions, since an order seldom meets many. */
const plain = fc
  .array(fc.oneof(...Object.entries(CONDITIONS).map(([name, given]) => fc.record({ [name]: given }))), {
    minLength: 1,
    maxLength: 3,
  })
  .map((each): object => Object.assign({}, ...each) as object);

const groups = (entry: fc.Arbitrary<object>) =>
  fc.record(
    { any: fc.array(entry, { minLength: 1, maxLength: 3 }), not: fc.oneof(entry, fc.tuple(entry, entry)) },
    { requiredKeys: [] },
  );

/** Conditions of which half have groups. */
const withGroups = (entry: fc.Arbitrary<object>) =>
  fc
    .tuple(fc.oneof(plain, fc.constant({})), fc.oneof(groups(entry), fc.constant({})))
    .map(([own, grouped]) => ({ ...own, ...grouped }))
    .filter((when) => Object.keys(when).length > 0);

const conditions = fc.oneof(plain, withGroups(withGroups(plain)));

/** Without what is known only after the check. */
function beforeCheck(when: object): object {
  const kept = Object.entries(when).flatMap(([name, given]: [string, unknown]) => {
    if (name === "any" || name === "not") {
      const sets = [given].flat().map((set) => beforeCheck(set as object));
      return [[name, sets.filter((set) => Object.keys(set).length > 0)]];
    }
    return (OUTCOME_CONDITIONS as readonly string[]).includes(name) ? [] : [[name, given]];
  });
  return Object.fromEntries(kept.filter(([, given]) => !Array.isArray(given) || given.length > 0)) as object;
}

const rule = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ when: conditions, then: fc.record({ action: fc.constantFrom(...ACTIONS) }) }),
  },
  fc.record({
    when: conditions,
    then: fc.record({ atLeast: fc.constantFrom("tag", "hold", "cancel") }),
  }),
  fc.record({
    when: conditions.map((when) => beforeCheck(when)).filter((when) => Object.keys(when).length > 0),
    then: fc.constant({ skip: true }),
  }),
);

/** Features that the orders below show, and one that they don't. */
const localModel = fc.record({
  center: fc.constantFrom(0, -5),
  points: fc.record(
    {
      "EMAIL_NAME_MISMATCH:5": fc.constantFrom(-5, 20),
      "AMOUNT_LARGE:4": fc.constantFrom(-4, 15),
      "SAME_PLACE:-6": fc.constantFrom(-10, 6),
      "IP_TOR:35": fc.constant(20),
    },
    { requiredKeys: [] },
  ),
});

/** Policies of every kind that people may write. */
export const policyArbitrary: fc.Arbitrary<Policy> = fc
  .record({
    mode: fc.constantFrom("active", "shadow"),
    levels: fc.record({
      low: fc.record({ action: fc.constantFrom(...ACTIONS) }),
      high: fc.record({ action: fc.constantFrom(...ACTIONS) }),
    }),
    rules: fc.array(rule, { maxLength: 4 }),
    whenUnavailable: fc.constantFrom("local", "hold", "allow"),
    testOrders: fc.constantFrom("local", "service", "skip"),
    skipChannels: fc.constantFrom(["pos"], ["pos"], [], ["pos", "draft"]),
    optOutTags: fc.constantFrom(["manual"], ["manual"], [], ["vip"]),
    budget: fc.record({ daily: fc.constantFrom(null, 10), perSourceHourly: fc.constantFrom(null, 5) }),
    localModel: fc.option(localModel, { nil: undefined }),
  })
  .map((document) =>
    parsePolicy({
      ...document,
      rules: document.rules.map((entry, index) => ({ name: `rule ${index}`, ...entry })),
    }),
  );

const request: fc.Arbitrary<VerificationRequest> = fc
  .record({
    orderAmount: fc.constantFrom(20, 80, 900),
    customerEmail: fc.constantFrom(...EMAILS),
    isFirstTimeCustomer: fc.boolean(),
    phone: fc.constantFrom(undefined, "+1 555 0100"),
    street: fc.constantFrom(...STREETS),
    country: fc.constantFrom("US", "DE"),
    billedIn: fc.constantFrom("US", "Germany"),
    history: fc.constantFrom(
      {},
      { accountAgeInDays: 3, totalOrders: 0 },
      {
        accountAgeInDays: 200,
        totalOrders: 4,
        averageOrderValue: 40,
      },
    ),
    sku: fc.constantFrom("MUG-1", "CUP-2"),
    // Through Tor, so that some orders are medium or worse, and a weight changes their level.
    ipAddress: fc.constantFrom("73.158.64.15", "185.220.101.1"),
  })
  .map(({ phone, street, country, billedIn, history, sku, ...fields }) => {
    const address = { street, city: "Springfield", state: "IL", postalCode: "62701", country };
    return anOrder({
      ...fields,
      ...history,
      ...(phone === undefined ? {} : { customerPhone: phone }),
      items: [{ name: "Mug", quantity: 1, price: fields.orderAmount, sku }],
      shippingAddress: address,
      billingAddress: { ...address, country: billedIn },
    });
  });

const UNSCREENABLE: readonly SkipReason[] = ["CANCELLED", "ZERO_AMOUNT", "NO_EMAIL", "NO_AMOUNT"];

/** Undefined: the platform gives none. */
const context: fc.Arbitrary<OrderContext | undefined> = fc.option(
  fc.record(
    {
      channel: fc.constantFrom("web", "web", "pos", "draft"),
      products: fc.constantFrom(
        [{ sku: "P-1", category: "Electronics > Phones", brand: "Acme" }],
        [{ sku: "P-2", manufacturer: "Acme Works" }],
      ),
      orderTags: fc.subarray(["rush", "vip"]),
      customerTags: fc.subarray(["vip", "manual"]),
      giftCard: fc.boolean(),
      quantity: fc.constantFrom(1, 5, 20),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined, freq: 5 },
);

const mapped: fc.Arbitrary<MappedOrder> = fc
  .record({
    request,
    context,
    test: fc.constantFrom(false, false, true),
    standIns: fc.constantFrom(undefined, undefined, ["billingAddress" as const]),
    reason: fc.option(fc.constantFrom(...UNSCREENABLE), { freq: 1 }),
  })
  .map(({ request, reason, ...about }): MappedOrder => {
    if (reason === null) return { outcome: "screenable", request, ...about };
    const { customerEmail, ...rest } = request;
    const known = reason === "NO_EMAIL" ? rest : { ...rest, customerEmail };
    return { outcome: "unscreenable", reason, known, ...about };
  });

const PROBLEMS: readonly ErrorCode[] = ["VERIFICATION_TIMEOUT", "BUDGET_SPENT", "BURST_BRAKED"];

/** How the call to the service ended, if one was made. */
const answerArbitrary: fc.Arbitrary<DecisionBasis> = fc.oneof(
  fc
    .record({ level: fc.constantFrom(...RISK_LEVELS), source: fc.constantFrom("service", "cache") })
    .map(({ level, source }): DecisionBasis => ({ kind: "answered", result: aResult(level), source })),
  fc.constant<DecisionBasis>({ kind: "no-service" }),
  fc.constantFrom(...PROBLEMS).map((code): DecisionBasis => ({
    kind: "unavailable",
    error: new HoldfastError(code, "x", { retryable: true }),
  })),
);

/** An order, and how any call about it ends. */
export interface LiveCase {
  readonly mapped: MappedOrder;
  readonly answer: DecisionBasis;
  /** Undefined: nothing could be counted. */
  readonly velocity?: VelocityCounts | undefined;
}

const NOTHING_SHARED: VelocityCounts = {
  emailOrders1h: 1,
  ipEmails24h: undefined,
  cardEmails7d: undefined,
  addressEmails7d: 1,
  emailCards24h: undefined,
  emailBillingPostcodes7d: 1,
  cardBillingPostcodes7d: undefined,
};

/** Orders of every kind. */
export const caseArbitrary: fc.Arbitrary<LiveCase> = fc.record({
  mapped,
  answer: answerArbitrary,
  velocity: fc.constantFrom(undefined, NOTHING_SHARED, {
    ...NOTHING_SHARED,
    emailOrders1h: 4,
    ipEmails24h: 2,
  }),
});

const ENGINE = createLocalEngine({ now: () => Date.UTC(2026, 10, 20) });

/** Decides as the pipeline does. */
export function decideLive(live: LiveCase, policy: Policy, policyVersion = 3): Decision {
  return judgeLive(live, policy, policyVersion).decision;
}

function judgeLive({ mapped, answer, velocity }: LiveCase, policy: Policy, policyVersion: number) {
  const sendable = toSendable(mapped, policy);
  const hasService = answer.kind !== "no-service";
  const basis: DecisionBasis =
    "request" in sendable ? answer : { kind: "skipped", reason: sendable.skipReason, hasService };
  return decideOn(basis, { mapped, policy, policyVersion }, ENGINE, velocity);
}

/** The order as stored after a policy decided it, with its content or with what an erasure leaves. */
export function toPast(live: LiveCase, decision: Decision, isErased: boolean, former: Policy): PastOrder {
  const { mapped } = live;
  const judged = judgeLive(live, former, 3);
  const stored = JSON.parse(
    JSON.stringify({ ...toKeptFacts(mapped, former), seen: judged.seen }),
  ) as StoredFacts;
  const facts = toMappedFacts(mapped);
  return {
    decision,
    known: isErased ? toKnownFacts(null, stored) : toKnownFacts(facts, stored),
    test: isErased ? null : mapped.test,
    signals: judged.signals ?? null,
  };
}
