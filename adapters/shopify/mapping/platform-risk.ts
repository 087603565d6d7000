import type { PlatformRisk } from "../../../src/index.ts";

/** An order's risk as the Admin API tells it. */
export interface OrderRisk {
  readonly recommendation: string;
  readonly assessments: readonly {
    readonly riskLevel: string;
    /** Null: Shopify's own. */
    readonly provider: { readonly apiKey: string } | null;
  }[];
}

const ADVICE: Readonly<Record<string, PlatformRisk>> = {
  ACCEPT: "accept",
  INVESTIGATE: "investigate",
  CANCEL: "cancel",
};
/** The most severe first. */
const ADVICE_OF_LEVEL: readonly (readonly [level: string, advice: PlatformRisk])[] = [
  ["HIGH", "cancel"],
  ["MEDIUM", "investigate"],
  ["LOW", "accept"],
];

/**
 * Shopify's own view of an order; null while it has none. Its recommendation follows the most severe assessment from any
 * app. Once it is influenced by one, only Shopify's own assessments count.
 */
export function toPlatformRisk(
  { recommendation, assessments }: OrderRisk,
  isInfluenced: boolean,
): PlatformRisk | null {
  if (!isInfluenced) return ADVICE[recommendation] ?? null;
  const own = assessments.filter(({ provider }) => provider === null).map(({ riskLevel }) => riskLevel);
  return ADVICE_OF_LEVEL.find(([level]) => own.includes(level))?.[1] ?? null;
}
