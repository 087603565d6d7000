import type { ListMatch } from "../../src/order/decision.ts";
import { describe, expect, it } from "vitest";
import { chooseAction } from "../../src/policy/choose-action.ts";
import type { DecisionInput } from "../../src/policy/rating.ts";
import { findListed, findSnoozed, leaveOut, type ListEntry } from "../../src/policy/lists.ts";
import { parsePolicy, type PolicyDocument } from "../../src/policy/policy.ts";
import { createReplay, type PastOrder } from "../../src/policy/replay.ts";
import { toKnownFacts } from "../../src/policy/replay-rules.ts";
import { toOrderFacts } from "../../src/policy/order-facts.ts";
import { anOrder } from "../support/orders.ts";

const AT_MS = Date.UTC(2026, 10, 22, 12);
const ANN = "a".repeat(22);
const BOB = "b".repeat(22);
const BLOCK: ListMatch = { list: "block", kind: "phone" };
const TRUST: ListMatch = { list: "trust", kind: "mailbox" };

function anEntry(changes: Partial<ListEntry> = {}): ListEntry {
  const common = { label: "a***@example.com", owner: "person:7", reason: "a regular", until: null };
  return { list: "trust", kind: "mailbox", digest: ANN, ...common, ...changes };
}

function judge(changes: Partial<DecisionInput>, document: PolicyDocument = {}) {
  const { riskLevel = "low" } = changes.result ?? {};
  return chooseAction({
    policy: parsePolicy(document),
    policyVersion: 1,
    facts: toOrderFacts(anOrder()),
    source: "service",
    degraded: false,
    ...changes,
    result: changes.result === null ? null : { riskLevel, riskScore: 50 },
  });
}

const at = (riskLevel: "low" | "medium" | "high" | "critical") => ({ riskLevel, riskScore: 50 });

describe("an entry of a list", () => {
  it("applies to what it names, up to its last day", () => {
    const find = (until: string | null, keys = { mailbox: ANN }) =>
      findListed([anEntry({ until })], { keys, receivedAtMs: AT_MS });

    expect(find(null)).toEqual(TRUST);
    expect(find("2026-11-22")).toEqual(TRUST);
    expect(find("2026-11-21")).toBeNull();
    expect(find(null, { mailbox: BOB })).toBeNull();
  });

  it("has an unknown effect once the order's digests are gone, unless it has ended", () => {
    const find = (until: string | null) =>
      findListed([anEntry({ until })], { keys: null, receivedAtMs: AT_MS });

    expect(find(null)).toBeUndefined();
    expect(find("2026-11-21")).toBeNull();
  });

  it("blocks rather than trusts", () => {
    const lists = [anEntry(), anEntry({ list: "block", kind: "phone", digest: BOB })];

    expect(findListed(lists, { keys: { mailbox: ANN, phone: BOB }, receivedAtMs: AT_MS })).toEqual(BLOCK);
  });

  it.each([{ digest: "ann@example.com" }, { until: "tomorrow" }, { kind: "shoe" }, { reason: " " }])(
    "is refused with %j",
    (changes) => {
      expect(() => parsePolicy({ lists: [{ ...anEntry(), ...changes }] })).toThrow(/invalid/);
    },
  );
});

describe("a blocked buyer's order", () => {
  it("is held at least, even if a rule allows it", () => {
    const rules = [{ name: "all", when: { minAmount: 0 }, then: { action: "allow" as const } }];

    expect(judge({ listed: BLOCK })).toMatchObject({
      action: "hold",
      reasons: ["blocked:phone", "level:low"],
    });
    expect(judge({ listed: BLOCK }, { rules }).action).toBe("hold");
    expect(
      judge({ listed: BLOCK, result: null, source: "policy" }, { whenUnavailable: "allow" }).action,
    ).toBe("hold");
  });

  it("is canceled only if the service's answer cancels it", () => {
    expect(judge({ listed: BLOCK, result: at("critical") }).action).toBe("cancel");
    expect(judge({ listed: BLOCK, result: at("critical"), source: "local" }).action).toBe("hold");
  });
});

