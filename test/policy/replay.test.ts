import type { Reason } from "../../src/order/reasons.ts";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Decision } from "../../src/order/decision.ts";
import type { KeptSignals } from "../../src/engine/model/kept-signals.ts";
import { parsePolicy, type Policy } from "../../src/policy/policy.ts";
import { toPastDecision } from "../../src/policy/past-decision.ts";
import { createReplay, type PastOrder, type Replayed } from "../../src/policy/replay.ts";
import { toKnownFacts } from "../../src/policy/replay-rules.ts";
import { toOrderFacts, toStoredFacts } from "../../src/policy/order-facts.ts";
import { RISK_LEVELS } from "../../src/order/risk-level.ts";
import { anOrder, aResult } from "../support/orders.ts";
import { caseArbitrary, decideLive, policyArbitrary, toPast } from "./past-case.ts";

// The same cases in every run. Set PROPERTY_SEED for others.
const RUNS = { numRuns: 300, seed: Number(process.env["PROPERTY_SEED"] ?? 20_261_120) };
const DEFAULTS = parsePolicy({});
const resultArbitrary = fc.constantFrom(...RISK_LEVELS.map((level) => aResult(level)));

function decision(changes: Partial<Decision> = {}): Decision {
  return {
    action: "hold",
    tags: ["holdfast-high"],
    reasons: ["level:high"],
    source: "service",
    degraded: false,
    riskLevel: "high",
    riskScore: 73,
    enforce: true,
    policyVersion: 3,
    ...changes,
  };
}

const FACTS = toOrderFacts(anOrder());
const WHOLE = toKnownFacts(FACTS, null);
const ERASED = toKnownFacts(null, toStoredFacts(FACTS));

function past(changes: Partial<Decision> = {}, known: PastOrder["known"] = WHOLE): PastOrder {
  return { decision: decision(changes), known, test: false };
}

const rulesOf = (...rules: readonly object[]) =>
  parsePolicy({ rules: rules.map((rule, index) => ({ name: `r${index}`, ...rule })) });

const BY_EMAIL = { when: { email: ["jane@example.com"] }, then: { action: "allow" } };

describe("createReplay with another model of the shop's own", () => {
  const seen = [{ code: "NIGHT", group: "time", points: 24 }] as const;
  const kept: KeptSignals = { base: 10, seen, measures: {}, missing: [] };
  const judged = { source: "local", degraded: true, riskLevel: "medium", riskScore: 34 } as const;
  const localModel = { center: 0, points: { "NIGHT:24": -12 } };
  const own = parsePolicy({ localModel });
  const replay = (signals: KeptSignals | null, former: Policy | null, policy = own, riskScore = 34) =>
    createReplay(policy)({ ...past({ ...judged, riskScore }), signals }, former);

  it("applies its model to the recorded signals", () => {
    const again = replay(kept, DEFAULTS);
    expect(again).toMatchObject({ decision: { action: "allow", riskLevel: "low", riskScore: 22 } });
  });

  it("leaves out orders that are held out of every model", () => {
    expect(replay({ ...kept, isHeldOut: true }, DEFAULTS)).toMatchObject({ decision: { riskScore: 34 } });
  });

  it("gives no low level to an order with less than half of the signals known", () => {
    const half: KeptSignals = { ...kept, missing: ["detail"] };
    const unknown = { riskLevel: null, guess: { riskLevel: "low", riskScore: 22, missing: ["detail"] } };
    expect(replay(half, DEFAULTS)).toMatchObject({ decision: { action: "allow", ...unknown } });

    const held = parsePolicy({ localModel, whenUnavailable: "hold" });
    expect(replay(half, DEFAULTS, held)).toMatchObject({ decision: { action: "hold", ...unknown } });
  });

  it("returns unknown for signals that weren't recorded, and for another release's sum", () => {
    expect(replay(null, DEFAULTS)).toEqual({ outcome: "unknown", reason: "content-erased" });
    expect(replay(kept, DEFAULTS, own, 35)).toEqual({ outcome: "unknown", reason: "other-judge" });
  });

  it("doesn't change the result if the model is the same, in any order, or another engine judged", () => {
    const [one, other] = [
      { "NIGHT:24": -12, "IP_TOR:35": 1.5 },
      { "IP_TOR:35": 1.5, "NIGHT:24": -12 },
    ].map((points) => parsePolicy({ localModel: { center: 0, points } }));
    expect(replay(null, one ?? null, other)).toMatchObject({ decision: { riskScore: 34 } });
    expect(createReplay(own)({ ...past(), signals: null }, DEFAULTS)).toMatchObject({
      decision: { source: "service", riskScore: 73 },
    });
  });

  it("works without the policy of the time", () => {
    const again = replay(kept, null, { ...own, skipChannels: [] });
    expect(again).toMatchObject({ decision: { riskScore: 22 } });
    const ours = parsePolicy({ skipChannels: [] });
    expect(replay(null, null, ours)).toMatchObject({ decision: { riskScore: 34 } });
  });
});

