import type { Factor } from "../api/api-types.ts";
import { findWords } from "../api/words.ts";
import { t } from "../base/texts.ts";

/** Severities, most serious first. */
const SEVERITIES = ["critical", "high", "medium", "low", "info"];

const CATEGORY_WORDS: Readonly<Record<string, string>> = {
  customer: t("order.customer"),
  address: t("order.addresses"),
  payment: t("order.payment"),
  behavioral: t("order.behavior"),
  technical: t("order.technical"),
  product: t("order.products"),
};

export type FactorGroup = { readonly category: string; readonly factors: readonly Factor[] };

/** Rank of a severity: 0 is the most serious; unknown ones come last. */
function toGravity(severity: string): number {
  const at = SEVERITIES.indexOf(severity);
  return at === -1 ? SEVERITIES.length : at;
}

/** Factors by category, most serious first. The category with the most serious factor comes first. */
export function groupFactors(factors: readonly Factor[]): readonly FactorGroup[] {
  const sorted = factors.toSorted((one, other) => toGravity(one.severity) - toGravity(other.severity));
  const categories = [...new Set(sorted.map(({ category }) => category))];
  return categories.map((category) => {
    return { category: nameCategory(category), factors: sorted.filter((one) => one.category === category) };
  });
}

function nameCategory(category: string): string {
  return (
    findWords(CATEGORY_WORDS, category) ??
    category.charAt(0).toUpperCase() + category.slice(1).replaceAll("_", " ")
  );
}
