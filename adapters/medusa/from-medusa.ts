import {
  countDays,
  pickPerson,
  readAddress,
  readHostOrder,
  readItems,
  readPerson,
  REQUEST_LIMITS,
  type AddressPaths,
  type FieldReader,
  type HostOrder,
  type PersonPaths,
  type ReadLine,
  type ReadOrder,
} from "../../src/mapping.ts";

const ADDRESS: AddressPaths = {
  street: ["address_1", "address_2"],
  city: ["city"],
  state: ["province"],
  postalCode: ["postal_code"],
  country: ["country_code"],
};

export const PERSON: PersonPaths = { name: ["first_name", "last_name"], phone: "phone", company: "company" };
const CUSTOMER: PersonPaths = { ...PERSON, company: "company_name" };

/**
 * Map a cart of Medusa 2, from `query.graph` or the hook of `completeCartWorkflow`. The order's id is the cart's.
 *
 * The query's `fields` must list what is read, since Medusa sends totals and relations only if asked: `id`, `email`,
 * `currency_code`, `total`, `item_total`, `shipping_total`, `updated_at`, `items.*`, `shipping_address.*`,
 * `billing_address.*`, `customer.*`. Amounts are in major units.
 *
 * @throws {HoldfastError} `ORDER_INVALID` if the cart's amount or currency can't be read.
 */
export function fromMedusaCart(cart: unknown): HostOrder {
  return readHostOrder("Medusa cart", cart, (reader) => readOrder(reader, undefined));
}

/**
 * Map an order of Medusa 2, with the fields of {@link fromMedusaCart} and `created_at`. The id is the order's own, not
 * the cart's, so checking an order after its cart is a second check.
 *
 * @throws {HoldfastError} `ORDER_INVALID` if the order's amount or currency can't be read.
 */
export function fromMedusaOrder(order: unknown): HostOrder {
  return readHostOrder("Medusa order", order, (reader) => readOrder(reader, reader.time("created_at")));
}

function readOrder(order: FieldReader, placedAt: string | undefined): ReadOrder {
  const shipping = order.inside("shipping_address");
  const billing = order.inside("billing_address");
  const customer = order.inside("customer");
  // A guest is a customer without an account, whose name is only in the addresses.
  const accountSince = customer?.value("has_account") === true ? customer.time("created_at") : undefined;
  return {
    orderId: order.id("id"),
    // Gift cards and store credit lower the total, but not these two.
    orderAmount: Math.max(
      order.total("total"),
      (order.amount("item_total") ?? 0) + (order.amount("shipping_total") ?? 0),
    ),
    currency: order.currency("currency_code"),
    orderTimestamp: placedAt,
    items: readItems(order.list("items"), readLine),
    ...pickPerson(readPerson(billing, PERSON), readPerson(shipping, PERSON), readPerson(customer, CUSTOMER)),
    customerEmail: order.email("email", "customer.email"),
    accountAgeInDays: countDays(accountSince, placedAt ?? order.time("updated_at")),
    shippingAddress: readAddress(shipping, ADDRESS),
    billingAddress: readAddress(billing, ADDRESS),
  };
}

function readLine(line: FieldReader): ReadLine {
  return {
    name: line.text(REQUEST_LIMITS.itemName, "product_title", "title"),
    sku: line.text(REQUEST_LIMITS.itemSku, "variant_sku"),
    quantity: line.amount("quantity"),
    price: line.amount("unit_price"),
    // With tax and after discounts, if the query included it.
    total: line.amount("total"),
  };
}
