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
} from "../../src/mapping.ts";

const ADDRESS: AddressPaths = {
  street: ["streetLine1", "streetLine2"],
  city: ["city"],
  state: ["province"],
  postalCode: ["postalCode"],
  country: ["countryCode", "country"],
};
export const PERSON: PersonPaths = { name: ["fullName"], phone: "phoneNumber", company: "company" };
const CUSTOMER: PersonPaths = { name: ["firstName", "lastName"], phone: "phoneNumber" };

/** Options of {@link fromVendureOrder}. */
export interface VendureOptions {
  /**
   * Decimals of every stored amount: `precision` of the configured `MoneyStrategy`. Default: 2, like Vendure's own,
   * which it also uses for the yen.
   */
  readonly precision?: number | undefined;
}

/**
 * Map an order of Vendure 2 or 3, from `OrderService.findOne` or the Admin API. The order's id is its `code`.
 *
 * Load the relations `lines.productVariant` and `customer` (`findOne` does). Amounts become major units.
 *
 * @throws {HoldfastError} `ORDER_INVALID` if the order's amount or currency can't be read.
 */
export function fromVendureOrder(order: unknown, options: VendureOptions = {}): HostOrder {
  const { precision = 2 } = options;
  return readHostOrder("Vendure order", order, (reader) => {
    const shipping = reader.inside("shippingAddress");
    const billing = reader.inside("billingAddress");
    const customer = reader.inside("customer");
    // A guest has no user. Until the order is placed, its last change counts as its time.
    const accountSince = customer?.value("user") === undefined ? undefined : customer.time("createdAt");
    const placedAt = reader.time("orderPlacedAt");
    return {
      orderId: reader.id("code"),
      orderAmount: reader.total("totalWithTax", precision),
      currency: reader.currency("currencyCode"),
      orderTimestamp: placedAt,
      items: readItems(reader.list("lines"), (line) => readLine(line, precision)),
      ...pickPerson(
        readPerson(billing, PERSON),
        readPerson(shipping, PERSON),
        readPerson(customer, CUSTOMER),
      ),
      customerEmail: reader.email("customer.emailAddress"),
      accountAgeInDays: countDays(accountSince, placedAt ?? reader.time("updatedAt")),
      shippingAddress: readAddress(shipping, ADDRESS),
      billingAddress: readAddress(billing, ADDRESS),
    };
  });
}

function readLine(line: FieldReader, precision: number): ReadLine {
  return {
    name: line.text(REQUEST_LIMITS.itemName, "productVariant.name"),
    sku: line.text(REQUEST_LIMITS.itemSku, "productVariant.sku"),
    // Canceled lines have quantity zero, but the ordered quantity is what counts for the risk.
    quantity: line.amount("quantity") || line.amount("orderPlacedQuantity"),
    price: line.amount("proratedUnitPriceWithTax", precision),
  };
}
