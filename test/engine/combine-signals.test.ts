import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { combineSignals, type ScorableSignal } from "../../src/engine/combine-signals.ts";
import { SIGNAL_GROUPS } from "../../src/engine/signals/signal.ts";

function seen(group: ScorableSignal["group"], points: number, code = `${group}-${points}`): ScorableSignal {
  return { code, group, points, shakesTrust: false };
}

const signalArbitrary = fc.record({
  code: fc.stringMatching(/^[A-Z]{3}_[A-Z]{3}$/),
  group: fc.constantFrom(...SIGNAL_GROUPS),
  points: fc.integer({ min: -20, max: 40 }).filter((points) => points !== 0),
  shakesTrust: fc.boolean(),
  voidsTrust: fc.boolean(),
  isClaim: fc.boolean(),
  isPlace: fc.boolean(),
});
const signalsArbitrary = fc.uniqueArray(signalArbitrary, { maxLength: 12, selector: ({ code }) => code });

describe("combineSignals", () => {
  it("returns the base without signals", () => {
    expect(combineSignals([], 10)).toEqual({
      base: 10,
      contributions: [],
      trust: 0,
      total: 10,
      score: 10,
      capped: false,
      placeOnly: false,
    });
  });

  it("counts each further signal of a group at six tenths of the previous one", () => {
    const { contributions, score } = combineSignals(
      [seen("email", 5), seen("email", 20), seen("email", 10)],
      10,
    );

    expect(contributions.map(({ contribution }) => contribution)).toEqual([20, 6, 1.8]);
    expect(score).toBe(38);
  });

  it("counts signals of different groups in full", () => {
    expect(combineSignals([seen("email", 10), seen("phone", 10)], 10).score).toBe(30);
  });

  it("subtracts no more than 25 points for trust", () => {
    const card = combineSignals(
      [seen("email", 40), seen("account", -12), seen("history", -12), seen("card", -4)],
      10,
    );

    expect(card.trust).toBe(-25);
    expect(card.score).toBe(25);
  });

  it("counts only four tenths of the trust when a signal shakes it", () => {
    const takeover = { ...seen("combination", 22), shakesTrust: true };

    expect(combineSignals([takeover, seen("account", -12), seen("history", -20)], 10).trust).toBe(-10);
  });

  it("counts no trust once a signal voids it", () => {
    const hidden = { ...seen("ip", 5), voidsTrust: true };

    expect(combineSignals([hidden, seen("account", -15), seen("card", -6)], 10).trust).toBe(0);
  });

  it("subtracts at most 10 points for what the customer typed, and none beside a serious sign", () => {
    const typed = [seen("card", -6), seen("geo", -6), seen("email", -4)].map((credit) => ({
      ...credit,
      isClaim: true,
    }));
    const trustBeside = (...risks: readonly ScorableSignal[]) =>
      combineSignals([...typed, seen("account", -5), ...risks], 10).trust;

    expect(trustBeside()).toBe(-15);
    expect(trustBeside(seen("ip", 15))).toBe(-15);
    expect(trustBeside(seen("ip", 16))).toBe(-5);
    expect(trustBeside(seen("amount", 20))).toBe(-15);
  });

  it("stays below critical while fewer than three groups agree", () => {
    const two = combineSignals([seen("email", 60), seen("phone", 60), seen("card", 7)], 10);
    const three = combineSignals([seen("email", 60), seen("phone", 60), seen("card", 8)], 10);

    expect([two.score, two.capped]).toEqual([85, true]);
    expect([three.score, three.capped]).toEqual([100, false]);
  });

  it("doesn't count a combination as a group that agrees", () => {
    expect(combineSignals([seen("email", 60), seen("phone", 60), seen("combination", 22)], 10).score).toBe(
      85,
    );
  });

  it("counts a group as agreeing when its discounted sum is enough", () => {
    const signals = [seen("email", 60), seen("phone", 60), seen("geo", 5, "A"), seen("geo", 5, "B")];

    expect(combineSignals(signals, 10).score).toBe(100);
  });

  describe("with counts of people at one place", () => {
    const place = [seen("velocity", 32), seen("velocity", 20)].map((one) => ({ ...one, isPlace: true }));
    const newcomer = [seen("account", 8), seen("geo", 12), seen("time", 6), seen("card", 4)];
    const scoreWith = (...more: readonly ScorableSignal[]) =>
      combineSignals([...place, ...newcomer, ...more], 10);

    it("stays at medium, or at the order's score without them, whatever new people share", () => {
      expect(scoreWith()).toMatchObject({ score: 60, total: 84, placeOnly: true });
      expect(scoreWith(seen("geo", 15), seen("amount", 14)).score).toBe(64);
      expect(scoreWith(seen("phone", 10), seen("email", 5)).score).toBe(60);
    });

    it.each<[string, readonly ScorableSignal[]]>([
      ["one serious sign", [seen("items", 16)]],
      ["two telling signs", [seen("ip", 10), seen("phone", 8)]],
      ["a name that is none", [seen("account", 20)]],
      ["a customer who hides", [{ ...seen("email", 14), voidsTrust: true }]],
      [
        "expensive goods that are easy to resell",
        [seen("combination", 10), seen("amount", 6, "AMOUNT_HIGH_FIRST")],
      ],
      ["a mailbox with a burst of orders", [seen("velocity", 20, "EMAIL_BURST")]],
    ])("goes further with %s", (_what, more) => {
      expect(scoreWith(...more)).toMatchObject({ placeOnly: false });
      expect(scoreWith(...more).score).toBeGreaterThan(75);
    });

    it("stays at medium where the place explains the goods too, and lowers no order for its goods", () => {
      const goods = [seen("combination", 10), seen("amount", 8, "AMOUNT_HIGH_FIRST")];
      const explained = goods.map((one) => ({ ...one, isPlace: true }));

      expect(scoreWith(...goods).score).toBeGreaterThan(60);
      expect(scoreWith(...explained)).toMatchObject({ score: 60, placeOnly: true });
      expect(scoreWith(...explained, seen("items", 16)).score).toBeGreaterThan(60);
      const dear = [...newcomer, ...explained, seen("amount", 14)];
      expect(combineSignals(dear, 10)).toMatchObject({ score: 69, placeOnly: false });
      expect(combineSignals([...dear, ...place], 10)).toMatchObject({ score: 69, placeOnly: true });
    });

    it("lowers no order that is high without them", () => {
      const strong = [seen("geo", 15), seen("amount", 30), seen("account", 8), seen("address", 12)];
      const alone = combineSignals(strong, 10).score;

      expect(alone).toBe(75);
      expect(combineSignals([...strong, ...place], 10)).toMatchObject({ score: alone, placeOnly: true });
    });
  });

  it("sorts contributions by strength, then by code", () => {
    const { contributions } = combineSignals(
      [seen("phone", 5, "B"), seen("email", 5, "A"), seen("card", 9, "C")],
      10,
    );

    expect(contributions.map(({ code }) => code)).toEqual(["C", "A", "B"]);
  });

  it("adds up to its total, and its total to the score", () => {
    fc.assert(
      fc.property(signalsArbitrary, (signals) => {
        const card = combineSignals(signals, 10);
        const hundredths = [card.base, card.trust, ...card.contributions.map((part) => part.contribution)]
          .map((part) => Math.round(part * 100))
          .reduce((sum, part) => sum + part, 0);

        expect(hundredths).toBe(Math.round(card.total * 100));
        const expected = Math.min(100, Math.max(0, Math.round(card.total)));
        if (card.placeOnly) expect(card.score).toBeLessThan(expected);
        if (card.placeOnly) expect(card.score).toBeGreaterThanOrEqual(60);
        else expect(card.score).toBe(card.capped ? 85 : expected);
      }),
    );
  });

  it("never scores lower for one more sign of risk", () => {
    fc.assert(
      fc.property(signalsArbitrary, signalArbitrary, (signals, extra) => {
        const added = { ...extra, code: "EXTRA", points: Math.abs(extra.points) };

        expect(combineSignals([...signals, added], 10).score).toBeGreaterThanOrEqual(
          combineSignals(signals, 10).score,
        );
      }),
    );
  });

  it("does not depend on the order of the signals", () => {
    const shuffled = signalsArbitrary.chain((signals) =>
      fc.tuple(fc.constant(signals), fc.shuffledSubarray(signals, { minLength: signals.length })),
    );
    fc.assert(
      fc.property(shuffled, ([signals, others]) => {
        expect(combineSignals(others, 10)).toEqual(combineSignals(signals, 10));
      }),
    );
  });
});
