import type { FieldProblem } from "../base/field-codes.ts";
import { isBlank, isFields, PLACEHOLDER } from "./complete-order.ts";
import type { OrderItem } from "./request.ts";

/** A line as it was read. A value that can't be read is kept as it is. */
export interface WrittenLine {
  readonly name?: unknown;
  readonly sku?: unknown;
  readonly quantity?: unknown;
  /** The price of one piece. */
  readonly price?: unknown;
  /** The price of the whole line. It counts before `price`. */
  readonly total?: unknown;
}

export interface ReadLine {
  /** Undefined for a line that is left out. */
  readonly item?: OrderItem;
  /** A part of the line that isn't sent as it was given. */
  readonly changed?: FieldProblem;
  /** Why the line, or a part of it, is left out. Free lines and discounts are left out without a reason. */
  readonly unusable?: FieldProblem;
}

/** More lines than any order has. The time that a check takes grows with each, so further ones are left out. */
export const MOST_LINES = 10_000;
/** Ten decimals are finer than any currency; rounding to them removes the noise of a division. */
const ROUND_TO = 1e10;

/** The lines that the service takes, and at most `most` of the problems of each kind. */
export function readLines(lines: readonly unknown[], most: number) {
  const items: OrderItem[] = [];
  const changed: FieldProblem[] = [];
  const unusable: FieldProblem[] = [];
  for (const [index, line] of lines.slice(0, MOST_LINES).entries()) {
    const read = readLine(line);
    const at = ({ path, message }: FieldProblem) => ({ path: `items[${index}]${path}`, message });
    if (read.item !== undefined) items.push(read.item);
    if (read.changed !== undefined && changed.length < most) changed.push(at(read.changed));
    if (read.unusable !== undefined && unusable.length < most) unusable.push(at(read.unusable));
  }
  if (lines.length > MOST_LINES) {
    unusable.push({ path: `items[${MOST_LINES}]`, message: `expected at most ${MOST_LINES} lines` });
  }
  return { items, changed, unusable };
}

/**
 * A line as the service takes it. A quantity that isn't a whole number (1.5 kg) becomes one piece at the line's price, and
 * so does an unknown one. A line without a name is named by its SKU.
 */
export function readLine(line: unknown): ReadLine {
  if (!isFields(line)) return { unusable: { path: "", message: "expected an item" } };
  const { name, sku, quantity, price, total }: WrittenLine = line;
  if (isNumber(quantity) && quantity <= 0) {
    return { unusable: { path: ".quantity", message: "expected a positive whole number" } };
  }
  const pieces = isNumber(quantity) && Number.isSafeInteger(quantity) ? quantity : 1;
  const each = toPrice({ quantity, price, total }, pieces);
  if (each === undefined) return { unusable: { path: ".price", message: "expected an amount" } };
  if (each <= 0) return {};
  const called = [name, sku].find(isFilled) ?? PLACEHOLDER;
  const unusable =
    isFilled(sku) || isBlank(sku) ? {} : { unusable: { path: ".sku", message: "expected text" } };
  return {
    item: { name: called, quantity: pieces, price: each, ...(isFilled(sku) ? { sku } : {}) },
    ...toChange({ name, quantity }, called, pieces),
    ...unusable,
  };
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isFilled = (value: unknown): value is string => typeof value === "string" && !isBlank(value);

/** Undefined if the price isn't known. Zero or less for a gift, and for a discount in its own line. */
function toPrice({ quantity, price, total }: WrittenLine, pieces: number): number | undefined {
  if (isNumber(total)) return roundPrice(total / pieces);
  if (!isNumber(price)) return undefined;
  if (!isNumber(quantity) || pieces === quantity) return price;
  return Math.min(roundPrice(price * quantity), Number.MAX_VALUE);
}

function toChange(
  { name, quantity }: WrittenLine,
  called: string,
  pieces: number,
): Pick<ReadLine, "changed"> {
  if (quantity !== pieces) {
    return { changed: { path: ".quantity", message: "expected a positive whole number" } };
  }
  return name === called ? {} : { changed: { path: ".name", message: "expected text that is not blank" } };
}

export function roundPrice(price: number): number {
  return Math.abs(price) < Number.MAX_SAFE_INTEGER / ROUND_TO
    ? Math.round(price * ROUND_TO) / ROUND_TO
    : price;
}
