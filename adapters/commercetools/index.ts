import {
  findMinorDigits,
  pickPerson,
  readHostOrder,
  readItems,
  readPerson,
  REQUEST_LIMITS,
  toKnownAddress,
  type FieldReader,
  type HostOrder,
  type PersonPaths,
  type ReadLine,
} from "../../src/mapping.ts";

const PERSON: PersonPaths = { name: ["firstName", "lastName"], phone: "phone", company: "company" };
const MAX_DIGITS = 20;
const MOBILE: PersonPaths = { ...PERSON, phone: "mobile" };

/**
 * Map an order of commercetools (HTTP API and GraphQL: `Order`, `LineItem`, `BaseAddress`). Amounts include taxes if
 * they are known. The order's id is `id`. An API extension gets the same object as `resource.obj`.
 *
 * @throws {HoldfastError} `ORDER_INVALID` if the order's amount or currency can't be read.
 */
export function fromCommercetoolsOrder(order: unknown): HostOrder {
  return readHostOrder("commercetools order", order, (reader) => {
    const shipping = reader.inside("shippingAddress") ?? readFirstShipping(reader);
    const billing = reader.inside("billingAddress");
    const total = reader.inside("taxedPrice.totalGross") ?? reader.inside("totalPrice");
    const locale = reader.id("locale");
    const lines = [...reader.list("lineItems"), ...reader.list("customLineItems")];
    return {
      orderId: reader.id("id"),
      orderAmount: total === undefined ? reader.total("totalPrice") : readTotal(total),
      currency: total === undefined ? "" : total.currency("currencyCode"),
      orderTimestamp: reader.time("createdAt"),
      items: readItems(lines, (line) => readLine(line, locale)),
      ...pickPerson(
        readPerson(billing, PERSON),
        readPerson(billing, MOBILE),
        readPerson(shipping, PERSON),
        readPerson(shipping, MOBILE),
      ),
      customerEmail: reader.email("customerEmail", "billingAddress.email", "shippingAddress.email"),
      shippingAddress: readAddress(shipping),
      billingAddress: readAddress(billing),
    };
  });
}

/** With the `shippingMode` `Multiple`, the addresses are with the deliveries. */
function readFirstShipping(order: FieldReader): FieldReader | undefined {
  return order
    .list("shipping")
    .map((delivery) => delivery.inside("shippingAddress"))
    .find((found) => found !== undefined);
}

/**
 * `centAmount` is in the currency's smallest unit. The digits of `HighPrecisionMoney` are those of its `preciseAmount`,
 * and a GraphQL query may not have asked for them.
 */
function readDigits(money: FieldReader): number | undefined {
  const given = money.value("type") === "highPrecision" ? undefined : money.amount("fractionDigits");
  const digits = given ?? findMinorDigits(money.id("currencyCode") ?? "");
  if (Number.isInteger(digits) && digits >= 0 && digits <= MAX_DIGITS) return digits;
  return undefined;
}

const DIGITS_EXPECTED = `expected 0 to ${MAX_DIGITS} decimals`;

function readTotal(money: FieldReader): number {
  const digits = readDigits(money);
  if (digits === undefined) money.refuse("fractionDigits", DIGITS_EXPECTED);
  return money.total("centAmount", digits ?? 0);
}

function readPrice(money: FieldReader): number | undefined {
  const digits = readDigits(money);
  return digits === undefined
    ? money.fault("fractionDigits", DIGITS_EXPECTED)
    : money.amount("centAmount", digits);
}

function readAddress(address: FieldReader | undefined): HostOrder["shippingAddress"] {
  if (address === undefined) return undefined;
  const text = (path: string): string | undefined => address.text(REQUEST_LIMITS.street, path);
  return toKnownAddress({
    street: [
      address.joined(REQUEST_LIMITS.street, "streetName", "streetNumber"),
      ...["additionalStreetInfo", "building", "apartment", "pOBox"].map(text),
    ],
    city: text("city"),
    // Most countries use `region`; `state` is for countries whose states have names there.
    state: text("state") ?? text("region"),
    postalCode: text("postalCode"),
    country: text("country"),
  });
}

function readLine(line: FieldReader, locale: string | undefined): ReadLine {
  const total = line.inside("taxedPrice.totalGross") ?? line.inside("totalPrice");
  return {
    name: readName(line, locale),
    sku: line.text(REQUEST_LIMITS.itemSku, "variant.sku"),
    quantity: line.amount("quantity"),
    total: total && readPrice(total),
  };
}

/** One text per language, or a single text from GraphQL. */
function readName(line: FieldReader, locale: string | undefined): string | undefined {
  const name = line.value("name");
  if (typeof name !== "object" || name === null) return line.text(REQUEST_LIMITS.itemName, "name");
  const languages = locale === undefined ? [] : [locale, locale.slice(0, 2)];
  const texts = line.inside("name");
  return texts?.text(REQUEST_LIMITS.itemName, ...languages, ...Object.keys(name));
}
