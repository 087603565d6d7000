import {
  REQUEST_LIMITS,
  type OrderAddress,
  type PartialVerificationRequest,
  type StandIn,
} from "../../../src/adapter-kit.ts";
import { cleanText, firstText, joinText } from "../../../src/mapping.ts";
import { definedOnly, toJsonObject, type JsonObject } from "../base/payload.ts";

/** Placeholder for text that the service requires and the order lacks, recognizable as such. */
const PLACEHOLDER = "N/A";

/**
 * Map an order's two addresses.
 *
 * The customer's default address isn't used: it may be unrelated to this order.
 *
 * @returns `known`: each address by itself, without placeholders. `complete`: see {@link completeAddresses}. `isLocated`:
 * whether one of them has a street or a city.
 */
export function toAddresses(payload: JsonObject) {
  const shippingAddress = toParts(payload["shipping_address"]);
  const billingAddress = toParts(payload["billing_address"]);
  const known = definedOnly({ shippingAddress, billingAddress });
  const isLocated = [shippingAddress, billingAddress].some(
    (parts) => (parts?.street ?? parts?.city) !== undefined,
  );
  return { complete: completeAddresses(known), known, isLocated };
}

/**
 * Both addresses in the service's format, with the parts that the order doesn't provide: copies and placeholders.
 * Undefined if no part of either is known. An address keeps what it has, and other parts that the service requires become
 * `N/A`: Hong Kong has no postal codes, many countries have no provinces, and a wallet may give only a country. If only one
 * address has content, it is used for both: Shopify leaves out the shipping address of pick-ups and services, and the billing
 * address of some orders that apps create.
 */
export function completeAddresses(
  known: Pick<PartialVerificationRequest, "shippingAddress" | "billingAddress">,
) {
  const { shippingAddress: shipping, billingAddress: billing } = known;
  if (shipping === undefined && billing === undefined) return undefined;
  const [shippingAddress, shippingStandIns] = fill("shippingAddress", shipping, billing);
  const [billingAddress, billingStandIns] = fill("billingAddress", billing, shipping);
  return { shippingAddress, billingAddress, standIns: [...shippingStandIns, ...billingStandIns] };
}

const PARTS = ["street", "city", "state", "postalCode", "country"] as const;

/** An address in the service's format, and the parts that the order doesn't provide. */
function fill(
  name: "shippingAddress" | "billingAddress",
  own: Partial<OrderAddress> | undefined,
  other: Partial<OrderAddress> | undefined,
): readonly [OrderAddress, readonly StandIn[]] {
  const parts = own ?? other ?? {};
  const blank = PARTS.filter((part) => parts[part] === undefined);
  const filled = Object.fromEntries(PARTS.map((part) => [part, parts[part] ?? PLACEHOLDER]));
  const placeholders = blank.map((part): StandIn => `${name}.${part}`);
  return [
    filled as Record<keyof OrderAddress, string>,
    own === undefined ? [name, ...placeholders] : placeholders,
  ];
}

/**
 * The company behind an order, from its billing or shipping address, with that address in one line. Webhooks have only
 * the id of a B2B company; enrichment adds its name.
 */
export function toCompany(payload: JsonObject): { companyName?: string; companyAddress?: string } {
  for (const key of ["billing_address", "shipping_address"]) {
    const address = toJsonObject(payload[key]);
    const companyName = cleanText(address?.["company"], REQUEST_LIMITS.customerName);
    if (companyName === undefined) continue;
    const line = Object.values(toParts(address) ?? {}).join(", ");
    return line === "" ? { companyName } : { companyName, companyAddress: line };
  }
  return toB2bCompany(payload["company"]);
}

/** A company that buys through the shop's B2B pages, when it has a name. */
export function toB2bCompany(company: unknown): { companyName?: string } {
  return definedOnly({
    companyName: cleanText(toJsonObject(company)?.["name"], REQUEST_LIMITS.customerName),
  });
}

/** The readable parts of an address, in the order used on an envelope; undefined if there are none. */
function toParts(value: unknown): Partial<OrderAddress> | undefined {
  const address = toJsonObject(value);
  if (address === undefined) return undefined;
  const parts = definedOnly({
    street: joinText(REQUEST_LIMITS.street, ", ", address["address1"], address["address2"]),
    city: cleanText(address["city"], REQUEST_LIMITS.city),
    state: firstText(REQUEST_LIMITS.state, address["province"], address["province_code"]),
    postalCode: cleanText(address["zip"], REQUEST_LIMITS.postalCode),
    country: toCountry(address),
  });
  return Object.keys(parts).length === 0 ? undefined : parts;
}

const COUNTRY_CODE = /^[A-Za-z]{2}$/;

/** The ISO code, or else the name: an edited order can have a name in the buyer's language and no code. */
function toCountry(address: JsonObject): string | undefined {
  const code = cleanText(address["country_code"], REQUEST_LIMITS.country);
  if (code !== undefined && COUNTRY_CODE.test(code)) return code.toUpperCase();
  return cleanText(address["country"], REQUEST_LIMITS.country) ?? code;
}
