import { foldText } from "../order/text.ts";
import type { KnownProduct } from "../order/order-context.ts";

/** What rules can use about the products that a catalog knows, folded for comparing, each once. */
export function toProductFacts(products: readonly KnownProduct[]) {
  return {
    /** With the levels above: `Shoes > Boots` is also `Shoes`. */
    productCategories: unique(products.flatMap(({ category = "" }) => toLevels(category))),
    brands: unique(products.map(({ brand = "" }) => foldText(brand))),
    manufacturers: unique(products.map(({ manufacturer = "" }) => foldText(manufacturer))),
  };
}

/** A category with the levels above it, from the top; empty for a blank one. */
function toLevels(category: string): readonly string[] {
  const names = toNames(category);
  return names.map((_, index) => names.slice(0, index + 1).join(SEPARATOR));
}

/** A category for comparing: case, and white space around `>`, don't count. */
export function foldCategory(category: string): string {
  return toNames(category).join(SEPARATOR);
}

const SEPARATOR = " > ";
/** Deeper levels don't count, because each level is stored with all levels above it. */
const MAX_LEVELS = 20;

function toNames(category: string): readonly string[] {
  return category
    .split(">")
    .map((name) => foldText(name))
    .filter((name) => name !== "")
    .slice(0, MAX_LEVELS);
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter((text) => text !== "");
}
