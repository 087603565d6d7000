import { describe, expect, it } from "vitest";
import { createCreditSummary } from "../../src/console/credit-summary.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import type { GateAnswer, KeyUser } from "../../src/verification/gate.ts";

const HELD_BACK: GateAnswer = { open: false, code: "VERIFICATION_NO_CREDITS", retryAtMs: 1 };
const USE = { spentToday: 2, spentMonth: 30, savedMonth: 4 };

function summaryOf(options: {
  readonly budget?: { readonly daily?: number; readonly monthly?: number };
  readonly keyId?: string | null;
  readonly peek?: (user: KeyUser) => GateAnswer;
  readonly nowMs?: number;
}) {
  const { budget = {}, keyId = "environment", peek = () => ({ open: true }) } = options;
  return createCreditSummary({
    store: { creditUse: async () => USE },
    policyOf: async () => ({ policy: parsePolicy({ budget }) }),
    gate: { peek },
    keyIdOf: () => keyId,
    now: () => options.nowMs ?? Date.UTC(2026, 10, 11),
  })("shopify:a.example");
}

describe("createCreditSummary", () => {
  it("tells spending and caps", async () => {
    expect(await summaryOf({ budget: { daily: 10 } })).toEqual({
      ...USE,
      dailyCap: 10,
      monthlyCap: null,
      circuit: "closed",
      runsOutOn: null,
    });
  });

  it("tells of this tenant whether its calls are held back", async () => {
    const asked: KeyUser[] = [];
    const peek = (user: KeyUser): GateAnswer => {
      asked.push(user);
      return HELD_BACK;
    };

    expect((await summaryOf({ peek })).circuit).toBe("open");
    expect(asked).toEqual([{ keyId: "environment", tenant: "shopify:a.example" }]);
  });

  it("knows no circuit without a service", async () => {
    expect((await summaryOf({ keyId: null, peek: () => HELD_BACK })).circuit).toBe("local");
  });

  it.each([
    ["the day at the pace so far", 45, "2026-11-16"],
    ["today once the cap is reached", 30, "2026-11-11"],
    ["nothing when it lasts until the month ends", 90, null],
  ])("tells when the monthly cap is reached: %s", async (_name, monthly, day) => {
    expect((await summaryOf({ budget: { monthly } })).runsOutOn).toBe(day);
  });
});
