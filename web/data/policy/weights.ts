import type { Policy } from "../../../src/policy/policy.ts";
import type { DataOf } from "../api/api-types.ts";
import { formatCount, formatPlural } from "../base/format.ts";

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
      title,
      now: toPoints(points * (now[code] ?? 1)),
      standard: (now[code] ?? 1) === 1 ? null : toPoints(points),
      suggested: toPoints(points * factor),
      seen: `On ${formatCount(fraud)} of ${formatCount(known.fraud)} fraudulent and ${formatCount(good)} of ${formatCount(known.good)} good orders`,
    }));
  const codes = new Set(signals.map(({ code }) => code));
  const unseen = Object.entries(now)
    .filter(([code, factor]) => factor !== 1 && !codes.has(code))
    .map(([code, factor]) => {
      return { code, title: code, now: `×${factor}`, standard: "×1", suggested: "×1", seen: "Not seen" };
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
  return count === 0
    ? "In this policy: the standard weights."
    : `In this policy: your own weights for ${formatPlural(count, "signal")}.`;
}

export function toWeightBasis({ known, needed, enough, days }: WeightProposal): string {
  return enough
    ? `Based on ${formatPlural(known.fraud, "fraudulent order")} and ${formatPlural(known.good, "good order")} that the local engine judged in the last ${days} days.`
    : `Not enough outcomes are known yet. A suggestion needs ${formatCount(needed.fraud)} fraudulent and ${formatCount(needed.good)} good orders that the local engine judged in the last ${days} days. So far there are ${formatCount(known.fraud)} and ${formatCount(known.good)}.`;
}
