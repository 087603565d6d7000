import * as fc from "fast-check";
import { HoldfastError, type ErrorCode } from "../../src/base/errors.ts";
import { createLocalEngine } from "../../src/engine/engine.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import type { OrderContext } from "../../src/order/order-context.ts";
import { toKeptFacts } from "../../src/pipeline/decide/make-decision.ts";
import { toSendable } from "../../src/policy/sendable.ts";
import type { MappedOrder } from "../../src/platform/platform.ts";
import { type Decision, ACTIONS } from "../../src/order/decision.ts";
import type { SkipReason } from "../../src/order/skip-reasons.ts";
import { parsePolicy, type Policy } from "../../src/policy/policy.ts";
import type { PastOrder } from "../../src/policy/replay.ts";
import { toKnownFacts } from "../../src/policy/replay-rules.ts";
import { toOrderFacts, type StoredFacts } from "../../src/policy/order-facts.ts";
import { decideOn, type DecisionBasis } from "../../src/screening/judge-order.ts";
import { RISK_LEVELS } from "../../src/order/risk-level.ts";
import { anOrder, aResult } from "../support/orders.ts";

/** Few values, so that rules match about half the time. */
const EMAILS = ["jane@example.com", "joe@shop.example"];
const STREETS = ["1 Main Street", "7 Dock Road"];

const conditions = fc
  .record(
    {
      level: fc.subarray([...RISK_LEVELS], { minLength: 1 }),
      degraded: fc.boolean(),
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
    },
    { requiredKeys: [] },
  )
  .filter((when) => Object.keys(when).length > 0);

const rule = fc.oneof(
  fc.record({ when: conditions, then: fc.record({ action: fc.constantFrom(...ACTIONS) }) }),
  fc.record({
    when: conditions.filter((when) => when.level === undefined && when.degraded === undefined),
    then: fc.constant({ skip: true }),
  }),
);

/** Signals that the orders below show, and one that they don't. */
const weights = fc.record(
  {
    EMAIL_NAME_MISMATCH: fc.constantFrom(0.5, 1.5),
    AMOUNT_SIZE: fc.constantFrom(0.5, 1.5),
    SAME_PLACE: fc.constantFrom(0.5, 1),
    IP_TOR: fc.constant(1.5),
  },
  { requiredKeys: [] },
);

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
    localWeights: fc.option(weights, { nil: undefined }),
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
    sku: fc.constantFrom("MUG-1", "CUP-2"),
    // Through Tor, so that some orders are medium or worse, and a weight changes their level.
    ipAddress: fc.constantFrom("73.158.64.15", "185.220.101.1"),
  })
  .map(({ phone, street, country, sku, ...fields }) => {
    const address = { street, city: "Springfield", state: "IL", postalCode: "62701", country };
    return anOrder({
      ...fields,
      ...(phone === undefined ? {} : { customerPhone: phone }),
      items: [{ name: "Mug", quantity: 1, price: fields.orderAmount, sku }],
      shippingAddress: address,
      billingAddress: address,
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
    reason: fc.option(fc.constantFrom(...UNSCREENABLE), { freq: 3 }),
  })
  .map(({ request, context, test, reason }): MappedOrder => {
    if (reason === null) return { outcome: "screenable", request, context, test };
    const { customerEmail, ...rest } = request;
    const known = reason === "NO_EMAIL" ? rest : { ...rest, customerEmail };
    return { outcome: "unscreenable", reason, known, context, test };
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
}

/** Orders of every kind. */
export const caseArbitrary: fc.Arbitrary<LiveCase> = fc.record({ mapped, answer: answerArbitrary });

const ENGINE = createLocalEngine({ now: () => Date.UTC(2026, 10, 20) });

/** Decides as the pipeline does. */
export function decideLive(live: LiveCase, policy: Policy, policyVersion = 3): Decision {
  return judgeLive(live, policy, policyVersion).decision;
}

function judgeLive({ mapped, answer }: LiveCase, policy: Policy, policyVersion: number) {
  const sendable = toSendable(mapped, policy);
  const hasService = answer.kind !== "no-service";
  const basis: DecisionBasis =
    "request" in sendable ? answer : { kind: "skipped", reason: sendable.skipReason, hasService };
  return decideOn(basis, { mapped, policy, policyVersion }, ENGINE);
}

/** The order as stored after a policy decided it, with its content or with what an erasure leaves. */
export function toPast(live: LiveCase, decision: Decision, isErased: boolean, former: Policy): PastOrder {
  const { mapped } = live;
  const stored = JSON.parse(JSON.stringify(toKeptFacts(mapped, former))) as StoredFacts;
  const facts = toOrderFacts(mapped.outcome === "screenable" ? mapped.request : mapped.known, mapped.context);
  return {
    decision,
    known: isErased ? toKnownFacts(null, stored) : toKnownFacts(facts, null),
    test: isErased ? null : mapped.test,
    signals: judgeLive(live, former, 3).signals ?? null,
  };
}
