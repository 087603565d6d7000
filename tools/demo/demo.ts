import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { request, type Dispatcher } from "undici";
import type { ObservedOrder } from "../../src/adapter-kit.ts";
import { createAdminClient } from "../../adapters/shopify/admin/admin-client.ts";
import { DEMO_ORDERS, toPayload, type DemoOrder } from "./demo-orders.ts";
import { signDelivery } from "../emulators/shopify/sign-delivery.ts";
import { toTable } from "./table.ts";
import { createAdminEmulator, type AdminEmulator } from "../emulators/shopify/admin-emulator.ts";
import { createEmulatorDispatcher } from "../emulators/shopify/emulator-dispatcher.ts";
import { observeOrder } from "../../adapters/shopify/enforce/observe.ts";

/** What the demo runs with. The demo plays the platform; everything else is real. */
export interface DemoParts {
  /** Start the app from environment variables, its calls to Shopify going through `dispatcher`. */
  startApp(environment: Readonly<Record<string, string>>, dispatcher: Dispatcher): Promise<DemoApp>;
  /** Start a verification service on this machine. */
  startService(): Promise<DemoService>;
  readonly output: { line(text: string): void };
  /** Keep everything running after the table, so that you can look around. */
  readonly serve: boolean;
  /** Print JSON instead of the table. */
  readonly json: boolean;
}

/** The app under demonstration. */
export interface DemoApp {
  readonly url: URL;
  stop(): Promise<void>;
}

/** The verification service of the demo. */
export interface DemoService {
  readonly url: URL;
  readonly apiKey: string;
  /** Paid calls so far. */
  credits(): number;
  stop(): Promise<void>;
}

const SHOP = "holdfast-demo.myshopify.com";
const API_KEY = "demo-client-id";
/** Deliveries of each order before and after the restart: the platform promises at least one. */
const DELIVERIES = 5;
const PATIENCE_MS = 60_000;
const POLL_MS = 25;

interface ListedOrder {
  readonly orderId: string;
  readonly name: string;
  readonly state: string;
  readonly riskLevel: string | null;
  readonly action: string | null;
  readonly source: string | null;
  readonly creditsSpent: number;
}

interface Outcome {
  readonly order: DemoOrder;
  readonly listed: ListedOrder | undefined;
  readonly observed: ObservedOrder | null;
}

/** Run the demo. Resolves to true if everything printed was read back and is correct. */
export async function runShopifyDemo(parts: DemoParts): Promise<boolean> {
  const { output, json } = parts;
  const folder = await mkdtemp(join(tmpdir(), "holdfast-demo-"));
  const secret = randomBytes(24).toString("hex");
  const emulator = createAdminEmulator({ apiKey: API_KEY, apiSecret: secret, grants: FIXED_DATES });
  const service = await parts.startService();
  await emulator.listen();
  const dispatcher = createEmulatorDispatcher(emulator);
  const environment = {
    PORT: "0",
    DATABASE_URL: `sqlite:${join(folder, "holdfast.db")}`,
    VERIFY_URL: service.url.href,
    VERIFY_API_KEY: service.apiKey,
    SHOPIFY_API_KEY: API_KEY,
    SHOPIFY_API_SECRET: secret,
    SHOPIFY_APP_URL: "https://demo.example",
    LOG_LEVEL: "error",
  };
  let app = await parts.startApp(environment, dispatcher);
  const demo = { emulator, secret, dispatcher };
  try {
    if (!json) {
      output.line(
        `${DEMO_ORDERS.length} orders, each delivered ${DELIVERIES} times, then the app is restarted and all come again`,
      );
    }
    addOrders(emulator);
    await savePolicy(app, emulator);
    await deliverAll(app, secret);
    await untilEnded(app, demo);
    await app.stop();
    app = await parts.startApp(environment, dispatcher);
    await deliverAll(app, secret);
    const listed = await untilEnded(app, demo);
    const outcomes = await readBack(listed, demo);
    const report = toReport(outcomes, service, emulator);
    output.line(json ? JSON.stringify(report) : toText(report));
    if (parts.serve) {
      const token = await createSignInToken(app, emulator);
      output.line(json ? JSON.stringify({ console: app.url.href, token }) : toWelcome(app.url.href, token));
      await untilInterrupted();
    }
    return report.ok;
  } finally {
    await app.stop();
    await dispatcher.close();
    await emulator.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A token to sign in with outside Shopify's admin, created as the shop's owner. */
async function createSignInToken(app: DemoApp, emulator: AdminEmulator): Promise<string> {
  const answer = await request(new URL("api/people", app.url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${emulator.createSessionToken(SHOP)}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ name: "Demo visitor", role: "owner" }),
  });
  if (answer.statusCode !== 201) throw new Error(`creating a sign-in token returned ${answer.statusCode}`);
  return ((await answer.body.json()) as { token: string }).token;
}

