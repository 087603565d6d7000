import { REQUEST_LIMITS, type OrderItem } from "../../src/index.ts";
import { cleanText, firstText } from "./clean-text.ts";
import { toDecimal, toJsonObjects, type JsonObject } from "./payload.ts";

/**
 * The bought lines of an order. Left out are lines the service does not take (free, without a name, quantity below
 * one or not whole) and tips, which are no goods. Undefined when no line is left.
 */
export function toItems(payload: JsonObject): OrderItem[] | undefined {
  const items = toJsonObjects(payload["line_items"])
    .filter((line) => !isTip(line))
    .map(toItem)
    .filter((item) => item !== undefined);
  return items.length === 0 ? undefined : items;
}

function toItem(line: JsonObject): OrderItem | undefined {
  const name = firstText(REQUEST_LIMITS.itemName, line["name"], line["title"]);
  // `current_quantity` is zero after a refund; what was ordered is what was risked.
  const quantity = toDecimal(line["quantity"]);
  const price = toDecimal(line["price"]);
  if (name === undefined || quantity === undefined || price === undefined) return undefined;
  if (!Number.isSafeInteger(quantity) || quantity < 1 || price <= 0) return undefined;
  const sku = cleanText(line["sku"], REQUEST_LIMITS.itemSku);
  return sku === undefined ? { name, quantity, price } : { name, quantity, price, sku };
}

/**
 * Whether a line is a tip. The point of sale marks tips with fields that only they have (REST `LineItem` reference:
 * "present only on tips"), null at times; a tip at checkout is a line called "Tip" that is no product.
 */
function isTip(line: JsonObject): boolean {
  if ("tip_payment_gateway" in line || "tip_payment_method" in line || "tip" in line) return true;
  const title = cleanText(line["title"], REQUEST_LIMITS.itemName);
  return title?.toLowerCase() === "tip" && line["product_id"] == null && line["variant_id"] == null;
}
