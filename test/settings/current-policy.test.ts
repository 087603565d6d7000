import { describe, expect, it } from "vitest";
import { createPolicies } from "../../src/settings/current-policy.ts";
import { createTestStore } from "../support/test-store.ts";

describe("createPolicies", () => {
  it("reads the policy of a shop that was erased and came back, not the former one of the same version", async () => {
    const store = await createTestStore();
    const policyOf = createPolicies(store);
    await store.policies.save("shop", { mode: "shadow" }, undefined, 1);
    expect(await policyOf("shop")).toMatchObject({ version: 1, policy: { mode: "shadow" } });
    await store.retention.eraseTenant("shop");
    await store.policies.save("shop", { mode: "active" }, undefined, 3);

    expect(await policyOf("shop")).toMatchObject({ version: 1, policy: { mode: "active" } });
    await store.close();
  });
});
