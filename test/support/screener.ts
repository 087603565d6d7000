import type { CheckOptions, OrderCheck, Screener } from "../../src/screening/order-check.ts";

/** What a {@link createScriptedScreener} was asked. */
export interface AskedCheck {
  readonly order: unknown;
  readonly options: CheckOptions;
}

/** The part of a screener that storefront adapters use, under the test's control. */
export interface ScriptedScreener extends Pick<Screener, "check"> {
  readonly asked: readonly AskedCheck[];
}

/** A check as the service's answer would produce it. */
export function aCheck(changes: Partial<OrderCheck> = {}): OrderCheck {
  return {
    status: "verified",
    source: "service",
    action: "allow",
    riskLevel: "low",
    result: null,
    tags: [],
    reasons: ["level:low"],
    creditsSpent: 1,
    fingerprint: "fingerprint-1",
    warnings: [],
    ...changes,
  };
}

/** Create a screener that answers with `answer` and records what it is asked. */
export function createScriptedScreener(
  answer: (asked: AskedCheck) => OrderCheck | Promise<OrderCheck> = () => aCheck(),
): ScriptedScreener {
  const asked: AskedCheck[] = [];
  return {
    asked,
    async check(order, options = {}) {
      asked.push({ order, options });
      return answer({ order, options });
    },
  };
}
