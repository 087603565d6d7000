import type { Policy } from "../../../src/policy/policy.ts";
import type { DataOf } from "../api/api-types.ts";
import { nameSignal } from "../api/words.ts";
import { t } from "../base/texts.ts";

/** What a shop's orders suggest for the points of the local engine's signals. */
export type WeightProposal = DataOf<"GET /calibration/weights">;
/** A shop's own factors of the points, by signal. */
export type LocalWeights = NonNullable<Policy["localWeights"]>;

export interface WeightRow {
  readonly code: string;
  readonly title: string;
  readonly now: string;
  /** The standard points, if the draft has others. */
  readonly standard: string | null;
  readonly suggested: string;
  readonly seen: string;
}

/** The suggested factors; undefined if they're every shop's. */
export function toSuggested({ signals }: WeightProposal): LocalWeights | undefined {
  const own = signals.filter(({ factor }) => factor !== 1).map(({ code, factor }) => [code, factor] as const);
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

/** A signal without a factor has the factor 1. */
export function areSameWeights(one: LocalWeights = {}, other: LocalWeights = {}): boolean {
  const codes = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...codes].every((code) => (one[code] ?? 1) === (other[code] ?? 1));
}

/** Every signal that has, or would get, points of the shop's own. */
export function toWeightRows(proposal: WeightProposal, now: LocalWeights = {}): readonly WeightRow[] {
  const { known, signals } = proposal;
  const seen = signals
    .filter(({ code, factor }) => factor !== 1 || (now[code] ?? 1) !== 1)
    .map(({ code, title, points, factor, fraud, good }) => ({
      code,
      title: nameSignal(code, title),
      now: toPoints(points * (now[code] ?? 1)),
      standard: (now[code] ?? 1) === 1 ? null : toPoints(points),
      suggested: toPoints(points * factor),
      seen: t("weights.seen", { fraud, frauds: known.fraud, good, goods: known.good }),
    }));
  const codes = new Set(signals.map(({ code }) => code));
  const unseen = Object.entries(now)
    .filter(([code, factor]) => factor !== 1 && !codes.has(code))
    .map(([code, factor]) => {
      return {
        code,
        title: code,
        now: `×${factor}`,
        standard: "×1",
        suggested: "×1",
        seen: t("weights.not-seen"),
      };
    });
  return [...seen, ...unseen];
}

/** `+8` or `−5.5`. */
function toPoints(points: number): string {
  const rounded = Math.round(points * 10) / 10;
  return rounded < 0 ? `−${-rounded}` : `+${rounded}`;
}

export function toWeightState(weights: LocalWeights | undefined): string {
  const count = Object.keys(weights ?? {}).length;
  return count === 0 ? t("weights.in-this-policy-the-standard-weights") : t("weights.own", { count });
}

export function toWeightBasis({ known, needed, enough, days }: WeightProposal): string {
  const basis = { frauds: known.fraud, goods: known.good, days };
  return enough
    ? t("weights.basis", basis)
    : t("weights.too-few", { ...basis, neededFrauds: needed.fraud, neededGoods: needed.good });
}
