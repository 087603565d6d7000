import type { StandIn } from "../../src/order/request.ts";

const ADDRESSES = ["shippingAddress", "billingAddress"] as const;
const ADDRESS_PARTS = ["street", "city", "state", "postalCode", "country"] as const;

/** Every field that can be a stand-in. */
export const STAND_INS: readonly StandIn[] = [
  "customerName",
  "isFirstTimeCustomer",
  ...ADDRESSES.flatMap((address) => [address, ...ADDRESS_PARTS.map((part): StandIn => `${address}.${part}`)]),
];
