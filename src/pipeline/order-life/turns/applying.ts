import type { HoldRelease } from "../../../platform/enforcement-step.ts";
import { isFinal } from "../hold-deadline.ts";
import { findInquiry, holdDisputed } from "../inquiry.ts";
import type { Move, Turn } from "../moves.ts";
import { findHoldThatCounts } from "../released-before.ts";
import { decisionOf, type Pass, type Situation } from "../situation.ts";
import { beginPass, findNextStep, findWaitedOn, toWaits, type Applying } from "../step-pass.ts";
import { toCancelProgress } from "../step-plan.ts";

/** What still changes a decision before its steps are taken. */
export const RECONSIDERING: readonly Turn[] = [
  {
    move: "hold-for-inquiry",
    when: "A bank asks about the payment of an order whose decision is to be applied",
    does: "Holds the order until a person decides",
    find: findInquiryHold,
  },
  {
    move: "ask-who-released",
    when: "The order is to be canceled, or held only because no answer came, and it was held before",
    does: "Asks the platform whether somebody released that hold",
    find: (situation) => {
      const { postponed, releasedBefore } = situation.found;
      if (postponed !== undefined || releasedBefore !== undefined) return null;
      const hold = findHoldThatCounts(situation);
      return hold === undefined ? null : { kind: "ask-who-released", hold };
    },
  },
  {
    move: "hold-instead",
    when: "A person released that hold, and the order is to be canceled",
    does: "Holds it instead, until a person decides",
    find: (situation) =>
      toReleasedBefore(situation) !== null && situation.order.decision?.action === "cancel"
        ? { kind: "hold-instead", cause: "hold-released" }
        : null,
  },
  {
    move: "end-hold",
    when: "A person released that hold, and the order is held only because no answer came",
    does: "Leaves the order as it is, at rest",
    find: (situation) => {
      const release = toReleasedBefore(situation);
      return release === null ? null : { kind: "end-hold", finding: { kind: "overridden", release } };
    },
  },
  {
    move: "judge-cancel-again",
    when: "The policy was changed while the order waited to be canceled",
    does: "Applies the new policy to the stored answer, at no cost",
    find: (situation) =>
      isCancelInDoubt(situation) && situation.found.stillCancels === undefined
        ? { kind: "judge-cancel-again" }
        : null,
  },
  {
    move: "hold-instead",
    when: "The new policy wouldn't cancel the order",
    does: "Holds it instead, until a person decides",
    find: (situation) =>
      isCancelInDoubt(situation) && situation.found.stillCancels === false
        ? { kind: "hold-instead", cause: "policy-changed" }
        : null,
  },
];

/** The steps of a decision on the platform. */
export const STEPS: readonly Turn[] = [
  {
    move: "look-at-waiting-hold",
    when: "A cancel waits on hold, for its cool-off or because the order was changed",
    does: "Looks whether the hold still covers all goods. If not, it's placed once more",
    find: (situation) => {
      const { applying, pass } = toApplied(situation);
      if (situation.found.pass !== undefined) return null;
      const hold = findWaitedOn(applying, pass);
      return hold === undefined ? null : { kind: "look-at-waiting-hold", hold, pass };
    },
  },
  {
    move: "apply-step",
    when: "A step of the decision can be taken",
    does: "Assesses, tags, holds, cancels, releases or captures on the platform",
    find: (situation) => {
      const { applying, pass } = toApplied(situation);
      const step = findNextStep(applying, pass);
      return step === undefined ? null : { kind: "apply-step", step, pass };
    },
  },
  {
    move: "wait-for-steps",
    when: "A step has to wait",
    does: "Tries it again at its time",
    find: (situation) => {
      const { applying, pass } = toApplied(situation);
      const waits = toWaits(applying, pass);
      const isWaiting = [...waits.values()].some(({ outcome }) => outcome === "wait");
      return isWaiting ? { kind: "wait-for-steps", waits } : null;
    },
  },
  {
    move: "come-to-rest",
    when: "All steps have ended",
    does: "Leaves the order at rest: settled, held until a person or the deadline decides, or failed if it needs a person",
    find: (situation) => {
      const { applying, pass } = toApplied(situation);
      const partial = toWaits(applying, pass).get("hold");
      return { kind: "come-to-rest", wasBegun: pass.wasBegun, partial };
    },
  },
];

function findInquiryHold({ order, steps, disputes, found, nowMs }: Situation): Move | null {
  const { decision, skipReason } = order;
  if (found.postponed !== undefined || decision === null || skipReason === "CANCELLED") return null;
  if (decision.source === "person" || !decision.enforce) return null;
  const inquiry = findInquiry(disputes);
  const held = inquiry === undefined ? null : holdDisputed(order, steps, inquiry, nowMs);
  return held === null ? null : { kind: "hold-for-inquiry", held };
}

/** The release of the hold from before the decision, if it counts; null if not. */
function toReleasedBefore(situation: Situation): HoldRelease | null {
  const { releasedBefore: release = null } = situation.found;
  const counts = release !== null && isFinal(release) && findHoldThatCounts(situation) !== undefined;
  return counts ? release : null;
}

/** Whether the policy changed while an order waits to be canceled. A cancel can't be undone, and the shop may no longer want it. */
function isCancelInDoubt({ order, steps, policy, policyVersion, found }: Situation): boolean {
  const { decision } = order;
  if (found.postponed !== undefined || policy.mode === "shadow" || decision?.action !== "cancel")
    return false;
  if (decision.source === "person" || !decision.enforce || decision.policyVersion === policyVersion)
    return false;
  return toCancelProgress(order, steps) === null;
}

function toApplied({ order, steps, policy, found }: Situation): {
  readonly applying: Applying;
  readonly pass: Pass;
} {
  const decision = decisionOf(order);
  const applying = { order, steps, policy, decision };
  return { applying, pass: found.pass ?? beginPass(applying) };
}
