import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { combineSignals, type ScorableSignal, type Weights } from "../../src/engine/combine-signals.ts";
import { createLocalEngine } from "../../src/engine/engine.ts";
import { ALL_GROUPS } from "../../src/engine/signals/all-signals.ts";
import {
  FACTOR_LIMITS,
  OUTCOMES_NEEDED,
  proposeWeights,
  scoreAgain,
  SIGHTINGS_NEEDED,
  type KnownOutcomes,
} from "../../src/engine/own-weights.ts";
import { toCheckFacts, toLocalFactorNames } from "../../src/policy/check-facts.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import { orderArbitrary, velocityArbitrary } from "./arbitrary-order.ts";
import { PLAIN_ORDER, SAMPLE_TIME } from "./sample-order.ts";

const RUNS = { numRuns: 100, seed: Number(process.env["PROPERTY_SEED"] ?? 20_261_123) };
const CODES = ALL_GROUPS.flatMap(({ signals }) => signals.map(({ code }) => code));
const engine = createLocalEngine({ now: () => Date.parse(SAMPLE_TIME) });

const factorArbitrary = fc.double({ min: FACTOR_LIMITS.least, max: FACTOR_LIMITS.most, noNaN: true });
const weightsArbitrary: fc.Arbitrary<Weights> = fc.dictionary(fc.constantFrom(...CODES), factorArbitrary, {
  maxKeys: CODES.length,
});

/** Outcomes of any shop, however odd: a signal is on no more orders than there are. */
const knownArbitrary: fc.Arbitrary<KnownOutcomes> = fc
  .record({ fraud: fc.integer({ min: 0, max: 5_000 }), good: fc.integer({ min: 0, max: 50_000 }) })
  .chain(({ fraud, good }) =>
    fc.record({
      fraud: fc.constant(fraud),
      good: fc.constant(good),
      signals: fc.uniqueArray(
        fc.record({
          code: fc.constantFrom(...CODES),
          points: fc.double({ min: -40, max: 40, noNaN: true }),
          fraud: fc.integer({ min: 0, max: fraud }),
          good: fc.integer({ min: 0, max: good }),
        }),
        { selector: ({ code }) => code, maxLength: 10 },
      ),
    }),
  );

/** One signal of 10 points among enough outcomes. */
function propose(fraud: number, good: number, changes: Partial<KnownOutcomes> = {}): number | undefined {
  const signals = [{ code: "NIGHT", points: 10, fraud, good }];
  return proposeWeights({ fraud: 100, good: 1_000, signals, ...changes })["NIGHT"];
}

describe("proposeWeights", () => {
  it("stays within the bounds, keeps every sign, and proposes nothing below the required number of outcomes", () => {
    fc.assert(
      fc.property(knownArbitrary, (known) => {
        const weights = proposeWeights(known);
        for (const factor of Object.values(weights)) {
          expect(factor).toBeGreaterThanOrEqual(FACTOR_LIMITS.least);
          expect(factor).toBeLessThanOrEqual(FACTOR_LIMITS.most);
        }
        const isShort = known.fraud < OUTCOMES_NEEDED.fraud || known.good < OUTCOMES_NEEDED.good;
        if (isShort) expect(weights).toEqual({});
        for (const { code, fraud, good } of known.signals)
          if (fraud + good < SIGHTINGS_NEEDED) expect(weights).not.toHaveProperty(code);
      }),
      RUNS,
    );
  });

  it.each([
    { what: "much more often on fraud than our points say", fraud: 60, good: 50, factor: 1.5 },
    { what: "as often on good orders as on fraud", fraud: 10, good: 100, factor: 0.5 },
    { what: "on good orders only", fraud: 0, good: 300, factor: 0.5 },
    { what: "on a few good orders only", fraud: 0, good: 12, factor: 0.6 },
    { what: "on a few frauds only", fraud: 10, good: 0, factor: 1.5 },
    { what: "as often as our points say", fraud: 20, good: 100, factor: undefined },
    { what: "too rare to judge", fraud: 4, good: 5, factor: undefined },
  ])("moves 10 points of a signal that is $what", ({ fraud, good, factor }) => {
    expect(propose(fraud, good)).toBe(factor);
  });

  it("moves points further the more orders show the same lift", () => {
    // The example of docs/local-engine.md.
    expect(propose(4, 12)).toBe(1.2);
    expect(propose(40, 120, { fraud: 1_000, good: 10_000 })).toBe(1.5);
  });

  it("moves credit toward what the shop's orders show, and never past nothing", () => {
    const signals = [{ code: "SAME_PLACE", points: -6, fraud: 80, good: 400 }];
    expect(proposeWeights({ fraud: 100, good: 1_000, signals })).toEqual({ SAME_PLACE: 0.5 });
  });

  it("proposes from exactly the required number on", () => {
    const { fraud, good } = OUTCOMES_NEEDED;
    expect(propose(fraud, 0, { fraud, good })).toBe(1.5);
    expect(propose(fraud - 1, 0, { fraud: fraud - 1, good })).toBeUndefined();
    expect(propose(fraud, 0, { fraud, good: good - 1 })).toBeUndefined();
  });
});

