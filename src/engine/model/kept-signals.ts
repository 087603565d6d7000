import type { EssentialFact } from "../../order/decision.ts";
import type { VerificationResult } from "../../order/result.ts";
import { toRiskLevel } from "../../order/risk-level.ts";
import { combineSignals, type CombinedScore, type ScorableSignal } from "../combine-signals.ts";
import type { SeenByModel } from "./features.ts";
import { shiftScore, toShift, type Judged, type ShopModel } from "./shop-model.ts";

/** What the engine saw of an order, before a shop's model: enough to judge it again, and to learn from it. Names nobody. */
export interface KeptSignals extends SeenByModel {
  /** Points before any signal. */
  readonly base: number;
  /** The facts that the order lacks for publishing "low". */
  readonly missing: readonly EssentialFact[];
  /** The engine judges it alone, under any model. Absent: no. */
  readonly isHeldOut?: true;
  /** A model had a say, so none learns from it. Absent: no. */
  readonly byModel?: true;
}

/** The stored part of signals: what the sum needs, without details. */
export function keepSignals(seen: readonly ScorableSignal[], about: Omit<KeptSignals, "seen">): KeptSignals {
  return {
    ...about,
    seen: seen.map(({ code, group, points, shakesTrust, voidsTrust, isClaim, isPlace }) => ({
      code,
      group,
      points,
      ...(shakesTrust === true && { shakesTrust }),
      ...(voidsTrust === true && { voidsTrust }),
      ...(isClaim === true && { isClaim }),
      ...(isPlace === true && { isPlace }),
    })),
  };
}

export function toJudged({ seen }: SeenByModel, { score, total, placeOnly }: CombinedScore): Judged {
  const isHiding = seen.some(({ voidsTrust, shakesTrust }) => voidsTrust === true || shakesTrust === true);
  return { score, total, placeOnly, isHiding };
}

/** The level and score of kept signals under a model, or without one. */
export function scoreAgain(
  kept: KeptSignals,
  model: ShopModel | undefined,
): Pick<VerificationResult, "riskLevel" | "riskScore"> {
  const card = combineSignals(kept.seen, kept.base);
  const score =
    model === undefined || kept.isHeldOut === true
      ? card.score
      : shiftScore(card.score, toShift(model, kept, toJudged(kept, card)));
  return { riskLevel: toRiskLevel(score), riskScore: score };
}

/** One order in twenty is held out: enough to see whether the model still helps, and to learn from. */
const HOLD_OUT = 20;
const FNV_PRIME = 16_777_619;
const FNV_START = 2_166_136_261;

/** Whether an order is judged without the model, to learn from it: one in twenty, by its ID (FNV-1a). */
export function isHeldOut(orderId: unknown): boolean {
  if (typeof orderId !== "string" || orderId === "") return false;
  let hash = FNV_START;
  for (let index = 0; index < orderId.length; index += 1)
    hash = Math.imul(hash ^ orderId.charCodeAt(index), FNV_PRIME);
  return (hash >>> 0) % HOLD_OUT === 0;
}
