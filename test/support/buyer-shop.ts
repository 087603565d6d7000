import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { afterEach, beforeEach } from "vitest";
import { createCardCode } from "../../src/buyer-check/card-code.ts";
import { createEarlierAddress } from "../../src/buyer-check/earlier-address.ts";
import { createEvidence } from "../../src/buyer-check/evidence.ts";
import type { BuyerAsking } from "../../src/buyer-check/buyer-asking.ts";
import type { LinkMessage } from "../../src/buyer-check/link-message.ts";
import type { BuyerMethod } from "../../src/buyer-check/method.ts";
import { createLinkSender } from "../../src/buyer-check/link-sender.ts";
import type { Delivery } from "../../src/alerts/outbox.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import type { MappedOrder } from "../../src/platform/platform.ts";
import { createMetrics } from "../../src/pipeline/metrics.ts";
import type { Pipeline } from "../../src/pipeline/pipeline.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import { createBuyerPageRoutes } from "../../src/server/buyer/buyer-page-routes.ts";
import { createErrorHandler } from "../../src/server/http/error-response.ts";
import { createSecurityHeaders } from "../../src/server/http/security-headers.ts";
import { createPolicies } from "../../src/settings/current-policy.ts";
import type { OrderRecord, Store } from "../../src/store/store.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import type { RiskLevel } from "../../src/order/risk-level.ts";
import { aResult, anOrder } from "./orders.ts";
import { untilOrder } from "./pipeline-waits.ts";
import { createTestPlatform, orderEvent, type TestPlatform } from "./platform.ts";
import { createRunningClock } from "./running-clock.ts";
import { shownHeld } from "./shown.ts";
import { startPipeline } from "./test-pipeline.ts";
import { createTestStore } from "./test-store.ts";
import { createScriptedVerifier } from "./verifier.ts";

export const TENANT = "test:shop";
export const DAY_MS = 86_400_000;
export const PUBLIC_URL = "https://checks.example";

interface BuyerShop {
  store: Store;
  platform: TestPlatform;
  pipeline: Pipeline;
  server: Server;
  /** Where the page is served. */
  origin: string;
  /** What was sent to buyers. */
  mails: LinkMessage[];
  /** How the next messages end. Default: they are sent. */
  onSend: (message: LinkMessage, signal: AbortSignal) => Delivery | Promise<Delivery>;
  /** Further ways to answer. Default: none. */
  more: BuyerMethod[];
  /** The language of the next orders' buyers. Default: unknown. */
  locale: string | undefined;
  /** The next orders' account on the platform. Default: none. */
  customerId: string | undefined;
  level: RiskLevel;
  aheadMs: number;
  stop(): Promise<void>;
  start(): void;
  /** Another process with the same store, which the test has to stop. */
  startAnother(): Pipeline;
}

export let shop: BuyerShop;
const clock = createRunningClock();
export const now = () => clock() + shop.aheadMs;

export const keyOf = (orderId: string) => ({ tenant: TENANT, orderId });

export function toMapped(orderId: string, changes: Partial<VerificationRequest> = {}): MappedOrder {
  const card = { brand: "visa", lastFourDigits: "4242", expiry: "12/2030", holderName: "Jane Example" };
  return {
    outcome: "screenable",
    test: false,
    ...(shop.locale === undefined ? {} : { context: { locale: shop.locale } }),
    request: anOrder({
      orderId,
      orderTimestamp: new Date(now()).toISOString(),
      paymentInfo: card,
      ...changes,
    }),
  };
}

let deliveries = 0;

/** Deliver an order, or its newer state. */
export async function deliver(
  orderId: string,
  changes: Partial<VerificationRequest> = {},
  kind: "order" | "order-changed" = "order",
): Promise<void> {
  const mapped = toMapped(orderId, changes);
  const { customerId } = shop;
  const order = { orderId, mapped, customerId, updatedAtMs: now() };
  const event = JSON.parse(orderEvent(order).toString()) as object;
  await shop.pipeline.intake.accept({
    tenant: TENANT,
    deliveryId: `d-${(deliveries += 1)}`,
    platform: "test",
    topic: kind === "order" ? "orders/create" : "orders/updated",
    receivedAtMs: now(),
    body: Buffer.from(JSON.stringify({ ...event, kind })),
  });
}

export const until = (orderId: string, condition: (order: OrderRecord) => boolean) =>
  untilOrder({ store: shop.store, pipeline: shop.pipeline }, keyOf(orderId), condition);

