import { REQUEST_LIMITS } from "../order/request.ts";
import { paid, type ContractCase } from "./contract-case.ts";
import { SMALLEST_ORDER, WHOLE_ORDER, withField } from "./sample-request.ts";
import { expectInvalidBody, readData, type ServiceCaller } from "./service-caller.ts";

/** Two UTF-16 code units, in which lengths are counted. */
const EMOJI = "😀";
const ADDRESS_FIELDS = ["street", "city", "state", "postalCode", "country"] as const;

/** Every limited text of the interface, by its path. */
const LIMITED: readonly (readonly [path: string, most: number])[] = [
  ["customerName", REQUEST_LIMITS.customerName],
  ["customerPhone", REQUEST_LIMITS.customerPhone],
  ...(["shippingAddress", "billingAddress"] as const).flatMap((address) =>
    ADDRESS_FIELDS.map((field) => [`${address}.${field}`, REQUEST_LIMITS[field]] as const),
  ),
  ["paymentInfo.holderName", REQUEST_LIMITS.holderName],
  ["userAgent", REQUEST_LIMITS.userAgent],
  ["items.0.name", REQUEST_LIMITS.itemName],
  ["items.0.sku", REQUEST_LIMITS.itemSku],
];

const REQUIRED: readonly string[] = [
  "orderAmount",
  "currency",
  "customerName",
  "customerEmail",
  "isFirstTimeCustomer",
  "shippingAddress",
  "billingAddress",
  ...ADDRESS_FIELDS.flatMap((field) => [`shippingAddress.${field}`, `billingAddress.${field}`]),
  "items.0.name",
  "items.0.quantity",
  "items.0.price",
];

/** Numbers besides the order's amount. */
const NUMBERS: readonly string[] = [
  "accountAgeInDays",
  "totalOrders",
  "cancelledOrders",
  "returnedOrders",
  "fulfilledOrders",
  "averageOrderValue",
  "items.0.quantity",
  "items.0.price",
];

const WRONG: readonly (readonly [what: string, path: string, value: unknown])[] = [
  ["an amount of zero", "orderAmount", 0],
  ["a negative amount", "orderAmount", -1],
  ["an amount that is text", "orderAmount", "59.90"],
  ["a currency of two letters", "currency", "US"],
  ["a currency of four letters", "currency", "USDT"],
  ["an invalid email address", "customerEmail", "jane at example"],
  ["an invalid order time", "orderTimestamp", "yesterday"],
  ["isFirstTimeCustomer that is text", "isFirstTimeCustomer", "yes"],
  ...NUMBERS.map((path) => [`${path} that is text`, path, "3"] as const),
  ["an invalid IP address", "ipAddress", "192.0.2.300"],
  ["an address that is text", "shippingAddress", "1 Example Street"],
  ["items that aren't a list", "items", {}],
  ["an item with a quantity of zero", "items.0.quantity", 0],
  ["an item with a quantity of one half", "items.0.quantity", 0.5],
  ["an item with a price of zero", "items.0.price", 0],
  ["a payment that is text", "paymentInfo", "visa"],
];

const NO_ORDERS: readonly (readonly [what: string, body: unknown])[] = [
  ["a body that is not JSON", JSON.stringify(SMALLEST_ORDER).slice(0, -1)],
  ["an empty body", ""],
  ["a list instead of an order", [SMALLEST_ORDER]],
];

/** Cases for accepted and refused requests. */
export function toRequestCases(caller: ServiceCaller): readonly ContractCase[] {
  const expectRefused = async (body: unknown) => expectInvalidBody(await caller.verify(body));
  const refuses = (what: string, body: unknown) => paid(`refuses ${what}`, 1, () => expectRefused(body));
  return [
    ...LIMITED.map(([path, most]) =>
      paid(`takes ${path} of ${most} characters, and refuses one more`, 2, async () => {
        readData(await caller.verify(withField(WHOLE_ORDER, path, "x".repeat(most))));
        await expectRefused(withField(WHOLE_ORDER, path, "x".repeat(most + 1)));
      }),
    ),
    paid(
      "takes every limited text at its limit in emoji, each of which counts as two characters",
      1,
      async () => {
        const order = LIMITED.reduce<unknown>(
          (filled, [path, most]) => withField(filled, path, EMOJI.repeat(most / 2)),
          WHOLE_ORDER,
        );
        readData(await caller.verify(order));
      },
    ),
    refuses(
      "a customerName of 128 emoji, which are 256 characters",
      withField(WHOLE_ORDER, "customerName", EMOJI.repeat(128)),
    ),
    ...REQUIRED.map((path) => refuses(`an order without ${path}`, withField(WHOLE_ORDER, path, undefined))),
    ...WRONG.map(([what, path, value]) => refuses(what, withField(WHOLE_ORDER, path, value))),
    ...NO_ORDERS.map(([what, body]) => refuses(what, body)),
  ];
}
