import type { OrderAddress, PartialVerificationRequest, StandIn, VerificationRequest } from "./request.ts";

/** Fills a text that the service requires and the order lacks. Recognizable, so no personal data is invented. */
export const PLACEHOLDER = "N/A";

type Fields = Readonly<Record<string, unknown>>;
type AddressName = "shippingAddress" | "billingAddress";
type Address = PartialVerificationRequest[AddressName];

const PARTS = ["street", "city", "state", "postalCode", "country"] as const;

/** An order of which only an amount, a currency or an email address can be missing. */
export type CompletedOrder = PartialVerificationRequest &
  Pick<VerificationRequest, "customerName" | "isFirstTimeCustomer" | AddressName>;

/**
 * Fill in what an order lacks, as far as that is allowed. One address replaces the other, `N/A` replaces a name and
 * parts of an address, and a customer whose earlier orders aren't known counts as new.
 *
 * An email address can't have a placeholder. The buyer chooses what to leave out. An order without a name or an address
 * is still sent, since otherwise buyers could avoid the check by leaving fields out.
 *
 * @returns `standIns`: the fields that the order itself doesn't provide. They count as no evidence.
 */
export function completeOrder(order: PartialVerificationRequest) {
  const { customerName, totalOrders, shippingAddress, billingAddress } = order;
  const isNamed = isGiven(customerName);
  const isCounted = totalOrders !== undefined && totalOrders >= 0;
  const { isFirstTimeCustomer = isCounted ? totalOrders === 0 : undefined } = order;
  const shipping = completeAddress("shippingAddress", shippingAddress, billingAddress);
  const billing = completeAddress("billingAddress", billingAddress, shippingAddress);
  const completed: CompletedOrder = {
    ...order,
    customerName: isNamed ? customerName : PLACEHOLDER,
    isFirstTimeCustomer: isFirstTimeCustomer ?? true,
    shippingAddress: shipping.address,
    billingAddress: billing.address,
  };
  const standIns: readonly StandIn[] = [
    ...(isNamed ? [] : (["customerName"] as const)),
    ...shipping.standIns,
    ...billing.standIns,
    ...(isFirstTimeCustomer === undefined ? (["isFirstTimeCustomer"] as const) : []),
  ];
  return { order: completed, standIns };
}

/** Whether a completed order can be sent to the service. Each of its fields has to match the schema. */
export function isSendable(order: CompletedOrder): order is VerificationRequest {
  const { orderAmount = 0, currency, customerEmail } = order;
  return orderAmount > 0 && currency !== undefined && customerEmail !== undefined;
}

const copies = new WeakSet<object>();

/** A copy of an address, to stand for the other one of an order. {@link completeOrder} recognizes it: it is no evidence. */
export function markCopy<T extends object>(address: T | undefined): T | undefined {
  if (address === undefined) return undefined;
  const copy = { ...address };
  copies.add(copy);
  return copy;
}

/** Whether an address was made by {@link markCopy}. */
export function isCopy(address: unknown): boolean {
  return isFields(address) && copies.has(address);
}

function completeAddress(name: AddressName, own: Address, other: Address) {
  const isOwn = !isEmptyAddress(own);
  const given = (isOwn ? own : isEmptyAddress(other) ? {} : other) ?? {};
  const missing = PARTS.filter((part) => !isGiven(given[part]));
  const parts = missing.map((part): StandIn => `${name}.${part}`);
  const filled = Object.fromEntries(missing.map((part) => [part, PLACEHOLDER]));
  return {
    address: { ...given, ...filled } as OrderAddress,
    standIns: isOwn && !isCopy(own) ? parts : [name, ...parts],
  };
}

/** Not given, or only blank parts. */
function isEmptyAddress(address: Address): boolean {
  return address === undefined || PARTS.every((part) => isBlank(address[part]));
}

/** Placeholders of a mapping count as stand-ins, too. */
const isGiven = (value: string | undefined): value is string => !isBlank(value) && value !== PLACEHOLDER;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");
