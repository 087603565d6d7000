import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KeptSignals } from "../../../src/engine/model/kept-signals.ts";
import type { Decision } from "../../../src/order/decision.ts";
import { trainModel } from "../../../src/pipeline/report/calibration.ts";
import { UNDISPUTED_AFTER_MS } from "../../../src/pipeline/report/outcome.ts";
import { toOrderFacts, toStoredFacts } from "../../../src/policy/order-facts.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { anOrder } from "../../support/orders.ts";
import { claim, decision, entry, order, OTHER_TENANT, T0, TENANT } from "../../store/samples.ts";

const NOW_MS = T0 + UNDISPUTED_AFTER_MS;
const WINDOW = { sinceMs: T0 - 1, untilMs: NOW_MS };
const FACTS = toStoredFacts(toOrderFacts(anOrder()));

let store: Store;

beforeEach(async () => {
  store = await createTestStore();
});
afterEach(() => store.close());

interface Kept {
  readonly tenant?: string;
  readonly decided?: Partial<Decision>;
  /** Points by code. Absent: the local engine didn't judge it. */
  readonly seen?: Readonly<Record<string, number>>;
  /** What else is known of its signals. */
  readonly about?: Partial<KeptSignals>;
}

async function keep(orderId: string, { tenant = TENANT, decided = {}, seen, about }: Kept): Promise<void> {
  await store.orders.receive(order(orderId, { tenant }), entry("received"));
  await store.orders.claim(claim("p1", { limit: 1_000 }));
  const signals: KeptSignals | undefined = seen && {
    base: 10,
    missing: [],
    measures: {},
    seen: Object.entries(seen).map(([code, points]) => ({ code, group: "time", points })),
    ...about,
  };
  const local = decision({ action: "allow", riskLevel: "low", source: "local", ...decided });
  const changes = { state: "settled", dueAtMs: null, decision: local, facts: { ...FACTS, signals } } as const;
  await store.orders.save({ tenant, orderId }, "p1", { changes, release: true });
}

const DECLINED = { source: "person", action: "cancel", declineReason: "stolen-payment" } as const;

async function countKnown(nowMs = NOW_MS) {
  return (await trainModel(store, TENANT, WINDOW, nowMs)).known;
}

describe("trainModel", () => {
  it("learns from orders with a known outcome, if the local engine judged them", async () => {
    await keep("good", { seen: { NIGHT: 6, SAME_PLACE: -6 } });
    await keep("plain", { seen: {} });
    await keep("fraud", { decided: DECLINED, seen: { NIGHT: 6, ACCOUNT_NEW: 8 } });
    await keep("refunded", { seen: { NIGHT: 6 } });
    await store.outcomes.noteRefund({ tenant: TENANT, orderId: "refunded" }, entry("refunded"));
    await keep("nobody-knows", { decided: { action: "hold" }, seen: { NIGHT: 6 } });
    await keep("the-services", { decided: { ...DECLINED } });
    await keep("another-shops", { tenant: OTHER_TENANT, decided: DECLINED, seen: { NIGHT: 6 } });

    expect(await countKnown()).toEqual({ fraud: 1, good: 2 });
  });

  it("never learns from orders on which a model had a say, but does from those that were held out", async () => {
    await keep("its-fraud", { decided: DECLINED, seen: { NIGHT: 6 }, about: { byModel: true } });
    await keep("its-good", { seen: {}, about: { byModel: true } });
    await keep("held-out", { decided: DECLINED, seen: { NIGHT: 6 }, about: { isHeldOut: true } });

    expect(await countKnown()).toEqual({ fraud: 1, good: 0 });
  });

  it("learns nothing from orders that nobody approved and that are too young to have shown that they are good", async () => {
    await keep("young", { seen: { NIGHT: 6 } });
    expect(await countKnown(NOW_MS - 1_000)).toEqual({ fraud: 0, good: 0 });
  });

  it("doesn't learn from an order that was erased on request", async () => {
    await keep("good", { seen: { NIGHT: 6 } });
    await store.retention.eraseOrders(
      { tenant: TENANT, orderIds: ["good"], customerId: undefined, email: undefined },
      entry("erased", NOW_MS),
    );
    expect(await countKnown()).toEqual({ fraud: 0, good: 0 });
  });
});
