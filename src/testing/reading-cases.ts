import { deepEqual, equal, fail, ok } from "node:assert/strict";
import { z } from "zod";
import { isHoldfastError } from "../base/errors.ts";
import type { ObservedOrder, PlatformOrder } from "../platform/platform.ts";
import type { AdapterCheck, AdapterUnderTest } from "./adapter-under-test.ts";
import { expectShape } from "./contract-case.ts";
import { expectOrder } from "./mapping-cases.ts";

const HOUR_MS = 3_600_000;
/** More pages than a platform needs for a handful of orders. */
const MOST_PAGES = 50;
const PLACED = 3;
const OBSERVATION = z.object({
  cancelled: z.boolean(),
  fulfilled: z.boolean(),
  partlyFulfilled: z.boolean(),
  holdable: z.boolean(),
  tags: z.array(z.string()),
  holds: z.array(z.object({ holdId: z.string().min(1), reference: z.string() })),
  assessment: z.string().nullable(),
});
const LINE = z.string().regex(/^[^\n]+$/);
const FINDINGS = z.array(
  z.object({
    id: z.string().regex(/^[a-z-]+(?:\.[a-z-]+)*$/),
    status: z.enum(["ok", "warning", "problem", "skipped"]),
    found: LINE,
    advice: LINE.nullable(),
  }),
);

/** Cases for what the adapter reads from its platform. */
export const READING_CHECKS: Readonly<Record<string, AdapterCheck>> = {
  "observes an untouched order": async (adapter) => {
    const { orderId } = await adapter.placeOrder();
    const order = await adapter.platform.observe(adapter.tenant, orderId);
    ok(order !== null && order !== "hidden", "expected the placed order to be there");
    expectObservation(order);
    deepEqual({ cancelled: order.cancelled, holds: order.holds }, { cancelled: false, holds: [] });
  },
  "observes null for an unknown order": async ({ platform, tenant, unknownOrderId }) => {
    equal(await platform.observe(tenant, unknownOrderId), null);
  },
  "reads a placed order like its next delivery, and null for an unknown order": async (adapter) => {
    const { platform, tenant, unknownOrderId } = adapter;
    const { orderId } = await adapter.placeOrder();
    const order = await platform.readOrder(tenant, orderId);
    ok(order !== null, "expected the placed order to be there");
    equal(order.orderId, orderId);
    expectOrder(order);
    const { updatedAtMs } = order;
    ok(updatedAtMs === undefined || Number.isFinite(updatedAtMs), "expected updatedAtMs to be a time");
    equal(await platform.readOrder(tenant, unknownOrderId), null);
  },
  "reports that the access of a tenant that installed the app works": async ({ platform, tenant }) => {
    equal(await platform.confirmAccess(tenant), "works");
  },
  "reports that the access of a tenant that uninstalled the app is refused, and keeps its data": async (
    adapter,
  ) => {
    const { platform, tenant } = adapter;
    const giveBack = await adapter.deprive("installation");
    if (giveBack === null) return;
    equal(await platform.confirmAccess(tenant), "refused");
    equal(await platform.confirmAccess(tenant), "refused");
    giveBack();
    equal(await platform.confirmAccess(tenant), "works");
  },
  "doesn't mistake missing access or no answer for an uninstallation": async (adapter) => {
    const { platform, tenant } = adapter;
    const giveAccessBack = await adapter.deprive("access");
    if (giveAccessBack !== null) equal(await platform.confirmAccess(tenant), "unknown");
    giveAccessBack?.();
    const giveBack = await adapter.deprive("connection");
    ok(giveBack !== null, "expected a platform that can lose its connection");
    const error = await platform.confirmAccess(tenant).then(
      (state) => fail(`expected an error without a connection, got ${state}`),
      (cause: unknown) => cause,
    );
    giveBack();
    ok(isHoldfastError(error) && error.retryable, "expected an error that says to try again");
  },
  "lists the orders of a window, each once and oldest first": async (adapter) => {
    const placed = await placeSome(adapter);
    const listed = (await listAll(adapter, window(placed))).map(({ orderId }) => orderId);
    deepEqual(
      listed,
      placed.toSorted((one, other) => one.createdAtMs - other.createdAtMs).map(({ orderId }) => orderId),
    );
  },
  "lists orders like their deliveries": async (adapter) => {
    for (const order of await listAll(adapter, window(await placeSome(adapter)))) expectOrder(order);
  },
  "lists no order from before or after a window": async (adapter) => {
    const { sinceMs, untilMs } = window(await placeSome(adapter));
    deepEqual(await listAll(adapter, { sinceMs: untilMs + HOUR_MS, untilMs: untilMs + 2 * HOUR_MS }), []);
    deepEqual(await listAll(adapter, { sinceMs: sinceMs - 2 * HOUR_MS, untilMs: sinceMs - HOUR_MS }), []);
  },
  "locates the order of a reference, and none for an unknown reference": async (adapter) => {
    const { orderId, reference } = await adapter.placeOrder();
    const { platform, tenant } = adapter;
    if (reference !== undefined) equal(await platform.locate(tenant, reference), orderId);
    equal(await platform.locate(tenant, "holdfast-contract-no-such-reference"), null);
  },
  "opens no session for an invalid token": async ({ platform }) => {
    for (const bearer of ["", "none", "a.b.c", "x".repeat(10_000)]) {
      equal(await platform.openSession(bearer), null);
    }
  },
  "gives a page or null for any query": ({ platform }) => {
    for (const query of [{}, { shop: "", host: "" }, { shop: "'><script>", host: "x" }]) {
      const page = platform.page(query);
      if (page === null) continue;
      ok(!page.head.includes("'><script>"), "expected the query to be escaped");
      ok(
        page.frameAncestors.every((source) => !/[\s;,]/.test(source)),
        "expected sources of one word each",
      );
    }
  },
  "diagnoses an installation, even when the platform doesn't answer": async (adapter) => {
    const { platform, tenant } = adapter;
    await expectFindings(adapter);
    const giveBack = await adapter.deprive("connection");
    await expectFindings(adapter);
    giveBack?.();
    await platform.diagnose?.(tenant);
  },
};

/** Fails unless an observation has the shape of the interface. */
export function expectObservation(order: ObservedOrder): void {
  expectShape(OBSERVATION, order);
}

interface Window {
  readonly sinceMs: number;
  readonly untilMs: number;
}

async function placeSome(adapter: AdapterUnderTest) {
  const placed = [];
  for (let count = 0; count < PLACED; count += 1) placed.push(await adapter.placeOrder());
  return placed;
}

function window(placed: readonly { readonly createdAtMs: number }[]): Window {
  const times = placed.map(({ createdAtMs }) => createdAtMs);
  return { sinceMs: Math.min(...times), untilMs: Math.max(...times) };
}

async function listAll({ platform, tenant }: AdapterUnderTest, span: Window) {
  const orders: PlatformOrder[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await platform.recentOrders(tenant, { ...span, cursor });
    orders.push(...page.orders);
    if (page.nextCursor === null) return orders;
    cursor = page.nextCursor;
  }
  throw new Error(`expected the list to end within ${MOST_PAGES} pages`);
}

async function expectFindings({ platform, tenant }: AdapterUnderTest): Promise<void> {
  for (const subject of [tenant, null]) {
    expectShape(FINDINGS, (await platform.diagnose?.(subject)) ?? []);
  }
}
