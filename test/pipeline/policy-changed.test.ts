import { describe, expect, it } from "vitest";
import type { Verifier } from "../../src/service/client.ts";
import {
  create,
  details,
  HOUR_MS,
  KEY,
  now,
  openShopForEach,
  platform,
  savePolicy,
  screenable,
  steps,
  store,
  to,
  toOrder,
  until,
  untilAtRest,
  untilWarned,
  verifier,
  world,
  delayCancel,
} from "../support/changing-shop.ts";
import { toTimelineEntry } from "../../src/pipeline/timeline.ts";

openShopForEach();

const COOL_OFF = { cancel: { coolOffMinutes: 30 } };
const NOT_CANCELED = { levels: { critical: { action: "hold" } } };

describe("an order that waits to be canceled while the shop changes its policy", () => {
  async function waitToBeCanceled(): Promise<void> {
    await savePolicy(COOL_OFF);
    await delayCancel();
  }

  it("is held for a person if the new policy doesn't cancel it", async () => {
    await waitToBeCanceled();
    await savePolicy(NOT_CANCELED);
    world.aheadMs += HOUR_MS;

    const order = await untilAtRest();

    expect(order).toMatchObject({
      state: "review",
      decision: {
        action: "hold",
        reasons: ["policy-changed", "level:critical"],
        machine: { action: "cancel" },
      },
    });
    expect(steps()).not.toContain("cancel");
    expect(await details("decided")).toHaveLength(2);
  });

  it.each([
    ["cancels it too", { ...COOL_OFF, hold: { deadlineHours: 5 } }],
    [
      "cancels it by a rule",
      { rules: [{ name: "all", when: { minAmount: 0 }, then: { action: "cancel" } }] },
    ],
  ])("is canceled if the new policy %s", async (_, policy) => {
    await waitToBeCanceled();
    await savePolicy(policy);
    world.aheadMs += HOUR_MS;

    await until(({ state }) => state === "settled");

    expect(steps()).toEqual(["hold", "assess", "tag", "cancel"]);
  });

  it.each([
    ["keep", "review"],
    ["cancel", "settled"],
  ] as const)("follows the deadline's new outcome: %s", async (onDeadline, state) => {
    const hold = { deadlineHours: 1, onDeadline: "cancel" } as const;
    await savePolicy({ ...COOL_OFF, hold });
    await create(to("CA"));
    await until((order) => order.state === "review");
    await untilWarned();
    world.aheadMs += 2 * HOUR_MS;
    await until(({ problem }) => problem === "cooling-off");
    await savePolicy({ ...COOL_OFF, hold: { ...hold, onDeadline } });
    world.aheadMs += HOUR_MS;

    await until((order) => order.state === state);

    expect(steps().includes("cancel")).toBe(onDeadline === "cancel");
  });
});

describe("an order that is about to be canceled while the shop changes its policy", () => {
  it("is held if that happens while the platform is asked about the hold from its check", async () => {
    await savePolicy({ whileChecking: "hold" });
    const { onObserve } = platform;
    platform.onObserve = async (...asked) => {
      await savePolicy(NOT_CANCELED);
      return onObserve(...asked);
    };
    await create(to("FR"));

    const order = await untilAtRest();

    expect(order).toMatchObject({ state: "review", decision: { heldInstead: "policy-changed" } });
    expect(steps()).not.toContain("cancel");
  });
});

describe("an order for the record that is checked while the shop changes its policy", () => {
  it("keeps the decision of the policy that it was checked with", async () => {
    await savePolicy({});
    const verify = verifier.verify.bind(verifier);
    const verifyMeanwhile: Verifier["verify"] = async (request) => {
      await savePolicy(NOT_CANCELED);
      return verify(request);
    };
    Object.assign(verifier, { verify: verifyMeanwhile });
    const placed = { ...KEY, platform: "test", receivedAtMs: now(), effects: "record" } as const;
    const entry = toTimelineEntry(now(), { kind: "received" }, "by backfill");
    await store.orders.receive({ ...placed, ...toOrder(screenable(to("FR"))), customerId: undefined }, entry);

    const order = await untilAtRest();

    expect(order.decision).toMatchObject({ action: "cancel", reasons: ["level:critical", "record-only"] });
  });
});
