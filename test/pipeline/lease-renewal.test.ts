import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/errors.ts";
import { SILENT_LOGGER } from "../../src/logger.ts";
import { createLeaseRenewal } from "../../src/pipeline/lease-renewal.ts";
import type { OrderRecord } from "../../src/store/store.ts";

const ORDER = { tenant: "test:shop", orderId: "1" } as OrderRecord;

function renewalThat(renewOrder: () => Promise<boolean>, now: () => number) {
  const renewal = createLeaseRenewal({
    store: { renewOrder },
    leaseMs: 30,
    now,
    logger: SILENT_LOGGER,
  });
  renewal.start();
  return renewal;
}

/** Works until the lease is lost; resolves to why. */
const untilLost = (lost: AbortSignal) =>
  new Promise<void>((resolve) => {
    lost.addEventListener("abort", () => resolve(), { once: true });
  });

describe("createLeaseRenewal", () => {
  it("stops the work when somebody else holds the order", async () => {
    const renewal = renewalThat(async () => false, Date.now);

    await renewal.during(ORDER, "process-1/1", untilLost);

    renewal.stop();
  });

  it("stops the work when the lease ran out because the store could not be reached", async () => {
    let ahead = 0;
    const down = () => Promise.reject(new HoldfastError("STORE_UNAVAILABLE", "down", { retryable: true }));
    const renewal = renewalThat(down, () => 1_000 + ahead);
    let stopped = false;

    const work = renewal.during(ORDER, "process-1/1", async (lost) => {
      await untilLost(lost);
      stopped = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 25));
    expect(stopped, "the lease still holds").toBe(false);
    ahead = 31;
    await work;

    expect(stopped).toBe(true);
    renewal.stop();
  });
});
