import type { DataOf } from "../api/api-types.ts";
import { formatCount, formatPlural } from "../base/format.ts";

/** How a shop's orders turned out, by risk level. */
export type Calibration = DataOf<"GET /calibration">;
export type LevelOutcomes = Calibration["byLevel"]["low"];

/** Below this number, a single order changes the result noticeably. */
const FEW_FRAUDS = 20;

export function sumOutcomes({ byLevel }: Calibration): LevelOutcomes {
  return Object.values(byLevel).reduce((sum, level) => ({
    fraud: sum.fraud + level.fraud,
    caught: sum.caught + level.caught,
    good: sum.good + level.good,
    stopped: sum.stopped + level.stopped,
    refunded: sum.refunded + level.refunded,
  }));
}

/** `12 of 14`; a dash without orders. */
export function toPart(part: number, of: number): string {
  return of === 0 ? "–" : `${formatCount(part)} of ${formatCount(of)}`;
}

export function toCalibrationSentence(calibration: Calibration): string {
  const { fraud, caught, good, stopped } = sumOutcomes(calibration);
  if (fraud + good === 0) return "No outcomes are known yet.";
  const frauds =
    fraud === 0
      ? "No order turned out to be fraud."
      : `Holdfast caught ${formatCount(caught)} of ${formatPlural(fraud, "fraudulent order")}.`;
  const goods =
    good === 0
      ? "No order is known to be good yet."
      : `Holdfast stopped ${formatCount(stopped)} of ${formatPlural(good, "good order")}.`;
  return `${frauds} ${goods}`;
}

export function toBasis(calibration: Calibration): string {
  const { decided, days, undisputedDays } = calibration;
  const { fraud, good, refunded } = sumOutcomes(calibration);
  const others =
    refunded === 0 ? "the outcome of the others isn't known yet" : "the others are refunded or not known yet";
  const known = `Based on ${formatCount(fraud + good)} of ${formatPlural(decided, "decided order")} in the last ${days} days: ${others}.`;
  return `${known} Fraud: charged back as fraud, declined as fraud, or canceled as fraud on the platform. Good: approved by a person, or let through ${undisputedDays} days ago and not disputed. Refunded: paid back in full. This counts as neither fraud nor good and changes no weight. In watch-only mode, what would have been held or canceled counts as caught or stopped.`;
}

/** Why to be careful with the numbers; null if there's no reason to be. */
export function toCaution(calibration: Calibration): string | null {
  const { fraud, good } = sumOutcomes(calibration);
  if (fraud + good === 0) return null;
  if (calibration.disputed === 0) {
    return "No payment dispute has arrived. If your shop doesn't share its disputes, fraud that passed isn't counted, and charged-back orders count as good.";
  }
  return fraud < FEW_FRAUDS
    ? `Only ${formatPlural(fraud, "order")} turned out to be fraud so far, so the shares can still change a lot.`
    : null;
}
