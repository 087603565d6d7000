import { DEMO_ORDERS, toPayload, type DemoOrder } from "../../tools/demo/demo-orders.ts";
import type { AdminEmulator } from "../../tools/emulators/shopify/admin-emulator.ts";
import type { OrderPayload } from "../../tools/emulators/shopify/emulated-order.ts";
import type { SandboxService } from "../../src/sandbox/sandbox-service.ts";
import { RISK_BANDS, type RiskLevel } from "../../src/order/risk-level.ts";
import type { Delivery } from "./faulty-app.ts";
import type { ListedOrder } from "./shopify-stage.ts";

/** What an emulated shop shows for an order that was followed through. */
export interface Shown {
  readonly tags: readonly string[];
  readonly holds: number;
  readonly cancellations: number;
  readonly assessments: readonly string[];
}

/** An order of a crash test. */
export interface CrashOrder {
  readonly shop: string;
  readonly orderId: string;
  readonly level: RiskLevel;
  readonly body: string;
}

/** Shopify has no fourth level. */
const ASSESSMENTS = { low: "LOW", medium: "MEDIUM", high: "HIGH", critical: "HIGH" } as const;

const FIRST_ID = 9_820_982_911_000_000_000n;

/** The delivery of an order; another repeat is another subscription's. */
export function toDelivery({ shop, orderId, body }: CrashOrder, repeat = "first"): Delivery {
  return { shop, topic: "orders/create", body, webhookId: `${orderId}-${repeat}` };
}

/** Creates orders that differ in everything that is looked at, and checks their outcome. */
export interface CrashOrders {
  /** A new order of a level, also added to its shop. `payload` goes before its own fields. */
  create(shop: string, level: RiskLevel, payload?: OrderPayload): CrashOrder;
  readonly all: readonly CrashOrder[];
  /** Calls for the order that the service billed. */
  billed(order: CrashOrder): number;
  shown(order: CrashOrder): Shown;
  /** What the shop has to show. */
  expected(order: CrashOrder): Shown;
  /** What the API has to answer. */
  decision(order: CrashOrder): Partial<ListedOrder>;
  /** Calls, for all orders, that repeated an earlier change: they did no harm, and are counted. */
  repeatedMutations(): number;
}

/** Create the {@link CrashOrders} of a stage. */
export function createCrashOrders(stage: {
  readonly emulator: AdminEmulator;
  readonly service: SandboxService;
}): CrashOrders {
  const { emulator, service } = stage;
  const all: CrashOrder[] = [];

  return {
    all,
    create(shop, level, payload = {}) {
      const number = all.length + 1;
      const orderId = String(FIRST_ID + BigInt(number));
      const [least, most] = RISK_BANDS[level];
      const email = `score-${least + (number % (most - least + 1))}@risk.example`;
      const own = { ...toPlace(number), ...payload };
      const body = toPayload({ ...toDemoOrder(level), orderId, email, payload: own }, number);
      // Its content too: the app also asks the shop for its orders.
      emulator.shop(shop).addOrder({ orderId, payload: body });
      const order = { shop, orderId, level, body };
      all.push(order);
      return order;
    },
    billed: ({ orderId }) => service.calls.filter((call) => call.metered && call.orderId === orderId).length,
    shown({ shop, orderId }) {
      const order = emulator.shop(shop).order(orderId);
      return {
        tags: order.tags,
        holds: order.fulfillmentOrders.flatMap(({ holds }) => holds).length,
        cancellations: order.cancellations.length,
        assessments: order.assessments.map(({ riskLevel }) => riskLevel),
      };
    },
    expected({ level }) {
      const { held, cancelled, tags } = toDemoOrder(level).expected.shown;
      const assessments = [ASSESSMENTS[level]];
      return { tags, holds: Number(held), cancellations: Number(cancelled), assessments };
    },
    decision({ level }) {
      const { actions, shown } = toDemoOrder(level).expected;
      return {
        riskLevel: level,
        action: actions[0] ?? null,
        state: shown.held ? "review" : "settled",
        skipReason: null,
      };
    },
    repeatedMutations() {
      const names = emulator.operations
        .filter(({ name }) => MUTATIONS.has(name))
        .map(({ shop, name, variables }) => `${shop} ${name} ${JSON.stringify(variables)}`);
      return names.length - new Set(names).size;
    },
  };
}

/** What the app may change in a shop. It undoes nothing here: no hold is released, no tag removed. */
const MUTATIONS: ReadonlySet<string> = new Set([
  "AddTags",
  "CancelOrder",
  "CreateAssessment",
  "HoldFulfillmentOrder",
]);

/** The demo's order of a level. */
function toDemoOrder(level: RiskLevel): DemoOrder {
  const found = DEMO_ORDERS.find(({ expected }) => expected.levels[0] === level);
  if (found === undefined) throw new Error(`the demo has no ${level} order`);
  return found;
}

/** The order's own address and network, because many orders from one place are treated differently. */
function toPlace(number: number): Readonly<Record<string, unknown>> {
  const address = { ...ADDRESS, address1: `${number} Example Street` };
  return {
    browser_ip: `198.51.${100 + (number >> 8)}.${number & 255}`,
    billing_address: address,
    shipping_address: address,
  };
}

const ADDRESS = {
  first_name: "Jane",
  last_name: "Example",
  name: "Jane Example",
  city: "New York",
  zip: "10118",
  province: "New York",
  province_code: "NY",
  country: "United States",
  country_code: "US",
};
