import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import { toOrderFacts } from "../../src/policy/order-facts.ts";
import { toOrderCheck } from "../../src/screening/order-check.ts";
import { anOrder } from "../support/orders.ts";

describe("a check whose local engine fails", () => {
  const broken = () => {
    throw new Error("Cannot find module 'libphonenumber-js/max'");
  };
  const check = (policy: object) => {
    const logged: unknown[] = [];
    const logger = { ...SILENT_LOGGER, error: (fields: unknown) => void logged.push(fields) };
    const error = new HoldfastError("VERIFICATION_UNREACHABLE", "down", { retryable: true });
    const order = anOrder();
    const rules = {
      policy: parsePolicy(policy),
      facts: toOrderFacts(order),
      engine: { assess: broken },
      logger,
    };
    const known = { creditsSpent: 0, fingerprint: "f" };
    return {
      logged,
      check: toOrderCheck(order, { kind: "unavailable", error }, "degraded", known, rules),
    };
  };

  it("holds the order, gives the reason, and logs the failure", () => {
    const { check: held, logged } = check({});

    expect(held).toMatchObject({ status: "degraded", action: "hold", riskLevel: null, result: null });
    expect(held.reasons).toEqual(["unavailable:hold", "degraded:INTERNAL"]);
    expect(logged).toHaveLength(1);
  });

  it.each(["hold", "allow"] as const)(
    "doesn't ask the engine if whenUnavailable is %s",
    (whenUnavailable) => {
      const { check: decided, logged } = check({ whenUnavailable });

      expect(decided.action).toBe(whenUnavailable);
      expect(logged).toEqual([]);
    },
  );

  it("keeps the policy's rules", () => {
    const rules = [{ name: "trusted", when: { minAmount: 0 }, then: { action: "tag", tags: ["seen"] } }];

    expect(check({ rules }).check).toMatchObject({ action: "tag", tags: ["seen", "holdfast-unchecked"] });
  });
});
