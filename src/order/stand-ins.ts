const ADDRESSES = ["shippingAddress", "billingAddress"] as const;
const ADDRESS_PARTS = ["street", "city", "state", "postalCode", "country"] as const;

type AddressName = (typeof ADDRESSES)[number];
type AddressPart = (typeof ADDRESS_PARTS)[number];

/**
 * A field of a request that holds something only because the service wants it filled: a whole address that is a copy of
 * the other one, a part that says `N/A`, a name that was read off the card, a first order that nobody knows to be one.
 */
export type StandIn = AddressName | `${AddressName}.${AddressPart}` | "customerName" | "isFirstTimeCustomer";

/** Every field that can be a stand-in. */
export const STAND_INS: readonly StandIn[] = [
  "customerName",
  "isFirstTimeCustomer",
  ...ADDRESSES.flatMap((address) => [address, ...ADDRESS_PARTS.map((part): StandIn => `${address}.${part}`)]),
];
