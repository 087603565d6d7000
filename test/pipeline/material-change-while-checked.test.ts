import { describe, expect, it } from "vitest";
import {
  change,
  create,
  kinds,
  openShopForEach,
  platform,
  steps,
  to,
  until,
  untilAtRest,
  verifier,
} from "../support/changing-shop.ts";

openShopForEach();

/** Hold up the work on an order where it reads what the webhook lacks. */
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

describe("a change", () => {
  it("that is taken back while it is checked releases nothing: no decision is made on outdated content", async () => {
    await create(to("CA"));
    await untilAtRest();
    const reading = holdUpReading();
    await change(to("US"));
    await reading.begun;

    await change(to("CA"));
    await until(({ revision }) => revision?.rescreen === false);
    reading.end();
    await until(() => verifier.calls.length === 2);

    // The next one is decided on, and only that one.
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
});
