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
const PAYER: PersonPaths = {
  name: ["name.given_name", "name.surname"],
  phone: "phone.phone_number.national_number",
};
const WALLET: PersonPaths = {
  name: ["name.given_name", "name.surname"],
  phone: "phone_number.national_number",
  company: "business_name",
};
/** Apple Pay and Google Pay, which contain the card, and banks have the name in one field. */
const ONE_NAME: PersonPaths = { name: ["name"], phone: "phone_number.national_number" };
const RECIPIENT: PersonPaths = { name: ["name.full_name"], phone: "phone_number.national_number" };
const BANKS = ["bancontact", "blik", "eps", "giropay", "ideal", "mybank", "p24", "sofort", "trustly"];

/**
 * Map an order of PayPal's Orders API v2, from `GET /v2/checkout/orders/{id}` after the buyer approved it, or from the
 * answer to `authorize` or `capture`, which lacks the goods. The order's id is `id`. The amounts of several purchase
 * units are added up.
 *
 * PayPal's server SDK renames the fields of its `result`: pass `JSON.parse(response.body)` instead.
 *
 * @throws {HoldfastError} `ORDER_INVALID` with the order's fields that can't be read.
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

/** A person, with the country code of the phone number where PayPal has it apart. */
function readParty(source: FieldReader | undefined, paths: PersonPaths): ReturnType<typeof readPerson> {
  const party = readPerson(source, paths);
  const code = source?.id("phone_number.country_code");
  if (code === undefined || party.customerPhone === undefined) return party;
  return { ...party, customerPhone: `+${code}${party.customerPhone}` };
}

/** What an order was paid with: a card, alone or inside a wallet, and the owner of the wallet or bank account. */
function readSource(order: FieldReader): {
  readonly buyer?: { readonly fields: FieldReader; readonly paths: PersonPaths };
  readonly card: FieldReader | undefined;
} {
  const find = (...names: readonly string[]) =>
    names.map((name) => order.inside(`payment_source.${name}`)).find((found) => found !== undefined);
  const device = find("apple_pay", "google_pay");
  if (device !== undefined)
    return { buyer: { fields: device, paths: ONE_NAME }, card: device.inside("card") };
  const card = find("card");
  const wallet = find("paypal", "venmo");
  if (wallet !== undefined) return { buyer: { fields: wallet, paths: WALLET }, card };
  const bank = find(...BANKS);
  return bank === undefined ? { card } : { buyer: { fields: bank, paths: ONE_NAME }, card };
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
function readMoney(
  order: FieldReader,
  units: readonly FieldReader[],
): Pick<ReadOrder, "orderAmount" | "currency"> {
  if (units.length === 0) order.fault("purchase_units", "expected at least one purchase unit");
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
