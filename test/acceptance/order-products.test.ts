import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Agent } from "undici";
import { createCatalogClient } from "../../src/catalog.ts";
import { SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { startServer } from "../service/loopback.ts";
import { toShopOrder } from "../support/shop-orders.ts";
import { createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { readTlsFixture } from "../support/tls.ts";
import { until } from "../support/until.ts";

const SHOP = "goods.myshopify.com";
/** Demo orders buy this SKU. */
const PRODUCT = {
  sku: "MUG-1",
  name: "Travel mug",
  category: "Zirconware > Mugs",
  brand: "Zirconbrand",
  manufacturer: "Zirconworks",
};
const RULE = {
  name: "easy to resell",
  when: { productCategory: ["zirconware"] },
  then: { action: "hold" },
};

let stage: ShopifyStage;

beforeEach(async () => {
  stage = await createShopifyStage();
});

afterEach(() => stage.close());

interface Shown {
  readonly action: string;
  readonly factors: readonly { readonly factor: string }[];
  readonly creditsSpent: number;
  readonly context: { readonly products?: readonly object[] } | null;
  readonly timeline: readonly { readonly detail: string }[];
}

/** Fill the sandbox's catalog, and start an app that uses it. */
async function startWithCatalog(product: typeof PRODUCT): Promise<void> {
  const url = stage.environment["VERIFY_URL"] ?? "";
  const dispatcher = new Agent({ connect: { ca: readTlsFixture("service").cert } });
  const catalog = createCatalogClient({ url, apiKey: SANDBOX_API_KEY, dispatcher });
  await catalog.products.create(product);
  await catalog.close();
  await dispatcher.close();
  await stage.start({ CATALOG_URL: url, CATALOG_API_KEY: SANDBOX_API_KEY });
  await stage.install(SHOP, { rules: [RULE] });
}

/** Place orders until one's products are known: on a slow machine the answer may be too late for the first one. */
async function placeKnown(payload?: Payload): Promise<{ readonly order: Shown; readonly number: number }> {
  let number = 0;
  const order = await until(async () => {
    const placed = await place((number += 1), payload);
    return placed.context?.products !== undefined && placed;
  });
  return { order, number };
}

type Payload = Readonly<Record<string, unknown>>;

async function place(number: number, payload: Payload = {}): Promise<Shown> {
  const { orderId, body } = toShopOrder(number, { email: `low${number}@risk.example`, amount: 190, payload });
  stage.emulator.shop(SHOP).addOrder({ orderId });
  expect(await stage.deliver({ shop: SHOP, topic: "orders/create", body })).toBe(200);
  await stage.until(SHOP, (orders) =>
    orders.some((order) => order.orderId === orderId && ["settled", "review"].includes(order.state)),
  );
  return (await stage.get(SHOP, `api/orders/${orderId}`)).body as Shown;
}

describe("the catalog's facts about an order's products", () => {
  it("match rules, are replayed and shown to reviewers, and are never sent with the check", async () => {
    await startWithCatalog(PRODUCT);

    const { order: held, number } = await placeKnown();

    expect(held).toMatchObject({ action: "hold", creditsSpent: 1 });
    expect(held.timeline.map(({ detail }) => detail)).toContain(
      "hold (service): rule:easy to resell, level:low",
    );
    const { sku, category, brand, manufacturer } = PRODUCT;
    expect(held.context?.products).toEqual([{ sku, category, brand, manufacturer }]);
    expect(stage.service.calls).toHaveLength(number);
    expect(JSON.stringify(stage.service.calls)).not.toMatch(/zircon/i);
    expect(stage.log()).not.toMatch(/zircon/i);

    const then = { action: "tag", tags: ["works"] };
    const rules = [{ name: "works", when: { manufacturer: ["ZIRCONWORKS"] }, then }];
    const replay = await stage.send(SHOP, "POST", "api/policy/replay", {
      body: { policy: { rules }, days: 1 },
    });
    expect(replay).toMatchObject({ status: 200, body: { idleRules: [], after: { tag: { orders: 1 } } } });
    expect(stage.service.calls).toHaveLength(number);
  });

  it("tell the local engine what is bought when an order isn't sent", async () => {
    await startWithCatalog({ ...PRODUCT, category: "Jewelry > Watches" });

    const { order } = await placeKnown({ test: true });

    expect(order.creditsSpent).toBe(0);
    expect(order.factors.map(({ factor }) => factor)).toContain("Goods that are easy to resell");
  });

  it("delay no decision and cost no second credit while the catalog doesn't answer", async () => {
    const silent = await startServer(() => {});
    await stage.start({
      CATALOG_URL: silent.url,
      CATALOG_API_KEY: "key",
      CATALOG_ORGANIZATION: "goods",
    });
    await stage.install(SHOP, { rules: [RULE] });

    const order = await place(1);

    // The order was decided although its lookup is still under way.
    expect(silent.seen).toHaveLength(1);
    expect(order).toMatchObject({ action: "allow", creditsSpent: 1 });
    expect(order.context?.products).toBeUndefined();
    expect(order.timeline).toContainEqual(
      expect.objectContaining({ kind: "less-detail", detail: expect.stringContaining("PRODUCTS_UNKNOWN") }),
    );
    expect(stage.service.calls).toHaveLength(1);
  });
});
