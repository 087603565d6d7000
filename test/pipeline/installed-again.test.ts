import { expect, it } from "vitest";
import { toTimelineEntry } from "../../src/pipeline/timeline.ts";
import {
  change,
  create,
  HOUR_MS,
  install,
  KEY,
  now,
  openShopForEach,
  steps,
  store,
  TENANT,
  to,
  until,
  untilHeard,
  verifier,
  world,
  press,
  hold,
} from "../support/changing-shop.ts";

openShopForEach();

/** The shop uninstalls the app before its order is decided, and installs it again. */
async function leaveUndecided(forMs: number): Promise<void> {
  world.down = "VERIFICATION_UNREACHABLE";
  await create(to("CA"));
  await until(({ problem }) => problem === "VERIFICATION_UNREACHABLE");
  const left = toTimelineEntry(now(), { kind: "uninstalled", topic: "app/uninstalled" }, "app/uninstalled");
  await store.tenants.uninstall(TENANT, now(), left);
  world.down = null;
  world.aheadMs += forMs;
  await install(now() + 1);
}

it("checks an undecided order if the shop comes back within a day", async () => {
  await leaveUndecided(HOUR_MS);

  await until(({ state }) => state === "review");
  expect(steps()).toEqual(["hold", "assess", "tag"]);
});

it("checks an older undecided order of a shop that came back only if a person asks for it", async () => {
  await leaveUndecided(25 * HOUR_MS);

  const judgement = await press("recheck", { seenDecidedAtMs: null });

  expect(judgement).toMatchObject({ outcome: "queued" });
  await until(({ state }) => state === "review");
  expect(steps()).toEqual(["hold", "assess", "tag"]);
});

it("leaves such an order alone when it changes", async () => {
  await leaveUndecided(25 * HOUR_MS);
  const calls = verifier.calls.length;

  await change(to("MX"), now());
  await untilHeard();

  expect(await store.orders.get(KEY)).toMatchObject({ state: "settled", decision: null, revision: null });
  expect(verifier.calls).toHaveLength(calls);
});

it("watches the orders again that were held when the shop left", async () => {
  await hold();
  const left = toTimelineEntry(now(), { kind: "uninstalled", topic: "app/uninstalled" }, "app/uninstalled");
  await store.tenants.uninstall(TENANT, now(), left);

  await install(now() + 1);

  const order = await until(
    ({ state, dueAtMs }) => state === "review" && (dueAtMs ?? 0) > now() + HOUR_MS / 10,
  );
  expect(order).toMatchObject({ holdDeadlineMs: null, decision: { action: "hold" } });
  await press("approve", { seenDecidedAtMs: order.decidedAtMs });
  await until(({ state }) => state === "settled");
  expect(steps()).toContain("release");
});
