import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import { judgeOrder, toOrderCheck } from "../../src/screening/judge-order.ts";
import { anOrder } from "../support/orders.ts";

describe("a check whose local engine fails", () => {
  const broken = () => {
    throw new Error("Cannot find module 'libphonenumber-js/max'");
  };
  const check = async (policy: object) => {
    const failures: unknown[] = [];
    const error = new HoldfastError("VERIFICATION_UNREACHABLE", "down", { retryable: true });
    const judged = await judgeOrder(
      {
        screening: { screen: () => Promise.reject(new Error("asked")) },
        engine: { assess: broken },
        onEngineFailure: (cause) => void failures.push(cause),
      },
      {
        tenant: "default",
        mapped: { outcome: "screenable", test: false, request: anOrder() },
        policy: parsePolicy(policy),
        policyVersion: 0,
        access: null,
        counts: { begin() {}, within: async () => undefined },
        kept: { kind: "unavailable", error },
      },
    );
    return { failures, check: toOrderCheck(judged, { fingerprint: "f", warnings: [] }) };
  };

  it("holds the order, gives the reason, and reports the failure", async () => {
    const { check: held, failures } = await check({});

    expect(held).toMatchObject({ status: "degraded", action: "hold", riskLevel: null, result: null });
    expect(held.reasons).toEqual(["unavailable:hold", "degraded:INTERNAL"]);
    expect(failures).toHaveLength(1);
  });

  it.each(["hold", "allow"] as const)(
    "doesn't ask the engine if whenUnavailable is %s",
    async (whenUnavailable) => {
      const { check: decided, failures } = await check({ whenUnavailable });

      expect(decided.action).toBe(whenUnavailable);
      expect(failures).toEqual([]);
    },
  );

  it("keeps the policy's rules", async () => {
    const rules = [{ name: "trusted", when: { minAmount: 0 }, then: { action: "tag", tags: ["seen"] } }];

    expect((await check({ rules })).check).toMatchObject({
      action: "tag",
      tags: ["seen", "holdfast-unchecked"],
    });
  });
});
