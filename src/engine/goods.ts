import { REQUEST_LIMITS } from "../order/request.ts";
import type { PlainFields } from "./plain-order.ts";
import { readText } from "./read-fields.ts";
import { categoryPatterns } from "./tables/goods-categories.ts";
import { foldText } from "./text-shape.ts";

/** What a catalog's category says of goods. */
export type GoodsKind = "resale" | "gift-card";

/** The longest category of the catalog. */
const CATEGORY_LENGTH = 256;

/** The kinds of goods that a catalog knows, by SKU. */
export function toGoodsKinds(products: readonly PlainFields[]): ReadonlyMap<string, GoodsKind> {
  const kinds = new Map<string, GoodsKind>();
  for (const product of products) {
    const sku = readSku(product);
    const kind = toGoodsKind(readText(product["category"], CATEGORY_LENGTH) ?? "");
    if (sku !== undefined && kind !== undefined) kinds.set(sku, kind);
  }
  return kinds;
}

/** The SKU of a line or a product. */
export function readSku({ sku }: PlainFields): string | undefined {
  return readText(sku, REQUEST_LIMITS.itemSku);
}

/**
 * What a category such as `Electronics > Phones` says: its deepest level that names goods decides, unless that level or one
 * below it names what goes with them (`Phones > Cases`).
 */
function toGoodsKind(category: string): GoodsKind | undefined {
  if (category === "") return undefined;
  const { accessories, giftCards, resale } = categoryPatterns();
  for (const level of category.split(">").toReversed()) {
    const name = foldText(level);
    if (accessories.test(name)) return undefined;
    if (giftCards.test(name)) return "gift-card";
    if (resale.test(name)) return "resale";
  }
  return undefined;
}
