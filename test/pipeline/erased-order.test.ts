import { describe, expect, it } from "vitest";
import type { PlatformEvent } from "../../src/platform/platform.ts";
import {
  accept,
  check,
  create,
  KEY,
  openShopForEach,
  platform,
  store,
  TENANT,
  until,
  verifier,
  world,
} from "../support/changing-shop.ts";
import { until as untilTrue } from "../support/until.ts";

openShopForEach();

describe("an order whose content is erased before the service answers", () => {
  it("fails for an operator, without a decision, a step or another call", async () => {
    world.down = "VERIFICATION_UNREACHABLE";
    await create();
    const waiting = await until(({ problem }) => problem === "VERIFICATION_UNREACHABLE");
    expect(waiting.decision).toBeNull();
    const asked = verifier.calls.length;
    const event = { kind: "erased", topic: "customers/redact" } as const;
    await store.retention.eraseOrders(
      { tenant: TENANT, orderIds: [KEY.orderId], customerId: undefined, email: undefined, askedAtMs: 0 },
      { atMs: 0, kind: "erased", event, detail: "", actor: "platform" },
    );
    world.down = null;
    world.aheadMs += 10 * 60_000;

    const order = await until(({ state }) => state === "failed");

    expect(order).toMatchObject({
      problem: "ERASED_BEFORE_DECISION",
      decision: null,
      mapped: null,
      dueAtMs: null,
    });
    expect(platform.enforced).toEqual([]);
    expect(verifier.calls).toHaveLength(asked);
  });
});

describe("an answer that is kept in memory", () => {
  const about = { orderIds: [KEY.orderId], customerId: undefined, email: undefined };

  it.each<PlatformEvent>([{ kind: "erase-customer", ...about }, { kind: "erase-tenant" }])(
    "isn't given again after an erasure: $kind",
    async (event) => {
      platform.onConfirmAccess = async () => "refused";
      await check();
      expect(await check()).toMatchObject({ status: "cached" });

      await accept("redact", event);

      await untilTrue(async () => (await check()).status === "verified");
    },
  );
});
