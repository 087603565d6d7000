import type { StandIn } from "./request.ts";

/** Stands where the service requires text and the order has none. Visibly a placeholder: nothing personal is invented. */
export const PLACEHOLDER = "N/A";

type Fields = Readonly<Record<string, unknown>>;
type AddressName = "shippingAddress" | "billingAddress";

const PARTS = ["street", "city", "state", "postalCode", "country"] as const;

/** An order that has what the service requires of a buyer, except an email address: nobody can stand in for a mailbox. */
export interface CompletedOrder<T> {
  readonly order: T & { readonly [K in "customerName" | "isFirstTimeCustomer" | AddressName]: unknown };
  /** What the order doesn't say itself. It is no evidence. */
  readonly standIns: readonly StandIn[];
}

/**
 * Complete an order as far as it may be completed. One address stands for the other, `N/A` for a name and for parts of an
 * address, and a customer who isn't known counts as a new one. What is given stays as it is, also where it can't be read.
 *
 * The buyer chooses what to leave out. An order without a name or an address is still sent: an order that nobody
 * checks would be one that the buyer kept from being checked.
 */
export function completeOrder<T extends Fields>(order: T): CompletedOrder<T> {
  const { customerName, isFirstTimeCustomer } = order;
  const isNamed = isGiven(customerName);
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
    ],
  };
}

function completeAddress(
  name: AddressName,
  own: unknown,
  other: unknown,
): { readonly address: unknown; readonly standIns: readonly StandIn[] } {
  const isOwn = !isNowhere(own);
  const given = isOwn ? own : isNowhere(other) ? {} : other;
  // Nothing that an address could be read from: it is refused as it is.
  if (!isFields(given)) return { address: given, standIns: [] };
  const missing = PARTS.filter((part) => !isGiven(given[part]));
  const parts = missing.map((part): StandIn => `${name}.${part}`);
  return {
    address: { ...given, ...Object.fromEntries(missing.map((part) => [part, PLACEHOLDER])) },
    standIns: isOwn ? parts : [name, ...parts],
  };
}

/** Not given, or an address of blank parts. */
function isNowhere(address: unknown): boolean {
  return isBlank(address) || (isFields(address) && PARTS.every((part) => isBlank(address[part])));
}

/** What a mapping has filled already is a stand-in, too. */
const isGiven = (value: unknown): boolean => !isBlank(value) && value !== PLACEHOLDER;

/** A record of fields. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Undefined, null or blank text. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");
