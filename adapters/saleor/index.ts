import {
  countDays,
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
} from "../../src/mapping.ts";

const ADDRESS: AddressPaths = {
  street: ["streetAddress1", "streetAddress2"],
  city: ["city", "cityArea"],
  state: ["countryArea"],
  postalCode: ["postalCode"],
  country: ["country.code", "country.country"],
};
const PERSON: PersonPaths = { name: ["firstName", "lastName"], phone: "phone", company: "companyName" };

/**
 * Map an order of Saleor 3 (GraphQL `Order`, also as a subscription webhook sends it). Amounts are in major units. Its id is `id`.
 *
 * The query must include the fields that are read: `id created userEmail total { gross { amount currency } }
 * shippingPrice { gross { amount } }`, both addresses, and of `lines` `productName productSku quantity totalPrice {
 * gross { amount } }`; if you have them, `user { dateJoined }` and the card: `transactions { paymentMethodDetails { ...
 * on CardPaymentMethodDetails { brand lastDigits expMonth expYear } } }` (since Saleor 3.22), or `payments { creditCard
 * { … } }`.
 *
 * @throws {HoldfastError} `ORDER_INVALID` if the order's amount or currency can't be read.
 */
export function fromSaleorOrder(order: unknown): HostOrder {
  return readHostOrder("Saleor order", order, (reader) => {
    const shipping = reader.inside("shippingAddress");
    const billing = reader.inside("billingAddress");
    const placedAt = reader.time("created");
    const lines = reader.list("lines");
    return {
      orderId: reader.id("id"),
      // Gift cards lower the total, but no line and not the price of shipping.
      orderAmount: Math.max(
        reader.total("total.gross.amount"),
        lines.reduce(
          (sum, line) => sum + (line.amount("totalPrice.gross.amount") ?? 0),
          reader.amount("shippingPrice.gross.amount") ?? 0,
        ),
      ),
      currency: reader.currency("total.gross.currency"),
      orderTimestamp: placedAt,
      items: readItems(lines, readLine),
      ...pickPerson(
        readPerson(billing, PERSON),
        readPerson(shipping, PERSON),
        readPerson(reader.inside("user"), { name: ["firstName", "lastName"] }),
      ),
      customerEmail: reader.email("userEmail", "user.email"),
      accountAgeInDays: countDays(reader.time("user.dateJoined"), placedAt),
      shippingAddress: readAddress(shipping, ADDRESS),
      billingAddress: readAddress(billing, ADDRESS),
      paymentInfo: readCard(reader),
    };
  });
}

function readLine(line: FieldReader): ReadLine {
  return {
    name: line.text(REQUEST_LIMITS.itemName, "productName"),
    sku: line.text(REQUEST_LIMITS.itemSku, "productSku", "variant.sku"),
    quantity: line.amount("quantity"),
    price: line.amount("unitPrice.gross.amount"),
    total: line.amount("totalPrice.gross.amount"),
  };
}

/** The card of the last payment that has one: those before it failed. */
function readCard(order: FieldReader): HostOrder["paymentInfo"] {
  const cards = [
    ...order.list("payments").map((payment) => payment.inside("creditCard")),
    ...order.list("transactions").map((transaction) => transaction.inside("paymentMethodDetails")),
  ];
  const card = cards.findLast((found) => found?.value("lastDigits") !== undefined);
  return toCard({
    brand: card?.id("brand"),
    lastFourDigits: card?.id("lastDigits"),
    expiry: toExpiry(card?.amount("expMonth"), card?.amount("expYear")),
  });
}
