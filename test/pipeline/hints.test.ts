import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import {
  accept,
  create,
  now,
  openShopForEach,
  platform,
  savePolicy,
  store,
  to,
  until,
  untilHeard,
  world,
  hold,
} from "../support/changing-shop.ts";

openShopForEach();

const hint = () => accept("fulfillment/ready", { kind: "order-ready", reference: "1" });
const pending = async () => (await store.figures.backlog()).pending;

describe("a hint that an order can go on", () => {
  it("is dropped if the platform refuses to say which order it means", async () => {
    await hold();
    let calls = 0;
    platform.onLocate = async () => {
      calls += 1;
      throw new HoldfastError("PLATFORM_REFUSED", "refused", { retryable: false });
    };

    await hint();
    await untilHeard();

    expect(await pending()).toBe(0);
    expect(calls).toBe(1);
  });

  it("is tried again if the platform can't say that now", async () => {
    await hold();
    let calls = 0;
    platform.onLocate = async (_tenant, reference) => {
      calls += 1;
      if (calls === 1) throw new HoldfastError("PLATFORM_UNAVAILABLE", "down", { retryable: true });
      return reference;
    };

    await hint();
    await until(() => calls === 1);
    world.aheadMs += 60_000;

    await until(() => calls === 2);
  });
});

describe("an order whose steps failed", () => {
  it("lists their problems in the order in which the steps were first tried", async () => {
    let isLate = false;
    platform.onEnforce = (step) => {
      if (step === "assess") return undefined;
      if (step === "tag" || isLate) return { outcome: "impossible", reason: "refused" };
      return { outcome: "wait", reason: "not-routed-yet", retryAtMs: now() + 60_000 };
    };
    await create(to("CA"));
    await until(({ state }) => state === "waiting");
    isLate = true;
    world.aheadMs += 61_000;

    const { problems } = await until(({ state }) => state === "failed");

    expect(problems.map(({ step }) => step)).toEqual(["hold", "tag"]);
  });

  it("lists a step of an earlier decision where it was tried for this one", async () => {
    await savePolicy({ whileChecking: "hold", cancel: { maxPerHour: 0 } });
    platform.onEnforce = (step, { undecided }) =>
      step === "hold" && undecided !== true ? { outcome: "impossible", reason: "refused" } : undefined;
    await create(to("FR"));

    const { problems } = await until(({ state }) => state === "failed");

    expect(problems.map(({ step }) => step)).toEqual(["cancel", "hold"]);
  });
});
