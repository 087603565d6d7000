import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KeptSignals } from "../../../src/engine/own-weights.ts";
import type { Decision } from "../../../src/order/decision.ts";
import { countKnownOutcomes } from "../../../src/pipeline/report/calibration.ts";
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
}

async function keep(orderId: string, { tenant = TENANT, decided = {}, seen }: Kept): Promise<void> {
  await store.orders.receive(order(orderId, { tenant }), entry("received"));
  await store.orders.claim(claim("p1", { limit: 1_000 }));
  const signals: KeptSignals | undefined = seen && {
    base: 10,
    missing: [],
    seen: Object.entries(seen).map(([code, points]) => ({ code, group: "time", points })),
  };
  const local = decision({ action: "allow", riskLevel: "low", source: "local", ...decided });
  const changes = { state: "settled", dueAtMs: null, decision: local, facts: { ...FACTS, signals } } as const;
  await store.orders.save({ tenant, orderId }, "p1", { changes, release: true });
}

const DECLINED = { source: "person", action: "cancel", declineReason: "stolen-payment" } as const;

describe("countKnownOutcomes", () => {
  it("counts the signals of orders with a known outcome, if the local engine judged them", async () => {
    await keep("good", { seen: { NIGHT: 6, SAME_PLACE: -6 } });
    await keep("plain", { seen: {} });
    await keep("fraud", { decided: DECLINED, seen: { NIGHT: 6, ACCOUNT_NEW: 8 } });
    await keep("fraud-too", { decided: DECLINED, seen: { ACCOUNT_NEW: 3 } });
    await keep("refunded", { seen: { NIGHT: 6 } });
    await store.outcomes.noteRefund({ tenant: TENANT, orderId: "refunded" }, entry("refunded"));
    await keep("nobody-knows", { decided: { action: "hold" }, seen: { NIGHT: 6 } });
    await keep("the-services", { decided: { ...DECLINED } });
    await keep("another-shops", { tenant: OTHER_TENANT, decided: DECLINED, seen: { NIGHT: 6 } });

    expect(await countKnownOutcomes(store, TENANT, WINDOW, NOW_MS)).toEqual({
      fraud: 2,
      good: 2,
      signals: [
        { code: "ACCOUNT_NEW", points: 5.5, fraud: 2, good: 0 },
        { code: "NIGHT", points: 6, fraud: 1, good: 1 },
        { code: "SAME_PLACE", points: -6, fraud: 0, good: 1 },
      ],
    });
  });

  it("doesn't count an order that was erased on request", async () => {
    await keep("good", { seen: { NIGHT: 6 } });
    await store.retention.eraseOrders(
      { tenant: TENANT, orderIds: ["good"], customerId: undefined, email: undefined },
      entry("erased", NOW_MS),
    );
    expect(await countKnownOutcomes(store, TENANT, WINDOW, NOW_MS)).toMatchObject({ good: 0, signals: [] });
  });
});