function withWeights(order: unknown, weights?: Weights, counts?: Parameters<typeof engine.assess>[1]) {
  return engine.assess(order as VerificationRequest, counts, [], undefined, weights);
}

describe("an order under a shop's own weights", () => {
  it("is judged the same as without any if no signal in it has one", () => {
    const other = { IP_TOR: 1.5 };
    expect(withWeights(PLAIN_ORDER, other)).toEqual(withWeights(PLAIN_ORDER));
    expect(withWeights(PLAIN_ORDER, {})).toEqual(withWeights(PLAIN_ORDER));
  });

  it("gets the same score again from its saved signals, under any weights", () => {
    fc.assert(
      fc.property(
        orderArbitrary,
        fc.option(velocityArbitrary, { nil: undefined }),
        weightsArbitrary,
        weightsArbitrary,
        (order, counts, then, now) => {
          const { signals } = withWeights(order, then, counts);
          const kept = JSON.parse(JSON.stringify(signals)) as typeof signals;
          const { riskLevel, riskScore, riskFactors } = withWeights(order, now, counts);
          const { codes, ...again } = scoreAgain(kept, now);
          expect(again).toEqual({ riskLevel, riskScore });
          expect(toLocalFactorNames(codes)).toEqual(toCheckFacts(riskFactors, undefined).factors);
        },
      ),
      RUNS,
    );
  });

  it("keeps every sign of fraud a sign of fraud, and every credit a credit", () => {
    fc.assert(
      fc.property(orderArbitrary, weightsArbitrary, (order, weights) => {
        const [own, ours] = [withWeights(order, weights).scorecard, withWeights(order).scorecard];
        const codes = (card: typeof own) => card.contributions.map(({ code }) => code).toSorted();
        expect(codes(own)).toEqual(codes(ours));
        expect(own.contributions.every(({ points }) => points > 0)).toBe(true);
        expect(own.trust).toBeLessThanOrEqual(0);
        expect(own.trust === 0).toBe(ours.trust === 0);
      }),
      RUNS,
    );
  });

  it.each(["IP_TOR", "UA_BOT", "EMAIL_DISPOSABLE", "EMAIL_RANDOM_LOCAL"])(
    "gets no credit after %s, whatever its weight",
    (code) => {
      const signal = ALL_GROUPS.flatMap(({ signals }) => signals).find((one) => one.code === code);
      const seen: ScorableSignal[] = [
        { code, group: "ip", points: 20, voidsTrust: signal?.voidsTrust ?? false },
        { code: "ACCOUNT_ESTABLISHED", group: "account", points: -15 },
      ];
      expect(combineSignals(seen, 10, { [code]: 0.5, ACCOUNT_ESTABLISHED: 1.5 }).trust).toBe(0);
    },
  );

  it("uses the standard points to tell whether a sign is serious, so that typed details earn nothing", () => {
    const claim = { code: "SAME_PLACE", group: "address", points: -6, isClaim: true } as const;
    const serious = { code: "IP_DATACENTER", group: "ip", points: 16 } as const;
    const mild = { code: "IP_VPN", group: "ip", points: 12 } as const;
    expect(combineSignals([claim, serious], 10, { IP_DATACENTER: 0.5 })).toMatchObject({
      trust: 0,
      score: 18,
    });
    expect(combineSignals([claim, mild], 10, { IP_VPN: 1.5 })).toMatchObject({ trust: -6, score: 22 });
  });

  it("says in its reasons that the shop's own weights count, and only then", () => {
    const order = { ...PLAIN_ORDER, customerEmail: "x@mailinator.com" };
    const own = withWeights(order, { EMAIL_DISPOSABLE: 0.5 });
    expect(own.reasoning).toContain("Weighed with the shop's own weights.");
    expect(own.riskScore).toBeLessThan(withWeights(order).riskScore);
    expect(withWeights(order).reasoning).not.toContain("own weights");
  });
});