export const savePolicy = (document: unknown) =>
  shop.store.policies.save(TENANT, parsePolicy(document), undefined, now());

export const ASKING = {
  levels: { high: { action: "hold", verify: "release" } },
  verify: { methods: ["earlier-address"] },
} as const;
/** Only a person can be shown something. */
export const ASKING_FOR_EVIDENCE = { ...ASKING, verify: { methods: ["evidence"] } } as const;

/** An order of the same customer went well, 40 days ago. */
export async function deliverEarlier(changes: Partial<VerificationRequest> = {}): Promise<void> {
  shop.level = "low";
  await deliver("900", changes);
  await until("900", ({ state }) => state === "settled");
  shop.aheadMs += 40 * DAY_MS;
}

/** A held order whose buyer was asked. Resolves to the link. */
export async function deliverHeld(
  orderId: string,
  changes: Partial<VerificationRequest> = {},
): Promise<string> {
  shop.level = "high";
  await deliver(orderId, changes);
  const count = shop.mails.length;
  await until(orderId, ({ state }) => state === "review" && shop.mails.length > count);
  return linkOf(shop.mails.at(-1));
}

/** The link in a message, at the test's own server. */
export function linkOf(message: LinkMessage | undefined): string {
  const link = String(message?.fields["link"] ?? "");
  if (!link.startsWith(`${PUBLIC_URL}/`)) throw new Error(`no link in the message: ${link}`);
  return shop.origin + link.slice(PUBLIC_URL.length);
}

export const post = (link: string, fields: Record<string, string>, method = "earlier-address") =>
  fetch(`${link}/${method}`, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });

export const checkOf = async (orderId: string) => (await shop.store.buyerChecks.list(keyOf(orderId)))[0];

function createAsking(store: Store): BuyerAsking {
  const sender = createLinkSender({ publicUrl: PUBLIC_URL });
  return {
    get methods() {
      const own = [createEarlierAddress(store), createCardCode(store), createEvidence(store)];
      return [...own.filter(({ name }) => shop.more.every((other) => other.name !== name)), ...shop.more];
    },
    sender: {
      ...sender,
      routeTo: ({ kind }) => (kind === "email" ? "email" : "reviewer"),
      async send(_route, message, signal) {
        const delivery = await shop.onSend(message, signal);
        if (delivery.outcome === "sent") shop.mails.push(message);
        return delivery;
      },
    },
  };
}

async function open(): Promise<void> {
  const store = await createTestStore();
  // Orders of a shop that never installed the app wait, so every test here would hang.
  await store.tenants.saveCredential(TENANT, "test", "secret", "installed", 0);
  const platform = createTestPlatform();
  platform.onObserve = async (_tenant, orderId) =>
    shop.platform.enforced.some(({ step, orderId: of }) => step === "release" && of === orderId)
      ? shownHeld({ holds: [] })
      : shownHeld();
  const verifier = createScriptedVerifier(() => ({ result: aResult(shop.level) }));
  const accessOf = () => ({ verifier, keyId: "key" });
  const buyers = createAsking(store);
  const policyOf = createPolicies(store);
  const parts = { store, platform, accessOf, policyOf, now, buyers };
  const wake = () => shop.pipeline.wake();
  const app = express();
  app.set("trust proxy", 1);
  app.use((_req, res, next) => {
    createSecurityHeaders({ https: true })(res);
    next();
  });
  app.use(createBuyerPageRoutes({ store, policyOf, buyers, now, wake, metrics: createMetrics() }));
  app.use(createErrorHandler({ logger: SILENT_LOGGER, now }));
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  shop = {
    store,
    platform,
    server,
    origin,
    mails: [],
    onSend: () => ({ outcome: "sent", refused: 0 }),
    more: [],
    locale: undefined,
    customerId: undefined,
    level: "low",
    aheadMs: 0,
    pipeline: undefined as unknown as Pipeline,
    stop: () => shop.pipeline.stop(100),
    start: () => void (shop.pipeline = startPipeline(parts)),
    startAnother: () => startPipeline({ ...parts, owner: "app:another" }),
  };
  shop.start();
}

/** Run each test of a file in a shop of its own, whose policy asks the buyers of orders with the level high. */
export function openBuyerShopForEach(): void {
  beforeEach(async () => {
    await open();
    await savePolicy(ASKING);
  });
  afterEach(async () => {
    await shop.stop();
    shop.server.close();
    shop.server.closeAllConnections();
    await shop.store.close();
  });
}
