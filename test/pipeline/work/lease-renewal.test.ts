import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../../src/base/errors.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createLeaseRenewal } from "../../../src/pipeline/work/lease-renewal.ts";
import type { OrderRecord } from "../../../src/store/store.ts";
import { until } from "../../support/until.ts";

const ORDER = { tenant: "test:shop", orderId: "1" } as OrderRecord;

const LEASE = { owner: "process-1/1", sinceMs: 1_000, ended: new AbortController().signal };

function renewalThat(renewOrder: () => Promise<boolean>, uptimeMs: () => number) {
  const renewal = createLeaseRenewal({
    store: { orders: { renew: renewOrder } },
    leaseMs: 30,
    now: Date.now,
    uptimeMs,
    logger: SILENT_LOGGER,
  });
  renewal.start();
  return renewal;
}

/** Works until the lease is lost, and resolves to the reason. */
const untilLost = (lost: AbortSignal) =>
  new Promise<void>((resolve) => {
    lost.addEventListener("abort", () => resolve(), { once: true });
  });

describe("createLeaseRenewal", () => {
  it("stops the work if another process holds the order", async () => {
    const renewal = renewalThat(
      async () => false,
      () => 1_000,
    );

    await renewal.during(ORDER, LEASE, ({ signal }) => untilLost(signal));

    renewal.stop();
  });

  it("stops the work if its lease ran out while the process was suspended, without extending it", async () => {
    let uptimeMs = 1_000;
    let renewals = 0;
    const renewal = renewalThat(
      async () => {
        renewals += 1;
        return true;
      },
      () => uptimeMs,
    );
    let isStopped = false;

    const work = renewal.during(ORDER, LEASE, async ({ signal: lost }) => {
      await untilLost(lost);
      isStopped = true;
    });
    await until(() => expect(renewals).toBeGreaterThan(1));
    expect(isStopped).toBe(false);
    uptimeMs += 31;
    const renewedBefore = renewals;
    await work;
    renewal.stop();

    expect(renewals).toBe(renewedBefore);
  });

  it("starts no work whose lease ended while the process was paused", async () => {
    const renewal = renewalThat(
      async () => true,
      () => 1_031,
    );

    const wasLost = Promise.withResolvers<boolean>();
    await renewal.during(ORDER, LEASE, async ({ signal: lost }) => wasLost.resolve(lost.aborted));
    renewal.stop();

    expect(await wasLost.promise).toBe(true);
  });

  it("stops the work if the lease ran out because the store couldn't be reached", async () => {
    let ahead = 0;
    let refusals = 0;
    const down = () => {
      refusals += 1;
      return Promise.reject(new HoldfastError("STORE_UNAVAILABLE", "down", { retryable: true }));
    };
    const renewal = renewalThat(down, () => 1_000 + ahead);
    let stopped = false;

    const work = renewal.during(ORDER, LEASE, async ({ signal: lost }) => {
      await untilLost(lost);
      stopped = true;
    });
    await until(() => refusals > 1);
    expect(stopped, "the lease still holds").toBe(false);
    ahead = 31;
    await work;

    expect(stopped).toBe(true);
    renewal.stop();
  });
});
