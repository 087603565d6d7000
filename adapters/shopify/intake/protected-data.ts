import { toJsonObject, type JsonObject } from "./payload.ts";

/** Personal data that a verification needs. */
export interface PersonalData {
  readonly hasName: boolean;
  readonly hasEmail: boolean;
  readonly hasAddress: boolean;
}

const EMAIL_KEYS = ["email", "contact_email"];
/** Keys under which an address or customer has its name. */
export const NAME_KEYS = ["name", "first_name", "last_name"];
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
