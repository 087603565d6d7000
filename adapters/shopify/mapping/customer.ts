import {
  REQUEST_LIMITS,
  verificationRequestSchema,
  toEmailAddress,
  type StandIn,
} from "../../../src/index.ts";
import { cleanText, firstText, joinText } from "../../../src/mapping.ts";
import {
  definedOnly,
  toJsonObject,
  readId,
  toDecimal,
  toTimestamp,
  type JsonObject,
} from "../intake/payload.ts";

const DAY_MS = 86_400_000;

/** The customer that an order names. */
interface OrderCustomer {
  readonly customerId: string | undefined;
  readonly customerName: string | undefined;
  readonly customerEmail: string | undefined;
  readonly customerPhone: string | undefined;
  readonly isFirstTimeCustomer: boolean;
  readonly accountAgeInDays: number | undefined;
  /** Facts that the order doesn't have. */
  readonly standIns: readonly StandIn[];
}

/** Options of {@link toCustomer}. */
interface OrderMoment {
  /** When the order was placed, milliseconds since the epoch. */
  readonly orderedAtMs: number | undefined;
  /** What the order is called, e.g. `#1001`. */
  readonly orderName: string;
}

/** Map the customer of an order. Each fact comes from the first place that has it. */
export function toCustomer(payload: JsonObject, order: OrderMoment): OrderCustomer {
  const customer = toJsonObject(payload["customer"]);
  const createdAtMs = toTimestamp(customer?.["created_at"])?.ms;
  const ageMs =
    createdAtMs === undefined || order.orderedAtMs === undefined
      ? undefined
      : Math.max(0, order.orderedAtMs - createdAtMs);
  const buyer = toBuyer(payload, customer);
  const count = toOrderCount(customer, order.orderName);
  return {
    customerId: customer === undefined ? undefined : readId(customer, "Customer"),
    customerName: buyer.name,
    customerEmail: toEmail(payload["email"], payload["contact_email"], customer?.["email"]),
    customerPhone: firstText(REQUEST_LIMITS.customerPhone, ...buyer.phones),
    isFirstTimeCustomer: count === undefined || count === 0,
    accountAgeInDays: ageMs === undefined ? undefined : Math.floor(ageMs / DAY_MS),
    standIns: [
      ...(buyer.isCardHolder ? (["customerName"] as const) : []),
      ...(count === undefined ? (["isFirstTimeCustomer"] as const) : []),
    ],
  };
}

/** The buyer, if the order names one. */
interface Buyer {
  readonly name: string | undefined;
  /** The name comes from the card, so a match with the card holder proves nothing. */
  readonly isCardHolder: boolean;
  /** Phone numbers of that person, the most reliable first. */
  readonly phones: readonly unknown[];
}

/**
 * The first person that the order names, with the phone numbers that are theirs: the order's own and the account's, and
 * of an address the one of the same name. Whoever receives a present is somebody else.
 */
function toBuyer(payload: JsonObject, customer: JsonObject | undefined): Buyer {
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
    isCardHolder: named === undefined && cardHolder !== undefined,
    phones: [payload["phone"], ...phones],
  };
}

/** Only the letters of a name. */
function toPlainName(name: string): string {
  return name.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
}

/** The recipient that the shipping address names, with the company; empty for nobody, undefined when the platform withholds it. */
export function toRecipientName(payload: JsonObject): string | undefined {
  const address = toJsonObject(payload["shipping_address"]);
  const isTold = NAME_KEYS.some((key) => address?.[key] !== undefined);
  if (address === undefined || !isTold) return undefined;
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
 * How many orders of the customer came before this one; undefined when that is not known, as in all payloads since 2023:
 * history from the Admin API tells it then. How old the customer's record is proves nothing, since people sign up for a
 * newsletter too.
 *
 * Older payloads count the orders, this one included once the customer's last order is named like it.
 */
function toOrderCount(customer: JsonObject | undefined, orderName: string): number | undefined {
  const count = toDecimal(customer?.["orders_count"]);
  if (count === undefined) return undefined;
  const isCounted = customer?.["last_order_name"] === orderName;
  return Math.max(0, isCounted ? count - 1 : count);
}

/** Personal data that a verification needs. */
interface PersonalData {
  readonly hasName: boolean;
  readonly hasEmail: boolean;
  readonly hasAddress: boolean;
}

const EMAIL_KEYS = ["email", "contact_email"];
/** Keys under which an address or customer has its name. */
const NAME_KEYS = ["name", "first_name", "last_name"];
const PLACE_KEYS = ["address1", "city", "zip"];

/**
 * Whether Shopify withheld personal data because the app is not approved for it.
 *
 * Shopify removes the keys of fields an app is not approved for, field by field (name, email, address), where it
 * writes null or "" for a buyer who gave none. So data is withheld when it is missing, there is something it
 * would be part of, and no part of the order has a key for it. An order without a customer or addresses withholds
 * nothing by that.
 *
 * An order whose key for the email address is there, with nothing in it, withholds nothing that would help: it cannot be
 * sent, whatever else the app may see.
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

import ipaddr from "ipaddr.js";

/** The device that an order was placed with. */
interface OrderDevice {
  readonly ipAddress?: string;
  readonly userAgent?: string;
}

/**
 * The buyer's IP address and browser. Neither is given for drafts, orders at a counter and other orders that staff
 * made: there they are the merchant's own, and one address behind many buyers looks like fraud.
 */
export function toDevice(payload: JsonObject): OrderDevice {
  if (isStaffMade(payload)) return {};
  const details = toJsonObject(payload["client_details"]);
  return definedOnly({
    ipAddress: toPublicIp(payload["browser_ip"]) ?? toPublicIp(details?.["browser_ip"]),
    userAgent: cleanText(details?.["user_agent"], REQUEST_LIMITS.userAgent),
  });
}

function isStaffMade(payload: JsonObject): boolean {
  const source = payload["source_name"];
  if (source === "shopify_draft_order" || source === "pos") return true;
  // `user_id` names the member of staff behind an order. The online shop's own checkout has none, so `web` wins.
  const staff = payload["user_id"];
  return staff !== undefined && staff !== null && source !== "web";
}

const ipSchema = verificationRequestSchema.shape.ipAddress;

// No buyer reaches Shopify from these addresses: they are private or reserved. Shopify's samples and some apps write
// 0.0.0.0 for "unknown".
const NOT_A_BUYERS: ReadonlySet<string> = new Set([
  "unspecified",
  "broadcast",
  "multicast",
  "linkLocal",
  "loopback",
  "carrierGradeNat",
  "private",
  "uniqueLocal",
]);

/** An address of the public internet. IPv4 inside IPv6 (`::ffff:`) is given as IPv4. */
function toPublicIp(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : undefined;
  // The schema's pattern first: ipaddr.js also reads octal, hexadecimal and shortened forms.
  if (text === undefined || !ipSchema.safeParse(text).success || !ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  if (NOT_A_BUYERS.has(address.range())) return undefined;
  return address.kind() === "ipv4" ? address.toString() : text;
}
