import { expect, it } from "vitest";
import { toMailboxKey } from "../../src/engine/velocity/keys.ts";
import { anOrder } from "../support/orders.ts";
import {
  accept,
  create,
  HOUR_MS,
  kinds,
  openShopForEach,
  savePolicy,
  screenable,
  steps,
  store,
  TENANT,
  to,
  toOrder,
  until,
  untilAtRest,
  untilWarned,
  world,
} from "../support/changing-shop.ts";

openShopForEach();

/** An entry for the buyer of each order. */
function anEntry(changes: object) {
  const digest = toMailboxKey(anOrder().customerEmail, (purpose, text) =>
    store.keyring.digest(TENANT, purpose, text),
  );
  return { kind: "mailbox", digest, label: "a buyer", owner: "person:7", reason: "known", ...changes };
}

it("holds a blocked buyer's order that the service calls low, and says why", async () => {
  await savePolicy({ lists: [anEntry({ list: "block" })] });
  await create(to("US"));

  expect(await untilAtRest()).toMatchObject({
    state: "review",
    decision: { action: "hold", reasons: expect.arrayContaining(["blocked:mailbox"]) },
  });
});

it.each([
  ["a block", () => ({ lists: [anEntry({ list: "block" })] })],
  ["a rule", () => ({ rules: [{ name: "all", when: { minAmount: 0 }, then: { action: "hold" } }] })],
])("keeps a low order that only %s holds, past a deadline that cancels", async (_, toHolding) => {
  await savePolicy({ ...toHolding(), hold: { deadlineHours: 1, onDeadline: "cancel" } });
  await create(to("US"));
  await until(({ state }) => state === "review");
  await untilWarned();
  world.aheadMs += 2 * HOUR_MS;
  await until(async ({ state }) => state === "settled" || (await kinds()).includes("hold-overdue"));

  expect(await untilAtRest()).toMatchObject({ state: "review", decision: { action: "hold" } });
  expect(steps()).not.toContain("cancel");
});

it("doesn't apply a snoozed rule to the customer's order", async () => {
  const rules = [{ name: "all", when: { minAmount: 0 }, then: { action: "hold" } }];
  await savePolicy({ rules, lists: [anEntry({ list: "snooze", rule: "all", until: "2999-12-31" })] });
  await create(to("US"));

  expect(await untilAtRest()).toMatchObject({ state: "settled", decision: { action: "allow" } });
});

it("ignores the lists for test orders", async () => {
  await savePolicy({ testOrders: "service", lists: [anEntry({ list: "block" })] });
  const mapped = { ...screenable(to("US")), test: true };
  await accept("orders/create", { kind: "order", order: toOrder(mapped) });

  expect(await untilAtRest()).toMatchObject({ state: "settled", decision: { action: "allow" } });
});