describe("a trusted buyer's order", () => {
  it("is treated one step milder, except at level critical", () => {
    const action = (riskLevel: "low" | "medium" | "high" | "critical", document: PolicyDocument = {}) =>
      judge({ listed: TRUST, result: at(riskLevel) }, document).action;

    expect([action("low"), action("medium"), action("high"), action("critical")]).toEqual([
      "allow",
      "tag",
      "tag",
      "cancel",
    ]);
    expect(action("high", { levels: { high: { action: "cancel" } } })).toBe("hold");
  });

  it("follows a matching rule, and is held in a flood or if it couldn't be judged", () => {
    const rules = [{ name: "all", when: { minAmount: 0 }, then: { action: "hold" as const } }];
    const flood = { degraded: true, problem: "BURST_BRAKED", source: "local", hasService: true } as const;

    expect(judge({ listed: TRUST, result: at("high") }, { rules }).action).toBe("hold");
    expect(judge({ listed: TRUST, ...flood, result: at("medium") }).action).toBe("hold");
    expect(judge({ listed: TRUST, result: null, source: "policy" }, { whenUnavailable: "hold" }).action).toBe(
      "hold",
    );
  });
});

describe("a replay", () => {
  const lists = [anEntry({ list: "block" })];
  const keys = { mailbox: ANN };
  const facts = toKnownFacts(toOrderFacts(anOrder(), {}), null);
  const past = (listable: PastOrder["listable"], listed: ListMatch | null = null): PastOrder => ({
    decision: judge({ listed }, {}),
    known: facts,
    test: false,
    listable,
  });
  const former = parsePolicy({});

  it("applies the lists to past orders", () => {
    const replay = createReplay(parsePolicy({ lists }));

    expect(replay(past({ keys, receivedAtMs: AT_MS }), former)).toMatchObject({
      decision: { action: "hold" },
    });
    expect(replay(past({ keys: { mailbox: BOB }, receivedAtMs: AT_MS }), former)).toMatchObject({
      decision: { action: "allow" },
    });
  });

  it("decides the same under the same lists if the digests are gone, and reports unknown under others", () => {
    const policy = parsePolicy({ lists });
    const erased = past({ keys: null, receivedAtMs: AT_MS }, { list: "block", kind: "mailbox" });

    expect(createReplay(policy)(erased, policy)).toMatchObject({ decision: { action: "hold" } });
    expect(createReplay(policy)(erased, former)).toEqual({ outcome: "unknown", reason: "content-erased" });
    expect(erased.decision.causes?.listed).toEqual({ list: "block", kind: "mailbox" });
  });

  it("checks a blocked buyer's order even if a rule would have skipped it", () => {
    const rules = [{ name: "all", when: { minAmount: 0 }, then: { skip: true as const } }];
    const replay = createReplay(parsePolicy({ lists, rules }));

    expect(replay(past({ keys, receivedAtMs: AT_MS }), former)).toMatchObject({
      decision: { action: "hold" },
    });
  });

  it("blocks no test order, and reports unknown for an order that may have been a test", () => {
    const service = { testOrders: "service" } as const;
    const replay = createReplay(parsePolicy({ ...service, lists }));
    const order = past({ keys, receivedAtMs: AT_MS });
    const formerly = parsePolicy(service);

    expect(replay({ ...order, test: true }, formerly)).toMatchObject({ decision: { action: "allow" } });
    expect(replay({ ...order, test: null }, formerly)).toEqual({ outcome: "unknown", reason: "maybe-test" });
    expect(replay({ ...order, test: null }, former)).toMatchObject({ decision: { action: "hold" } });
    const other = past({ keys: { mailbox: BOB }, receivedAtMs: AT_MS });
    expect(replay({ ...other, test: null }, formerly)).toMatchObject({ decision: { action: "allow" } });
    const blocked = past({ keys, receivedAtMs: AT_MS }, { list: "block", kind: "mailbox" });
    expect(replay({ ...blocked, test: null }, formerly)).toMatchObject({ decision: { action: "hold" } });
  });
});

