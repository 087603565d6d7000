import { expect, it } from "vitest";
import {
  accept,
  HOUR_MS,
  kinds,
  now,
  openShopForEach,
  screenable,
  steps,
  to,
  toOrder,
  until,
  world,
} from "../support/changing-shop.ts";

openShopForEach();

it("warns once before the payment of a held order can no longer be captured", async () => {
  const endsAtMs = Math.floor(now()) + 48 * HOUR_MS;
  const context = { authorizationExpiresAt: new Date(endsAtMs).toISOString() };
  const order = toOrder({ ...screenable(to("CA")), context });
  await accept("orders/create", { kind: "order", order });
  await until(({ state }) => state === "review");
  const look = async (hours: number) => {
    world.aheadMs += hours * HOUR_MS;
    return until(({ dueAtMs }) => dueAtMs !== null && dueAtMs > now());
  };
  const countWarnings = async () =>
    (await kinds()).filter((kind) => kind === "authorization-expiring").length;

  // Without the warning, the next look would come a day later.
  expect((await look(23)).dueAtMs).toBeLessThanOrEqual(endsAtMs - 24 * HOUR_MS);
  expect(await countWarnings()).toBe(0);
  await look(2);
  expect(await countWarnings()).toBe(1);
  await look(12);
  expect(await countWarnings()).toBe(1);
  expect(steps()).not.toContain("release");
});
