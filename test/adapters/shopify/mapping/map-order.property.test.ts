import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { mapOrder } from "../../../../adapters/shopify/mapping/map-order.ts";
import {
  parseVerificationRequest,
  SKIP_REASONS,
  verificationRequestSchema,
} from "../../../../src/adapter-kit.ts";
import { STAND_INS } from "../../../support/stand-ins.ts";
import { fixtureNames, orderFixture, receiveOrder } from "../fixtures.ts";
import { anyText } from "../../../support/any-text.ts";

type Tree = Record<string, unknown>;

const { shape } = verificationRequestSchema;
const strictAddress = z.strictObject(shape.shippingAddress.shape);
const strictSchema = z.strictObject({
  ...shape,
  items: z.array(z.strictObject(shape.items.unwrap().element.shape)).exactOptional(),
  paymentInfo: z.strictObject(shape.paymentInfo.unwrap().shape).exactOptional(),
  shippingAddress: strictAddress,
  billingAddress: strictAddress,
});
// The known facts of an order that can't be sent: the same fields, each optional, none of them wrong.
const knownSchema = strictSchema.partial().extend({
  shippingAddress: strictAddress.partial().exactOptional(),
  billingAddress: strictAddress.partial().exactOptional(),
});

const ADDRESS_KEYS = [
  "name",
  "first_name",
  "last_name",
  "address1",
  "address2",
  "city",
  "province",
  "province_code",
  "zip",
  "country",
  "country_code",
  "phone",
  "company",
];
/** Every path that the mapping reads, so that most mutations matter. */
const READ_PATHS: readonly (readonly (string | number)[])[] = [
  ...[
    "id",
    "admin_graphql_api_id",
    "name",
    "order_number",
    "email",
    "contact_email",
    "phone",
    "currency",
    "total_price",
    "processed_at",
    "created_at",
    "cancelled_at",
    "test",
    "source_name",
    "user_id",
    "browser_ip",
    "client_details",
    "customer",
    "billing_address",
    "shipping_address",
    "line_items",
    "total_tip_received",
    "payment_details",
    "company",
  ].map((key) => [key]),
  ...["billing_address", "shipping_address"].flatMap((address) => ADDRESS_KEYS.map((key) => [address, key])),
  ...[
    "id",
    "admin_graphql_api_id",
    "email",
    "phone",
    "first_name",
    "last_name",
    "created_at",
    "orders_count",
  ].map((key) => ["customer", key]),
  ...[
    "name",
    "title",
    "quantity",
    "price",
    "sku",
    "product_id",
    "variant_id",
    "total_discount",
    "discount_allocations",
  ].map((key) => ["line_items", 0, key]),
  ["line_items", 0, "discount_allocations", 0, "amount"],
  ...["browser_ip", "user_agent"].map((key) => ["client_details", key]),
  ...["company", "number", "name", "expiration_month", "expiration_year"].map((key) => [
    "payment_details",
    `credit_card_${key}`,
  ]),
];

const REMOVE = Symbol("remove");
const odd = fc.oneof(
  { weight: 3, arbitrary: fc.constant(REMOVE) },
  {
    weight: 6,
    arbitrary: fc.constantFrom<unknown>(
      null,
      "",
      " ",
      "\u0000",
      "\u200b",
      "NaN",
      "Infinity",
      "-0.00",
      "0.00",
      "-12.5",
      "1e400",
      "1e-400",
      "N/A",
      "null",
      0,
      -1,
      -0,
      0.5,
      1e308,
      2 ** 53 + 2,
      NaN,
      Infinity,
      true,
      false,
      [],
      {},
      [[]],
      [null],
      "0.0.0.0",
      "::ffff:1.2.3.4",
      "a@b",
      "jane@example.com",
      "2026-02-30T00:00:00Z",
      "2026-02-03 04:05:06 +0100",
      "gid://shopify/Order/9007199254740993",
      "9007199254740993",
      "🛒".repeat(600),
      "\ud83d".repeat(600),
      `${"x".repeat(254)}🛒`,
      "line\r\nbreak",
      "測試商品",
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 300_000 }).map((length) => "ß".repeat(length)) },
  { weight: 2, arbitrary: anyText({ maxLength: 1200 }) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);
const mutation = fc.record({ path: fc.constantFrom(...READ_PATHS), value: odd });

const orders = fc
  .record({
    name: fc.constantFrom(...fixtureNames("shopify")),
    mutations: fc.array(mutation, { minLength: 1, maxLength: 8 }),
    uncancel: fc.boolean(),
  })
  .map(({ name, mutations, uncancel }) => {
    const order = orderFixture(name);
    // Most samples are canceled orders, of which little would be mapped.
    if (uncancel) order["cancelled_at"] = null;
    for (const { path, value } of mutations) mutate(order, path, value);
    return order;
  });