interface Demo {
  readonly emulator: AdminEmulator;
  readonly secret: string;
  readonly dispatcher: Dispatcher;
}

function addOrders(emulator: AdminEmulator): void {
  const shop = emulator.shop(SHOP);
  for (const [index, order] of DEMO_ORDERS.entries()) {
    const { orderId, routedLate } = order;
    const payload = toPayload(order, index + 1);
    shop.addOrder({ orderId, routed: routedLate === true ? 0 : 1, customer: null, payload });
  }
}

async function deliverAll(app: DemoApp, secret: string): Promise<void> {
  const deliveries = DEMO_ORDERS.flatMap((order, index) => {
    const body = toPayload(order, index + 1);
    const webhookId = `demo-${order.orderId}`;
    // Most repeats are the same delivery. One is from a second subscription and has its own ID.
    return Array.from({ length: DELIVERIES }, (_, repeat) =>
      signDelivery(secret, {
        shop: SHOP,
        topic: "orders/create",
        body,
        ...(repeat === 0 ? {} : { webhookId }),
      }),
    );
  });
  await Promise.all(deliveries.map((delivery) => post(app, delivery)));
}

async function post(app: DemoApp, { headers, body }: ReturnType<typeof signDelivery>): Promise<void> {
  const answer = await request(new URL("webhooks/shopify", app.url), { method: "POST", headers, body });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`a webhook delivery returned ${answer.statusCode}`);
}

async function listOrders(app: DemoApp, emulator: AdminEmulator): Promise<readonly ListedOrder[]> {
  const authorization = `Bearer ${emulator.createSessionToken(SHOP)}`;
  const answer = await request(new URL("api/orders?limit=100", app.url), { headers: { authorization } });
  if (answer.statusCode !== 200) throw new Error(`listing orders returned ${answer.statusCode}`);
  return ((await answer.body.json()) as { orders: readonly ListedOrder[] }).orders;
}

/** The shop's owner opens the app and saves the default policy. Until then orders are held instead of canceled. */
async function savePolicy(app: DemoApp, emulator: AdminEmulator): Promise<void> {
  const answer = await request(new URL("api/policy", app.url), {
    method: "PUT",
    headers: {
      authorization: `Bearer ${emulator.createSessionToken(SHOP)}`,
      "content-type": "application/json",
    },
    body: "{}",
  });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`saving the policy returned ${answer.statusCode}`);
}

/** Wait until every order is finished. Route the late ones once the app waits for that. */
async function untilEnded(app: DemoApp, { emulator, secret }: Demo): Promise<readonly ListedOrder[]> {
  const ended = new Set(["settled", "review", "failed"]);
  const deadlineMs = Date.now() + PATIENCE_MS;
  const shop = emulator.shop(SHOP);
  for (;;) {
    const listed = await listOrders(app, emulator);
    if (listed.length === DEMO_ORDERS.length && listed.every(({ state }) => ended.has(state))) return listed;
    if (Date.now() > deadlineMs) throw new Error("the orders did not finish within a minute");
    for (const { orderId } of listed.filter(({ state }) => state === "waiting")) {
      if (shop.findOrder(orderId)?.fulfillmentOrders.length !== 0) continue;
      for (const routed of shop.routeOrder(orderId)) {
        const body = JSON.stringify({ fulfillment_order: { id: routed.id, status: "open" } });
        await post(
          app,
          signDelivery(secret, { shop: SHOP, topic: "fulfillment_orders/order_routing_complete", body }),
        );
      }
    }
    await sleep(POLL_MS);
  }
}

