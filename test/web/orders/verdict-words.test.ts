import type { TimelineEvent } from "../../../src/store/orders/timeline.ts";
import { describe, expect, it } from "vitest";
import { toChips } from "../../../src/server/api/orders/reason-chips.ts";
import { toOrderEnd } from "../../../src/pipeline/order-life/order-end.ts";
import { toVerdict } from "../../../src/server/api/orders/verdict.ts";
import type { Decision } from "../../../src/order/decision.ts";
import type { OrderRecord, StepRecord } from "../../../src/store/store.ts";
import type { OrderSituation } from "../../../src/store/orders/locked-order.ts";
import { nameChip, nameSign, toSentence, toTone } from "../../../web/data/orders/verdict-words.ts";
import { RECEIVED } from "../../support/situations.ts";
import { decision as aDecision, mapped, result, T0 } from "../../store/samples.ts";

const EMPTY = { ...RECEIVED, receivedAtMs: T0, state: "settled", dueAtMs: null, amount: 10 } as const;

type Dispute = Parameters<typeof toVerdict>[1][number];

interface Given {
  readonly order?: Partial<OrderRecord>;
  readonly decision?: Partial<Decision>;
  readonly steps?: readonly Partial<StepRecord>[];
  readonly events?: readonly TimelineEvent[];
  readonly disputes?: readonly Dispute[];
}

function toSituation({ order = {}, decision, steps = [], events = [] }: Given): OrderSituation {
  const decided = decision && { decision: aDecision(decision), decidedAtMs: T0 };
  return {
    order: { ...EMPTY, ...decided, ...order },
    steps: steps.map((step) => ({ step: "hold", state: "done", detail: "", memory: {}, atMs: T0, ...step })),
    timeline: events.map((event) => ({ kind: event.kind, event })),
  };
}

const UNDECIDED = {
  riskLevel: null,
  riskScore: null,
  action: null,
  degraded: false,
} as const;

/** The sentence and its tone, as the page makes them of the API's answer. */
function tell(given: Given): readonly [string, string] {
  const situation = toSituation(given);
  const { decision, skipReason } = situation.order;
  const told = {
    verdict: toVerdict(situation, given.disputes ?? []),
    ...UNDECIDED,
    ...decision,
    unchecked: decision?.unchecked ?? null,
    declineReason: decision?.declineReason ?? null,
    skipReason,
  };
  return [toSentence(told), toTone(told)];
}

const HELD = { state: "review" } as const;
const BY_RULE = { reasons: ["rule:Big EUR orders", "level:medium"] } as const;
const CRITICAL = {
  action: "cancel",
  riskLevel: "critical",
  riskScore: 100,
  reasons: ["level:critical"],
} as const;
const PASSED = { action: "allow", riskLevel: "low", riskScore: 12, reasons: ["level:low"] } as const;
const UNJUDGED = { riskLevel: null, riskScore: null, source: "local" } as const;
const BY_PERSON = { source: "person", actor: "person:7", machine: aDecision() } as const;
const APPROVED = { ...BY_PERSON, action: "allow", reasons: ["person:approved"] } as const;
const DECLINED = {
  ...BY_PERSON,
  action: "cancel",
  reasons: ["person:declined"],
  declineReason: "suspected-fraud",
} as const;
const INQUIRY = { kind: "inquiry", status: "open" } as const;
const SHIPPED = { state: "impossible", detail: "already-fulfilled", cause: "shipped" } as const;
const review = { actor: "person:7", atMs: T0, answersSinceMs: T0 } as const;
const revision = {
  mapped: mapped(),
  amount: 10,
  currency: "USD",
  enriched: true,
  rescreen: true,
  attempts: 0,
  sinceMs: T0,
} as const;

