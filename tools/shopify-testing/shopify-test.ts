import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Dispatcher } from "undici";
import type { SandboxService } from "../../src/testing.ts";
import { createAdminEmulator, type AdminEmulator } from "../emulators/shopify/admin-emulator.ts";
import type { NewEmulatedOrder } from "../emulators/shopify/emulated-order.ts";
import type { EmulatedShop } from "../emulators/shopify/emulated-shop.ts";
import { createEmulatorDispatcher } from "../emulators/shopify/emulator-dispatcher.ts";
import {
  completeOrder,
  sendShopifyOrder,
  type NewShopifyOrder,
  type SentShopifyOrder,
} from "./send-order.ts";

/** Options of {@link runShopifyTest}. */
export interface ShopifyTestOptions {
  /** The app's variables, as in its reference, in addition to the ones that the test sets. @default none */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** What it runs with. */
export interface ShopifyTestParts extends ShopifyTestOptions {
  readonly service: SandboxService;
  readonly serviceKey: string;
  startApp(
    environment: Readonly<Record<string, string>>,
    dispatcher: Dispatcher,
  ): Promise<{ readonly url: URL; stop(): Promise<void> }>;
}

/** An order to put into the emulated shop and send. */
export interface TestOrder extends NewShopifyOrder, Omit<NewEmulatedOrder, "orderId" | "payload"> {}

/** What the app decided about an order, and what the shop shows for it. */
export interface FollowedOrder {
  readonly orderId: string;
  /** `settled`, or `review` while a person has to decide, or `failed`. */
  readonly state: string;
  readonly riskLevel: string | null;
  readonly action: string | null;
  /** `service`, `local`, or null if nothing judged it. */
  readonly source: string | null;
  readonly creditsSpent: number;
  /** Whether a hold of the app keeps something of it from being shipped. */
  readonly held: boolean;
  readonly cancelled: boolean;
  readonly tags: readonly string[];
}

/** The app, the verification service and Shopify's Admin API, all on this machine. */
export interface ShopifyTest {
  /** The app's address. Its console is there. */
  readonly url: URL;
  /** The secret that webhooks are signed with. */
  readonly secret: string;
  /** The sandbox that the app asks. Its `calls` show what was asked and what it cost. */
  readonly service: SandboxService;
  /** Shopify's Admin API: its shops, its `operations`, and its faults with `fail`. */
  readonly admin: AdminEmulator;
  /**
   * The owner of a shop installs the app and saves a policy.
   *
   * @param policy - Changes to the default policy. @default none
   * @throws {Error} with the app's answer if the policy can't be saved.
   */
  install(shop: string, policy?: object): Promise<EmulatedShop>;
  /** Put an order into a shop, and send its webhook. */
  sendOrder(shop: string, order?: TestOrder): Promise<SentShopifyOrder>;
  /**
   * Wait until the app has followed an order through: it is settled, failed, or a person has to decide.
   *
   * @throws {Error} with the state that it was left in, after a minute.
   */
  untilFollowed(shop: string, orderId: string): Promise<FollowedOrder>;
  /** Stop everything, and delete what was stored. */
  close(): Promise<void>;
}

const API_KEY = "test-client-id";
const PATIENCE_MS = 60_000;
const POLL_MS = 20;
const ENDED: ReadonlySet<string> = new Set(["settled", "review", "failed"]);

/** Start a {@link ShopifyTest}. */
export async function runShopifyTest(parts: ShopifyTestParts): Promise<ShopifyTest> {
  const { service, serviceKey } = parts;
  const secret = randomBytes(24).toString("hex");
  const admin = createAdminEmulator({ apiKey: API_KEY, apiSecret: secret, grants: ["read_all_orders"] });
  const [serviceUrl] = await Promise.all([service.listen(), admin.listen()]);
  const dispatcher = createEmulatorDispatcher(admin);
  const environment = {
    PORT: "0",
    VERIFY_URL: serviceUrl.href,
    VERIFY_API_KEY: serviceKey,
    SHOPIFY_API_KEY: API_KEY,
    SHOPIFY_API_SECRET: secret,
    SHOPIFY_APP_URL: "https://app.example",
    LOG_LEVEL: "error",
    ...parts.environment,
  };
  const stopRest = async (): Promise<void> => {
    await Promise.all([dispatcher.close(), admin.close(), service.close()]);
  };
  const app = await parts.startApp(environment, dispatcher).catch(async (error: unknown) => {
    await stopRest();
    throw error;
  });

  const shops = { url: app.url, admin };
  return {
    ...shops,
    secret,
    service,
    install: (shop, policy = {}) => install(shops, shop, policy),
    sendOrder(shop, order = {}) {
      const { orderId, body } = completeOrder(order);
      admin.shop(shop).addOrder({ ...order, orderId, payload: body });
      const url = new URL("webhooks/shopify", app.url);
      return sendShopifyOrder({ url, secret, shop }, { ...order, orderId, body });
    },
    untilFollowed: (shop, orderId) => untilFollowed(shops, shop, orderId),
    async close() {
      await app.stop();
      await stopRest();
    },
  };
}

type Shops = Pick<ShopifyTest, "url" | "admin">;

/** Call the app's API as a shop's owner. */
function ask({ url, admin }: Shops, shop: string, path: string, init: RequestInit = {}): Promise<Response> {
  const authorization = `Bearer ${admin.createSessionToken(shop)}`;
  const headers = { authorization, "content-type": "application/json" };
  return fetch(new URL(path, url), { ...init, headers });
}

async function install(shops: Shops, shop: string, policy: object): Promise<EmulatedShop> {
  const installed = shops.admin.shop(shop);
  const answer = await ask(shops, shop, "api/policy", { method: "PUT", body: JSON.stringify(policy) });
  if (!answer.ok) throw new Error(`the policy wasn't saved: ${await readFaults(answer)}`);
  await answer.arrayBuffer();
  return installed;
}

async function untilFollowed(shops: Shops, shop: string, orderId: string): Promise<FollowedOrder> {
  const untilMs = performance.now() + PATIENCE_MS;
  for (let state = "unknown to the app"; ; await sleep(POLL_MS)) {
    const answer = await ask(shops, shop, `api/orders/${orderId}`);
    const found = (await answer.json()) as FollowedOrder;
    if (answer.ok && ENDED.has(found.state)) return toFollowed(found, shops.admin.shop(shop));
    if (answer.ok) ({ state } = found);
    if (performance.now() > untilMs) throw new Error(`after a minute, the order is still ${state}`);
  }
}

/** What the app says is wrong, by field. */
async function readFaults(answer: Response): Promise<string> {
  const { detail = `HTTP ${answer.status}`, errors = [] } = (await answer.json()) as {
    readonly detail?: string;
    readonly errors?: readonly { readonly path: string; readonly message: string }[];
  };
  return errors.length === 0 ? detail : errors.map(({ path, message }) => `${path}: ${message}`).join("; ");
}

function toFollowed(found: FollowedOrder, shop: EmulatedShop): FollowedOrder {
  const { orderId, state, riskLevel, action, source, creditsSpent } = found;
  const { fulfillmentOrders, tags, cancelledAt } = shop.order(orderId);
  const held = fulfillmentOrders.some(({ holds }) => holds.some(({ ours }) => ours));
  const shown = { held, cancelled: cancelledAt !== null, tags: [...tags] };
  return { orderId, state, riskLevel, action, source, creditsSpent, ...shown };
}
