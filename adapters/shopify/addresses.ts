import { REQUEST_LIMITS, cutText, type OrderAddress } from "../../src/index.ts";
import { cleanText, firstText, joinText } from "./clean-text.ts";
import { definedOnly, toJsonObject, type JsonObject } from "./payload.ts";

/** Stands where the service wants text and the order has none: seen to be a placeholder, mistaken for nothing else. */
export const PLACEHOLDER = "N/A";

/** What an order says about where it goes and who pays for it. */
export interface OrderAddresses {
  /** Both in the service's shape, or undefined when neither address can be used. */
  readonly complete:
    | { readonly shippingAddress: OrderAddress; readonly billingAddress: OrderAddress }
    | undefined;
  /** What each one says by itself, without placeholders. */
  readonly known: {
    readonly shippingAddress?: Partial<OrderAddress>;
    readonly billingAddress?: Partial<OrderAddress>;
  };
}

/**
 * Map an order's two addresses. When only one can be used it stands for both: Shopify leaves the shipping address
 * out of pick-ups and services, and the billing address out of some orders that apps create.
 *
 * An address can be used when it names a country and, inside it, a street or a city. What else the service wants
 * and the address lacks is `N/A`: Hong Kong has no postal codes, and many countries have no provinces. The
 * customer's default address is not taken: it may have nothing to do with this order.
 */
export function toAddresses(payload: JsonObject): OrderAddresses {
  const shippingParts = toParts(payload["shipping_address"]);
  const billingParts = toParts(payload["billing_address"]);
  const shipping = toAddress(shippingParts);
  const billing = toAddress(billingParts);
  const shippingAddress = shipping ?? billing;
  const billingAddress = billing ?? shipping;
  return {
    complete:
      shippingAddress === undefined || billingAddress === undefined
        ? undefined
        : { shippingAddress, billingAddress },
    known: definedOnly({ shippingAddress: shippingParts, billingAddress: billingParts }),
  };
}

/** The company an address names, with that address in one line. */
export interface OrderCompany {
  readonly companyName?: string;
  readonly companyAddress?: string;
}

// Limits of Holdfast's own schema; the service names none.
const COMPANY_NAME_MAX = 255;
const COMPANY_ADDRESS_MAX = 1000;

/**
 * The company behind an order: the one its billing or shipping address names, else the B2B company. Order webhooks
 * give a B2B company's id only; its name comes with enrichment.
 */
export function toCompany(payload: JsonObject): OrderCompany {
  for (const key of ["billing_address", "shipping_address"]) {
    const address = toJsonObject(payload[key]);
    const companyName = cleanText(address?.["company"], COMPANY_NAME_MAX);
    if (companyName === undefined) continue;
    const line = Object.values(toParts(address) ?? {}).join(", ");
    return line === ""
      ? { companyName }
      : { companyName, companyAddress: cutText(line, COMPANY_ADDRESS_MAX) };
  }
  return definedOnly({
    companyName: cleanText(toJsonObject(payload["company"])?.["name"], COMPANY_NAME_MAX),
  });
}

/** The readable parts of an address, in the order an envelope has them; undefined when there are none. */
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

/** The ISO code, else the name: an edited order can have a name in the buyer's language and no code. */
function toCountry(address: JsonObject): string | undefined {
  const code = cleanText(address["country_code"], REQUEST_LIMITS.country);
  if (code !== undefined && COUNTRY_CODE.test(code)) return code.toUpperCase();
  return cleanText(address["country"], REQUEST_LIMITS.country) ?? code;
}

function toAddress(parts: Partial<OrderAddress> | undefined): OrderAddress | undefined {
  if (parts?.country === undefined) return undefined;
  if (parts.street === undefined && parts.city === undefined) return undefined;
  return {
    street: parts.street ?? PLACEHOLDER,
    city: parts.city ?? PLACEHOLDER,
    state: parts.state ?? parts.city ?? PLACEHOLDER,
    postalCode: parts.postalCode ?? PLACEHOLDER,
    country: parts.country,
  };
}
