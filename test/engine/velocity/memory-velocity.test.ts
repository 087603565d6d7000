import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { VelocityCounts, VelocityStore } from "../../../src/engine/velocity/velocity-store.ts";
import { createMemoryVelocity } from "../../../src/engine/velocity/memory-velocity.ts";
import type { VelocityKeys } from "../../../src/engine/velocity/keys.ts";
import { createTestStore } from "../../support/test-store.ts";
import { describeVelocityCounts } from "../../store/conformance-velocity.ts";
import { velocityKeys } from "../../support/velocity.ts";

const T0 = Date.UTC(2026, 10, 20, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TENANT = "shop";

interface Recorded {
  readonly orderKey: string;
  readonly keys: VelocityKeys;
  readonly atMs: number;
}

const key = (...names: string[]) => fc.option(fc.constantFrom(...names), { nil: undefined });
const keysArbitrary: fc.Arbitrary<VelocityKeys> = fc.record({
  mailbox: key("m1", "m2"),
  email: key("e1", "e2", "e3", "e4"),
  network: key("n1", "n2"),
  card: key("c1", "c2", "c3"),
  address: key("a1", "a2"),
  billingPostcode: key("p1", "p2", "p3"),
});
const orderArbitrary: fc.Arbitrary<Recorded> = fc.record({
  orderKey: fc.constantFrom(..."abcdefghij".split("")),
  keys: keysArbitrary,
  // Near the ends of the windows as well as in between.
  atMs: fc
    .tuple(fc.constantFrom(0, HOUR_MS, DAY_MS, 7 * DAY_MS), fc.integer({ min: -1, max: 1_000 }))
    .map(([backMs, moreMs]) => T0 - backMs + moreMs),
});
const ordersArbitrary = fc.uniqueArray(orderArbitrary, {
  selector: ({ orderKey }) => orderKey,
  maxLength: 10,
});
const probeArbitrary = fc.record({
  orderKey: fc.constant("probe"),
  keys: keysArbitrary,
  atMs: fc.constant(T0),
});

async function recordAll(velocity: VelocityStore, orders: readonly Recorded[]): Promise<VelocityCounts> {
  const told = [];
  for (const { orderKey, keys, atMs } of orders)
    told.push(await velocity.record(TENANT, orderKey, keys, atMs));
  return told.at(-1) ?? expect.fail("nothing was recorded");
}

/** The same count in the plainest way. */
function countPlainly(orders: readonly Recorded[], probe: Recorded): VelocityCounts {
  const count = (
    link: "mailbox" | "network" | "card" | "address",
    windowMs: number,
    what: (order: Recorded) => string | undefined,
  ): number | undefined => {
    if (probe.keys[link] === undefined) return undefined;
    const linked = [...orders, probe].filter(
      ({ keys, atMs }) =>
        keys[link] === probe.keys[link] && atMs <= probe.atMs && atMs > probe.atMs - windowMs,
    );
    const found = new Set(linked.map(what).filter((one) => one !== undefined)).size;
    return found === 0 ? undefined : found;
  };
  return {
    emailOrders1h: count("mailbox", HOUR_MS, ({ orderKey }) => orderKey),
    ipEmails24h: count("network", DAY_MS, ({ keys }) => keys.email),
    cardEmails7d: count("card", 7 * DAY_MS, ({ keys }) => keys.email),
    addressEmails7d: count("address", 7 * DAY_MS, ({ keys }) => keys.email),
    emailCards24h: count("mailbox", DAY_MS, ({ keys }) => keys.card),
    emailBillingPostcodes7d: count("mailbox", 7 * DAY_MS, ({ keys }) => keys.billingPostcode),
    cardBillingPostcodes7d: count("card", 7 * DAY_MS, ({ keys }) => keys.billingPostcode),
    emailAddresses7d: count("mailbox", 7 * DAY_MS, ({ keys }) => keys.address),
    cardAddresses7d: count("card", 7 * DAY_MS, ({ keys }) => keys.address),
  };
}

describe("createMemoryVelocity", () => {
  describeVelocityCounts(async () => createMemoryVelocity());

  it("counts the same as a plain count, in whatever order orders arrive", async () => {
    await fc.assert(
      fc.asyncProperty(
        ordersArbitrary.chain((orders) =>
          fc.tuple(fc.constant(orders), fc.shuffledSubarray(orders, { minLength: orders.length })),
        ),
        probeArbitrary,
        async ([orders, shuffled], probe) => {
          const expected = countPlainly(orders, probe);
          expect(await recordAll(createMemoryVelocity(), [...orders, probe])).toMatchObject(expected);
          expect(await recordAll(createMemoryVelocity(), [...shuffled, probe])).toMatchObject(expected);
        },
      ),
    );
  });

  it("counts like the database", async () => {
    await fc.assert(
      fc.asyncProperty(ordersArbitrary, probeArbitrary, async (orders, probe) => {
        const store = await createTestStore();
        try {
          const all = [...orders, probe];
          expect(await recordAll(createMemoryVelocity(), all)).toEqual(await recordAll(store.velocity, all));
        } finally {
          await store.close();
        }
      }),
      { numRuns: 25 },
    );
  });

  it("doesn't change when orders arrive again", async () => {
    await fc.assert(
      fc.asyncProperty(ordersArbitrary, probeArbitrary, async (orders, probe) => {
        const once = await recordAll(createMemoryVelocity(), [...orders, probe]);
        expect(await recordAll(createMemoryVelocity(), [...orders, probe, ...orders, probe])).toEqual(once);
      }),
    );
  });

  it("counts what was true when an order was remembered, however late somebody asks", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(orderArbitrary, { minLength: 1, maxLength: 20 }), async (orders) => {
        const [early, late] = [createMemoryVelocity(), createMemoryVelocity()];
        const told: unknown[] = [];
        const counts: (() => unknown)[] = [];
        for (const { orderKey, keys, atMs } of orders) {
          told.push(await early.record(TENANT, orderKey, keys, atMs));
          counts.push(await late.remember(TENANT, orderKey, keys, atMs));
        }
        expect(counts.map((count) => count())).toEqual(told);
      }),
    );
  });

  it("never counts less than the order itself", async () => {
    await fc.assert(
      fc.asyncProperty(ordersArbitrary, probeArbitrary, async (orders, probe) => {
        const counts = await recordAll(createMemoryVelocity(), [...orders, probe]);
        for (const count of Object.values(counts)) expect(count ?? 1).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  it("keeps only the newest orders within its limit", async () => {
    const velocity = createMemoryVelocity(10);
    for (let index = 0; index < 50; index += 1) {
      const keys = velocityKeys({ mailbox: `m${index % 25}`, email: `m${index}`, network: `n${index}` });
      await velocity.record(TENANT, `o${index}`, keys, T0 + index);
    }

    expect(velocity.size).toBe(10);
    const counts = await velocity.record(TENANT, "new", velocityKeys({ mailbox: "m24" }), T0 + 50);
    expect(counts.emailOrders1h).toBe(2);
  });

  it("drops the orders of a flood, and not the others", async () => {
    const velocity = createMemoryVelocity();
    await velocity.record(TENANT, "before", velocityKeys({ mailbox: "victim" }), T0);
    for (let index = 0; index < 5_000; index += 1) {
      const keys = velocityKeys({ mailbox: `m${index}`, email: `m${index}`, network: "n" });
      await velocity.record(TENANT, `o${index}`, keys, T0 + index);
    }

    expect(velocity.size).toBeLessThanOrEqual(201);
    const counts = await velocity.record(TENANT, "after", velocityKeys({ mailbox: "victim" }), T0 + 6_000);
    expect(counts.emailOrders1h).toBe(2);
  });

  it("forgets old orders as new ones arrive", async () => {
    const velocity = createMemoryVelocity();
    for (let index = 0; index < 20; index += 1)
      await velocity.record(TENANT, `old${index}`, velocityKeys({ mailbox: `m${index}` }), T0 + index);
    for (let index = 0; index < 3; index += 1)
      await velocity.record(TENANT, `new${index}`, velocityKeys({ mailbox: "m" }), T0 + 9 * DAY_MS + index);

    expect(velocity.size).toBe(3);
  });
});
