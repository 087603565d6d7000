import { foldAddress, foldEmail, foldText } from "./fold.ts";
import type { OrderAddress, VerificationRequest } from "./request.ts";

/** One difference between two states of an order. Names the field, never its value. */
export interface OrderChange {
  /** As in the verification request, dotted, e.g. `shippingAddress.city`. */
  readonly field: string;
  /** Whether it bears on fraud: worth asking the service again. */
  readonly material: boolean;
}

/** Growth of the total that is worth another look: a corrected shipping fee is below it, one more phone is not. */
const MATERIAL_GROWTH = 1.1;
/** Words for a part of a building, in the languages of the larger markets, and what follows them. */
const UNIT =
  /\b(?:apt|apartment|flat|unit|suite|ste|floor|fl|room|rm|appt|etage|piso|depto|stock|top|wohnung|whg)\b.*$/;

/**
 * What changed between two states of an order, for the fields that say who buys, what, for how much, where to and paid
 * how. An edit that cannot help a fraudster (a flat number, a phone number, a lower total, a corrected spelling of the
 * state) is not material and never costs a credit.
 */
export function compareOrders(
  before: VerificationRequest,
  after: VerificationRequest,
): readonly OrderChange[] {
  const changes: OrderChange[] = [];
  const note = (field: string, differs: boolean, material: boolean): void => {
    if (differs) changes.push({ field, material });
  };
  const text = (one: string | undefined, other: string | undefined) =>
    foldText(one ?? "") !== foldText(other ?? "");

  note("customerEmail", foldEmail(before.customerEmail) !== foldEmail(after.customerEmail), true);
  note(
    "customerName",
    text(before.customerName, after.customerName),
    !shareWord(before.customerName, after.customerName),
  );
  note("customerPhone", text(before.customerPhone, after.customerPhone), false);
  note("companyName", text(before.companyName, after.companyName), false);
  note("currency", text(before.currency, after.currency), true);
  note(
    "orderAmount",
    before.orderAmount !== after.orderAmount,
    after.orderAmount > before.orderAmount * MATERIAL_GROWTH,
  );
  note("items", toLines(before) !== toLines(after), hasNewItem(before, after));
  changes.push(...compareAddresses("shippingAddress", before.shippingAddress, after.shippingAddress));
  changes.push(...compareAddresses("billingAddress", before.billingAddress, after.billingAddress));
  note("paymentInfo", toCard(before) !== toCard(after), true);
  return changes;
}

function compareAddresses(name: string, before: OrderAddress, after: OrderAddress): OrderChange[] {
  const fields = ["street", "city", "state", "postalCode", "country"] as const;
  return fields.flatMap((field) => {
    const [one, other] = [foldAddress(before[field]), foldAddress(after[field])];
    if (one === other) return [];
    // A place is told by its country, city and postcode; a state follows from them.
    const material = field === "street" ? toBuilding(one) !== toBuilding(other) : field !== "state";
    return [{ field: `${name}.${field}`, material }];
  });
}

/** A street line without the part that says where in the building. */
function toBuilding(street: string): string {
  return street.replace(UNIT, "").trim();
}

/** Whether two spellings of a name can be one person: a marriage or a middle name leaves a word in common. */
function shareWord(one: string, other: string): boolean {
  const words = new Set(foldAddress(one).split(" "));
  return foldAddress(other)
    .split(" ")
    .some((word) => word.length > 1 && words.has(word));
}

function toLines({ items = [] }: VerificationRequest): string {
  return JSON.stringify(
    items
      .map(({ name, sku, quantity, price }) => JSON.stringify([foldText(name), sku, quantity, price]))
      .toSorted(),
  );
}

/** Whether anything is bought that was not before, or more of it. */
function hasNewItem(before: VerificationRequest, after: VerificationRequest): boolean {
  const known = new Map<string, number>();
  for (const { name, sku, quantity } of before.items ?? []) {
    const key = sku ?? foldText(name);
    known.set(key, (known.get(key) ?? 0) + quantity);
  }
  const wanted = new Map<string, number>();
  for (const { name, sku, quantity } of after.items ?? []) {
    const key = sku ?? foldText(name);
    wanted.set(key, (wanted.get(key) ?? 0) + quantity);
  }
  return [...wanted].some(([key, quantity]) => quantity > (known.get(key) ?? 0));
}

function toCard({ paymentInfo }: VerificationRequest): string {
  const { brand, lastFourDigits, holderName } = paymentInfo ?? {};
  return JSON.stringify([foldText(brand ?? ""), lastFourDigits ?? "", foldText(holderName ?? "")]);
}
