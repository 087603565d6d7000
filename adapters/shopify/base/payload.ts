import { toUtcTimestamp } from "../../../src/adapter-kit.ts";

/** A JSON object of a delivery. Its fields aren't trusted: a checking function reads each of them. */
export type JsonObject = Readonly<Record<string, unknown>>;

// `context.source` is a number's original text: in Node since 21, not yet in the compiler's library.
type SourceReviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver?: SourceReviver) => unknown;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Parse a delivery's body; null if it isn't a JSON object. Numbers above 2^53 lose digits here, so never read an id
 * from a number in the result.
 */
export function parseJsonObject(body: Buffer, reviver?: SourceReviver): JsonObject | null {
  try {
    const value = parseWithSource(body.toString("utf8"), reviver);
    return isJsonObject(value) ? value : null;
  } catch {
    // Also a RangeError: a reviver recurses, so nesting thousands deep exhausts the stack.
    return null;
  }
}

/**
 * Parse a delivery's body and keep every number as its original text; null if it isn't a JSON object. Five times the
 * cost of {@link parseJsonObject} (70 µs against 14 µs for 7.6 KB): for bodies whose ids are bare numbers.
 */
export function parseJsonObjectExactly(body: Buffer): JsonObject | null {
  return parseJsonObject(body, (_key, value, { source }) => (typeof value === "number" ? source : value));
}

/**
 * Parse a body whose ids the mapping needs: exactly if an id is only there as a number, or fast if the order and its
 * customer both have a global id, as in every order webhook since API 2020-04.
 */
export function parseOrderPayload(body: Buffer): JsonObject | null {
  const payload = parseJsonObject(body);
  if (payload === null || hasGlobalIds(payload)) return payload;
  return parseJsonObjectExactly(body) ?? payload;
}

function hasGlobalIds(payload: JsonObject): boolean {
  if (toGlobalIdDigits(payload["admin_graphql_api_id"], "Order") === undefined) return false;
  const customer = toJsonObject(payload["customer"]);
  return (
    customer === undefined || toGlobalIdDigits(customer["admin_graphql_api_id"], "Customer") !== undefined
  );
}

/** `value` if it is an object with at least one field, else undefined. */
export function toJsonObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) && Object.keys(value).length > 0 ? value : undefined;
}

export function toJsonObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

// Ids in use have up to 19 digits; a text with more than 32 isn't an id.
const ID = /^[1-9]\d{0,31}$/;
const GLOBAL_ID = /^gid:\/\/shopify\/([A-Za-z]{1,64})\/([1-9]\d{0,31})$/;

/** The digits of `gid://shopify/TYPE/DIGITS`, or undefined when `value` is not the global id of a `type`. */
export function toGlobalIdDigits(value: unknown, type: string): string | undefined {
  const match = typeof value === "string" ? GLOBAL_ID.exec(value) : null;
  return match !== null && match[1] === type ? match[2] : undefined;
}

/**
 * The digits of an id given as text: bare, or as the global id of a `type`. Numbers are refused, since they may already
 * have lost digits.
 */
export function toIdDigits(value: unknown, type: string): string | undefined {
  return typeof value === "string" && ID.test(value) ? value : toGlobalIdDigits(value, type);
}

/** The id of an order or customer: from `admin_graphql_api_id`, else from the text of `id`. */
export function readId(object: JsonObject, type: string): string | undefined {
  return toGlobalIdDigits(object["admin_graphql_api_id"], type) ?? toIdDigits(object["id"], type);
}

export function toOrderGid(orderId: string): string | undefined {
  return ID.test(orderId) ? `gid://shopify/Order/${orderId}` : undefined;
}

export function toDisputeGid(disputeId: string): string | undefined {
  return ID.test(disputeId) ? `gid://shopify/ShopifyPaymentsDispute/${disputeId}` : undefined;
}

// Shopify writes money as text and counts as numbers; an exact parse gives both as text. 64 bounds the work.
const DECIMAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const LONGEST_DECIMAL = 64;

/** A finite number from a JSON number or its text, or undefined. */
export function toDecimal(value: unknown): number | undefined {
  const number =
    typeof value === "string" && value.length <= LONGEST_DECIMAL && DECIMAL.test(value.trim())
      ? Number(value)
      : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

// Exports and older API versions write a space for the `T` and leave the colon out of the offset.
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:[0-5]\d(?:\.\d{1,9})?) ?(?:(Z)|([+-]\d\d):?(\d\d))$/i;

/**
 * A timestamp of a payload or header: ISO 8601 in UTC with a Z, as it is sent, and milliseconds since the epoch. Undefined
 * if it isn't a date or has no offset.
 */
export function toTimestamp(value: unknown) {
  const match = typeof value === "string" ? TIMESTAMP.exec(value) : null;
  if (match === null) return undefined;
  const [, date, time, utc, hours, minutes] = match;
  const text = toUtcTimestamp(`${date}T${time}${utc === undefined ? `${hours}:${minutes}` : "Z"}`);
  return text === undefined ? undefined : { text, ms: Date.parse(text) };
}

/** The fields that are not undefined. The service's schema treats an undefined field differently from an absent one. */
export function definedOnly<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined) defined[key] = value as Exclude<T[typeof key], undefined>;
  }
  return defined;
}
