import { describe, expect, it } from "vitest";
import type { Decision } from "../../src/order/decision.ts";
import { isCancelAllowed, isCancelAllowedAtDeadline } from "../../src/policy/choose-action.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import { aResult } from "../support/orders.ts";

describe("isCancelAllowed", () => {
  const answered = { result: aResult("critical"), source: "service", degraded: false } as const;

  it.each<[name: string, input: Parameters<typeof isCancelAllowed>[0], expected: boolean]>([
    ["a fresh answer", answered, true],
    ["a kept answer", { ...answered, source: "cache" }, true],
    ["an explicit absence of a skip reason", { ...answered, skipReason: null }, true],
    ["the local engine", { ...answered, source: "local" }, false],
    ["a degraded answer", { ...answered, degraded: true }, false],
    ["no answer", { ...answered, result: null }, false],
    ["an order that was not sent", { ...answered, skipReason: "NO_ADDRESS" }, false],
  ])("decides for %s", (_name, input, expected) => {
    expect(isCancelAllowed(input)).toBe(expected);
  });
});

describe("isCancelAllowedAtDeadline", () => {
  const TRUST = { list: "trust", kind: "mailbox" } as const;
  const policy = parsePolicy({ levels: { medium: { action: "hold" } } });
  const held = {
    action: "hold",
    source: "service",
    degraded: false,
    riskLevel: "high",
    reasons: [],
  } as const;

  it.each<[name: string, changes: Partial<Decision>, expected: boolean]>([
    ["a level that the policy holds", {}, true],
    ["a level that the shop decided to hold", { riskLevel: "medium" }, true],
    ["a level that the policy cancels", { riskLevel: "critical", action: "cancel" }, true],
    ["a kept answer", { source: "cache" }, true],
    ["a rule that holds what its level holds too", { causes: { rule: "r" } }, true],
    ["a rule that holds a low order", { riskLevel: "low", causes: { rule: "r" } }, false],
    ["a blocked buyer's low order", { riskLevel: "low", reasons: ["blocked:mailbox"] }, false],
    ["a rule's cancel of a low order", { action: "cancel", riskLevel: "low" }, false],
    ["a trusted buyer's level that is only tagged", { causes: { rule: "r", listed: TRUST } }, false],
    ["a trusted buyer's critical order", { riskLevel: "critical", causes: { listed: TRUST } }, true],
    ["a later answer that allows the order", { action: "allow" }, false],
    ["a guess", { source: "local", degraded: true }, false],
    ["no level", { riskLevel: null, source: "policy" }, false],
    ["a bank's inquiry", { source: "policy", reasons: ["dispute:inquiry"] }, false],
  ])("decides for %s", (_name, changes, expected) => {
    expect(isCancelAllowedAtDeadline(policy, { ...held, ...changes })).toBe(expected);
  });
});
