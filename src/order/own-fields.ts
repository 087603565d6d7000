import { isCopy, isFields } from "./complete-order.ts";
import { MOST_LINES } from "./order-lines.ts";
import { verificationRequestSchema } from "./request.ts";

/** What a getter gives that throws, such as an ORM's for a relation that isn't loaded: given, and nothing can read it. */
const UNREADABLE = Symbol("unreadable");

const { shape } = verificationRequestSchema;
const FIELDS = Object.keys(shape);
const ADDRESS = Object.keys(shape.shippingAddress.shape);
const CARD = Object.keys(shape.paymentInfo.unwrap().shape);
const LINE = ["name", "sku", "quantity", "price"];

/**
 * A copy of an order whose fields are its own, as deep as a verification request goes: an instance of a class, such as an
 * ORM's entity, would lose inherited fields and getters when it's copied. Each getter is called once, and never makes this
 * throw. Lines that are never read are left out, except the first. A value that isn't an order is returned as it is.
 */
export function toOwnFields(order: unknown): unknown {
  if (!isFields(order)) return order;
  const own = copyFields(order, FIELDS);
  const { shippingAddress, billingAddress, paymentInfo, items } = own;
  return {
    ...own,
    ...copyPart({ shippingAddress }, ADDRESS),
    ...copyPart({ billingAddress }, ADDRESS),
    ...copyPart({ paymentInfo }, CARD),
    ...(Array.isArray(items) && { items: items.slice(0, MOST_LINES + 1).map(copyLine) }),
  };
}

function copyPart(part: Readonly<Record<string, unknown>>, names: readonly string[]) {
  return Object.fromEntries(
    // A copy that is known as one has only fields of its own.
    Object.entries(part).map(([name, value]) => [
      name,
      isFields(value) && !isCopy(value) ? copyFields(value, names) : value,
    ]),
  );
}

function copyLine(line: unknown): unknown {
  return isFields(line) ? copyFields(line, LINE) : line;
}

/** Its own keys stay, also those that no order has: the check warns about them. */
function copyFields(source: object, names: readonly string[]): Readonly<Record<PropertyKey, unknown>> {
  const own = Reflect.ownKeys(source).filter((key) =>
    Object.prototype.propertyIsEnumerable.call(source, key),
  );
  const keys = new Set<PropertyKey>([...own, ...names]);
  return Object.fromEntries([...keys].map((key) => [key, readField(source, key)]));
}

function readField(source: object, key: PropertyKey): unknown {
  try {
    return (source as Readonly<Record<PropertyKey, unknown>>)[key];
  } catch {
    return UNREADABLE;
  }
}
