import {
  hasPlace,
  pickAddress,
  pickPerson,
  readAddress,
  readHostOrder,
  readItems,
  readPerson,
  REQUEST_LIMITS,
  toCard,
  type AddressPaths,
  type FieldReader,
  type HostOrder,
  type PersonPaths,
  type ReadLine,
  type ReadOrder,
} from "../../src/mapping.ts";

const ADDRESS: AddressPaths = {
  street: ["address_line_1", "address_line_2"],
  city: ["admin_area_2"],
  state: ["admin_area_1"],
  postalCode: ["postal_code"],
  country: ["country_code"],
};
interface PartyPaths extends PersonPaths {
  readonly phone: string;
}
const PAYER: PartyPaths = {
  name: ["name.given_name", "name.surname"],
  phone: "phone.phone_number.national_number",
};
const WALLET: PartyPaths = {
  name: ["name.given_name", "name.surname"],
  phone: "phone_number.national_number",
  company: "business_name",
};
/** `pay_upon_invoice`. */
const DEBTOR: PartyPaths = { name: ["name.given_name", "name.surname"], phone: "phone.national_number" };
/** Apple Pay and Google Pay, which contain the card, and banks have the name in one field. */
const ONE_NAME: PartyPaths = { name: ["name"], phone: "phone_number.national_number" };
const NAMED_ONCE =
  "apple_pay google_pay alipay bancontact blik eps giropay ideal mybank p24 sofort trustly".split(" ");
const SOURCES: ReadonlyMap<string, PartyPaths> = new Map([
  ["paypal", WALLET],
  ["venmo", WALLET],
  ["pay_upon_invoice", DEBTOR],
  ...NAMED_ONCE.map((name) => [name, ONE_NAME] as const),
]);
const RECIPIENT: PartyPaths = { name: ["name.full_name"], phone: "phone_number.national_number" };

/**
 * Map an order of PayPal's Orders API v2, from `GET /v2/checkout/orders/{id}` after the buyer approved it, or from the
 * answer to `authorize` or `capture`, which lacks the goods. The order's id is `id`. The amounts of several purchase
 * units are added up.
 *
 * PayPal's server SDK renames the fields of its `result`: pass `JSON.parse(response.body)` instead.
 *
 * @throws {HoldfastError} `ORDER_INVALID` if the order's amount or currency can't be read.
 */
export function fromPayPalOrder(order: unknown): HostOrder {
  return readHostOrder("PayPal order", order, (reader) => {
    const units = reader.list("purchase_units");
    const shipping = units.map((unit) => unit.inside("shipping")).find((found) => found !== undefined);
    const { buyer, card } = readSource(reader);
    const shippingAddress = readAddress(shipping?.inside("address"), ADDRESS);
    return {
      orderId: reader.id("id"),
      ...readMoney(reader, units),
      orderTimestamp: reader.time("create_time"),
      items: units.flatMap((unit) => readItems(unit.list("items"), readLine)),
      ...pickPerson(
        readParty(reader.inside("payer"), PAYER),
        readParty(buyer?.fields, buyer?.paths ?? WALLET),
        readParty(shipping, RECIPIENT),
        readParty(card, ONE_NAME),
      ),
      // With a card there is no payer, and the shop's own contact of the buyer is with the destination.
      customerEmail:
        reader.email("payer.email_address") ??
        buyer?.fields.email("email_address", "email") ??
        shipping?.email("email_address"),
      shippingAddress,
      billingAddress: pickBilling(
        shippingAddress,
        readAddress(card?.inside("billing_address"), ADDRESS),
        readAddress(reader.inside("payer.address"), ADDRESS),
        readAddress(buyer?.fields.inside("address"), ADDRESS),
        readAddress(buyer?.fields.inside("billing_address"), ADDRESS),
      ),
      paymentInfo: readCard(card),
    };
  });
}

/** For most buyers, PayPal gives only a country. It counts as an address only if the order ships to another country. */
function pickBilling(
  shipping: ReadOrder["shippingAddress"],
  ...addresses: readonly ReadOrder["billingAddress"][]
): ReadOrder["billingAddress"] {
  const picked = pickAddress(...addresses);
  const isShippedHome = shipping === undefined || shipping.country === picked?.country;
  return picked === undefined || (isShippedHome && !hasPlace(picked)) ? undefined : picked;
}

/** A person. PayPal may have the country code of the phone number in a field of its own. */
function readParty(source: FieldReader | undefined, paths: PartyPaths): ReturnType<typeof readPerson> {
  const party = readPerson(source, paths);
  const code = source?.id(paths.phone.replace("national_number", "country_code"));
  if (code === undefined || party.customerPhone === undefined) return party;
  return { ...party, customerPhone: `+${code}${party.customerPhone}` };
}

/**
 * What an order was paid with: a card, alone or inside a wallet, and the owner of the wallet or account. PayPal adds
 * sources often. One that isn't known is ignored.
 */
function readSource(order: FieldReader): {
  readonly buyer?: { readonly fields: FieldReader; readonly paths: PartyPaths };
  readonly card: FieldReader | undefined;
} {
  const sources = order.inside("payment_source");
  const card = sources?.inside("card");
  for (const [name, paths] of SOURCES) {
    const fields = sources?.inside(name);
    if (fields !== undefined) return { buyer: { fields, paths }, card: fields.inside("card") ?? card };
  }
  return { card };
}

function readCard(card: FieldReader | undefined): ReadOrder["paymentInfo"] {
  return toCard({
    brand: card?.id("brand"),
    lastFourDigits: card?.id("last_digits"),
    expiry: card?.id("expiry"),
    holderName: card?.text(REQUEST_LIMITS.holderName, "name"),
  });
}

/** The answers to `authorize` and `capture` have only the payment's amount. */
const AMOUNTS = ["amount", "payments.authorizations.0.amount", "payments.captures.0.amount"];

/** Decimal texts in major units. An order has one currency. */
function readMoney(order: FieldReader, units: readonly FieldReader[]) {
  const listed = order.value("purchase_units");
  // The amount of a unit that can't be read is missing in the sum.
  if (!Array.isArray(listed) || listed.length === 0 || listed.length !== units.length) {
    order.refuse("purchase_units", "expected at least one purchase unit");
  }
  const amounts = units.map((unit) => {
    const path = AMOUNTS.find((at) => unit.value(at) !== undefined) ?? "amount";
    return { currency: unit.currency(`${path}.currency_code`), value: unit.total(`${path}.value`) };
  });
  const orderAmount = amounts.reduce((sum, { value }) => sum + value, 0);
  return { orderAmount, currency: amounts[0]?.currency ?? "" };
}

function readLine(line: FieldReader): ReadLine {
  const price = line.amount("unit_amount.value");
  return {
    name: line.text(REQUEST_LIMITS.itemName, "name"),
    sku: line.text(REQUEST_LIMITS.itemSku, "sku"),
    quantity: line.amount("quantity"),
    price: price === undefined ? undefined : price + (line.amount("tax.value") ?? 0),
  };
}
