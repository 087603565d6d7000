import {
  findMinorDigits,
  pickAddress,
  pickPerson,
  readAddress,
  readHostOrder,
  readItems,
  readPerson,
  REQUEST_LIMITS,
  toCard,
  toExpiry,
  type AddressPaths,
  type FieldReader,
  type HostOrder,
  type PersonPaths,
  type ReadLine,
  type ReadOrder,
} from "../../src/mapping.ts";

/**
 * Decimals where Stripe differs from ISO 4217 (Stripe, *Supported currencies*: zero-decimal currencies and special
 * cases). The króna and the shilling still have two decimals there.
 */
const STRIPE_DIGITS: ReadonlyMap<string, number> = new Map([
  ["ISK", 2],
  ["UGX", 2],
  ["MGA", 0],
]);
const ADDRESS: AddressPaths = {
  street: ["line1", "line2"],
  city: ["city"],
  state: ["state"],
  postalCode: ["postal_code"],
  country: ["country"],
};
const PERSON: PersonPaths = { name: ["name"], phone: "phone", company: "business_name" };
/** A session's destination: since API 2025-03-31, since 2022-08-01, and before. */
const SHIPPING = ["collected_information.shipping_details", "shipping_details", "shipping"];
/** A session that asks for a person's and a company's name: `name` can be either. */
const INDIVIDUAL: PersonPaths = { ...PERSON, name: ["individual_name"] };

/**
 * Map a Checkout Session. Expand `line_items` and `payment_intent.latest_charge` for goods and card. The order's id is
 * the payment intent's, as in {@link fromStripePaymentIntent}, or the session's if there is no payment intent.
 *
 * @throws {HoldfastError} `ORDER_INVALID` if the session's amount or currency can't be read.
 */
export function fromStripeSession(session: unknown): HostOrder {
  return readHostOrder("Stripe session", session, (reader) => {
    const digits = findStripeDigits(reader.currency("currency"));
    const shipping = SHIPPING.map((path) => reader.inside(path)).find((found) => found !== undefined);
    const customer = reader.inside("customer_details");
    const intent = readExpanded(reader, "payment_intent");
    return {
      orderId: (intent === undefined ? reader.id("payment_intent") : intent.id("id")) ?? reader.id("id"),
      orderAmount: reader.total("amount_total", digits),
      ...readRest(reader, shipping, customer, intent && readCharge(intent)),
      items: readItems(reader.inside("line_items")?.list("data") ?? [], (line) => readLine(line, digits)),
      customerEmail: reader.email("customer_details.email", "customer_email"),
    };
  });
}

/**
 * Map a payment intent. Expand `latest_charge`, or `payment_method` before there is a charge, for the buyer and the card,
 * and `customer` for what they lack. An intent has no goods.
 *
 * @throws {HoldfastError} `ORDER_INVALID` if the intent's amount or currency can't be read.
 */
export function fromStripePaymentIntent(intent: unknown): HostOrder {
  return readHostOrder("Stripe payment intent", intent, (reader) => {
    const digits = findStripeDigits(reader.currency("currency"));
    const charge = readCharge(reader);
    const billing = charge?.inside("billing_details");
    const customer = readExpanded(reader, "customer");
    return {
      orderId: reader.id("id"),
      orderAmount: reader.total("amount", digits),
      ...readRest(reader, reader.inside("shipping"), billing, charge, customer),
      customerEmail: billing?.email("email") ?? reader.email("receipt_email") ?? customer?.email("email"),
    };
  });
}

function findStripeDigits(currency: string): number {
  return STRIPE_DIGITS.get(currency) ?? findMinorDigits(currency);
}

/**
 * The object that has the card and its holder, if any. Before API 2022-11-15, an intent contains its charges, the latest
 * first.
 */
function readCharge(intent: FieldReader): FieldReader | undefined {
  return (
    readExpanded(intent, "latest_charge") ??
    intent.inside("charges.data.0") ??
    readExpanded(intent, "payment_method")
  );
}

/** The object at `path`, unless only its id is there. */
function readExpanded(source: FieldReader, path: string): FieldReader | undefined {
  return typeof source.value(path) === "object" ? source.inside(path) : undefined;
}

/** What a session and an intent have in common. */
function readRest(
  order: FieldReader,
  shipping: FieldReader | undefined,
  customer: FieldReader | undefined,
  charge: FieldReader | undefined,
  saved?: FieldReader,
): Omit<ReadOrder, "orderAmount"> {
  const billing = charge?.inside("billing_details");
  return {
    currency: order.currency("currency"),
    orderTimestamp: order.unixTime("created"),
    ...pickPerson(
      readPerson(customer, INDIVIDUAL),
      ...[customer, saved, shipping, billing].map((source) => readPerson(source, PERSON)),
    ),
    shippingAddress: readAddress(shipping?.inside("address"), ADDRESS),
    // In most countries, Stripe's own pages collect only a country.
    billingAddress: pickAddress(
      readAddress(customer?.inside("address"), ADDRESS),
      readAddress(billing?.inside("address"), ADDRESS),
    ),
    paymentInfo: readCard(charge?.inside("payment_method_details.card") ?? charge?.inside("card"), billing),
  };
}

function readCard(card: FieldReader | undefined, billing: FieldReader | undefined): ReadOrder["paymentInfo"] {
  if (card === undefined) return undefined;
  return toCard({
    brand: card.id("brand"),
    lastFourDigits: card.id("last4"),
    expiry: toExpiry(card.amount("exp_month"), card.amount("exp_year")),
    holderName: billing?.text(REQUEST_LIMITS.holderName, "name"),
  });
}

function readLine(line: FieldReader, digits: number): ReadLine {
  return {
    name: line.text(REQUEST_LIMITS.itemName, "description"),
    sku: undefined,
    quantity: line.amount("quantity") ?? 1,
    total: line.amount("amount_total", digits),
  };
}
