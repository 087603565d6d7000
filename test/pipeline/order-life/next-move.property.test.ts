import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ORDER_EFFECTS } from "../../../src/order/order-effects.ts";
import { ACTIONS, isServiceAnswer, type Decision } from "../../../src/order/decision.ts";
import { ENFORCEMENT_STEPS } from "../../../src/platform/enforcement-step.ts";
import type { Move } from "../../../src/pipeline/order-life/moves.ts";
import { nextMove } from "../../../src/pipeline/order-life/next-move.ts";
import type { Situation } from "../../../src/pipeline/order-life/situation.ts";
import { ORDER_STATES } from "../../../src/store/orders/order-states.ts";
import {
  CHANGED,
  DECIDED_AT_MS,
  HELD,
  HOUR_MS,
  INQUIRY,
  POSTPONED,
  RELEASED,
  REVIEW,
  situation,
} from "../../support/situations.ts";
import { decision, mapped, T0 } from "../../store/samples.ts";

describe("any situation", () => {
  const aBoolean = fc.boolean();
  const aDecision = fc.record({
    action: fc.constantFrom(...ACTIONS),
    source: fc.constantFrom("service", "cache", "local", "policy", "person" as const),
    degraded: aBoolean,
    enforce: aBoolean,
    riskLevel: fc.constantFrom("low", "critical", null),
    disputed: fc.constantFrom(true, undefined),
    heldToCheck: fc.constantFrom(true, undefined),
    heldInstead: fc.constantFrom("opted-out", "policy-changed", undefined),
    supersedes: fc.option(
      fc.record({
        held: aBoolean,
        tags: fc.constant(["old"]),
        whileChecking: fc.constantFrom(true, undefined),
      }),
      { nil: undefined },
    ),
  });
  /** A person's decision isn't degraded. */
  const toReachable = (changes: object): Decision => {
    const made = decision(changes);
    return made.source === "person" ? { ...made, degraded: false } : made;
  };
  const aStep = fc.record({
    step: fc.constantFrom(...ENFORCEMENT_STEPS),
    state: fc.constantFrom("waiting", "done", "impossible", "moot" as const),
    begun: fc.constantFrom(true, undefined),
    atMs: fc.constantFrom(DECIDED_AT_MS - 1, DECIDED_AT_MS + 1),
    notes: fc.constantFrom(
      {},
      { warned: "yes" },
      { releasing: "yes" },
      { again: "begun" },
      { recheck: "yes" },
    ),
    memory: fc.constantFrom({}, { gap: "open" }),
  });
  const aFound = fc.record({
    triedToHold: fc.constantFrom(true, undefined),
    postponed: fc.constantFrom(POSTPONED, { ...POSTPONED, isSaved: true } as const, undefined),
    unanswered: fc.constantFrom({}, { askAgainAtMs: T0 + 1 }, undefined),
    observed: fc.constantFrom(
      HELD,
      RELEASED,
      { ...RELEASED, released: { by: "app" } } as const,
      "hidden" as const,
      null,
      undefined,
    ),
    noNews: fc.constantFrom(true, undefined),
    releasedBefore: fc.constantFrom({ by: "person" } as const, { by: "app" } as const, null, undefined),
    stillCancels: fc.constantFrom(true, false, undefined),
  });
  const aSituation = fc
    .record({
      order: fc.record({
        state: fc.constantFrom(...ORDER_STATES),
        decision: fc.option(aDecision.map(toReachable)),
        mapped: fc.constantFrom(mapped(), null),
        enriched: aBoolean,
        effects: fc.constantFrom(...ORDER_EFFECTS),
        skipReason: fc.constantFrom(null, "NO_EMAIL", "CANCELLED" as const),
        revision: fc.constantFrom(CHANGED, { ...CHANGED, rescreen: false }, null),
        review: fc.constantFrom(REVIEW, { ...REVIEW, act: "recheck" } as const, null, null, null),
        rereadAtMs: fc.constantFrom(T0, null),
        holdDeadlineMs: fc.constantFrom(T0 - 1, T0 + HOUR_MS, null),
        attempts: fc.nat(10),
      }),
      steps: fc.uniqueArray(aStep, { selector: (taken) => taken.step, maxLength: 4 }),
      policy: fc.record({
        mode: fc.constantFrom("active", "shadow"),
        whileChecking: fc.constantFrom("hold", "nothing"),
        hold: fc.record({ onDeadline: fc.constantFrom("keep", "release", "cancel") }),
        cancel: fc.record({ coolOffMinutes: fc.constantFrom(0, 60) }),
      }),
      policyVersion: fc.constantFrom(1, 2),
      disputes: fc.constantFrom([], [INQUIRY]),
      hasPlatform: fc.constantFrom(true, true, false),
      found: aFound,
    })
    .map(({ steps, order, ...rest }) =>
      situation({
        ...rest,
        order: { ...order, decidedAtMs: order.decision === null ? null : DECIDED_AT_MS },
        steps: steps.map((taken) => ({ ...taken, detail: "" })),
      }),
    );

  const isByPerson = ({ order }: Situation) => order.decision?.source === "person";

  function always(check: (move: Move, given: Situation) => void): void {
    fc.assert(
      fc.property(aSituation, (given) => {
        check(nextMove(given), given);
      }),
      { numRuns: 3_000 },
    );
  }

  it("has a next move, and always the same one", () => {
    always((move, given) => expect(nextMove(given)).toEqual(move));
  });

  it("lets a person's review come first", () => {
    always(({ kind }, { order: { review } }) => {
      if (review !== null) expect(kind).toMatch(/^(?:apply-review|check-for-person)$/);
    });
  });

  it("never leads from a guess to a cancel", () => {
    always((move, { order: { decision: known } }) => {
      if (move.kind === "cancel-at-deadline") expect(known !== null && isServiceAnswer(known)).toBe(true);
      if (move.kind === "apply-step" && move.step === "cancel") expect(known?.action).toBe("cancel");
    });
  });

  it("never replaces a person's decision", () => {
    const replaces =
      /^(?:decide|decide-changed|hold-for-inquiry|hold-instead|judge-cancel-again|ask-late|take-up-change)$/;
    always(({ kind }, given) => {
      if (isByPerson(given)) expect(kind).not.toMatch(replaces);
    });
  });

  it("touches nothing in shadow mode, unless a person decided", () => {
    always(({ kind }, given) => {
      if (given.policy.mode !== "shadow" || isByPerson(given)) return;
      expect(kind).not.toMatch(/deadline|look-at|keep-hold|follow-app|hold-to-check|hold-instead/);
    });
  });
});
