import type { CombinedScore } from "../combine-signals.ts";
import { RISK_BANDS, RISK_LEVELS, toRiskLevel } from "../../order/risk-level.ts";
import { isCount, listFeatures, nameFeature, toPointsOf, type SeenByModel } from "./features.ts";

/** The limits of a model, so that no shop's outcomes, not even made-up ones, can turn the engine upside down. */
export const MODEL_LIMITS = {
  /** The most points that a model adds to a feature, or takes off. */
  points: 20,
  /** The most points by which it moves an order's score. */
  shift: 30,
  features: 200,
  /** The most points that it takes off for an average good order. */
  center: 100,
} as const;

/** What a shop's outcomes add to the engine's points. */
export interface ShopModel {
  /** The points that an average good order of the shop gets from the model, and that it therefore takes off. */
  readonly center: number;
  /** Points by feature: `NIGHT:6` is the signal with 6 points. */
  readonly points: Readonly<Record<string, number>>;
}

/** A feature's part of what a model changes. */
export interface ModelPart {
  readonly name: string;
  readonly title: string;
  readonly points: number;
}

/** What limits a model's say about an order. */
export interface Judged extends Pick<CombinedScore, "score" | "total" | "placeOnly"> {
  /** The customer hides, or somebody else may be using the account. */
  readonly isHiding: boolean;
}

/** Points that a model adds to an order, within its limits. Pure. */
export function toShift(model: ShopModel, order: SeenByModel, judged: Judged): number {
  let sum = -model.center;
  for (const [name, value] of listFeatures(order)) sum += readOwn(model.points, name) * value;
  return limitShift(sum, judged);
}

/** A shared place isn't made worse. A customer who hides, or whose account somebody else may be using, isn't made better. */
export function limitShift(shift: number, { placeOnly, isHiding }: Judged): number {
  const { shift: most } = MODEL_LIMITS;
  const [least, highest] = [isHiding ? 0 : -most, placeOnly ? 0 : most];
  return Math.round(10 * Math.min(highest, Math.max(least, shift))) / 10 + 0;
}

/**
 * The score after a model's shift. It is at most one level from the engine's, and critical only if the engine's is: critical
 * needs agreement, and a model is one voice.
 */
export function shiftScore(score: number, shift: number): number {
  const level = RISK_LEVELS.indexOf(toRiskLevel(score));
  const [milder, harsher] = [RISK_LEVELS[level - 1] ?? "low", RISK_LEVELS[level + 1] ?? "critical"];
  const isCritical = RISK_LEVELS[level] === "critical";
  const least = RISK_BANDS[milder][0];
  const most = isCritical ? RISK_BANDS.critical[1] : Math.min(RISK_BANDS[harsher][1], RISK_BANDS.high[1]);
  return Math.min(most, Math.max(least, Math.round(score + shift)));
}

/** The parts of a model's shift that matter most, largest first. */
export function listParts(model: ShopModel, order: SeenByModel): readonly ModelPart[] {
  return listFeatures(order)
    .map(([name, value]) => {
      const points = Math.round(10 * readOwn(model.points, name) * value) / 10;
      return { name, title: nameFeature(name), points };
    })
    .filter(({ points }) => points !== 0)
    .toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points) || (a.name < b.name ? -1 : 1));
}

/** Every honest customer has a first order. */
const NEVER_WORSE: ReadonlySet<string> = new Set(["FIRST_ORDER:3"]);

/**
 * Points that a model may give a feature. A sign of fraud never becomes a credit, nor does a count of people or cards, which a thief
 * can drive up; and a credit never gets smaller: honest people rely on it. It holds for models that nobody fitted, too.
 */
export function limitPoints(name: string, points: number): number {
  const own = toPointsOf(name) ?? 0;
  const most = own < 0 || NEVER_WORSE.has(name) ? 0 : MODEL_LIMITS.points;
  const limit = isCount(name) ? 0 : -MODEL_LIMITS.points;
  const least = own > 0 ? Math.max(-own, limit) : limit;
  return Math.min(most, Math.max(least, points)) + 0;
}

function readOwn(points: ShopModel["points"], name: string): number {
  const own: unknown = Object.hasOwn(points, name) ? points[name] : 0;
  return typeof own === "number" && Number.isFinite(own) ? limitPoints(name, own) : 0;
}
