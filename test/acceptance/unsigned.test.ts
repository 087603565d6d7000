import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEMO_ORDERS, toPayload, type DemoOrder } from "../../tools/demo/demo-orders.ts";
import { atRest, createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { until } from "../support/until.ts";

const SHOP = "captured.myshopify.com";
const OTHER = "bystander.myshopify.com";
const [ORDINARY] = DEMO_ORDERS as [DemoOrder];
const TOPICS = new URL("../fixtures/shopify-topics/", import.meta.url);
const readTopic = (file: string, shop: string): string =>
  readFileSync(new URL(file, TOPICS), "utf8")
    .replaceAll("{shop}.myshopify.com", shop)
    .replace('"myshopify_domain": null', `"myshopify_domain": "${shop}"`);

/** Captured deliveries, each with what it really said. */
const SECOND = "2026-11-20T10:00:09Z";
const AS_PLACED = toBody({});
const AS_CHANGED = toBody({ ...toRisk("high"), updated_at: SECOND });
const IN_THE_SAME_SECOND = toBody({ ...toRisk("low"), note: "first", updated_at: SECOND });
const DELETED = '{"id":820982911946154508}';
const CUSTOMER_REDACT = readTopic("05-customers_redact.json", SHOP);
const SHOP_REDACT = readTopic("15-shop_redact.json", SHOP);
const UNINSTALLED = readTopic("07-app_uninstalled.json", SHOP);

let stage: ShopifyStage;

beforeAll(async () => {
  stage = await createShopifyStage();
  const payload = JSON.parse(AS_CHANGED) as Record<string, unknown>;
  stage.emulator.shop(SHOP).addOrder({ orderId: ORDINARY.orderId, payload });
  stage.emulator.shop(OTHER);
  await stage.start();
  await stage.listOrders(OTHER);
  await stage.install(SHOP);
  await stage.deliver({ shop: SHOP, topic: "orders/create", body: AS_PLACED });
  await stage.until(SHOP, atRest(1));
  await stage.deliver({ shop: SHOP, topic: "orders/updated", body: AS_CHANGED });
  await stage.until(SHOP, ([order]) => order?.state === "review");
});

afterAll(() => stage.close());

function toRisk(level: string): object {
  return { email: `${level}@risk.example`, contact_email: `${level}@risk.example` };
}

function toBody(changes: object): string {
  const { id: _, ...payload } = JSON.parse(toPayload(ORDINARY, 1)) as Record<string, unknown>;
  return `{"id":${ORDINARY.orderId},${JSON.stringify({ ...payload, ...changes }).slice(1)}`;
}

function query(sql: string, ...values: readonly string[]): readonly Record<string, unknown>[] {
  const database = new DatabaseSync(stage.databasePath, { readOnly: true });
  const rows = database.prepare(sql).all(...values);
  database.close();
  return rows;
}

const readMetrics = async () => (await fetch(new URL("metrics", stage.url()))).text();
const countRefused = async () =>
  Number(/webhooks_total\{platform="shopify",outcome="refused"\} (\d+)/.exec(await readMetrics())?.[1] ?? 0);

const OPEN = `select tenant from deliveries where due_at is not null
  union all select tenant from orders where lease_owner is not null or due_at <= cast(? as integer)`;

/** Every delivery was carried out, and so were its effects. */
async function untilHeard(): Promise<void> {
  await until(() => expect(query(OPEN, String(Date.now()))).toEqual([]));
}

/** What must not change, whatever is sent again. */
async function readState() {
  const order = (await stage.get(SHOP, `api/orders/${ORDINARY.orderId}`)).body as Record<string, unknown>;
  const shown = stage.emulator.shop(SHOP).order(ORDINARY.orderId);
  return {
    order,
    holds: shown.fulfillmentOrders.flatMap(({ holds }) => holds),
    tags: shown.tags,
    // Reading rows needs no session, which would restore lost access.
    tenants: query("select tenant, state, secret is not null as kept from tenants order by tenant"),
    people: query("select tenant, role from people order by tenant"),
    orders: query("select tenant, order_id, mapped is not null as kept from orders"),
    credits: stage.service.calls.length,
  };
}

const INVENTED = Array.from({ length: 40 }, (_, index) => `invented-${index}.myshopify.com`);

/** Attacks with a captured body, and how many unbelieved deliveries each takes. */
const ATTACKS: readonly (readonly [
  name: string,
  body: string,
  topic: string,
  shops: readonly string[],
  refused: number,
])[] = [
  ["a deleted order's id as an uninstallation", DELETED, "app/uninstalled", [SHOP], 1],
  ["a deleted order's id as a shop's erasure", DELETED, "shop/redact", [SHOP], 1],
  ["an order as an uninstallation", AS_PLACED, "app/uninstalled", [SHOP, OTHER], 2],
  ["an order as a customer's erasure", AS_PLACED, "customers/redact", [SHOP], 1],
  ["an order as a customer's request", AS_PLACED, "customers/data_request", [SHOP], 1],
  ["an order as a shop's erasure", AS_PLACED, "shop/redact", [SHOP, OTHER], 2],
  ["an order as a cancellation", AS_PLACED, "orders/cancelled", [SHOP], 1],
  ["an order as a deletion", AS_CHANGED, "orders/delete", [SHOP], 1],
  ["an old state as an update", AS_PLACED, "orders/updated", [SHOP, SHOP, SHOP], 0],
  ["a state of the same second as an update", IN_THE_SAME_SECOND, "orders/updated", [SHOP, SHOP], 0],
  ["the newest state again", AS_CHANGED, "orders/updated", [SHOP, SHOP], 0],
  ["an order again, with fresh ids", AS_PLACED, "orders/create", Array.from({ length: 10 }, () => SHOP), 0],
  ["a customer's erasure as a shop's", CUSTOMER_REDACT, "shop/redact", [SHOP], 1],
  ["a customer's erasure under another shop", CUSTOMER_REDACT, "customers/redact", [OTHER], 1],
  ["a shop's erasure under another shop", SHOP_REDACT, "shop/redact", [OTHER], 1],
  ["the erasure of a shop that is installed", SHOP_REDACT, "shop/redact", [SHOP, SHOP], 2],
  ["an uninstallation under another shop", UNINSTALLED, "app/uninstalled", [OTHER], 1],
  ["the uninstallation of a shop that came back", UNINSTALLED, "app/uninstalled", [SHOP, SHOP], 2],
  ["an order under another shop that is installed", AS_PLACED, "orders/create", [OTHER], 1],
  ["an order as an update under another shop", AS_CHANGED, "orders/updated", [OTHER], 1],
  ["an order under 40 invented shops", AS_PLACED, "orders/create", INVENTED, 40],
  ["an update under 40 invented shops", AS_CHANGED, "orders/updated", INVENTED, 40],
];

describe("a captured delivery that is sent again under other headers", () => {
  it.each(ATTACKS)("changes nothing and costs nothing: %s", async (_name, body, topic, shops, refused) => {
    const before = await readState();
    const refusedBefore = await countRefused();
    expect(before).toMatchObject({ order: { state: "review", action: "hold", creditsSpent: 2 } });

    for (const shop of shops) expect(await stage.deliver({ shop, topic, body })).toBe(200);
    await untilHeard();

    expect(await readState()).toEqual(before);
    expect((await countRefused()) - refusedBefore).toBe(refused);
    expect(query("select body from deliveries where body is not null")).toEqual([]);
  });

  it("is logged once for each reason, however often it comes", async () => {
    for (const [, body, topic, shops] of ATTACKS) {
      for (const shop of shops) await stage.deliver({ shop, topic, body });
    }
    await untilHeard();

    const told = stage
      .log()
      .split("\n")
      .filter((line) => line.includes('"alert":"webhooks_refused"'))
      .map((line) => (JSON.parse(line) as { reason: string }).reason);
    expect(told.toSorted()).toEqual([
      "body-of-another-tenant",
      "other-tenant",
      "other-topic",
      "still-installed",
    ]);
  });
});

describe("genuine statements of the platform", () => {
  it("still count: an order of a new shop waits, and an uninstallation and an erasure are carried out", async () => {
    const shop = "leaving.myshopify.com";
    const order = (orderId: string) => {
      const { id: _, ...payload } = JSON.parse(toPayload({ ...ORDINARY, orderId }, 1)) as Record<
        string,
        unknown
      >;
      stage.emulator.shop(shop).addOrder({ orderId, payload });
      return { shop, topic: "orders/create", body: `{"id":${orderId},${JSON.stringify(payload).slice(1)}` };
    };
    const credits = stage.service.calls.length;
    const readTenant = () => query("select state, secret from tenants where tenant = ?", `shopify:${shop}`);

    // Before anybody opened the app.
    await stage.deliver(order("1001"));
    await untilHeard();
    expect(stage.service.calls.length).toBe(credits);
    await stage.until(shop, atRest(1));
    expect(stage.service.calls.length).toBe(credits + 1);

    // The token is revoked, then Shopify says so.
    stage.emulator.shop(shop).tokens.revokeAll();
    const left = readTopic("07-app_uninstalled.json", shop);
    await stage.deliver({ shop, topic: "app/uninstalled", body: left });
    await untilHeard();
    expect(readTenant()).toEqual([{ state: "uninstalled", secret: null }]);

    // Installed again, and an order comes before anybody opens the app.
    await stage.deliver(order("1002"));
    await untilHeard();
    expect(stage.service.calls.length).toBe(credits + 1);
    await stage.until(shop, atRest(2));
    expect(stage.service.calls.length).toBe(credits + 2);

    // Gone for good, while Shopify can't be reached at first.
    stage.emulator.shop(shop).tokens.revokeAll();
    const giveBack = stage.emulator.fail(1_000, "500", { on: "token" });
    await stage.deliver({ shop, topic: "app/uninstalled", body: left });
    await until(() =>
      expect(query("select error from deliveries where error is not null")).toEqual([
        { error: "PLATFORM_UNAVAILABLE" },
      ]),
    );
    expect(readTenant()).toMatchObject([{ state: "installed" }]);
    giveBack();
    await untilHeard();
    expect(readTenant()).toEqual([{ state: "uninstalled", secret: null }]);

    const redact = readTopic("15-shop_redact.json", shop);
    await stage.deliver({ shop, topic: "shop/redact", body: redact });
    await until(() => expect(readTenant()).toEqual([]));
    // The rest of the shop is erased in steps: the other tests compare what is stored about everybody.
    await untilHeard();
    expect(query("select * from orders where tenant = ?", `shopify:${shop}`)).toEqual([]);
  });
});
