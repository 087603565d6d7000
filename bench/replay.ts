import { randomBytes } from "node:crypto";
import { parseVerificationRequest, type Decision } from "../src/adapter-kit.ts";
import { DEFAULT_POLICY, parsePolicy, type VerificationRequest } from "../src/index.ts";
import { runReplay } from "../src/pipeline/report/replay-run.ts";
import { chooseAction } from "../src/policy/choose-action.ts";
import { toOrderFacts, toStoredFacts } from "../src/policy/order-facts.ts";
import { createSqliteStore } from "../src/store/opening/sqlite-store.ts";
import type { Store } from "../src/store/store.ts";
import { ROUNDS, type Benchmark } from "./benchmark.ts";
import { interleave, median } from "./figure.ts";
import { FIXTURE_TENANT, mapFixture, readFixtureOrders } from "./fixture-orders.ts";
import { SAMPLE_RESULT } from "./sample-order.ts";
import { toTimelineEntry } from "../src/pipeline/timeline.ts";

const ORDERS = { quick: 1_000, full: 5_000 };
const TENANT = FIXTURE_TENANT;
const POLICY = parsePolicy({
  rules: [{ name: "abroad", when: { minAmount: 100, shippingCountry: ["DE"] }, then: { action: "hold" } }],
});

/** Replays a policy on the orders of a database in which the fields that rules need are sealed. */
export const replay: Benchmark = {
  name: "replay",
  about: "past orders a second in a replay of another policy",
  async run({ quick, progress }) {
    const orders = quick ? ORDERS.quick : ORDERS.full;
    const store = await createSqliteStore({ path: ":memory:", dataKey: randomBytes(32) });
    const requests = readFixtureOrders().map(({ body }) => parseVerificationRequest(mapFixture(body)));
    const facts = requests.map((request) => toOrderFacts(request));
    progress(0, "keeping orders");
    for (let index = 0; index < orders; index += 1)
      await keep(store, index, requests[index % requests.length]);
    const window = { sinceMs: 0, untilMs: Date.now() + 1_000 };

    const rounds = await interleave(
      ROUNDS,
      {
        ours: () =>
          toRate(orders, async () => {
            const { replayed } = await runReplay(store, { tenant: TENANT, policy: POLICY, ...window });
            if (replayed !== orders) throw new Error(`${replayed} of ${orders} orders were replayed`);
          }),
        baseline: () =>
          toRate(orders, async () => {
            for (let index = 0; index < orders; index += 1) {
              const known = facts[index % facts.length];
              if (known !== undefined) decideAgain(known);
            }
          }),
      },
      (done, total) => progress((done + 1) / (total + 1), `round ${done + 1} of ${total}`),
    );
    await store.close();
    const [ours, baseline] = [median(rounds.ours), median(rounds.baseline)];
    return [
      {
        name: "replay",
        unit: "orders/s",
        ours,
        baseline,
        against: "chooseAction() alone, on orders in memory",
        ratio: ours / baseline,
        goal: null,
        rounds,
        notes: ["read page by page, facts unsealed, on SQLite in memory"],
        faults: [],
      },
    ];
  },
};

function decideAgain(facts: ReturnType<typeof toOrderFacts>): Decision {
  const asked = { policyVersion: 0, facts, result: SAMPLE_RESULT, degraded: false } as const;
  return chooseAction({ ...asked, policy: POLICY, source: "service" });
}

async function toRate(orders: number, work: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await work();
  return orders / ((performance.now() - startMs) / 1_000);
}

async function keep(store: Store, index: number, request: VerificationRequest | undefined): Promise<void> {
  if (request === undefined) return;
  const [orderId, nowMs] = [String(index), Date.now()];
  const facts = toOrderFacts(request);
  const entry = toTimelineEntry(nowMs, { kind: "received" }, "", "platform");
  await store.orders.receive(
    {
      tenant: TENANT,
      orderId,
      platform: "shopify",
      name: `#${orderId}`,
      customerId: undefined,
      receivedAtMs: nowMs,
      mapped: { outcome: "screenable", request, test: false },
      amount: request.orderAmount,
      currency: request.currency,
    },
    entry,
  );
  await store.orders.claim({ owner: "bench", nowMs, leaseMs: 60_000, limit: 1 });
  const asked = { policyVersion: 0, facts, result: SAMPLE_RESULT, degraded: false } as const;
  const decision = chooseAction({ ...asked, policy: DEFAULT_POLICY, source: "service" });
  const changes = { state: "settled", dueAtMs: null, decision, facts: toStoredFacts(facts) } as const;
  await store.orders.save({ tenant: TENANT, orderId }, "bench", { changes, release: true });
}
