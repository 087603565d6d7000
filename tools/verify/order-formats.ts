import { fromCommercetoolsOrder } from "../../adapters/commercetools/index.ts";
import { fromEverShopCart } from "../../adapters/evershop/index.ts";
import { fromMedusaCart, fromMedusaOrder } from "../../adapters/medusa/from-medusa.ts";
import { fromPayPalOrder } from "../../adapters/paypal/index.ts";
import { fromSaleorOrder } from "../../adapters/saleor/index.ts";
import { parseOrderPayload } from "../../adapters/shopify/base/payload.ts";
import { mapOrder } from "../../adapters/shopify/mapping/map-order.ts";
import { fromStripePaymentIntent, fromStripeSession } from "../../adapters/stripe/from-stripe.ts";
import { fromVendureOrder } from "../../adapters/vendure/from-vendure.ts";
import { HoldfastError } from "../../src/index.ts";

type Document = Readonly<Record<string, unknown>>;

const has = (document: Document, ...names: readonly string[]): boolean =>
  names.every((name) => document[name] !== undefined && document[name] !== null);

const hasInside = (document: Document, name: string, inside: string): boolean => {
  const value = document[name];
  return typeof value === "object" && value !== null && inside in value;
};

const isText = (value: unknown, start = ""): boolean => typeof value === "string" && value.startsWith(start);

/** The orders that `holdfast verify` reads, each recognized by fields that no other platform has together. */
export const ORDER_FORMATS = [
  {
    name: "shopify",
    matches: (order: Document) =>
      isText(order["admin_graphql_api_id"], "gid://shopify/Order/") ||
      has(order, "line_items", "total_price"),
    map: fromShopifyOrder,
    parse: (text: string) => parseOrderPayload(Buffer.from(text)),
  },
  {
    name: "medusa",
    matches: (order: Document) => has(order, "currency_code", "items", "total"),
    map: (order: Document) => (isText(order["id"], "cart_") ? fromMedusaCart(order) : fromMedusaOrder(order)),
  },
  {
    name: "vendure",
    matches: (order: Document) => has(order, "code", "currencyCode", "totalWithTax"),
    map: (order: Document) => fromVendureOrder(order),
  },
  {
    name: "evershop",
    matches: (order: Document) => has(order, "uuid", "currency", "grand_total"),
    map: (order: Document) => fromEverShopCart(order),
  },
  {
    name: "stripe",
    matches: ({ object }: Document) => object === "checkout.session" || object === "payment_intent",
    map: (order: Document) =>
      order["object"] === "payment_intent" ? fromStripePaymentIntent(order) : fromStripeSession(order),
  },
  {
    name: "commercetools",
    matches: (order: Document) => hasInside(order, "totalPrice", "centAmount"),
    map: (order: Document) => fromCommercetoolsOrder(order),
  },
  {
    name: "saleor",
    matches: (order: Document) => hasInside(order, "total", "gross"),
    map: (order: Document) => fromSaleorOrder(order),
  },
  {
    name: "paypal",
    matches: ({ purchase_units: units }: Document) => Array.isArray(units),
    map: (order: Document) => fromPayPalOrder(order),
  },
];

const WITHHELD = "Shopify left personal data out: the app needs access to protected customer data";

/** A Shopify order, as `orders/create` sends it. It's checked even if it was canceled or imported. */
function fromShopifyOrder(payload: Document): Document {
  const order = mapOrder(payload);
  if (order === null) throw toError("admin_graphql_api_id", "expected gid://shopify/Order/ and a number");
  const { mapped } = order;
  if (mapped.outcome === "screenable") return mapped.request;
  const { reason, known } = mapped;
  if (reason === "PERSONAL_DATA_NOT_GRANTED") throw toError("customer", WITHHELD);
  return reason === "ZERO_AMOUNT" ? { ...known, orderAmount: 0 } : { ...known };
}

function toError(path: string, message: string): HoldfastError {
  return new HoldfastError("ORDER_INVALID", `the Shopify order can't be checked: ${path}`, {
    retryable: false,
    fields: [{ path, message }],
  });
}
