import { beforeEach, describe, expect, it } from "vitest";
import {
  create,
  HOUR_MS,
  now,
  openShopForEach,
  platform,
  steps,
  to,
  until,
  world,
} from "../support/changing-shop.ts";

openShopForEach();

describe("a cancel, when the clock is set back after its decision", () => {
  let memories: unknown[];
  let isBegun: boolean;

  beforeEach(async () => {
    memories = [];
    isBegun = false;
    platform.onEnforce = (step, { memory }) => {
      if (step === "assess" && world.aheadMs === 0) world.aheadMs = -HOUR_MS;
      if (step !== "cancel") return undefined;
      memories.push(memory);
      if (!isBegun || memories.length > 1) return undefined;
      return {
        outcome: "wait",
        begun: true,
        reason: "cancelling",
        retryAtMs: now(),
        memory: { jobId: "1" },
      };
    };
  });

  it("is applied immediately if nothing delays it", async () => {
    await create(to("FR"));

    const order = await until(({ state }) => state === "settled" || state === "waiting");

    expect(order).toMatchObject({ state: "settled", problem: null });
    expect(steps()).toContain("cancel");
  });

  it("is still recorded as begun on the platform", async () => {
    isBegun = true;
    await create(to("FR"));
    await until(({ state, problem }) => state === "settled" || problem === "cooling-off");

    expect(memories).toEqual([{}, { jobId: "1" }]);
  });
});
