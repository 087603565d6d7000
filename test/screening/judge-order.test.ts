import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import { createLocalEngine } from "../../src/engine/engine.ts";
import type { SkipReason } from "../../src/order/skip-reasons.ts";
import type { MappedOrder } from "../../src/platform/platform.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import { judgeOrder, toOrderCheck, type OrderToJudge } from "../../src/screening/judge-order.ts";
import { aResult, anOrder } from "../support/orders.ts";

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

const NOTHING_COUNTED = {
  emailOrders1h: undefined,
  ipEmails24h: undefined,
  cardEmails7d: undefined,
  addressEmails7d: undefined,
  emailCards24h: undefined,
  emailBillingPostcodes7d: undefined,
  cardBillingPostcodes7d: undefined,
};

describe("judgeOrder", () => {
  const judge = (order: Partial<OrderToJudge>) =>
    judgeOrder(
      {
        screening: { screen: () => Promise.reject(new Error("asked")) },
        engine: createLocalEngine({ now: () => 0 }),
      },
      {
        tenant: "default",
        mapped: { outcome: "screenable", test: false, request: anOrder() },
        policy: parsePolicy({}),
        policyVersion: 1,
        access: null,
        counts: { begin() {}, within: async () => undefined },
        ...order,
      },
    );
  const unsent = (reason: SkipReason): MappedOrder => ({
    outcome: "unscreenable",
    test: false,
    reason,
    known: { orderAmount: 10, currency: "EUR" },
  });

  it.each([
    ["ZERO_AMOUNT", "skipped"],
    ["NO_EMAIL", "degraded"],
  ] as const)("calls an order that isn't sent because of %s %s", async (reason, status) => {
    expect(await judge({ mapped: unsent(reason) })).toMatchObject({ status, screened: undefined });
  });

  it.each([
    [
      "a rule asks for them",
      { rules: [{ name: "r", when: { not: { emailOrders1h: 3 } }, then: { action: "tag" } }] },
      {},
    ],
    ["they are stored", {}, { keepsCounts: true }],
    ["neither", {}, {}],
  ])("waits for an answered order's counts if %s", async (name, policy, about) => {
    let asked = 0;
    const within = async () => {
      asked += 1;
      return { ...NOTHING_COUNTED, emailOrders1h: 2 };
    };
    const kept = { kind: "answered", result: aResult("low"), source: "service" } as const;

    const judged = await judge({
      kept,
      policy: parsePolicy(policy),
      counts: { begin() {}, within },
      ...about,
    });

    const isCounted = name !== "neither";
    expect(asked).toBe(isCounted ? 1 : 0);
    expect(judged.seen).toEqual({ factors: ["behavioral"], counts: isCounted ? { emailOrders1h: 2 } : {} });
    expect(judged.decision.action).toBe(name === "a rule asks for them" ? "tag" : "allow");
  });

  it.each([
    [false, "cancel", ["level:critical"]],
    [true, "hold", ["no-policy-saved", "level:critical"]],
  ])("cancels only under a saved policy (unsaved: %s)", async (isPolicyUnsaved, action, reasons) => {
    const result = aResult("critical");
    const kept = { kind: "answered", result, source: "service" } as const;

    expect((await judge({ kept, isPolicyUnsaved })).decision).toMatchObject({ action, reasons });
  });
});
