import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Platform } from "../../../src/platform/platform.ts";
import { parsePolicy } from "../../../src/policy/policy.ts";
import { createSandboxPlatform } from "../../../src/sandbox/sandbox-platform.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { NewOrder, Store } from "../../../src/store/store.ts";
import { entry, order, T0, TENANT } from "../../store/samples.ts";
import { anOrder } from "../../support/orders.ts";
import { untilHeard } from "../../support/pipeline-waits.ts";
import { createTestPlatform } from "../../support/platform.ts";
import { startPipeline } from "../../support/test-pipeline.ts";
import { createScriptedVerifier, type ScriptedVerifier } from "../../support/verifier.ts";

const now = () => T0;

let store: Store;
let verifier: ScriptedVerifier;

beforeEach(async () => {
  store = await createTestStore();
  await store.tenants.saveCredential(TENANT, "test", "secret", "installed", T0 - 1);
  verifier = createScriptedVerifier();
});
afterEach(() => store.close());

/** Decide orders with the given ids, all with the same buyer. */
async function decide(platform: Platform, ids: readonly string[], more: Partial<NewOrder>, isTest = false) {
  for (const orderId of ids) {
    const mapped = { outcome: "screenable", test: isTest, request: anOrder({ orderId }) } as const;
    const received = order(orderId, { platform: platform.name, mapped, ...more });
    await store.orders.receive(received, entry("received"));
  }
  const pipeline = startPipeline({ store, platform, accessOf: () => ({ verifier, keyId: "key" }), now });
  await untilHeard({ store, pipeline }, TENANT);
  await pipeline.stop(1_000);
}

describe("a test order that isn't sent to the service", () => {
  it.each([
    ["counts as a saved credit", createTestPlatform, "live", 1],
    [
      "doesn't if it is a sandbox order, which is never sent",
      () => createSandboxPlatform({ store, now }),
      "none",
      0,
    ],
  ] as const)("%s", async (_case, toPlatform, effects, saved) => {
    await decide(toPlatform(), ["1"], { effects }, true);

    expect(verifier.calls).toEqual([]);
    expect(await store.ledger.creditUse(TENANT, { dayStartMs: 0, monthStartMs: 0 })).toMatchObject({
      savedMonth: saved,
    });
  });
});

describe("many orders of one buyer", () => {
  it.each([
    ["are a flood", {}, 1],
    ["aren't if they were imported for the record", { effects: "record" as const }, 3],
  ])("%s", async (_case, more, calls) => {
    await store.policies.save(TENANT, parsePolicy({ budget: { perSourceHourly: 1 } }), undefined, T0);

    await decide(createTestPlatform(), ["1", "2", "3"], more);

    expect(verifier.calls).toHaveLength(calls);
  });
});
