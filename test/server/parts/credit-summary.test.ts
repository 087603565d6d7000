import { describe, expect, it } from "vitest";
import { createCreditSummary } from "../../../src/server/parts/credit-summary.ts";
import { parsePolicy } from "../../../src/policy/policy.ts";
import type { StoredBlock } from "../../../src/store/store.ts";
import type { CallPermission } from "../../../src/service/circuit-rules.ts";
import type { KeyUser } from "../../../src/service/circuit-breaker.ts";

const HELD_BACK: CallPermission = { allowed: false, code: "VERIFICATION_NO_CREDITS", retryAtMs: 1 };
const USE = { spentToday: 2, spentMonth: 30, savedMonth: 4, savedByReason: { cached: 4 } };

function summaryOf(options: {
  readonly budget?: { readonly daily?: number; readonly monthly?: number };
  readonly keyId?: string | null;
  readonly tenantDailyCap?: number;
  readonly peek?: (user: KeyUser) => CallPermission;
  readonly nowMs?: number;
  readonly blocks?: readonly StoredBlock[];
}) {
  const { budget = {}, keyId = "environment", peek = () => ({ allowed: true }) } = options;
  return createCreditSummary({
    store: { ledger: { creditUse: async () => USE, findBlocks: async () => options.blocks ?? [] } },
    policyOf: async () => ({ policy: parsePolicy({ budget }) }),
    breaker: { peek },
    accessOf: () => (keyId === null ? null : { keyId, tenantDailyCap: options.tenantDailyCap }),
    now: () => options.nowMs ?? Date.UTC(2026, 10, 11),
  })("shopify:a.example");
}

describe("createCreditSummary", () => {
  it("shows spending and limits", async () => {
    expect(await summaryOf({ budget: { daily: 10 } })).toEqual({
      ...USE,
      dailyCap: 10,
      monthlyCap: null,
      circuit: "closed",
      runsOutOn: null,
    });
  });

  it.each([
    [undefined, 5, 5],
    [10, 5, 5],
    [3, 5, 3],
    [0, 5, 0],
  ])(
    "shows the lower of the policy's daily cap %s and the operator's %s",
    async (daily, tenantDailyCap, cap) => {
      const budget = daily === undefined ? {} : { daily };

      expect((await summaryOf({ budget, tenantDailyCap })).dailyCap).toBe(cap);
    },
  );

  it("shows whether this tenant's calls are paused", async () => {
    const asked: KeyUser[] = [];
    const peek = (user: KeyUser): CallPermission => {
      asked.push(user);
      return HELD_BACK;
    };

    expect((await summaryOf({ peek })).circuit).toBe("open");
    expect(asked).toEqual([{ keyId: "environment", tenant: "shopify:a.example" }]);
  });

  it("shows what other processes found, and that a trial call is under way", async () => {
    const block = { name: "key:environment", code: "VERIFICATION_NO_CREDITS", pause: false } as const;
    const nowMs = Date.UTC(2026, 10, 11);

    expect((await summaryOf({ blocks: [{ ...block, untilMs: nowMs - 1, trialUntilMs: 0 }] })).circuit).toBe(
      "open",
    );
    expect((await summaryOf({ blocks: [{ ...block, untilMs: 0, trialUntilMs: nowMs + 1 }] })).circuit).toBe(
      "half-open",
    );
  });

  it("shows no circuit without a service", async () => {
    expect((await summaryOf({ keyId: null, peek: () => HELD_BACK })).circuit).toBe("local");
  });

  it.each([
    ["the day at the pace so far", 45, "2026-11-16"],
    ["today once the cap is reached", 30, "2026-11-11"],
    ["nothing when it lasts until the month ends", 90, null],
  ])("shows when the monthly cap is reached: %s", async (_name, monthly, day) => {
    expect((await summaryOf({ budget: { monthly } })).runsOutOn).toBe(day);
  });
});
