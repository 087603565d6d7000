import { REQUEST_LIMITS, type OrderItem } from "../../../src/adapter-kit.ts";
import { cleanText, firstText } from "../../../src/mapping.ts";
import { toDecimal, toJsonObjects, type JsonObject } from "../base/payload.ts";

/**
 * The bought lines of an order, at the price of one piece after discounts, so that lines, shipping and tax can add up
 * to the amount. Lines that the service doesn't accept (free, without a name, quantity below one or not whole) and tips
 * are left out. Undefined if no line remains.
 */
export function toItems(payload: JsonObject, goods = listGoods(payload)): OrderItem[] | undefined {
  const items = goods.map(toItem).filter((item) => item !== undefined);
  return items.length === 0 ? undefined : items;
}

/** The lines of an order, without tips. */
export function listGoods(payload: JsonObject): readonly JsonObject[] {
  const lines = toJsonObjects(payload["line_items"]);
  const tips = findTips(lines, toDecimal(payload["total_tip_received"]) ?? 0);
  return lines.filter((line) => !tips.has(line));
}

function toItem(line: JsonObject): OrderItem | undefined {
  const name = firstText(REQUEST_LIMITS.itemName, line["name"], line["title"]);
  // `current_quantity` is zero after a refund, but the ordered quantity is what counts for the risk.
  const quantity = toDecimal(line["quantity"]);
  const price = toPrice(line, quantity);
  if (name === undefined || quantity === undefined || price === undefined) return undefined;
  if (!Number.isSafeInteger(quantity) || quantity < 1) return undefined;
  // Extreme numbers can overflow.
  if (!(price > 0)) return undefined;
  const sku = cleanText(line["sku"], REQUEST_LIMITS.itemSku);
  return sku === undefined ? { name, quantity, price } : { name, quantity, price, sku };
}

/** The price of one piece after discounts. */
function toPrice(line: JsonObject, quantity: number | undefined): number | undefined {
  const price = toDecimal(line["price"]);
  const discount = toDiscount(line);
  if (price === undefined || quantity === undefined || discount === 0) return price;
  return round(price - discount / quantity);
}

/**
 * The discount on a whole line, with its share of the order's: `discount_allocations` has both (REST `LineItem`
 * reference); `total_discount`, in payloads from before 2018, only the line's own.
 */
function toDiscount(line: JsonObject): number {
  let allocated = 0;
  for (const { amount } of toJsonObjects(line["discount_allocations"])) allocated += toDecimal(amount) ?? 0;
  return Math.max(0, allocated === 0 ? (toDecimal(line["total_discount"]) ?? 0) : allocated);
}

/** Currencies have at most three decimals. One more, so that the pieces add up to the line again. */
const ROUND_TO = 10_000;

function round(price: number): number {
  return Math.abs(price) < Number.MAX_SAFE_INTEGER / ROUND_TO
    ? Math.round(price * ROUND_TO) / ROUND_TO
    : price;
}

/**
 * The lines that are tips. The point of sale marks them with fields that only they have (REST `LineItem` reference:
 * "present only on tips"), null at times. A tip at checkout is a line without a product. Its name depends on the shop's
 * language, so it is recognized by its amount, which is the order's `total_tip_received`. If that is missing or
 * ambiguous, a line named "Tip" is a tip.
 */
function findTips(lines: readonly JsonObject[], received: number): ReadonlySet<JsonObject> {
  const isMarked = (line: JsonObject): boolean =>
    "tip_payment_gateway" in line || "tip_payment_method" in line || "tip" in line;
  const marked = lines.filter(isMarked);
  const loose = lines.filter((line) => !isMarked(line) && isNoProduct(line));
  if (isSame(sumOf(loose), received - sumOf(marked))) return new Set([...marked, ...loose]);
  const called = loose.filter(isCalledTip);
  const left = received - sumOf([...marked, ...called]);
  // Checkout adds the tip as the last line.
  const last = loose.findLast((line) => isSame(toTotal(line), left));
  return new Set([...marked, ...called, ...(last === undefined ? [] : [last])]);
}

function isCalledTip(line: JsonObject): boolean {
  return cleanText(line["title"], REQUEST_LIMITS.itemName)?.toLowerCase() === "tip";
}

function isNoProduct(line: JsonObject): boolean {
  return (
    line["product_id"] == null &&
    line["variant_id"] == null &&
    line["gift_card"] !== true &&
    line["requires_shipping"] !== true
  );
}

function toTotal(line: JsonObject): number {
  return (toDecimal(line["price"]) ?? 0) * (toDecimal(line["quantity"]) ?? 0);
}

function sumOf(lines: readonly JsonObject[]): number {
  return lines.reduce((sum, line) => sum + toTotal(line), 0);
}

/** Whether both are present and the same amount. */
function isSame(one: number, other: number): boolean {
  return other > 0 && Math.abs(one - other) < 0.005;
}
