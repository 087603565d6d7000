import { REQUEST_LIMITS, toEmailAddress } from "../../../src/adapter-kit.ts";
import { cleanText, countDays, firstText, joinText } from "../../../src/mapping.ts";
import { toJsonObject, readId, toDecimal, toTimestamp, type JsonObject } from "../base/payload.ts";

/**
 * Map the customer of an order. Each fact comes from the first field that has it.
 *
 * @param order When it was placed, and its name, e.g. `#1001`.
 */
export function toCustomer(
  payload: JsonObject,
  order: { readonly orderedAt: string | undefined; readonly orderName: string },
) {
  const customer = toJsonObject(payload["customer"]);
  const buyer = toBuyer(payload, customer);
  const count = toOrderCount(customer, order.orderName);
  return {
    customerId: customer === undefined ? undefined : readId(customer, "Customer"),
    customerName: buyer.name,
    customerEmail: toEmail(payload["email"], payload["contact_email"], customer?.["email"]),
    customerPhone: firstText(REQUEST_LIMITS.customerPhone, ...buyer.phones),
    isFirstTimeCustomer: count === undefined || count === 0,
    accountAgeInDays: countDays(toTimestamp(customer?.["created_at"])?.text, order.orderedAt),
    /** Facts that the order doesn't have. */
    standIns: [
      ...(buyer.isCardHolder ? (["customerName"] as const) : []),
      ...(count === undefined ? (["isFirstTimeCustomer"] as const) : []),
    ],
  };
}

/**
 * The first person that the order names, with their own phone numbers: those of the order and the account, and those of
 * an address with the same name. The recipient of a present is somebody else.
 */
function toBuyer(payload: JsonObject, customer: JsonObject | undefined) {
  const billing = toJsonObject(payload["billing_address"]);
  const shipping = toJsonObject(payload["shipping_address"]);
  const people = [billing, shipping, customer];
  const named = people.map(toName).find((found) => found !== undefined);
  const cardHolder = cleanText(
    toJsonObject(payload["payment_details"])?.["credit_card_name"],
    REQUEST_LIMITS.customerName,
  );
  const name = named ?? cardHolder;
  const isTheirs = (person: JsonObject | undefined): boolean => {
    const other = toName(person);
    return other === undefined || toPlainName(other) === toPlainName(name ?? "");
  };
  const phones = [customer, shipping, billing].map((person) => (isTheirs(person) ? person?.["phone"] : null));
  return {
    name,
    /** Whether the name comes from the card, so that a match with the card holder proves nothing. */
    isCardHolder: named === undefined && cardHolder !== undefined,
    /** Phone numbers of that person, the most reliable first. */
    phones: [payload["phone"], ...phones],
  };
}

/** A name without differences in case, spacing and character width, to compare it. */
function toPlainName(name: string): string {
  return name.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
}

/**
 * The recipient in the shipping address, with the company. Empty if the address names nobody, undefined if the platform
 * withholds it.
 */
export function toRecipientName(payload: JsonObject): string | undefined {
  const address = toJsonObject(payload["shipping_address"]);
  const isKnown = NAME_KEYS.some((key) => address?.[key] !== undefined);
  if (address === undefined || !isKnown) return undefined;
  return joinText(REQUEST_LIMITS.customerName, ", ", toName(address), address["company"]) ?? "";
}

/** The name of an address or customer; customers have no `name`, and in old orders an address has a blank one. */
function toName(person: JsonObject | undefined): string | undefined {
  return (
    cleanText(person?.["name"], REQUEST_LIMITS.customerName) ??
    joinText(REQUEST_LIMITS.customerName, " ", person?.["first_name"], person?.["last_name"])
  );
}

/** The first value that the service accepts as an email address. Never cut: a cut address would be somebody else's. */
function toEmail(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const email = typeof value === "string" ? toEmailAddress(value) : undefined;
    if (email !== undefined) return email;
  }
  return undefined;
}

/**
 * How many orders the customer placed before this one. Undefined if not known, as in all payloads since 2023, for which
 * the Admin API has the history. The age of the customer's record proves nothing, since people also sign up for a
 * newsletter.
 *
 * Older payloads count the orders, including this one if the customer's last order has its name.
 */
function toOrderCount(customer: JsonObject | undefined, orderName: string): number | undefined {
  const count = toDecimal(customer?.["orders_count"]);
  if (count === undefined) return undefined;
  const isCounted = customer?.["last_order_name"] === orderName;
  return Math.max(0, isCounted ? count - 1 : count);
}

interface PersonalData {
  readonly hasName: boolean;
  readonly hasEmail: boolean;
  readonly hasAddress: boolean;
}

const EMAIL_KEYS = ["email", "contact_email"];
const NAME_KEYS = ["name", "first_name", "last_name"];
const PLACE_KEYS = ["address1", "city", "zip"];

/**
 * Whether Shopify withheld personal data because the app is not approved for it.
 *
 * Shopify removes the keys of fields that an app isn't approved for, field by field (name, email, address). If a buyer
 * gave no value, it writes null or "" instead. So data is withheld if an object exists that should have it, and no part
 * of the order has a key for it. An order without a customer or addresses withholds nothing.
 *
 * If the key of the email address is there but empty, nothing useful is withheld: the order can't be sent anyway.
 */
export function isPersonalDataWithheld(payload: JsonObject, found: PersonalData): boolean {
  const customer = toJsonObject(payload["customer"]);
  const addresses = [payload["billing_address"], payload["shipping_address"]]
    .map(toJsonObject)
    .filter((address) => address !== undefined);
  if (!found.hasEmail) return !hasAny(payload, EMAIL_KEYS) && !hasAny(customer, EMAIL_KEYS);
  const people = customer === undefined ? addresses : [...addresses, customer];
  if (!found.hasName && lackKeys(people, NAME_KEYS)) return true;
  return !found.hasAddress && lackKeys(addresses, PLACE_KEYS);
}

function lackKeys(objects: readonly JsonObject[], keys: readonly string[]): boolean {
  return objects.length > 0 && !objects.some((object) => hasAny(object, keys));
}

function hasAny(object: JsonObject | undefined, keys: readonly string[]): boolean {
  return object !== undefined && keys.some((key) => object[key] !== undefined);
}
