import {
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
  street: ["address_1", "address_2"],
  city: ["city"],
  state: ["province"],
  postalCode: ["postcode"],
  country: ["country"],
};
const PERSON: PersonPaths = { name: ["full_name"], phone: "telephone" };

/** The parts of EverShop's cart object that export its data. */
interface CartObject {
  export(): object;
  getItems(): readonly { export(): object }[];
}

/**
 * Map a cart of EverShop 2: the object that a rule of `addOrderValidationRule` gets, or its data. `cart.export()` alone
 * has empty objects for items; the data's `items` are `cart.getItems().map((item) => item.export())`.
 *
 * Amounts are in major units. The order's id is the cart's `uuid`.
 *
 * @throws {HoldfastError} `ORDER_INVALID` if the cart's amount or currency can't be read.
 */
export function fromEverShopCart(cart: unknown): HostOrder {
  const data = isCartObject(cart) ? exportCart(cart) : cart;
  return readHostOrder("EverShop cart", data, (reader) => {
    const shipping = reader.inside("shipping_address");
    const billing = reader.inside("billing_address");
    return {
      orderId: reader.id("uuid"),
      orderAmount: reader.total("grand_total"),
      currency: reader.currency("currency"),
      items: readItems(reader.list("items"), readLine),
      ...pickPerson(
        readPerson(billing, PERSON),
        readPerson(shipping, PERSON),
        readPerson(reader, { name: ["customer_full_name"] }),
      ),
      customerEmail: reader.email("customer_email"),
      shippingAddress: readAddress(shipping, ADDRESS),
      billingAddress: readAddress(billing, ADDRESS),
      ipAddress: reader.id("user_ip"),
      userAgent: reader.text(REQUEST_LIMITS.userAgent, "user_agent"),
    };
  });
}

function isCartObject(cart: unknown): cart is CartObject {
  return typeof cart === "object" && cart !== null && "getItems" in cart && "export" in cart;
}

/** Getters, so that a failed export of the cart is reported as a fault of the field that is read. */
function exportCart(cart: CartObject): object {
  const data: Record<string, unknown> = {};
  try {
    Object.assign(data, cart.export());
  } catch {
    return data;
  }
  return Object.defineProperty(data, "items", {
    get: () => cart.getItems().map((item) => item.export()),
  });
}

function readLine(line: FieldReader): ReadLine {
  const quantity = line.amount("qty");
  if (quantity === undefined) line.fault("qty", "expected an exported item: cart.getItems()[n].export()");
  return {
    name: line.text(REQUEST_LIMITS.itemName, "product_name"),
    sku: line.text(REQUEST_LIMITS.itemSku, "product_sku"),
    quantity,
    price: line.amount("final_price_incl_tax"),
    total: line.amount("line_total_with_discount_incl_tax"),
  };
}
