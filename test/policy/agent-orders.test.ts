import { describe, expect, it } from "vitest";
import type { Decision } from "../../src/order/decision.ts";
import type { MappedOrder } from "../../src/platform/platform.ts";
import { readAgent } from "../../src/policy/agent-orders.ts";
import { toMappedFacts, toStoredFacts } from "../../src/policy/order-facts.ts";
import { DEFAULT_POLICY, parsePolicy, type Policy } from "../../src/policy/policy.ts";
import { createReplay } from "../../src/policy/replay.ts";
import { toKnownFacts } from "../../src/policy/replay-rules.ts";
import { findSkip, matchRule } from "../../src/policy/rules.ts";
import { NO_OUTCOME } from "../../src/policy/check-facts.ts";
import { findUnmatchable } from "../../src/policy/unmatchable.ts";
import { anOrder } from "../support/orders.ts";

const NAMED = parsePolicy({ agentChannels: ["Assistant", "5678901"] });
const DEVICE = { ipAddress: "3.80.0.10", userAgent: "python-requests/2.32.3" };

const placedIn = (channel: string | undefined): MappedOrder => ({
  outcome: "screenable",
  request: { ...anOrder(), ...DEVICE },
  test: false,
  context: { channel, quantity: 2 },
});

describe("readAgent", () => {
  it.each([
    ["a named channel", "assistant", NAMED],
    ["another spelling", " ASSISTANT ", NAMED],
    ["an app's number", "5678901", NAMED],
    ["the channel that a storefront states", "agent", DEFAULT_POLICY],
  ])("reads %s as an agent's, and leaves out the agent's device", (_what, channel, policy) => {
    const read = readAgent(placedIn(channel), policy);

    expect(read).toEqual({
      ...placedIn("agent"),
      request: { ...anOrder(), ipAddress: undefined, userAgent: undefined },
    });
    expect(Object.keys("request" in read ? read.request : {})).not.toContain("ipAddress");
    expect(readAgent(read, policy)).toEqual(read);
  });

  it("does the same to an order that can't be sent", () => {
    const known = { orderAmount: 9, ...DEVICE };
    const order = { outcome: "unscreenable", reason: "NO_EMAIL", known, test: false } as const;

    expect(readAgent({ ...order, context: { channel: "assistant" } }, NAMED)).toEqual({
      ...order,
      context: { channel: "agent" },
      known: { orderAmount: 9 },
    });
  });

  it.each([
    ["another channel", placedIn("web"), NAMED],
    ["a part of a name", placedIn("assistant 2"), NAMED],
    ["an unnamed channel", placedIn("assistant"), DEFAULT_POLICY],
    ["no channel", placedIn(undefined), NAMED],
    ["no context", { ...placedIn("web"), context: undefined }, NAMED],
  ])("leaves an order of %s as it is", (_what, mapped, policy) => {
    expect(readAgent(mapped, policy)).toBe(mapped);
  });

  it("reads nothing but the channel", () => {
    const claims: MappedOrder = {
      outcome: "screenable",
      test: false,
      request: { ...anOrder(), userAgent: "agent", customerName: "Agent", companyName: "agent" },
      context: { channel: "web", orderTags: ["agent"], customerTags: ["agent"], gateways: ["agent"] },
    };

    expect(readAgent(claims, NAMED)).toBe(claims);
  });
});