describe("a snoozed rule", () => {
  const RULE = { name: "every order", when: { minAmount: 0 }, then: { action: "hold" as const } };
  const OTHER = { name: "big", when: { minAmount: 0 }, then: { action: "tag" as const } };
  const snooze = anEntry({ list: "snooze", rule: RULE.name, until: "2026-11-22" });
  const policy = parsePolicy({ rules: [RULE, OTHER], lists: [snooze] });
  const ann = { keys: { mailbox: ANN }, receivedAtMs: AT_MS };
  const bob = { keys: { mailbox: BOB }, receivedAtMs: AT_MS };
  const erased = { keys: null, receivedAtMs: AT_MS };

  it("is skipped for its customer, up to the last day, and adds no trust", () => {
    expect(findSnoozed(policy, ann)).toEqual([RULE.name]);
    expect(findSnoozed(policy, { ...ann, receivedAtMs: Date.UTC(2026, 10, 23) })).toEqual([]);
    expect(findSnoozed(policy, bob)).toEqual([]);
    expect(leaveOut(policy, [RULE.name]).rules).toEqual([OTHER]);
    expect(findListed(policy.lists, ann)).toBeNull();
  });

  it("has an unknown effect once the order's digests are gone, unless the rule doesn't exist", () => {
    expect(findSnoozed(policy, erased)).toBeUndefined();
    expect(findListed(policy.lists, erased)).toBeNull();
    expect(findSnoozed({ ...policy, rules: [OTHER] }, erased)).toEqual([]);
  });

  it.each([
    [{ rule: undefined }, "rule"],
    [{ until: null }, "until"],
    // It would snooze the rule for everybody on a carrier's network.
    [{ kind: "network" as const }, "kind"],
    [{ kind: "address" as const }, "kind"],
    [{ list: "trust" as const }, "rule"],
  ])("is refused with %j", (changes, field) => {
    expect(() => parsePolicy({ lists: [{ ...snooze, ...changes }] })).toThrow(
      expect.objectContaining({
        code: "POLICY_INVALID",
        fields: [expect.objectContaining({ path: `lists[0].${field}` })],
      }) as Error,
    );
  });

  describe("in a replay", () => {
    const known = toKnownFacts(toOrderFacts(anOrder(), {}), null);
    const past = (listable: PastOrder["listable"], snoozed: readonly string[], test = false): PastOrder => ({
      decision: chooseAction({
        policy: leaveOut(policy, snoozed),
        policyVersion: 1,
        facts: toOrderFacts(anOrder(), {}),
        result: at("low"),
        source: "service",
        degraded: false,
        snoozed,
      }),
      known,
      test,
      listable,
    });
    const without = parsePolicy({ rules: [RULE, OTHER] });

    it("applies to past orders, and the rule applies again if the snooze is removed", () => {
      expect(createReplay(policy)(past(ann, []), without)).toMatchObject({
        decision: { action: "tag", reasons: ["rule:big", "level:low", "snoozed:every order"] },
        rule: "big",
      });
      expect(createReplay(policy)(past(bob, []), without)).toMatchObject({ decision: { action: "hold" } });
      expect(createReplay(without)(past(ann, [RULE.name]), policy)).toMatchObject({
        decision: { action: "hold", reasons: ["rule:every order", "level:low"] },
      });
    });

    it("decides the same under the same policy, even if the digests are gone", () => {
      for (const [listable, snoozed] of [
        [ann, [RULE.name]],
        [bob, []],
        [erased, [RULE.name]],
        [erased, []],
      ] as const) {
        const order = past(listable, snoozed);
        expect(createReplay(policy)(order, policy)).toMatchObject({ decision: order.decision });
      }
      expect(createReplay(policy)(past(erased, []), without)).toEqual({
        outcome: "unknown",
        reason: "content-erased",
      });
    });

    it("reports an order as skipped if the rule isn't snoozed", () => {
      const skip = { name: RULE.name, when: { minAmount: 0 }, then: { skip: true as const } };
      const skipping = parsePolicy({ rules: [skip, OTHER] });
      const replay = createReplay(parsePolicy({ rules: [skip, OTHER], lists: [snooze] }));

      // It was checked because the rule was snoozed. Without the snooze, it isn't.
      expect(createReplay(skipping)(past(ann, [RULE.name]), policy)).toMatchObject({
        decision: { action: "allow", source: "policy" },
      });
      expect(replay(past(ann, [RULE.name]), policy)).toMatchObject({ decision: { action: "tag" } });
    });

    it("doesn't affect test orders", () => {
      const tested = createReplay({ ...policy, testOrders: "service" });
      expect(tested(past(ann, [], true), { ...without, testOrders: "service" })).toMatchObject({
        decision: { action: "hold" },
      });
    });

    it("has an unknown effect if the rule is new, even with the same snoozes", () => {
      const former = { ...policy, rules: [OTHER] };

      expect(createReplay(policy)(past(erased, []), former)).toEqual({
        outcome: "unknown",
        reason: "content-erased",
      });
    });

    it("has an unknown effect on an order that may have been a test, unless the decision rules that out", () => {
      const service = { testOrders: "service" } as const;
      const replay = createReplay({ ...policy, ...service });
      const maybe = (order: PastOrder): PastOrder => ({ ...order, test: null });
      const former = { ...without, ...service };

      expect(replay(maybe(past(ann, [])), former)).toEqual({ outcome: "unknown", reason: "maybe-test" });
      expect(replay(maybe(past(bob, [])), former)).toMatchObject({ decision: { action: "hold" } });
      for (const snoozed of [[], [RULE.name]]) {
        const order = maybe(past(ann, snoozed));
        expect(replay(order, { ...policy, ...service })).toMatchObject({ decision: order.decision });
      }
    });
  });
});
