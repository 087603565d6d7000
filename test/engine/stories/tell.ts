import { createHmac } from "node:crypto";
import { createLocalEngine, type LocalAssessment } from "../../../src/engine/engine.ts";
import { toVelocityKeys, type VelocityKeys } from "../../../src/engine/velocity/keys.ts";
import { createMemoryVelocity } from "../../../src/engine/velocity/memory-velocity.ts";
import type { TenantId } from "../../../src/platform/platform.ts";
import { SHOPS, type Shop, type ShopName } from "./shops.ts";
import { MINUTE_MS, stranger, type Story, type Told } from "./story.ts";

const TENANT = "shop" as TenantId;
/** Noon in New York, on a Tuesday. */
const START_MS = Date.parse("2026-11-10T17:00:00Z");
const DAY_MS = 86_400_000;
/** How long a shop has been open before a story begins. */
const OPEN_DAYS = 21;
const engine = createLocalEngine();

function digest(purpose: string, text: string): string {
  return createHmac("sha256", "a test's key").update(`${purpose}\0${text}`).digest("base64url");
}

/** The same number between 0 and 1 for the same seed. */
function draw(seed: number): number {
  const x = Math.sin(seed * 12.9898) * 43758.5453;
  return x - Math.floor(x);
}

/** The orders of a shop's ordinary weeks, with their times. */
function listUsual({ daily, amounts, goods, currency, known }: Shop): readonly (Told & { atMs: number })[] {
  return Array.from({ length: daily * OPEN_DAYS }, (_, index) => {
    const amount = amounts[Math.floor(draw(index + 1) * amounts.length)] ?? 1;
    const name = goods[Math.floor(draw(index + 5_000) ** 2 * goods.length)] ?? "Thing";
    const isKnown = draw(index + 9_000) < known;
    const order = {
      ...stranger(index + 10_000),
      currency,
      orderAmount: amount,
      items: [{ name, quantity: 1, price: amount }],
      ...(isKnown && {
        isFirstTimeCustomer: false,
        accountAgeInDays: 200,
        totalOrders: 4,
        fulfilledOrders: 4,
        averageOrderValue: amount,
      }),
    };
    const atMs = START_MS - OPEN_DAYS * DAY_MS + Math.floor(((index + draw(index)) * DAY_MS) / daily);
    return { order, context: { bin: String(400_000 + Math.floor(draw(index + 3) * 40) * 977) }, atMs };
  });
}

const NO_KEYS: VelocityKeys = {
  mailbox: undefined,
  email: undefined,
  network: undefined,
  card: undefined,
  address: undefined,
  billingPostcode: undefined,
};

/** Their keys, which take longer to compute than to count. */
const usualKeys = new Map<ShopName, readonly { readonly keys: VelocityKeys; readonly atMs: number }[]>();

function listUsualKeys(shop: ShopName) {
  const known = usualKeys.get(shop);
  if (known !== undefined) return known;
  const made = listUsual(SHOPS[shop]).map(({ order, context, atMs }) => {
    const placed = { ...order, orderTimestamp: new Date(atMs).toISOString() };
    // Their customers never appear in a story, so only what they are for the shop counts.
    const { shop: counted } = toVelocityKeys(placed, digest, context?.bin);
    return { keys: { ...NO_KEYS, shop: counted }, atMs };
  });
  usualKeys.set(shop, made);
  return made;
}

/** The engine's answers to a story's orders, all of them counted, after the shop's ordinary weeks. */
export async function tell({ shop, orders, apartMs = 2 * MINUTE_MS }: Story): Promise<LocalAssessment[]> {
  const velocity = createMemoryVelocity();
  for (const [index, { keys, atMs }] of listUsualKeys(shop).entries()) {
    await velocity.remember(TENANT, `order:usual-${index}`, keys, atMs);
  }
  const answers: LocalAssessment[] = [];
  for (const [index, { order, context }] of orders.entries()) {
    const isTimed = order.orderTimestamp !== "2026-11-10T17:00:00Z";
    const atMs = (isTimed ? Date.parse(order.orderTimestamp ?? "") : START_MS) + index * apartMs;
    const placed = { ...order, orderTimestamp: new Date(atMs).toISOString() };
    const keys = toVelocityKeys(placed, digest, context?.bin);
    const counts = await velocity.record(TENANT, `order:${index}`, keys, atMs);
    answers.push(engine.assess(placed, counts, [], context));
  }
  return answers;
}
