import { toJsonObject, toJsonObjects, type JsonObject } from "../base/payload.ts";

/** Whether a field that is null was withheld from the app; `path` as in an answer, e.g. `orders.nodes.0.email`. */
export type IsWithheld = (path: string) => boolean;

/** A webhook has the Admin API's fields under the same names in snake case, except these. */
const RENAMED: Readonly<Record<string, string>> = { currencyCode: "currency", countryCodeV2: "country_code" };

type FieldNames = readonly (readonly [graphql: string, rest: string])[];

const ORDER_FIELDS = toFieldNames(
  "name createdAt updatedAt processedAt cancelledAt test sourceName tags paymentGatewayNames email phone currencyCode " +
    "customerLocale",
);
const ADDRESS_FIELDS = toFieldNames(
  "name firstName lastName company address1 address2 city province provinceCode zip country countryCodeV2 phone",
);
const CUSTOMER_FIELDS = toFieldNames("createdAt firstName lastName");

function toFieldNames(keys: string): FieldNames {
  const toRest = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return keys.split(" ").map((key) => [key, RENAMED[key] ?? toRest(key)] as const);
}

/** Represents an object that exists but is withheld, like an address without keys in a webhook. */
const UNSEEN: JsonObject = { withheld: true };

interface Source {
  readonly fields: JsonObject;
  /** Its path in the answer, e.g. `orders.nodes.0`. */
  readonly path: string;
  readonly isWithheld: IsWithheld;
}

/**
 * Convert an order of the Admin API to the payload of its webhook, for `mapOrder`, so that there is only one mapping of
 * orders. Never throws: whatever the object holds, `mapOrder` can read the payload.
 *
 * Withheld fields are left out, as in webhooks; fields that the buyer left empty are null. The user agent, the staff
 * member and the products of an order are always absent: the Admin API doesn't return them, or only with a permission
 * that Holdfast doesn't need otherwise.
 */
export function toOrderPayload(node: JsonObject, path: string, isWithheld: IsWithheld): JsonObject {
  const order: Source = { fields: node, path, isWithheld };
  return {
    ...pick(order, ORDER_FIELDS),
    admin_graphql_api_id: node["id"],
    fulfillment_status: node["displayFulfillmentStatus"] === "FULFILLED" ? "fulfilled" : null,
    total_price: toShopAmount(node["totalPriceSet"]),
    total_tip_received: toShopAmount(node["totalTipReceivedSet"]),
    current_total_price: toShopAmount(node["currentTotalPriceSet"]),
    // An order by staff has the merchant's own IP address. Webhooks name the staff member; here, only orders from the
    // online store's checkout certainly have none.
    browser_ip: node["sourceName"] === "web" ? node["clientIp"] : null,
    billing_address: toPart(order, "billingAddress", toAddress),
    shipping_address: toPart(order, "shippingAddress", toAddress),
    customer: toPart(order, "customer", toCustomer),
    // The list doesn't have automatic discounts, so an empty list proves nothing.
    discount_codes: toDiscountCodes(node["discountCodes"]),
    line_items: toJsonObjects(toJsonObject(node["lineItems"])?.["nodes"]).map(toLine),
  };
}

function toAddress(address: Source): JsonObject {
  return pick(address, ADDRESS_FIELDS);
}

function toCustomer(customer: Source): JsonObject {
  return {
    ...pick(customer, CUSTOMER_FIELDS),
    admin_graphql_api_id: customer.fields["id"],
    ...toContact(customer, "email", "defaultEmailAddress", "emailAddress"),
    ...toContact(customer, "phone", "defaultPhoneNumber", "phoneNumber"),
  };
}

/** One line. Its price is that of one piece after all discounts; webhooks list discounts separately. */
function toLine(line: JsonObject): JsonObject {
  return {
    name: line["name"],
    title: line["title"],
    sku: line["sku"],
    quantity: line["quantity"],
    price: toShopAmount(line["discountedUnitPriceAfterAllDiscountsSet"]),
    // A tip isn't a product. Reading the product needs `read_products`, but a line without a product has no vendor.
    product_id: line["vendor"],
    gift_card: line["isGiftCard"],
  };
}

function toDiscountCodes(codes: unknown): readonly JsonObject[] | undefined {
  return Array.isArray(codes) && codes.length > 0 ? codes.map((code: unknown) => ({ code })) : undefined;
}

function toContact({ fields, path, isWithheld }: Source, name: string, key: string, field: string) {
  const value = toJsonObject(fields[key])?.[field] ?? null;
  return value === null && isWithheld(`${path}.${key}`) ? {} : { [name]: value };
}

function toPart({ fields, path, isWithheld }: Source, key: string, toPayload: (part: Source) => JsonObject) {
  const part = toJsonObject(fields[key]);
  if (part !== undefined) return toPayload({ fields: part, path: `${path}.${key}`, isWithheld });
  return isWithheld(`${path}.${key}`) ? UNSEEN : null;
}

function pick({ fields, path, isWithheld }: Source, names: FieldNames): JsonObject {
  const entries = names.map(([key, name]) => [name, fields[key] ?? null, `${path}.${key}`] as const);
  const seen = entries.filter(([, value, place]) => value !== null || !isWithheld(place));
  return Object.fromEntries(seen.map(([name, value]) => [name, value]));
}

/** Shop money, as in a webhook's fields without `_set`. */
function toShopAmount(money: unknown): unknown {
  return toJsonObject(toJsonObject(money)?.["shopMoney"])?.["amount"];
}
