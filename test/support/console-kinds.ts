import { until } from "./until.ts";
import { placeOrders, type PlacedOrder } from "./placed-orders.ts";
import type { ShopifyStage } from "./shopify-stage.ts";
import { toInquiry, toShopOrder } from "./shop-orders.ts";

/** The name of the rule that holds large orders in EUR. */
export const RULE = "Big EUR orders";

const STREET = { address1: "1 Sample Street", province: null, phone: null };
/** Ships to Germany, is billed in Singapore, from the network of a hosting provider. */
const MISMATCHED = {
  currency: "EUR",
  presentment_currency: "EUR",
  browser_ip: "3.5.140.2",
  shipping_address: {
    ...STREET,
    first_name: "Jane",
    last_name: "Example",
    city: "Berlin",
    zip: "10115",
    country_code: "DE",
  },
  billing_address: {
    ...STREET,
    first_name: "J.",
    last_name: "Sample",
    city: "Singapore",
    zip: "018956",
    country_code: "SG",
  },
};
const CARD = {
  company: "Visa",
  number: "•••• •••• •••• 4242",
  name: "J. Sample",
  expirationMonth: 12,
  expirationYear: 2027,
  bin: "424242",
  avsResultCode: "N",
  cvvResultCode: "M",
};

/** Orders whose kind is what they are judged by. In the order of their numbers. */
const KINDS = {
  rule: { as: "medium", amount: 1_398, payload: MISMATCHED },
  canceled: { as: "critical", amount: 900 },
  held: { as: "high", amount: 899 },
  tagged: { as: "medium", amount: 129 },
  passed: { as: "low", amount: 59.9 },
  test: { as: "low", payload: { test: true } },
  asked: { as: "low", amount: 240 },
  unavailable: { as: "error-500", amount: 77 },
  shipped: { as: "high", amount: 310 },
  approved: { as: "high", amount: 410 },
  declined: { as: "high", amount: 510 },
  ended: { as: "high", amount: 610 },
  chargedBack: { as: "low", amount: 250 },
  handled: { as: "high", amount: 320 },
  allowedByRule: { as: "high", amount: 20, payload: { source_name: "subscription_contract" } },
  taggedByRule: { as: "low", amount: 60, payload: { source_name: "kiosk" } },
  skippedByRule: { as: "high", amount: 30, payload: { source_name: "staff" } },
  skippedChannel: { as: "high", amount: 40, payload: { source_name: "pos" } },
  noEmail: { as: "low", amount: 50, payload: { email: null, contact_email: null, customer: null } },
  nothingToPay: { as: "low", amount: 0 },
} as const satisfies Readonly<Record<string, Omit<PlacedOrder, "number">>>;
export type KindName = keyof typeof KINDS;

/** Fill a shop with an order of each kind. Returns their ids. */
export async function fillKinds(
  stage: ShopifyStage,
  shop: string,
): Promise<Readonly<Record<KindName, string>>> {
  const rules = [
    { name: RULE, when: { minAmount: 1_000, currency: "EUR" }, then: { action: "hold" } },
    { name: "Renewals", when: { channel: "subscription" }, then: { action: "allow" } },
    { name: "Kiosk", when: { channel: "kiosk" }, then: { action: "tag" } },
    { name: "Staff", when: { channel: "staff" }, then: { skip: true } },
  ];
  await stage.install(shop, { rules, skipChannels: ["pos"] });
  const names = Object.keys(KINDS) as readonly KindName[];
  const placed: [KindName, string][] = [];
  for (const [at, name] of names.entries()) {
    const order: PlacedOrder = { number: at + 1, ...KINDS[name] };
    const [id = ""] = await placeOrders(stage, shop, [order], name === "rule" ? [{ card: CARD }] : undefined);
    placed.push([name, id]);
  }
  const ids = Object.fromEntries(placed) as Record<KindName, string>;
  await endKinds(stage, shop, ids);
  return ids;
}

async function endKinds(
  stage: ShopifyStage,
  shop: string,
  ids: Readonly<Record<KindName, string>>,
): Promise<void> {
  const emulated = stage.emulator.shop(shop);
  for (const name of ["shipped", "declined", "handled"] as const) shipOrder(stage, shop, ids[name]);
  await stage.send(shop, "POST", `api/orders/${ids.approved}/approve`, { body: {} });
  await stage.send(shop, "POST", `api/orders/${ids.declined}/decline`, { body: {} });
  await stage.send(shop, "POST", `api/orders/${ids.handled}/handle`, { body: {} });
  await deliverDispute(stage, shop, ids.asked, {});
  await deliverDispute(stage, shop, ids.chargedBack, { type: "chargeback" });
  const number = Object.keys(KINDS).indexOf("ended") + 1;
  emulated.cancelOrder(ids.ended);
  const payload = { cancelled_at: "2026-11-22T10:00:00Z", cancel_reason: "customer" };
  const { body } = toShopOrder(number, { email: "high@risk.example", amount: KINDS.ended.amount, payload });
  await stage.deliver({ shop, topic: "orders/cancelled", body });
  await stage.untilHeard();
  await until(async () => {
    const listed = await stage.listOrders(shop);
    const find = (name: KindName) => listed.find(({ orderId }) => orderId === ids[name])?.state;
    const states = (["approved", "declined", "asked", "ended", "handled"] as const).map(find);
    if (states.join(" ") !== "settled failed review settled settled") throw new Error(states.join(" "));
  });
}

/** All goods of an order ship, though it's on hold. */
export function shipOrder({ emulator }: ShopifyStage, shop: string, orderId: string): void {
  for (const entry of emulator.shop(shop).order(orderId).fulfillmentOrders)
    Object.assign(entry, { status: "CLOSED", holds: [] });
}

/** A buyer's bank asks about an order's payment, or has taken it back. */
async function deliverDispute(
  stage: ShopifyStage,
  shop: string,
  orderId: string,
  changes: object,
): Promise<void> {
  await stage.deliver({ shop, topic: "disputes/create", body: toInquiry(orderId, changes) });
}