function mutate(order: Tree, path: readonly (string | number)[], value: unknown): void {
  let parent: unknown = order;
  for (const key of path.slice(0, -1)) parent = isTree(parent) ? parent[key] : undefined;
  const last = path.at(-1);
  if (!isTree(parent) || last === undefined) return;
  if (value === REMOVE) delete parent[last];
  // A copy: the next mutation may change what one mutation writes, and runs share their constants.
  else parent[last] = structuredClone(value);
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null;
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return isTree(value) ? Object.values(value).flatMap(textsOf) : [];
}

/** Check what must hold for any object, and say whether it could be sent. */
function expectTotal(payload: Tree): boolean | null {
  const order = mapOrder(payload);
  if (order === null) return null;
  expect(order.orderId).toMatch(/^[1-9]\d*$/);
  expect(order.name.trim()).not.toBe("");
  expect(order.name.length).toBeLessThanOrEqual(100);
  const { mapped } = order;
  const facts = mapped.outcome === "screenable" ? mapped.request : mapped.known;
  expect(textsOf(facts).every((text) => text.isWellFormed() && !/\p{Cc}/u.test(text))).toBe(true);
  for (const standIn of mapped.standIns ?? []) expect(STAND_INS).toContain(standIn);
  if (mapped.outcome === "unscreenable") {
    expect(SKIP_REASONS).toContain(mapped.reason);
    expect(knownSchema.safeParse(mapped.known).error?.issues ?? []).toEqual([]);
    return false;
  }
  // Equal to what the schema returns: nothing was dropped, nothing is undefined.
  expect(isDeepStrictEqual(parseVerificationRequest(mapped.request), mapped.request)).toBe(true);
  expect(strictSchema.safeParse(mapped.request).error?.issues ?? []).toEqual([]);
  return true;
}

describe("mapOrder, for any object", () => {
  it("returns a request that the service accepts, or a reason and the known facts", () => {
    const outcomes = new Map<boolean | null, number>();
    fc.assert(
      fc.property(orders, (order) => {
        // As text, because a number isn't an id.
        const outcome = expectTotal({ ...order, id: String(order["id"]) });
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }),
      { numRuns: 1_000 },
    );
    expect(outcomes.get(true), "no mutated order could be sent, so little was proved").toBeGreaterThan(200);
    expect(outcomes.get(false)).toBeGreaterThan(200);
  });

  it("reads the same from the bytes of a delivery as from the object", () => {
    fc.assert(
      fc.property(orders, (order) => {
        const gid = "gid://shopify/Order/820982911946154508";
        const customer = isTree(order["customer"]) ? { ...order["customer"] } : null;
        if (customer !== null) customer["admin_graphql_api_id"] = "gid://shopify/Customer/9007199254740993";
        const payload: Tree = JSON.parse(JSON.stringify({ ...order, admin_graphql_api_id: gid, customer }));
        expect(receiveOrder(payload)).toStrictEqual(mapOrder(payload));
      }),
      { numRuns: 300 },
    );
  });

  it("survives objects that aren't orders at all", () => {
    const id = fc.record({ id: fc.constant("1") });
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...READ_PATHS.map((path) => String(path[0]))), odd),
        id,
        (junk, { id }) => {
          const payload = Object.fromEntries(Object.entries(junk).filter(([, value]) => value !== REMOVE));
          expectTotal({ ...payload, id });
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe("order and customer IDs, up to 2^64", () => {
  const ids = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String);
  /** Makes a body an order, with or without a global id. */
  const WHOLE = `"order_number":1,"line_items":[]`;

  it("keep every digit", () => {
    fc.assert(
      fc.property(
        ids,
        ids,
        fc.boolean(),
        fc.boolean(),
        (orderId, customerId, isOrderGlobal, isCustomerGlobal) => {
          const order = isOrderGlobal
            ? `"id":1,"admin_graphql_api_id":"gid://shopify/Order/${orderId}"`
            : `"id":${orderId}`;
          const customer = isCustomerGlobal
            ? `"id":1,"admin_graphql_api_id":"gid://shopify/Customer/${customerId}"`
            : `"id":${customerId}`;
          expect(receiveOrder(Buffer.from(`{${order},${WHOLE},"customer":{${customer}}}`))).toMatchObject({
            orderId,
            customerId,
          });
        },
      ),
    );
  });
});
