import { expect, it, onTestFinished } from "vitest";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { checkCheckouts } from "../../../src/cli/doctor/checkouts.ts";
import { createCheckoutListSync } from "../../../src/pipeline/chores/checkout-list-sync.ts";
import type { CheckoutState, Platform } from "../../../src/platform/platform.ts";
import { createPolicies } from "../../../src/settings/current-policy.ts";
import { createTestPlatform } from "../../support/platform.ts";
import { createTestStore } from "../../support/test-store.ts";

const NOW = Date.UTC(2026, 10, 30, 12);
const BLOCK = {
  list: "block",
  kind: "mailbox",
  digest: "x".repeat(22),
  checkout: "abcdefgh",
  label: "m…@a.example",
  owner: "person:1",
  reason: "chargeback",
  until: null,
};

it("names the shops whose checkout doesn't have the current block list", async () => {
  const store = await createTestStore();
  onTestFinished(() => store.close());
  const states: Readonly<Record<string, CheckoutState>> = {
    "test:a": "applied",
    "test:b": "plan",
    "test:c": "plan",
  };
  const platform: Platform = {
    ...createTestPlatform(),
    applyAtCheckout: async (tenant) => states[tenant] ?? "open",
  };
  for (const tenant of [...Object.keys(states), "test:unused"])
    await store.tenants.saveCredential(tenant, "test", "secret", "installed", NOW);
  for (const tenant of Object.keys(states))
    await store.policies.save(tenant, { blockedAtCheckout: "refuse", lists: [BLOCK] }, 0, NOW);
  const look = () => checkCheckouts(store, [platform], NOW);
  expect(await look()).toMatchObject([
    { id: "test.checkout-list", found: expect.stringMatching(/^test:a, test:b, test:c: /) },
  ]);

  await createCheckoutListSync({
    store,
    platforms: [platform],
    policyOf: createPolicies(store),
    owner: "app:1",
    now: () => NOW,
    logger: SILENT_LOGGER,
  }).run(new AbortController().signal);

  expect(await look()).toMatchObject([
    {
      id: "test.checkout-list",
      status: "warning",
      found:
        "test:b, test:c: the checkout doesn't have the current block list: a custom app may do this only on Shopify Plus",
    },
  ]);
  expect(await checkCheckouts(store, [createTestPlatform()], NOW)).toEqual([]);
});
