import { deepEqual, equal, fail, ok } from "node:assert/strict";
import { z } from "zod";
import { verificationRequestSchema } from "../order/request.ts";
import type { Platform, PlatformEvent, PlatformOrder } from "../platform/platform.ts";
import { SKIP_REASONS } from "../order/skip-reasons.ts";
import type { AdapterCheck, AdapterUnderTest } from "./adapter-under-test.ts";
import { expectAccepted } from "./authentication-cases.ts";
import { expectShape } from "./contract-case.ts";
import { toStrangeBodies } from "./strange-bodies.ts";

const KINDS: Readonly<Record<PlatformEvent["kind"], true>> = {
  order: true,
  "order-changed": true,
  "order-cancelled": true,
  "order-ready": true,
  dispute: true,
  "check-requested": true,
  "context-changed": true,
  uninstalled: true,
  "permissions-changed": true,
  "erase-customer": true,
  "erase-tenant": true,
  "report-customer": true,
  refused: true,
  ignored: true,
};
const MAPPED = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("screenable"), test: z.boolean(), request: verificationRequestSchema }),
  z.object({
    outcome: z.literal("unscreenable"),
    test: z.boolean(),
    reason: z.enum(SKIP_REASONS),
    known: z.looseObject({}),
  }),
]);
const ORDER = z.object({
  orderId: z.string().min(1),
  name: z.string(),
  customerId: z.string().optional(),
  amount: z.number().optional(),
  currency: z.string().optional(),
  fulfilled: z.literal(true).optional(),
  refunded: z.literal(true).optional(),
  mapped: MAPPED,
});
const NO_TOPIC = "holdfast/no-such-topic";

/** Cases for interpreting deliveries and mapping orders. */
export const MAPPING_CHECKS: Readonly<Record<string, AdapterCheck>> = {
  "maps the order in a delivery": async (adapter) => {
    const { orderId, order } = await receive(adapter);
    equal(order.orderId, orderId);
    expectOrder(order);
    equal(order.mapped.outcome, "screenable", "expected the placed order to be one that can be checked");
  },
  "gives the same event for the same delivery": async (adapter) => {
    const { delivery } = await adapter.placeOrder();
    const { topic } = expectAccepted(adapter.platform.authenticate(delivery));
    const interpret = () =>
      adapter.platform.interpret({ tenant: adapter.tenant, topic, body: delivery.body });
    deepEqual(interpret(), interpret());
  },
  "ignores a topic that it does not know, with a reason": async (adapter) => {
    const { platform, tenant } = adapter;
    const { body } = (await adapter.placeOrder()).delivery;
    const event = platform.interpret({ tenant, topic: NO_TOPIC, body });
    ok(event.kind === "ignored" && event.reason !== "", `expected it to be ignored, got ${event.kind}`);
  },
  "reads any bytes as an event, and each order as a valid request or a named reason": async (adapter) => {
    const { platform, tenant } = adapter;
    const { delivery } = await adapter.placeOrder();
    const { topic } = expectAccepted(platform.authenticate(delivery));
    for (const body of toStrangeBodies(delivery.body)) expectEvent(platform, { tenant, topic, body });
  },
  "adds detail to an order and leaves it valid": async (adapter) => {
    const { order } = await receive(adapter);
    const { mapped, limitations } = await adapter.platform.enrich(adapter.tenant, order);
    expectShape(MAPPED, mapped);
    equal(mapped.outcome, order.mapped.outcome);
    ok(
      limitations.every((one) => typeof one === "string" && one !== ""),
      "expected limitations to be text",
    );
  },
  "leaves an order unchanged when no detail is available": async (adapter) => {
    const { order } = await receive(adapter);
    const giveBack = await adapter.deprive("connection");
    ok(giveBack !== null, "expected a platform that can lose its connection");
    const { mapped, limitations } = await adapter.platform.enrich(adapter.tenant, order);
    giveBack();
    deepEqual(mapped, order.mapped);
    ok(limitations.length > 0, "expected the reason in limitations");
  },
};

/** Place an order and interpret its delivery. */
async function receive(adapter: AdapterUnderTest): Promise<{ orderId: string; order: PlatformOrder }> {
  const { platform, tenant } = adapter;
  const { orderId, delivery } = await adapter.placeOrder();
  const { topic } = expectAccepted(platform.authenticate(delivery));
  const event = platform.interpret({ tenant, topic, body: delivery.body });
  return event.kind === "order"
    ? { orderId, order: event.order }
    : fail(`expected an order, got ${event.kind}`);
}

/** Fails unless an order has the shape of the interface, its request included. */
export function expectOrder(order: PlatformOrder): void {
  expectShape(ORDER, order);
}

function expectEvent(platform: Platform, delivery: Parameters<Platform["interpret"]>[0]): void {
  let event: PlatformEvent;
  try {
    event = platform.interpret(delivery);
  } catch (error) {
    // The bytes say more than the error. They are made up, or from a made-up order.
    const start = delivery.body.toString("latin1", 0, 60);
    return fail(
      `expected an event, got ${String(error)} for a body that begins with ${JSON.stringify(start)}`,
    );
  }
  ok(Object.hasOwn(KINDS, event.kind), `expected an event of the interface, got ${event.kind}`);
  if (event.kind === "ignored")
    ok(typeof event.reason === "string" && event.reason !== "", "expected a reason");
  if (event.kind === "order" || event.kind === "order-changed") expectOrder(event.order);
}