/** The demo's orders have fixed dates, which may be more than 60 days ago. */
const FIXED_DATES = ["read_all_orders"];

/** What the platform shows, read from its API with a separate token. */
async function readBack(listed: readonly ListedOrder[], demo: Demo): Promise<readonly Outcome[]> {
  const token = demo.emulator.shop(SHOP).tokens.issue().access_token;
  const tokens = { access: async () => token, renew: async () => token, discard: async () => {} };
  const client = createAdminClient({ tokens, dispatcher: demo.dispatcher });
  return Promise.all(
    DEMO_ORDERS.map(async (order) => {
      const observed = await observeOrder(client, API_KEY, `shopify:${SHOP}`, order.orderId, undefined);
      return {
        order,
        listed: listed.find(({ orderId }) => orderId === order.orderId),
        observed: observed === "hidden" ? null : observed,
      };
    }),
  );
}

/** What the demo prints. */
type Report = ReturnType<typeof toReport>;

function toReport(outcomes: readonly Outcome[], service: DemoService, emulator: AdminEmulator) {
  const orders = outcomes.map((outcome) => {
    const { order, listed, observed } = outcome;
    const { name = "missing", riskLevel = null, action = null, source = null, creditsSpent } = listed ?? {};
    const decided = { riskLevel, action, source, platform: toShown(observed), creditsSpent };
    return { orderId: order.orderId, name, story: order.story, ...decided, ok: isRight(outcome) };
  });
  const expectedCredits = DEMO_ORDERS.reduce((sum, order) => sum + order.expected.credits, 0);
  const creditsSpent = service.credits();
  const refused = emulator.operations.filter(({ errors }) => errors.length > 0).length;
  const restCalls = emulator.requests.filter(
    ({ path }) => !/graphql\.json$|oauth\/access_token$/.test(path),
  ).length;
  return {
    ok: orders.every(({ ok }) => ok) && creditsSpent === expectedCredits && refused === 0 && restCalls === 0,
    orders,
    deliveries: DEMO_ORDERS.length * DELIVERIES * 2,
    creditsSpent,
    expectedCredits,
    graphqlCalls: emulator.operations.length,
    refused,
    restCalls,
  };
}

function toText({ orders, ...totals }: Report): string {
  const heading = ["order", "story", "level", "action", "by", "the platform now shows", "credits", ""];
  const rows = orders.map((order) => [
    order.name,
    order.story,
    order.riskLevel ?? "-",
    order.action ?? "-",
    order.source ?? "-",
    order.platform,
    String(order.creditsSpent),
    order.ok ? "ok" : "WRONG",
  ]);
  return (
    `${toTable(heading, rows)}\n` +
    `${totals.deliveries} deliveries, ${totals.creditsSpent} credits spent (expected ${totals.expectedCredits}), ` +
    `${totals.graphqlCalls} GraphQL calls (${totals.refused} refused by the schema), ${totals.restCalls} REST calls`
  );
}

function toWelcome(url: string, token: string): string {
  return `console: ${url} (stop with Ctrl-C)\nsign in as the demo shop with: ${token}`;
}

function isRight({ order, listed, observed }: Outcome): boolean {
  const { levels, actions, credits, shown } = order.expected;
  if (listed === undefined || observed === null) return false;
  const judgedHere = listed.source === "local";
  const cancelled = observed.cancelled === (shown.cancelled || order.payload?.["cancelled_at"] !== undefined);
  const followed =
    judgedHere ||
    (observed.holds.length > 0 === shown.held && sameSet(observed.tags, shown.tags) && cancelled);
  return (
    followed &&
    levels.includes(listed.riskLevel) &&
    actions.includes(listed.action ?? "") &&
    listed.creditsSpent === credits
  );
}

function sameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((entry) => right.includes(entry));
}

function toShown(observed: ObservedOrder | null): string {
  if (observed === null) return "nothing";
  const parts = [
    ...(observed.cancelled ? ["canceled"] : []),
    ...observed.holds.map(() => "held"),
    ...observed.tags,
    ...(observed.assessment === null ? [] : [`risk ${observed.assessment}`]),
  ];
  return parts.length === 0 ? "untouched" : parts.join(", ");
}

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}