describe("createReplay", () => {
  it("decides the same with the policy that decided, whatever was erased since", () => {
    fc.assert(
      fc.property(caseArbitrary, policyArbitrary, fc.boolean(), (live, policy, isErased) => {
        const before = decideLive(live, policy);
        // An erased order no longer shows whether it was a test. If tests are checked, that makes no difference.
        const again = createReplay(policy)(toPast(live, before, isErased, policy), policy);

        expect(again).toEqual({
          outcome: "decided",
          decision: before,
          rule: before.reasons.find((reason) => reason.startsWith("rule:"))?.slice(5) ?? null,
        });
      }),
      RUNS,
    );
  });

  it("returns what another policy would have decided, or unknown", () => {
    let known = 0;
    fc.assert(
      fc.property(
        caseArbitrary,
        policyArbitrary,
        policyArbitrary,
        fc.boolean(),
        (live, former, next, isErased) => {
          const before = decideLive(live, former);
          const again = createReplay(next)(toPast(live, before, isErased, former), former);

          if (again.outcome === "unknown") return;
          known += 1;
          expect(again.decision.action).toBe(decideLive(live, next).action);
        },
      ),
      RUNS,
    );
    expect(known).toBeGreaterThan(RUNS.numRuns / 3);
  });

  it("can judge nearly all orders that were answered and stored, under any policy", () => {
    let answered = 0;
    fc.assert(
      fc.property(
        caseArbitrary,
        resultArbitrary,
        policyArbitrary,
        policyArbitrary,
        (any, result, former, next) => {
          const { context = {} } = any.mapped;
          const answer = { kind: "answered", result, source: "service" } as const;
          const live = { answer, mapped: { ...any.mapped, test: false, context } };
          const before = decideLive(live, former);
          if (before.source !== "service") return;
          answered += 1;

          expect(createReplay(next)(toPast(live, before, false, former), former).outcome).toBe("decided");
        },
      ),
      RUNS,
    );
    expect(answered).toBeGreaterThan(RUNS.numRuns / 5);
  });

  it("doesn't hold a test order for a flood that only blocked the call to the service", () => {
    const former = parsePolicy({ testOrders: "service", levels: { high: { action: "allow" } } });
    const next = parsePolicy({ testOrders: "local", levels: { high: { action: "allow" } } });
    const braked = decision({
      reasons: ["burst", "level:high", "degraded:BURST_BRAKED"],
      causes: { problem: "BURST_BRAKED" },
      source: "local",
      degraded: true,
    });

    const again = createReplay(next)({ decision: braked, known: WHOLE, test: true }, former);

    expect(again).toMatchObject({ outcome: "decided", decision: { action: "allow", degraded: false } });
  });

  it("lets unchanged rules decide for an erased order as they did before", () => {
    const policy = rulesOf(BY_EMAIL, { when: { level: ["high"] }, then: { action: "cancel" } });
    const next: Policy = { ...policy, levels: { ...policy.levels, high: { action: "tag", tags: [] } } };

    const canceled = past({ action: "cancel", causes: { rule: "r1" } }, ERASED);
    expect(createReplay(next)(canceled, policy)).toMatchObject({
      decision: { action: "cancel" },
      rule: "r1",
    });
    const allowed = past({ action: "allow", tags: [], causes: { rule: "r0" } }, ERASED);
    expect(createReplay(next)(allowed, policy)).toMatchObject({ decision: { action: "allow" }, rule: "r0" });
    const decidedByLevel = rulesOf(BY_EMAIL);
    const softer: Policy = { ...decidedByLevel, levels: next.levels };
    expect(createReplay(softer)(past({}, ERASED), decidedByLevel)).toMatchObject({
      decision: { action: "tag" },
      rule: null,
    });
    expect(createReplay(policy)(past({}, ERASED), decidedByLevel)).toMatchObject({
      reason: "content-erased",
    });
  });

  it("lets unchanged rules decide for an erased order whether it is checked, as they did before", () => {
    const skip = { when: { phone: ["1"] }, then: { skip: true } };
    const rules = [{ when: { level: ["high"] }, then: { action: "hold" } }, BY_EMAIL, skip];
    const held = past({ causes: { rule: "r0" } }, ERASED);

    expect(createReplay(rulesOf(...rules))(held, rulesOf(...rules))).toMatchObject({ rule: "r0" });
    // The rule above the skipping one may have kept the order from reaching it.
    expect(createReplay(rulesOf(skip))(held, rulesOf(...rules))).toMatchObject({ reason: "content-erased" });
  });

  describe("with an order's context", () => {
    const context = { channel: "draft", customerTags: ["vip"] };
    const recorded = toOrderFacts(anOrder(), context);
    const kept = toKnownFacts(recorded, null);
    const erased = toKnownFacts(null, toStoredFacts(recorded));
    const byChannel = rulesOf({ when: { channel: ["draft"] }, then: { action: "allow" } });
    const skipping = parsePolicy({ skipChannels: ["draft"] });

    it.each([
      ["kept", kept],
      ["erased", erased],
    ])("reads the channel of an order whose content was %s", (_what, known) => {
      const replay = (policy: Policy) => createReplay(policy)(past({}, known), DEFAULTS);

      expect(replay(byChannel)).toMatchObject({ decision: { action: "allow" }, rule: "r0" });
      expect(replay(skipping)).toMatchObject({
        decision: { action: "allow", reasons: ["skipped:SKIPPED_BY_RULE", "channel:draft"] },
        rule: null,
      });
    });

    it("returns unknown for an order of which nothing is kept", () => {
      const replay = (policy: Policy) => createReplay(policy)(past({}, toKnownFacts(null, null)), DEFAULTS);

      expect(replay(byChannel)).toEqual({ outcome: "unknown", reason: "content-erased" });
      expect(replay(skipping)).toEqual({ outcome: "unknown", reason: "content-erased" });
      // Not skipped, as at the time.
      expect(replay(DEFAULTS)).toMatchObject({ decision: { action: "hold" } });
      expect(replay(parsePolicy({ skipChannels: [] }))).toMatchObject({ decision: { action: "hold" } });
    });

    it("reads a skipped channel from the decision, and has no answer if it isn't skipped any more", () => {
      const reasons: readonly Reason[] = ["skipped:SKIPPED_BY_RULE", "channel:pos"];
      const causes = { skipReason: "SKIPPED_BY_RULE", skippedBy: { channel: "pos" } } as const;
      const skipped = past({ action: "allow", causes, source: "policy", riskLevel: null }, ERASED);

      expect(createReplay(DEFAULTS)(skipped, null)).toMatchObject({ decision: { reasons, causes } });
      expect(createReplay(parsePolicy({ skipChannels: [] }))(skipped, DEFAULTS)).toEqual({
        outcome: "unknown",
        reason: "not-judged",
      });
    });

    it("treats tags as erased with the content", () => {
      const byTag = rulesOf({ when: { customerTag: ["vip"] }, then: { action: "allow" } });

      expect(createReplay(byTag)(past({}, kept), DEFAULTS)).toMatchObject({ decision: { action: "allow" } });
      expect(createReplay(byTag)(past({}, erased), DEFAULTS)).toMatchObject({ reason: "content-erased" });
    });

    it("remembers who was opted out after the tags were erased", () => {
      const canceling = parsePolicy({ levels: { high: { action: "cancel" } } });
      const optedOut = toKnownFacts(null, { ...toStoredFacts(recorded), optedOut: true });
      const replay = (policy: Policy, known: PastOrder["known"]) =>
        createReplay(policy)(past({}, known), DEFAULTS);

      expect(replay(canceling, optedOut)).toMatchObject({
        decision: { action: "hold", reasons: ["opted-out", "level:high"] },
      });
      expect(replay(canceling, erased)).toMatchObject({ decision: { action: "cancel" } });
      // There may have been other tags.
      const others = parsePolicy({ ...canceling, optOutTags: ["vip"] });
      expect(replay(others, erased)).toEqual({ outcome: "unknown", reason: "content-erased" });
      expect(replay(others, kept)).toMatchObject({ decision: { action: "hold" } });
    });
  });

  it.each<[name: string, next: object[], erased: Partial<Replayed>]>([
    ["could change the outcome", [BY_EMAIL], { outcome: "unknown", reason: "content-erased" }],
    ["could skip the check", [{ when: { phone: ["1"] }, then: { skip: true } }], { outcome: "unknown" }],
    [
      "cannot match anyway",
      [{ ...BY_EMAIL, when: { ...BY_EMAIL.when, minAmount: 1_000 } }],
      { outcome: "decided" },
    ],
    [
      "stands below one that matches",
      [{ when: { minAmount: 1 }, then: { action: "tag" } }, BY_EMAIL],
      { rule: "r0" },
    ],
  ])("returns unknown for an erased order only if a rule on the person %s", (_name, next, erased) => {
    expect(createReplay(rulesOf(...next))(past({}, ERASED), DEFAULTS)).toMatchObject(erased);
  });

  it.each<[name: string, changes: Partial<Decision>, document: object, expected: object]>([
    [
      "was skipped by a rule and would be checked",
      {
        action: "allow",
        causes: { skipReason: "SKIPPED_BY_RULE", skippedBy: { rule: "x" } },
        source: "policy",
        riskLevel: null,
      },
      { rules: [{ name: "y", when: { minAmount: 9_999 }, then: { action: "hold" } }] },
      { reason: "not-judged" },
    ],
    [
      "was decided for the want of budget, and would have more",
      { source: "local", degraded: true, causes: { problem: "BUDGET_SPENT" } },
      { budget: { daily: 5 } },
      { reason: "other-budget" },
    ],
    [
      "came in a flood, with the brake set otherwise",
      { source: "local", degraded: true, causes: { problem: "BURST_BRAKED" } },
      { budget: { perSourceHourly: 5 } },
      { reason: "other-budget" },
    ],
    [
      "came in a flood, with the same brake",
      {
        source: "local",
        degraded: true,
        causes: { problem: "BURST_BRAKED" },
        riskLevel: "low",
      },
      { levels: { low: { action: "tag" } } },
      { outcome: "decided", decision: { action: "hold" } },
    ],
    [
      "has a hold kept from an answer before it was changed",
      { source: "local", degraded: true, causes: { holdKept: true }, riskLevel: "low" },
      { levels: { high: { action: "tag" } } },
      { reason: "held-before" },
    ],
    [
      "was a guess on changed content that would hold anyway",
      { source: "local", degraded: true, reasons: ["level:high"], supersedes: { held: true, tags: [] } },
      { levels: { high: { tags: ["other"] } } },
      { outcome: "decided", decision: { action: "hold" } },
    ],
    [
      "was decided by a person alone",
      { source: "person", reasons: ["person:approved"] },
      {},
      { reason: "person-only" },
    ],
  ])("returns what can be determined for an order that %s", (_name, changes, document, expected) => {
    expect(createReplay(parsePolicy(document))(past(changes), DEFAULTS)).toMatchObject(expected);
  });

  it("keeps a hold from an answer if the policy is the same", () => {
    const kept = decision({
      source: "local",
      degraded: true,
      reasons: ["hold-kept", "level:low", "degraded:VERIFICATION_TIMEOUT"],
      causes: { holdKept: true, problem: "VERIFICATION_TIMEOUT" },
      riskLevel: "low",
      supersedes: { held: true, heldByAnswer: true, tags: [] },
    });

    const again = createReplay(DEFAULTS)({ decision: kept, known: WHOLE, test: false }, DEFAULTS);

    const { supersedes: _left, ...same } = kept;
    expect(again).toEqual({ outcome: "decided", rule: null, decision: same });
  });

  it("uses what Holdfast itself decided, whatever a person or a deadline changed", () => {
    const machine = toMachine(decision());
    const byPerson = decision({ action: "allow", source: "person", reasons: ["person:approved"], machine });
    const byDeadline = decision({
      action: "cancel",
      reasons: ["deadline:cancel", "level:high"],
      machine,
    });

    for (const decided of [byPerson, byDeadline]) {
      expect(toPastDecision(decided)).toMatchObject({ action: "hold", level: "high" });
      const again = createReplay(DEFAULTS)({ decision: decided, known: WHOLE, test: false }, DEFAULTS);
      expect(again).toMatchObject({ decision: { action: "hold", source: "service" } });
    }
  });

  it("doesn't change, under any policy, what was imported for the record", () => {
    const decided = past({ enforce: false, reasons: ["level:high", "record-only"] });
    const recorded: PastOrder = { ...decided, effects: "record" };
    expect(createReplay(parsePolicy({ hold: { deadlineHours: 1 } }))(recorded, DEFAULTS)).toMatchObject({
      decision: { enforce: false, reasons: ["level:high", "record-only"] },
    });
  });

  it("doesn't guess at tests if tests were checked like others and the content is gone", () => {
    const former = parsePolicy({ testOrders: "service" });
    const order: PastOrder = { decision: decision(), known: ERASED, test: null };

    expect(createReplay(DEFAULTS)(order, former)).toEqual({ outcome: "unknown", reason: "maybe-test" });
    expect(createReplay(former)(order, former)).toMatchObject({ outcome: "decided" });
    expect(createReplay(DEFAULTS)(order, DEFAULTS)).toMatchObject({ outcome: "decided" });
    // The policy isn't available any more.
    expect(createReplay(DEFAULTS)(order, null)).toEqual({ outcome: "unknown", reason: "maybe-test" });
  });
});

function toMachine({ action, tags, reasons, source, degraded, policyVersion }: Decision) {
  return { action, tags, reasons, source, degraded, policyVersion };
}
