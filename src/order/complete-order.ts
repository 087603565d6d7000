import type { StandIn } from "./request.ts";

/** Fills a text that the service requires and the order lacks. Recognizable, so no personal data is invented. */
export const PLACEHOLDER = "N/A";

type Fields = Readonly<Record<string, unknown>>;
type AddressName = "shippingAddress" | "billingAddress";

const PARTS = ["street", "city", "state", "postalCode", "country"] as const;

/**
 * Fill in what an order lacks, as far as that is allowed. One address replaces the other, `N/A` replaces a name and
 * parts of an address, and a customer whose earlier orders aren't known counts as new. Given values stay as they are,
 * even if they can't be read.
 *
 * An email address can't have a placeholder. The buyer chooses what to leave out. An order without a name or an address
 * is still sent, since otherwise buyers could avoid the check by leaving fields out.
 *
 * @returns `standIns`: the fields that the order itself doesn't provide. They count as no evidence.
 */
export function completeOrder<T extends Fields>(order: T) {
  const { customerName } = order;
  const isNamed = isGiven(customerName);
  const isFirstTimeCustomer = toIsFirstTime(order);
  const isKnown = !isBlank(isFirstTimeCustomer);
  const shipping = completeAddress("shippingAddress", order["shippingAddress"], order["billingAddress"]);
  const billing = completeAddress("billingAddress", order["billingAddress"], order["shippingAddress"]);
  return {
    order: {
      ...order,
      customerName: isNamed ? customerName : PLACEHOLDER,
      isFirstTimeCustomer: isKnown ? isFirstTimeCustomer : true,
      shippingAddress: shipping.address,
      billingAddress: billing.address,
    },
    standIns: [
      ...(isNamed ? [] : (["customerName"] as const)),
      ...shipping.standIns,
      ...billing.standIns,
      ...(isKnown ? [] : (["isFirstTimeCustomer"] as const)),
    ] as readonly StandIn[],
  };
}

/** Whether the customer is new: as the order says, or else by its number of earlier orders. */
function toIsFirstTime({ isFirstTimeCustomer, totalOrders }: Fields): unknown {
  const isWritten =
    typeof totalOrders === "bigint" || (typeof totalOrders === "string" && !isBlank(totalOrders));
  const count = isWritten ? Number(totalOrders) : totalOrders;
  const isCounted = isBlank(isFirstTimeCustomer) && typeof count === "number" && count >= 0;
  return isCounted ? count === 0 : isFirstTimeCustomer;
}

const copies = new WeakSet<object>();

/** A copy of an address, to stand for the other one of an order. {@link completeOrder} recognizes it: it is no evidence. */
export function markCopy<T extends object>(address: T | undefined): T | undefined {
  if (address === undefined) return undefined;
  const copy = { ...address };
  copies.add(copy);
  return copy;
}

function completeAddress(name: AddressName, own: unknown, other: unknown) {
  const isOwn = !isEmptyAddress(own);
  const given = isOwn ? own : isEmptyAddress(other) ? {} : other;
  // Not an address at all: it stays as it is, and is refused later.
  if (!isFields(given)) return { address: given, standIns: [] };
  const missing = PARTS.filter((part) => !isGiven(given[part]));
  const parts = missing.map((part): StandIn => `${name}.${part}`);
  return {
    address: { ...given, ...Object.fromEntries(missing.map((part) => [part, PLACEHOLDER])) },
    standIns: isOwn && !copies.has(own as Fields) ? parts : [name, ...parts],
  };
}

/** Not given, or only blank parts. */
function isEmptyAddress(address: unknown): boolean {
  return isBlank(address) || (isFields(address) && PARTS.every((part) => isBlank(address[part])));
}

/** Placeholders of a mapping count as stand-ins, too. */
const isGiven = (value: unknown): boolean => !isBlank(value) && value !== PLACEHOLDER;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");
