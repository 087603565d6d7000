import { afterEach, beforeEach, expect, it } from "vitest";
import { createOrderKeeper } from "../../../src/pipeline/chores/order-keeper.ts";
import { toSettingsContent, UNSET } from "../../../src/settings/tenant-settings.ts";
import type { Store } from "../../../src/store/store.ts";
import { paidByCard } from "../../store/conformance-kept-orders.ts";
import { entry, order, T0, TENANT } from "../../store/samples.ts";
import { createLogRecorder } from "../../support/log-recorder.ts";
import { createTestStore } from "../../support/test-store.ts";

const HOUR_MS = 3_600_000;
const NOW_MS = T0 + 7 * HOUR_MS;
const ALL = { sinceMs: 0, untilMs: NOW_MS };
let store: Store;
let version: number;

const save = async (keepDays: number | null, keptFromMs: number | null = keepDays && T0) => {
  const settings = { ...UNSET, disputes: { ...UNSET.disputes, keepDays, keptFromMs } };
  await store.settings.save(TENANT, toSettingsContent(settings), version, T0);
  version += 1;
};

beforeEach(async () => {
  store = await createTestStore();
  version = 0;
  await store.tenants.saveCredential(TENANT, "shopify", "token", "installed", T0);
  for (const orderId of ["1", "2"])
    await store.orders.receive(order(orderId, { mapped: paidByCard() }), entry("received"));
});
afterEach(() => store.close());

const run = (watched = store) =>
  createOrderKeeper({
    store: watched,
    owner: `app:${version}`,
    now: () => NOW_MS + version * HOUR_MS,
    logger: createLogRecorder().logger,
  }).run(new AbortController().signal);

it("keeps a shop's orders, and drops those from before its opt-in", async () => {
  await save(400);
  await run();
  expect(await store.outcomes.findKept({ tenant: TENANT, orderId: "1" }, ALL)).toHaveLength(1);
  await save(400, NOW_MS);
  await run();
  expect(await store.outcomes.dropKept(TENANT)).toBe(0);
});

it("leaves nothing if the shop turns it off while a page of orders is kept", async () => {
  await save(400);
  let isOff = false;
  const keepOrder: Store["outcomes"]["keepOrder"] = async (...given) => {
    if (!isOff) {
      isOff = true;
      await save(null);
      await store.outcomes.dropKept(TENANT);
    }
    await store.outcomes.keepOrder(...given);
  };
  await run({ ...store, outcomes: { ...store.outcomes, keepOrder } });
  expect(isOff).toBe(true);
  expect(await store.outcomes.dropKept(TENANT)).toBe(0);
});