const KINDS: readonly (readonly [sentence: string, tone: string, given: Given])[] = [
  ["Being checked", "info", { order: { state: "screening" } }],
  [
    "Waiting: no credits left",
    "warn",
    { order: { state: "waiting", problems: [{ code: "VERIFICATION_NO_CREDITS" }] } },
  ],
  ["Not decided: the app was uninstalled before", "warn", {}],
  [
    "Needs attention: the stored order can't be decrypted",
    "bad",
    { order: { state: "failed", problems: [{ code: "DATA_UNREADABLE" }] } },
  ],
  ["Held by the rule “Big EUR orders”", "warn", { order: HELD, decision: BY_RULE }],
  ["Held: high risk, score 70", "warn", { order: HELD, decision: {} }],
  [
    "Held: high risk, score 70, checked locally",
    "warn",
    { order: HELD, decision: { degraded: true, unchecked: "VERIFICATION_TIMEOUT", source: "local" } },
  ],
  [
    "Held: the service couldn't be asked",
    "warn",
    {
      order: HELD,
      decision: {
        ...UNJUDGED,
        unchecked: "VERIFICATION_NO_CREDITS",
        reasons: ["unavailable:hold", "degraded:VERIFICATION_NO_CREDITS"],
      },
    },
  ],
  [
    "Held: the phone is on the block list",
    "warn",
    { order: HELD, decision: { reasons: ["blocked:phone", "level:low"] } },
  ],
  [
    "Held: too many orders from one source",
    "warn",
    { order: HELD, decision: { reasons: ["burst", "level:low"] } },
  ],
  [
    "Held until the service answers",
    "warn",
    { order: HELD, decision: { reasons: ["held-to-check", "unchecked"] } },
  ],
  [
    "To be held: high risk, score 70. Waiting: the platform hasn't assigned a location yet",
    "warn",
    {
      order: { state: "waiting" },
      decision: {},
      steps: [{ state: "waiting", detail: "not-holdable-yet" }],
    },
  ],
  [
    "Not held: the order already shipped",
    "bad",
    {
      order: { state: "failed", problems: [{ step: "hold", code: "already-fulfilled" }] },
      decision: {},
      steps: [SHIPPED],
    },
  ],
  [
    "Shipped despite its hold",
    "bad",
    {
      decision: {},
      steps: [{}],
      events: [{ kind: "settled", problems: [], ended: "shipped" }],
    },
  ],
  [
    "Hold released on the platform",
    "info",
    { decision: {}, events: [{ kind: "hold-overridden", by: "person" }] },
  ],
  [
    "Hold released at its deadline: nobody had decided",
    "warn",
    { decision: {}, steps: [{}], events: [{ kind: "hold-released" }] },
  ],
  [
    "Canceled Nov 20, 2026: critical risk, score 100",
    "info",
    { decision: CRITICAL, steps: [{ step: "cancel" }] },
  ],
  [
    "Canceled Nov 20, 2026: critical risk, score 100. Refunded",
    "info",
    { decision: CRITICAL, steps: [{ step: "cancel" }], events: [{ kind: "refunded" }] },
  ],
  [
    "Canceled Nov 20, 2026 at the deadline of its hold",
    "info",
    { decision: { ...CRITICAL, reasons: ["deadline:cancel", "level:high"] }, steps: [{ step: "cancel" }] },
  ],
  [
    "Canceled Nov 20, 2026 by Unnamed user: suspected fraud",
    "info",
    { decision: DECLINED, steps: [{ step: "cancel" }] },
  ],
  [
    "To be canceled: critical risk, score 100. Waiting: the policy's wait before canceling isn't over",
    "warn",
    {
      order: { state: "waiting" },
      decision: CRITICAL,
      steps: [{ step: "cancel", state: "waiting", detail: "cooling-off" }],
    },
  ],
  [
    "Declined by Unnamed user, but not canceled: the order already shipped",
    "bad",
    { order: { state: "failed" }, decision: DECLINED, steps: [{ step: "cancel", ...SHIPPED }] },
  ],
  [
    "Not canceled: the platform can't accept the request. It's on hold instead",
    "bad",
    {
      order: HELD,
      decision: CRITICAL,
      steps: [{ step: "cancel", state: "impossible", detail: "PLATFORM_CALL_INVALID" }, {}],
    },
  ],
  [
    "Canceled on the platform, not by Holdfast",
    "info",
    { decision: {}, events: [{ kind: "cancelled-on-platform" }] },
  ],
  ["Passed: low risk, score 12", "good", { decision: PASSED }],
  [
    "Passed by the rule “Known company”",
    "good",
    { decision: { ...PASSED, reasons: ["rule:Known company", "level:high"] } },
  ],
  ["Approved Nov 20, 2026 by Unnamed user", "good", { decision: APPROVED }],
  [
    "Passed with a tag: medium risk, score 45",
    "info",
    { decision: { action: "tag", riskLevel: "medium", riskScore: 45, reasons: ["level:medium"] } },
  ],
  [
    "Not checked: a test order",
    "info",
    {
      order: { skipReason: "TEST_ORDER" },
      decision: { ...UNJUDGED, action: "allow", source: "policy", reasons: ["skipped:TEST_ORDER"] },
    },
  ],
  [
    "Not checked: the rule “Wholesale” skips it",
    "info",
    {
      order: { skipReason: "SKIPPED_BY_RULE" },
      decision: {
        ...UNJUDGED,
        action: "allow",
        source: "policy",
        reasons: ["skipped:SKIPPED_BY_RULE", "rule:Wholesale"],
      },
    },
  ],
  [
    "Not checked: the service couldn't be asked",
    "warn",
    {
      decision: {
        ...UNJUDGED,
        action: "allow",
        unchecked: "VERIFICATION_TIMEOUT",
        reasons: ["unchecked", "degraded:VERIFICATION_TIMEOUT"],
      },
    },
  ],
  [
    "Only recorded: would be held by the rule “Big EUR orders”",
    "info",
    { decision: { ...BY_RULE, enforce: false } },
  ],
  [
    "A bank asks about this payment: decide first",
    "bad",
    {
      order: HELD,
      decision: { ...PASSED, action: "hold", disputed: true, reasons: ["dispute:inquiry", "level:low"] },
      disputes: [INQUIRY],
    },
  ],
  ["A bank asks about this payment: consider a refund", "bad", { decision: APPROVED, disputes: [INQUIRY] }],
  [
    "The bank took this payment back: answer the dispute in the shop",
    "bad",
    { decision: PASSED, disputes: [{ kind: "chargeback", status: "open" }] },
  ],
  [
    "Approved by Unnamed user: takes effect in a moment",
    "info",
    { order: { ...HELD, review: { ...review, act: "approve" } }, decision: {} },
  ],
  [
    "Declined by Unnamed user: takes effect in a moment",
    "info",
    { order: { ...HELD, review: { ...review, act: "decline" } }, decision: {} },
  ],
  [
    "Another check requested by Unnamed user",
    "info",
    { order: { ...HELD, review: { ...review, act: "recheck" } }, decision: {} },
  ],
  ["Changed since the decision: being checked again", "warn", { order: { revision }, decision: PASSED }],
  [
    "Changed since the decision: on hold while it's checked again",
    "warn",
    { order: { ...HELD, revision }, decision: {} },
  ],
];

