import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkCredits } from "../../../src/cli/doctor/credits.ts";
import type { Finding } from "../../../src/platform/platform.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { attempt, result, T0, TENANT } from "../../store/samples.ts";

const MINUTE_MS = 60_000;

let store: Store;

beforeEach(async () => {
  store = await createTestStore();
});
afterEach(() => store.close());

async function look(nowMs = T0): Promise<ReadonlyMap<string, Finding>> {
  return new Map((await checkCredits(store, nowMs)).map((finding) => [finding.id, finding]));
}

/** Spend credits of a tenant. */
async function spend(credits: number, tenant = TENANT, nowMs = T0): Promise<void> {
  for (let index = 0; index < credits; index += 1) {
    const grant = await store.ledger.begin(attempt(`${nowMs}-${index}`, { tenant, nowMs }));
    if (grant.outcome !== "granted") throw new Error(grant.outcome);
    await store.ledger.finish(grant.attemptId, { state: "answered", result: result() }, nowMs);
  }
}

describe("checkCredits", () => {
  it("has nothing to report on a new installation", async () => {
    const checks = await look();

    expect([...checks].map(([id, { status }]) => [id, status])).toEqual([
      ["circuits", "ok"],
      ["credits", "skipped"],
      ["credits.caps", "skipped"],
    ]);
  });

  it("sums up what shops and storefronts spent", async () => {
    await spend(2);
    await spend(1, "default", T0 - 86_400_000);
    await store.ledger.recordSaving(TENANT, "cached", 4, T0);

    expect((await look()).get("credits")?.found).toBe("2 spent today, 3 this month (UTC), 4 saved");
  });

  it("warns of the operator's cap, which no policy exceeds", async () => {
    await store.tenants.saveCredential(TENANT, "shopify", "secret", "installed", T0);
    await store.policies.save(TENANT, { budget: { daily: 100 } }, undefined, T0);
    await spend(2);

    const caps = (await checkCredits(store, T0, 2)).find(({ id }) => id === "credits.caps");

    expect(caps).toMatchObject({ status: "warning", found: `a cap is reached by ${TENANT} (2 of 2 today)` });
    expect(caps?.advice).toContain("CREDITS_PER_TENANT_DAILY");
  });

  it("warns of a cap that is reached, and of one that will be", async () => {
    await store.tenants.saveCredential(TENANT, "shopify", "secret", "installed", T0);
    await store.policies.save(TENANT, { budget: { daily: 2, monthly: 100 } }, undefined, T0);
    await spend(1);
    expect((await look()).get("credits.caps")).toMatchObject({ status: "ok" });

    await spend(1, TENANT, T0 + 1);
    expect((await look()).get("credits.caps")).toMatchObject({
      status: "warning",
      found: `a cap is reached by ${TENANT} (2 of 2 today, 2 of 100 this month)`,
    });

    await store.policies.save(TENANT, { budget: { monthly: 3 } }, undefined, T0);
    expect((await look()).get("credits.caps")?.found).toMatch(
      new RegExp(`pace .* is reached by ${TENANT} on 2026-11-\\d\\d$`),
    );
  });

  it("names what blocks calls, until a pause is over", async () => {
    await store.ledger.saveBlock("key:1", {
      code: "VERIFICATION_NO_CREDITS",
      untilMs: T0 + 3 * MINUTE_MS,
      pause: false,
    });
    await store.ledger.saveBlock("key:2", {
      code: "VERIFICATION_RATE_LIMITED",
      untilMs: T0 + MINUTE_MS,
      pause: true,
    });

    expect((await look()).get("circuits")).toMatchObject({
      status: "warning",
      found: "calls are paused (VERIFICATION_NO_CREDITS, VERIFICATION_RATE_LIMITED); retry in 1 minute",
    });
    expect((await look(T0 + 4 * MINUTE_MS)).get("circuits")?.found).toBe(
      "calls are paused (VERIFICATION_NO_CREDITS); retry with the next order",
    );
  });

  it("names a shop whose policy is no longer valid, and sums up the others", async () => {
    await spend(1, "default");
    await spend(1);
    await store.policies.save(TENANT, { levels: { low: { action: "burn" } } }, undefined, T0);

    const checks = await look();

    expect(checks.get("policies")).toMatchObject({
      status: "problem",
      found: expect.stringContaining(TENANT),
    });
    expect(checks.get("credits")?.found).toMatch(/^1 spent today/);
  });
});
