import * as fc from "fast-check";
import { expect, it } from "vitest";
import { ACTIONS } from "../../src/order/decision.ts";
import { splitReason, type ReasonCode } from "../../src/order/reasons.ts";
import { RISK_LEVELS } from "../../src/order/risk-level.ts";
import { chooseAction } from "../../src/policy/choose-action.ts";
import { toOrderFacts } from "../../src/policy/order-facts.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import { anOrder, aResult } from "../support/orders.ts";

const OBSTACLES = ["local-never-cancels", "opted-out", "no-policy-saved"] as const;

const aPolicy = fc
  .record({
    whileChecking: fc.constantFrom("hold", "nothing"),
    critical: fc.constantFrom(...ACTIONS),
    rule: fc.constantFrom(...ACTIONS),
    level: fc.subarray([...RISK_LEVELS], { minLength: 1 }),
  })
  .map(({ critical, rule, level, whileChecking }) =>
    parsePolicy({
      whileChecking,
      levels: { critical: { action: critical } },
      rules: [{ name: "r", when: { level }, then: { action: rule } }],
    }),
  );

const anInput = fc.record({
  policy: aPolicy,
  policyVersion: fc.constant(1),
  facts: fc.constantFrom(
    toOrderFacts(anOrder()),
    toOrderFacts(anOrder(), { customerTags: ["holdfast-manual-review"] }),
  ),
  result: fc.option(fc.constantFrom(...RISK_LEVELS).map((level) => aResult(level))),
  source: fc.constantFrom("service", "local" as const),
  degraded: fc.boolean(),
  problem: fc.constantFrom("VERIFICATION_TIMEOUT" as const, undefined),
  listed: fc.constantFrom(null, { list: "trust", kind: "mailbox" } as const),
  isPolicyUnsaved: fc.boolean(),
});

it("says the same for code as for people, for any input", () => {
  fc.assert(
    fc.property(anInput, (input) => {
      const { heldInstead, heldToCheck = false, causes = {}, reasons } = chooseAction(input);
      const said = reasons.map(splitReason);
      const detailOf = (code: ReasonCode) => said.find((reason) => reason.code === code)?.detail;
      const isNamed = (code: ReasonCode) => detailOf(code) !== undefined;
      expect(OBSTACLES.filter(isNamed)).toEqual(heldInstead === undefined ? [] : [heldInstead]);
      expect(heldToCheck).toBe(isNamed("held-to-check"));
      expect(causes.rule).toBe(detailOf("rule"));
      expect(causes.listed).toEqual(isNamed("trusted") ? input.listed : undefined);
      expect(causes.problem ?? (input.degraded ? "" : undefined)).toBe(detailOf("degraded"));
    }),
    { numRuns: 1_000 },
  );
});