describe("the sentence of an order", () => {
  it.each(KINDS)("%s (%s)", (sentence, tone, given) => {
    expect(tell(given)).toEqual([sentence, tone]);
  });

  it("leaves no kind of verdict out", () => {
    const told = new Set(
      KINDS.map(([, , given]) => toVerdict(toSituation(given), given.disputes ?? []).kind),
    );

    expect(told.size).toBe(26);
  });

  it("doesn't ask about a payment that was won back, or of a canceled order", () => {
    expect(tell({ decision: PASSED, disputes: [{ kind: "chargeback", status: "won" }] })[1]).toBe("good");
    const canceled = { decision: CRITICAL, steps: [{ step: "cancel" }], disputes: [INQUIRY] } as const;
    expect(tell(canceled)[0]).toMatch(/^Canceled/);
  });
});

describe("how an order ended", () => {
  it.each([
    ["cancelled", { decision: CRITICAL, steps: [{ step: "cancel" }] }],
    ["cancelled", { order: { skipReason: "CANCELLED" } }],
    ["cancelled", { decision: {}, events: [{ kind: "cancelled-on-platform" }] }],
    ["shipped", { decision: {}, steps: [SHIPPED] }],
    [null, { decision: {}, steps: [{}] }],
  ] as const satisfies readonly (readonly [string | null, Given])[])("is %s", (ended, given) => {
    expect(toOrderEnd(toSituation(given))).toBe(ended);
  });
});

describe("the chips of an order", () => {
  const factor = (name: string, severity: "low" | "medium" | "high" | "critical") => {
    return { factor: name, severity, description: "", category: "customer" } as const;
  };
  const names = (decision: Partial<Decision>, factors: readonly ReturnType<typeof factor>[]) =>
    toChips(aDecision(decision), { ...result(), riskFactors: [...factors] }).map(nameChip);

  it("begin with the rule, and leave harmless factors out if there are others", () => {
    const factors = [factor("Old account", "low"), factor("New device", "medium"), factor("Proxy", "high")];

    expect(names(BY_RULE, factors)).toEqual(["Rule “Big EUR orders”", "Proxy", "New device"]);
    expect(names({}, [factor("Old account", "low")])).toEqual(["Old account"]);
  });

  it("name a bank's inquiry first, and Holdfast's own reasons after a person's decision", () => {
    const machine = aDecision({ reasons: ["rule:Big", "blocked:phone"] });
    const reasons = ["rule:Big", "dispute:inquiry"] as const;

    expect(names({ reasons }, [])).toEqual(["Bank inquiry", "Rule “Big”"]);
    expect(names({ ...APPROVED, machine }, [])).toEqual(["Rule “Big”", "Blocked phone"]);
  });

  it("are at most five, and none for an order without a decision and a result", () => {
    const factors = ["a", "b", "c", "d", "e", "f"].map((name) => factor(name, "high"));

    expect(names(BY_RULE, factors)).toHaveLength(5);
    expect(toChips(null, null)).toEqual([]);
  });
});

describe("the facts of an order", () => {
  const countries = { ip: "VN", shipping: "DE", billing: "SG" };
  const contents = { buyer: {}, items: [], checks: {}, countries, unread: {}, signs: [] };

  it.each([
    [{ kind: "avs", meaning: "bad", detail: "N" }, "Address check: no match (N)"],
    [{ kind: "cvv", meaning: "good", detail: "M" }, "Security code: match (M)"],
    [{ kind: "network", meaning: "bad", detail: "tor" }, "Tor network"],
    [{ kind: "ip-country", meaning: "warn", detail: "VN" }, "IP in Vietnam, order to Germany"],
    [{ kind: "ip-country", meaning: "good", detail: "DE" }, "IP in Germany, like the order"],
    [{ kind: "addresses", meaning: "warn", detail: "" }, "Ships to Germany, billed in Singapore"],
    [{ kind: "addresses", meaning: "neutral", detail: "" }, "Ships to another address"],
    [{ kind: "addresses", meaning: "good", detail: "" }, "Ships to the billing address"],
  ] as const)("%j: %s", (sign, words) => {
    expect(nameSign(sign, contents)).toBe(words);
  });
});