describe("a policy's agentChannels", () => {
  const facts = toMappedFacts(readAgent(placedIn("assistant"), NAMED));

  it.each(["web", "POS", " draft", "subscription"])("refuse %j, where no agent orders", (channel) => {
    expect(() => parsePolicy({ agentChannels: [channel] })).toThrow(
      expect.objectContaining({ code: "POLICY_INVALID" }) as Error,
    );
  });

  it("give rules and skip lists the channel agent", () => {
    const rules = [{ name: "agents", when: { channel: "agent" }, then: { atLeast: "tag" } }];

    expect(matchRule(parsePolicy({ ...NAMED, rules }), facts, NO_OUTCOME)).toMatchObject({ name: "agents" });
    expect(findSkip(parsePolicy({ skipChannels: ["agent"] }), facts)).toEqual({ channel: "agent" });
    expect(findSkip(NAMED, facts)).toBeNull();
  });

  it("hide the agent's country from rules", () => {
    const rules = [{ name: "elsewhere", when: { ipCountryDiffers: true }, then: { action: "hold" } }];
    const policy = parsePolicy({ ...NAMED, rules });
    const abroad = {
      ...placedIn("web"),
      request: { ...anOrder(), ipAddress: "113.161.1.10" },
    } as MappedOrder;

    expect(matchRule(policy, toMappedFacts(abroad), NO_OUTCOME)).toMatchObject({ name: "elsewhere" });
    const byAgent = readAgent({ ...abroad, context: { channel: "assistant" } }, policy);
    expect(matchRule(policy, toMappedFacts(byAgent), NO_OUTCOME)).toBeNull();
  });

  it("can't be named by rules and skip lists any more, also by those in force", () => {
    const kept = parsePolicy({
      rules: [{ name: "own", when: { channel: ["Assistant", "web"] }, then: { action: "tag" } }],
      skipChannels: ["assistant"],
    });
    const named = parsePolicy({ ...kept, agentChannels: ["assistant"] });
    const message = expect.stringContaining("Use agent instead.") as string;

    expect(findUnmatchable(named, kept).map(({ path }) => path)).toEqual([
      "rules[0].when.channel[0]",
      "skipChannels[0]",
    ]);
    expect(findUnmatchable({ ...named, skipChannels: [] }, kept)).toEqual([
      { path: "rules[0].when.channel[0]", message, code: "agent-channel-named" },
    ]);
    expect(findUnmatchable(named, named)).toEqual([]);
    expect(findUnmatchable(parsePolicy({ agentChannels: ["agent"], skipChannels: ["agent"] }))).toEqual([]);
  });
});

describe("createReplay with other agentChannels", () => {
  const DECISION: Decision = {
    action: "tag",
    tags: ["holdfast-medium"],
    reasons: ["level:medium"],
    source: "service",
    degraded: false,
    riskLevel: "medium",
    riskScore: 40,
    enforce: true,
    policyVersion: 3,
  };
  const UNKNOWN = { outcome: "unknown", reason: "other-judge" };
  const replay = (channel: string | undefined, policy: Policy, former: Policy, isErased = false) => {
    const facts = toMappedFacts(readAgent(placedIn(channel), former));
    const known = isErased ? toKnownFacts(null, toStoredFacts(facts)) : toKnownFacts(facts, null);
    return createReplay(policy)({ decision: DECISION, known, test: false }, former);
  };

  it.each([false, true])(
    "doesn't know how an agent's order would have been judged otherwise (erased: %s)",
    (isErased) => {
      expect(replay("assistant", NAMED, DEFAULT_POLICY, isErased)).toEqual(UNKNOWN);
      expect(replay("assistant", DEFAULT_POLICY, NAMED, isErased)).toEqual(UNKNOWN);
    },
  );

  it("decides other orders, and agents' orders that stay so, as before", () => {
    const decided = { outcome: "decided", decision: { action: "tag" } };
    const more = parsePolicy({ agentChannels: [...NAMED.agentChannels, "other"] });

    expect(replay("web", NAMED, DEFAULT_POLICY)).toMatchObject(decided);
    expect(replay("agent", NAMED, DEFAULT_POLICY)).toMatchObject(decided);
    expect(replay("assistant", NAMED, NAMED)).toMatchObject(decided);
    expect(replay("assistant", more, NAMED)).toMatchObject(decided);
    expect(replay(undefined, NAMED, DEFAULT_POLICY)).toMatchObject(decided);
  });

  it("has no answer where nothing about the order is stored, unless the channels are the same", () => {
    const past = { decision: DECISION, known: toKnownFacts(null, null), test: false };

    expect(createReplay(NAMED)(past, DEFAULT_POLICY)).toEqual(UNKNOWN);
    expect(createReplay(NAMED)(past, NAMED)).toMatchObject({ outcome: "decided" });
  });
});
