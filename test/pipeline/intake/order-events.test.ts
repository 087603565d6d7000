import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMetrics } from "../../../src/pipeline/metrics.ts";
import { receiveOrder } from "../../../src/pipeline/intake/order-events.ts";
import type { PlatformOrder } from "../../../src/platform/platform.ts";
import type { KeepingTimes } from "../../../src/store/retention/keeping-times.ts";
import { createRetentionChore } from "../../../src/pipeline/chores/retention-chore.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { Store, TenantRecord } from "../../../src/store/store.ts";
import { claim, delivery, T0, TENANT } from "../../store/samples.ts";
import { anOrder } from "../../support/orders.ts";

const DAY_MS = 86_400_000;

let store: Store;
let nowMs: number;

interface Told {
  readonly placedAtMs?: number | undefined;
  readonly updatedAtMs?: number | undefined;
  /** Default: long ago. */
  readonly installedAtMs?: number;
  readonly keep?: KeepingTimes;
}

/** A delivery that comes now, about an order placed at some time. */
function tell({ placedAtMs, updatedAtMs, installedAtMs = T0 - 1_000 * DAY_MS, keep }: Told): Promise<string> {
  const { orderTimestamp: _, ...request } = anOrder({ orderId: "1" });
  const timed =
    placedAtMs === undefined ? request : { ...request, orderTimestamp: new Date(placedAtMs).toISOString() };
  const order: PlatformOrder = {
    orderId: "1",
    name: "#1",
    customerId: undefined,
    amount: 59.9,
    currency: "USD",
    updatedAtMs,
    mapped: { outcome: "screenable", request: timed, test: false },
  };
  const claimed = { ...delivery("d", { receivedAtMs: nowMs }), attempts: 0 };
  const tenant: TenantRecord = {
    tenant: TENANT,
    platform: "shopify",
    state: "installed",
    installedAtMs,
    uninstalledAtMs: null,
    accessRefused: false,
  };
  const task = { store, metrics: createMetrics(), now: () => nowMs, keep, delivery: claimed };
  return receiveOrder(task, { tenant, repeated: false }, order);
}

beforeEach(async () => {
  store = await createTestStore();
  nowMs = T0;
});
afterEach(() => store.close());

describe("receiveOrder", () => {
  it("stores an order, and recognizes it when it comes again", async () => {
    const told = { placedAtMs: T0 - 1_000, updatedAtMs: T0 - 500 };

    expect([await tell(told), await tell(told)]).toEqual(["order-received", "order-known"]);
  });

  it("doesn't mistake a repeat of an erased order for a new one", async () => {
    const told = { placedAtMs: T0 - 1_000, updatedAtMs: T0 - 500 };
    await tell(told);
    await store.orders.claim(claim("p1"));
    const settled = { changes: { state: "settled", dueAtMs: null }, release: true } as const;
    await store.orders.save({ tenant: TENANT, orderId: "1" }, "p1", settled);
    nowMs += 91 * DAY_MS;
    const parts = { store, metrics: createMetrics(), logger: SILENT_LOGGER, now: () => nowMs, owner: "p1" };
    const retention = createRetentionChore(parts);
    // A clock that jumped is trusted once it has moved on.
    await retention.run(new AbortController().signal);
    nowMs += DAY_MS;
    await retention.run(new AbortController().signal);
    expect(await store.orders.get({ tenant: TENANT, orderId: "1" })).toBeNull();

    expect(await tell(told)).toBe("order-too-old");

    expect(await store.orders.get({ tenant: TENANT, orderId: "1" })).toBeNull();
  });

  it("doesn't mistake an order that was erased with a tenant that came back for a new one", async () => {
    const tellOf = (atMs: number) =>
      tell({ placedAtMs: atMs, updatedAtMs: atMs, installedAtMs: T0 - DAY_MS });
    await store.tenants.saveCredential(TENANT, "shopify", "secret", "installed", T0 - 9 * DAY_MS);
    await store.retention.eraseTenant(TENANT, T0 - 3 * DAY_MS);

    expect(await tellOf(T0 - 7 * DAY_MS)).toBe("order-too-old");
    expect(await tellOf(T0 - 3 * DAY_MS)).toBe("order-too-old");
    expect(await tellOf(T0 - 3 * DAY_MS + 1)).toBe("order-received");
  });

  it("uses the period for which orders are kept", async () => {
    const told = { placedAtMs: T0 - 5 * DAY_MS, updatedAtMs: T0 - 5 * DAY_MS };

    expect(await tell({ ...told, keep: { contentDays: 1, ordersDays: 4 } })).toBe("order-too-old");
    expect(await tell({ ...told, keep: { contentDays: 1, ordersDays: 6 } })).toBe("order-received");
  });

  it.each<[string, Told]>([
    ["an old order that is news, such as an import", { placedAtMs: T0 - 400 * DAY_MS, updatedAtMs: T0 }],
    ["an order that does not say when it is from", {}],
    ["an order that is just not too old", { placedAtMs: T0 - 89 * DAY_MS, updatedAtMs: T0 - 89 * DAY_MS }],
    [
      "an old order of a shop that was not installed then",
      { placedAtMs: T0 - 400 * DAY_MS, updatedAtMs: T0 - 300 * DAY_MS, installedAtMs: T0 - 200 * DAY_MS },
    ],
  ])("stores %s", async (_, told) => {
    expect(await tell(told)).toBe("order-received");
  });

  it("uses only the last change if the order doesn't say when it was placed", async () => {
    expect(await tell({ updatedAtMs: T0 - 91 * DAY_MS })).toBe("order-too-old");
  });

  it("counts an order that waited for the installation from then on", async () => {
    await tell({ placedAtMs: T0 - DAY_MS, installedAtMs: T0 + 5_000 });

    const order = await store.orders.get({ tenant: TENANT, orderId: "1" });
    expect(order).toMatchObject({ receivedAtMs: T0 + 5_000 });
  });
});
