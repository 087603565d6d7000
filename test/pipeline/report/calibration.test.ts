import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Decision } from "../../../src/order/decision.ts";
import { createOutcomeTally } from "../../../src/pipeline/report/calibration.ts";
import {
  ORDERS_PER_PAGE,
  readDecidedPages,
  UNDISPUTED_AFTER_MS,
  type PageStore,
} from "../../../src/pipeline/report/outcome.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { claim, decision, entry, order, OTHER_TENANT, T0, TENANT } from "../../store/samples.ts";

const NOW_MS = T0 + UNDISPUTED_AFTER_MS;
const WINDOW = { sinceMs: T0 - 1, untilMs: NOW_MS };
const NONE = { fraud: 0, caught: 0, good: 0, stopped: 0, refunded: 0 };

let store: Store;

beforeEach(async () => {
  store = await createTestStore();
});
afterEach(() => store.close());

async function keep(orderId: string, changes: Partial<Decision>, tenant = TENANT): Promise<void> {
  await store.orders.receive(order(orderId, { tenant }), entry("received"));
  await store.orders.claim(claim("p1", { limit: 1_000 }));
  const decided = { state: "settled", dueAtMs: null, decision: decision(changes) } as const;
  await store.orders.save({ tenant, orderId }, "p1", { changes: decided, release: true });
}

async function chargeBack(orderId: string, tenant = TENANT): Promise<void> {
  await store.outcomes.recordDispute(
    { tenant, orderId },
    {
      disputeId: `d-${orderId}`,
      orderId,
      kind: "chargeback",
      status: "lost",
      reason: "fraudulent",
      isFraud: true,
      initiatedAtMs: T0,
    },
    entry("dispute"),
  );
}

async function tally(from: PageStore = store, signal?: AbortSignal) {
  const outcomes = createOutcomeTally();
  for await (const page of readDecidedPages(from, TENANT, { ...WINDOW, signal }))
    for (const traced of page) outcomes.add(traced, NOW_MS);
  return outcomes.total();
}

describe("the tally of outcomes", () => {
  it("counts the caught fraud and the stopped good orders at each level", async () => {
    await keep("good", { action: "allow", riskLevel: "low" });
    await keep("missed", { action: "allow", riskLevel: "low" });
    await chargeBack("missed");
    const machine = { ...decision({ action: "hold", riskLevel: "high" }), policyVersion: 1 };
    const byPerson = { source: "person", riskLevel: "high", machine } as const;
    await keep("caught", { ...byPerson, action: "cancel", declineReason: "stolen-payment" });
    await keep("stopped", { ...byPerson, action: "allow" });
    await keep("approved-wrongly", { ...byPerson, action: "allow" });
    await chargeBack("approved-wrongly");
    await keep("nobody-knows", { action: "hold", riskLevel: "high" });
    await keep("guess", { action: "hold", riskLevel: null });
    await chargeBack("guess");

    expect(await tally()).toEqual({
      decided: 7,
      disputed: 3,
      byLevel: {
        low: { ...NONE, fraud: 1, good: 1 },
        medium: NONE,
        high: { ...NONE, fraud: 2, caught: 2, good: 1, stopped: 1 },
        critical: NONE,
        none: { ...NONE, fraud: 1, caught: 1 },
      },
    });
  });

  it("doesn't credit Holdfast with orders that a bank's inquiry held", async () => {
    const machine = { ...decision({ action: "allow", reasons: ["level:low"] }), policyVersion: 1 };
    const reasons = ["dispute:inquiry", "level:low"] as const;
    await keep("1", { action: "hold", riskLevel: "low", disputed: true, reasons: [...reasons], machine });
    await chargeBack("1");

    const { byLevel } = await tally();
    expect(byLevel.low).toEqual({ ...NONE, fraud: 1 });
  });

  it("counts refunds as neither fraud nor good", async () => {
    await keep("passed", { action: "allow", riskLevel: "low" });
    await keep("held", { action: "hold", riskLevel: "high" });
    await keep("disputed-first", { action: "allow", riskLevel: "low" });
    await chargeBack("disputed-first");
    for (const orderId of ["passed", "held", "disputed-first"])
      await store.outcomes.noteRefund({ tenant: TENANT, orderId }, entry("refunded"));

    const { byLevel } = await tally();
    expect(byLevel).toMatchObject({
      low: { ...NONE, fraud: 1, refunded: 1 },
      high: { ...NONE, refunded: 1 },
    });
  });

  it("counts one tenant's orders only", async () => {
    await keep("1", { action: "allow", riskLevel: "low" });
    await keep("1", { action: "allow", riskLevel: "low" }, OTHER_TENANT);
    await chargeBack("1", OTHER_TENANT);

    const { decided, disputed, byLevel } = await tally();
    expect({ decided, disputed, low: byLevel.low }).toEqual({
      decided: 1,
      disputed: 0,
      low: { ...NONE, good: 1 },
    });
  });

  it("reads many orders page by page, lets other work run before each page, and stops between two", async () => {
    const total = 2 * ORDERS_PER_PAGE + 10;
    for (let index = 0; index < total; index += 1)
      await keep(String(index), { action: "tag", riskLevel: "medium" });
    const turns: (AbortSignal | undefined)[] = [];
    const gone = new AbortController();
    const watched: Store = {
      ...store,
      nextTurn(tenant, signal) {
        turns.push(signal);
        if (signal !== undefined && turns.length === 5) gone.abort(new Error("gone"));
        return store.nextTurn(tenant, signal);
      },
    };

    const { decided, byLevel } = await tally(watched);
    expect([decided, byLevel.medium.good, turns.length]).toEqual([total, total, 3]);
    await expect(tally(watched, gone.signal)).rejects.toThrow("gone");
    expect(turns).toHaveLength(5);
  });
});
