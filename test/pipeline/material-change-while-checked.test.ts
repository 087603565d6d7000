import { describe, expect, it } from "vitest";
import type { StepOutcome } from "../../src/platform/enforcement-step.ts";
import {
  change,
  create,
  kinds,
  now,
  openShopForEach,
  platform,
  savePolicy,
  steps,
  to,
  until,
  untilAtRest,
  untilHeard,
  verifier,
  world,
  press,
  settle,
} from "../support/changing-shop.ts";

openShopForEach();

/** Pauses the work on an order when it reads what the webhook lacks. */
function holdUpReading() {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  platform.onEnrich = async (_tenant, { mapped }) => {
    begun.resolve();
    await ended.promise;
    return { mapped, limitations: [] };
  };
  return { begun: begun.promise, end: ended.resolve };
}

/** The outcome of a step during which the order was changed. */
async function changeFirst(country: string, outcome: StepOutcome): Promise<StepOutcome> {
  await change(to(country));
  await untilHeard();
  return outcome;
}

describe("a change", () => {
  it("that is reverted while it is checked releases nothing: no decision is made on outdated content", async () => {
    await create(to("CA"));
    await untilAtRest();
    const reading = holdUpReading();
    await change(to("US"));
    await reading.begun;

    await change(to("CA"));
    await until(({ revision }) => revision?.rescreen === false);
    reading.end();
    await until(() => verifier.calls.length === 2);

    // Only the next one is decided on.
    await change(to("MX"));
    const order = await until(({ decision }) => decision?.riskLevel === "medium");
    expect(order).toMatchObject({ creditsSpent: 3, decision: { supersedes: { held: true } } });
    expect((await kinds()).filter((kind) => kind === "decided-again")).toHaveLength(1);
  });

  it("that comes while the order is checked for the first time cancels nothing: the answer is about another order", async () => {
    const reading = holdUpReading();
    await create(to("FR"));
    await reading.begun;

    await change(to("US"));
    await until(({ revision }) => revision?.rescreen === true);
    reading.end();

    const order = await untilAtRest();
    expect(order).toMatchObject({ state: "settled", decision: { riskLevel: "low" }, creditsSpent: 2 });
    expect(steps()).not.toContain("cancel");
  });

  it("that comes during a person's recheck cancels nothing: the recheck is about the current content", async () => {
    await savePolicy({ rescreenOnChange: false });
    await settle();
    await change(to("FR"));
    await untilHeard();
    const answered = Promise.withResolvers<void>();
    const verify = verifier.verify.bind(verifier);
    verifier.verify = async (...asked) => {
      const answer = await verify(...asked);
      await answered.promise;
      return answer;
    };
    await press("recheck");
    await verifier.called(2);

    await change(to("CA"));
    await untilHeard();
    answered.resolve();

    const order = await until(({ decision, review }) => review === null && decision?.riskLevel !== "low");
    expect(order).toMatchObject({ decision: { riskLevel: "high" }, creditsSpent: 3 });
    expect(steps()).not.toContain("cancel");
  });

  it("that comes while the steps before a cancel are taken cancels nothing", async () => {
    let isChanged = false;
    platform.onEnforce = (step) => {
      if (step !== "tag" || isChanged) return undefined;
      isChanged = true;
      return changeFirst("US", { outcome: "done", detail: "tagged" });
    };
    await create(to("FR"));

    const order = await until(({ decision, state }) => state === "settled" && decision?.riskLevel === "low");
    expect(order).toMatchObject({ revision: null, creditsSpent: 2 });
    expect(steps()).not.toContain("cancel");
  });

  it("that comes before a hold is released keeps it, even while the service can't be asked", async () => {
    await create(to("CA"));
    await untilAtRest();
    platform.onEnforce = (step) => {
      if (step !== "release" || world.down !== null) return undefined;
      world.down = "VERIFICATION_UNREACHABLE";
      return changeFirst("FR", { outcome: "wait", reason: "throttled", retryAtMs: now() + 1 });
    };

    await change(to("US"));
    const order = await until(({ problem }) => problem === "to-be-checked-again");

    expect(order).toMatchObject({ decision: { action: "allow" }, revision: { rescreen: true } });
    expect(steps()).not.toContain("release");
  });
});
