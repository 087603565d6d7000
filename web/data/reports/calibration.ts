import type { Report } from "./report.ts";
import { formatPart, formatRatio, joinSentences } from "../base/format.ts";
import { t } from "../base/texts.ts";

/** How a shop's orders turned out, by risk level. */
export type Outcomes = Report["outcomes"];
export type LevelOutcomes = Outcomes["byLevel"]["low"];

/** Below this number, a single order changes the result noticeably. */
const FEW_FRAUDS = 20;

export function sumOutcomes({ byLevel }: Outcomes): LevelOutcomes {
  return Object.values(byLevel).reduce((sum, level) => ({
    fraud: sum.fraud + level.fraud,
    caught: sum.caught + level.caught,
    good: sum.good + level.good,
    stopped: sum.stopped + level.stopped,
    refunded: sum.refunded + level.refunded,
  }));
}

/** Of fewer orders, a share says nothing. */
const ENOUGH_TO_TELL = 30;

/** `12.5%`, or that there are too few orders to tell; null without orders. */
export function toShareOf(part: number, of: number): string | null {
  if (of === 0) return null;
  return of < ENOUGH_TO_TELL ? t("calibration.too-few") : formatRatio(part / of);
}

/** `12 of 14`; a dash without orders. */
export function toPart(part: number, of: number): string {
  return of === 0 ? "–" : formatPart(part, of);
}

export function toOutcomeSentence(outcomes: Outcomes): string {
  const { fraud, caught, good, stopped } = sumOutcomes(outcomes);
  if (fraud + good === 0) return t("calibration.no-outcomes-are-known-yet");
  const frauds =
    fraud === 0
      ? t("calibration.no-order-turned-out-to-be")
      : t("calibration.caught", { caught, count: fraud });
  const goods =
    good === 0
      ? t("calibration.no-order-is-known-to-be")
      : t("calibration.stopped", { stopped, count: good });
  const isFew = good > 0 && good < ENOUGH_TO_TELL;
  const few = t("calibration.too-few-good", { needed: ENOUGH_TO_TELL, days: outcomes.undisputedDays });
  return joinSentences([frauds, goods, isFew && few]);
}

export function toBasis(outcomes: Outcomes, days: number): string {
  const { decided, undisputedDays } = outcomes;
  const { fraud, good, refunded } = sumOutcomes(outcomes);
  return t("calibration.basis", { known: fraud + good, count: decided, days, refunded, undisputedDays });
}

/** Why to be careful with the numbers; null if there's no reason to be. */
export function toCaution(outcomes: Outcomes): string | null {
  const { fraud, good } = sumOutcomes(outcomes);
  if (fraud + good === 0) return null;
  if (outcomes.disputed === 0) {
    return t("calibration.no-payment-dispute-has-arrived-if");
  }
  return fraud < FEW_FRAUDS ? t("calibration.few", { count: fraud }) : null;
}
