import { createShopifyPlatform } from "../../adapters/shopify/index.ts";
import { signDelivery } from "../../tools/emulators/shopify/sign-delivery.ts";
import { createAdminEmulator } from "../../tools/emulators/shopify/admin-emulator.ts";
import { createEmulatorDispatcher } from "../../tools/emulators/shopify/emulator-dispatcher.ts";
import type { AdapterUnderTest } from "../../src/testing.ts";
import {
  API_KEY,
  API_SECRET,
  createMemoryCredentials,
  createTestClock,
  keepToken,
  SHOP,
  TENANT,
} from "../adapters/shopify/admin-fixture.ts";
import { sampleOrder } from "../adapters/shopify/fixtures.ts";

const TOPIC = "orders/create";
/** Past 2^53, as new shops have them. */
const FIRST_ID = 9_820_982_911_946_154_508n;
const SECOND_MS = 1_000;

/** The Shopify adapter with an emulated Admin API. */
export async function createShopifyAdapter(): Promise<AdapterUnderTest> {
  const clock = createTestClock();
  const emulator = createAdminEmulator({ apiKey: API_KEY, apiSecret: API_SECRET, now: clock.now });
  await emulator.listen();
  const shop = emulator.shop(SHOP);
  const dispatcher = createEmulatorDispatcher(emulator);
  const credentials = createMemoryCredentials();
  keepToken(credentials, shop, clock.now());
  const platform = createShopifyPlatform({
    apiKey: API_KEY,
    apiSecret: API_SECRET,
    appUrl: "https://app.example",
    credentials,
    dispatcher,
    now: clock.now,
  });
  let placed = 0;

  function sign(body: Buffer) {
    const signed = signDelivery(API_SECRET, { shop: SHOP, topic: TOPIC, body: body.toString() });
    return { headers: signed.headers, body };
  }

  return {
    platform,
    tenant: TENANT,
    signatureHeader: "x-shopify-hmac-sha256",
    unknownOrderId: "1",
    sign,
    async placeOrder() {
      placed += 1;
      const orderId = String(FIRST_ID + BigInt(placed));
      const createdAtMs = Math.floor(clock.now() / SECOND_MS) * SECOND_MS + placed * SECOND_MS;
      const payload = sampleOrder({
        id: 1,
        admin_graphql_api_id: `gid://shopify/Order/${orderId}`,
        created_at: new Date(createdAtMs).toISOString(),
      });
      const { fulfillmentOrders } = shop.addOrder({ orderId, payload });
      const delivery = sign(Buffer.from(JSON.stringify(payload)));
      return { orderId, delivery, createdAtMs, reference: fulfillmentOrders[0]?.id };
    },
    async deprive(what) {
      if (what === "connection") return emulator.fail(1_000, "reset");
      if (what === "installation") {
        shop.tokens.revokeAll();
        return () => keepToken(credentials, shop, clock.now());
      }
      const kept = credentials.kept.get(TENANT) ?? "";
      credentials.kept.delete(TENANT);
      return () => void credentials.kept.set(TENANT, kept);
    },
    async passTime(ms) {
      clock.advance(ms);
    },
    async close() {
      await dispatcher.destroy();
      await emulator.close();
    },
  };
}
