import type { Policy } from "../../../src/policy/policy.ts";
import type { DataOf } from "../api/api-types.ts";
import { nameSignal } from "../api/words.ts";
import { toStableText } from "../base/stable-text.ts";
import { t } from "../base/texts.ts";
import { CONDITIONS, type ConditionName } from "./policy-conditions.ts";

/** A model of the shop's own, and what it is worth. */
export type ModelProposal = DataOf<"GET /calibration/model">;
export type LocalModel = NonNullable<Policy["localModel"]>;

/** Nobody reads more. */
const MOST_PARTS = 12;

export function areSameModels(one: LocalModel | undefined, other: LocalModel | undefined): boolean {
  return toStableText(one ?? null) === toStableText(other ?? null);
}

/** What the model changes most, in words. */
export function toModelRows({ parts }: ModelProposal) {
  return parts.slice(0, MOST_PARTS).map(({ feature, title, points }) => ({
    feature,
    title: nameFeature(feature, title),
    points: toPoints(points),
  }));
}

function nameFeature(feature: string, title: string): string {
  const [code = "", step = ""] = feature.split(":");
  if (code === "hour") return t("model.hour", { from: step });
  if (code === "percentile") return t("model.amount", { percent: step });
  return step === "" ? (CONDITIONS[code as ConditionName]?.label ?? title) : nameSignal(code, title);
}

/** `+8` or `−5.5`. */
function toPoints(points: number): string {
  return points < 0 ? `−${-points}` : `+${points}`;
}

export function toModelState(model: LocalModel | undefined): string {
  return model === undefined ? t("model.none") : t("model.own", { count: Object.keys(model.points).length });
}

/** What is known about the model, or what is missing. */
export function toModelBasis({ known, needed, comparison, offered, days }: ModelProposal): readonly string[] {
  if (comparison === null) {
    const basis = { frauds: known.fraud, goods: known.good, days };
    return [t("model.too-few", { ...basis, neededFrauds: needed.fraud, neededGoods: needed.good })];
  }
  const { base, model, interval, fraud, good } = comparison;
  const [low = "", high = ""] = interval.map((one) => toPoints(toPercent(one)));
  const figures = { base: toPercent(base), model: toPercent(model), low, high, fraud, good };
  return [t("model.compared", figures), ...(offered ? [] : [t("model.not-offered")])];
}

function toPercent(share: number): number {
  return Math.round(1_000 * share) / 10;
}
