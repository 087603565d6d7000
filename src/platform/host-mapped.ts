import { isHoldfastError } from "../base/errors.ts";
import { PLACEHOLDER } from "../mapping/address.ts";
import {
  parseVerificationRequest,
  type OrderAddress,
  type PartialVerificationRequest,
  type StandIn,
} from "../order/request.ts";
import type { MappedOrder } from "./platform.ts";

/**
 * What is known of an order, as the pipeline takes it: as a request the service takes, or with the reason why not.
 *
 * The buyer chooses what to leave out. So a name or an address that isn't given is sent as `N/A` and counts as a stand-in: an
 * order that nobody checks would be one that the buyer kept from being checked.
 */
export function toMappedOrder(
  known: PartialVerificationRequest,
  about: Pick<MappedOrder, "test" | "recipientName" | "context" | "standIns"> & {
    readonly cancelled: boolean;
  },
): MappedOrder {
  const { cancelled, ...facts } = about;
  if (cancelled) return { ...facts, outcome: "unscreenable", reason: "CANCELLED", known };
  const { filled, standIns } = fill(known);
  try {
    const request = parseVerificationRequest(filled);
    const all = [...new Set([...(facts.standIns ?? []), ...standIns])];
    return { ...facts, ...(all.length === 0 ? {} : { standIns: all }), outcome: "screenable", request };
  } catch (error) {
    if (!isHoldfastError(error, "ORDER_INVALID")) throw error;
    const paths = (error.fields ?? []).map(({ path }) => path);
    return { ...facts, outcome: "unscreenable", reason: toReason(known.orderAmount, paths), known };
  }
}

function toReason(amount: number | undefined, paths: readonly string[]) {
  if (amount !== undefined && amount <= 0) return "ZERO_AMOUNT";
  if (paths.includes("customerEmail")) return "NO_EMAIL";
  if (paths.includes("customerName")) return "NO_NAME";
  return paths.some((path) => path === "orderAmount" || path === "currency") ? "NO_AMOUNT" : "NO_ADDRESS";
}

const PARTS = ["street", "city", "state", "postalCode", "country"] as const;

function fill(known: PartialVerificationRequest) {
  const { customerName, shippingAddress, billingAddress } = known;
  const isNamed = isGiven(customerName);
  const [shipping, shippingStandIns] = fillAddress("shippingAddress", shippingAddress, billingAddress);
  const [billing, billingStandIns] = fillAddress("billingAddress", billingAddress, shippingAddress);
  const standIns: readonly StandIn[] = [
    ...(isNamed ? [] : (["customerName"] as const)),
    ...shippingStandIns,
    ...billingStandIns,
  ];
  const name = isNamed ? customerName : PLACEHOLDER;
  return {
    filled: { ...known, customerName: name, shippingAddress: shipping, billingAddress: billing },
    standIns,
  };
}

/** An address in the service's shape, and what in it the order doesn't say. */
function fillAddress(
  name: "shippingAddress" | "billingAddress",
  own: Partial<OrderAddress> | undefined,
  other: Partial<OrderAddress> | undefined,
): readonly [OrderAddress, readonly StandIn[]] {
  const given = own ?? other ?? {};
  const read = (part: (typeof PARTS)[number]) => (isGiven(given[part]) ? given[part] : PLACEHOLDER);
  const address = {
    street: read("street"),
    city: read("city"),
    state: read("state"),
    postalCode: read("postalCode"),
    country: read("country"),
  };
  const blank = PARTS.filter((part) => address[part] === PLACEHOLDER);
  const parts = blank.map((part): StandIn => `${name}.${part}`);
  return [address, own === undefined ? [name, ...parts] : parts];
}

const isGiven = (text: string | undefined): text is string => text !== undefined && text.trim() !== "";
