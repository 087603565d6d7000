import { deepEqual, equal, fail, ok } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { ObservedOrder, EnforcementTarget } from "../platform/platform.ts";
import {
  HOLD_GAPS,
  ORDER_ENDS,
  type EnforcementStep,
  type StepOutcome,
} from "../platform/enforcement-step.ts";
import type { AdapterCheck, AdapterUnderTest, NamedCheck } from "./adapter-under-test.ts";
import { expectShape } from "./contract-case.ts";
import { expectObservation } from "./reading-cases.ts";

const TAG = "holdfast-contract";
const MOST_TRIES = 50;
const LONGEST_SLEEP_MS = 1_000;
const REASON = z.string().min(1);
const OUTCOME = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("done"), detail: z.string() }),
  z.object({
    outcome: z.literal("partial"),
    gap: z.enum(HOLD_GAPS),
    detail: z.string(),
    retryAtMs: z.number(),
  }),
  z.object({ outcome: z.literal("wait"), reason: REASON, retryAtMs: z.number() }),
  z.object({
    outcome: z.enum(["impossible", "moot"]),
    reason: REASON,
    ended: z.enum(ORDER_ENDS).optional(),
  }),
]);
const OVER: ReadonlySet<string> = new Set(["done", "moot"]);

/** Cases for applying decisions, also repeatedly. */
export const ENFORCEMENT_CHECKS: Readonly<Record<string, AdapterCheck>> = {
  ...Object.fromEntries([
    repeatable("assess", [], () => {}),
    repeatable("tag", [], ({ tags }) =>
      equal(tags.filter((tag) => tag === TAG).length, 1, "expected the tag, once"),
    ),
    repeatable("untag", ["tag"], ({ tags }) => ok(!tags.includes(TAG), "expected the tag to be gone")),
    repeatable("hold", [], ({ holds }) => ok(holds.length > 0, "expected a hold of ours")),
    repeatable("release", ["hold"], ({ holds }) => equal(holds.length, 0, "expected no hold of ours")),
    repeatable("capture", [], () => {}),
    repeatable("cancel", [], ({ cancelled }) => ok(cancelled, "expected the order to be cancelled")),
  ]),
  "can hold an order again after releasing it": async (adapter) => {
    const { orderId } = await adapter.placeOrder();
    for (const step of ["hold", "release", "hold"] as const) await carryOut(adapter, step, orderId);
    ok((await observe(adapter, orderId)).holds.length > 0, "expected a hold of ours");
  },
  "removes only tags that the current decision doesn't have": async (adapter) => {
    const { orderId } = await adapter.placeOrder();
    await carryOut(adapter, "tag", orderId);
    const kept = { formerTags: [TAG], decision: toDecision([TAG]) };
    await runToEnd(adapter, "untag", { ...toTarget(adapter, orderId), ...kept });
    ok((await observe(adapter, orderId)).tags.includes(TAG), "expected the tag to stay");
  },
  ...Object.fromEntries(
    (["hold", "cancel", "release", "capture"] as const).map((step): NamedCheck => [
      `has nothing to do for ${step} on a cancelled order`,
      async (adapter) => {
        const { orderId } = await adapter.placeOrder();
        await carryOut(adapter, "cancel", orderId);
        const result = await runToEnd(adapter, step, toTarget(adapter, orderId));
        equal(result.outcome, "moot");
        equal(
          result.outcome === "moot" ? result.ended : undefined,
          "cancelled",
          'expected ended to be "cancelled"',
        );
      },
    ]),
  ),
  ...Object.fromEntries(
    (["hold", "cancel"] as const).map((step): NamedCheck => [
      `reports ${step} as impossible on an unknown order`,
      async (adapter) => {
        const target = toTarget(adapter, adapter.unknownOrderId);
        equal((await runToEnd(adapter, step, target)).outcome, "impossible");
      },
    ]),
  ),
  "changes only the given order": async (adapter) => {
    const [first, second] = [await adapter.placeOrder(), await adapter.placeOrder()];
    const before = await observe(adapter, second.orderId);
    for (const step of ["assess", "tag", "hold"] as const) await carryOut(adapter, step, first.orderId);
    deepEqual(await observe(adapter, second.orderId), before);
  },
};

/**
 * Carry out a step, and repeat it without the first run's memory: the repeat finds the work done and changes nothing.
 */
function repeatable(
  step: EnforcementStep,
  before: readonly EnforcementStep[],
  expect: (order: ObservedOrder) => void,
): NamedCheck {
  const name = `carries out ${step}, and changes nothing when it is repeated`;
  return [
    name,
    async (adapter) => {
      const { orderId } = await adapter.placeOrder();
      for (const earlier of before) await carryOut(adapter, earlier, orderId);
      await carryOut(adapter, step, orderId);
      const first = await observe(adapter, orderId);
      expect(first);
      await carryOut(adapter, step, orderId);
      deepEqual(await observe(adapter, orderId), first, "expected a repeat to change nothing");
    },
  ];
}

async function carryOut(adapter: AdapterUnderTest, step: EnforcementStep, orderId: string): Promise<void> {
  const result = await runToEnd(adapter, step, toStepTarget(adapter, step, orderId));
  if (!OVER.has(result.outcome)) fail(`expected ${step} to be done, got ${JSON.stringify(result)}`);
}

/** Repeat a step until it no longer waits, as the pipeline does. */
async function runToEnd(adapter: AdapterUnderTest, step: EnforcementStep, target: EnforcementTarget) {
  let { memory } = target;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const result = await adapter.platform.enforce(step, { ...target, memory });
    expectOutcome(step, result);
    if (result.outcome !== "wait" && result.outcome !== "partial") return result;
    memory = result.memory ?? memory;
    await passTime(adapter, result.retryAtMs);
  }
  return fail(`expected ${step} to end within ${MOST_TRIES} tries`);
}

async function passTime(adapter: AdapterUnderTest, untilMs: number): Promise<void> {
  const ms = Math.max(0, untilMs - Date.now());
  if (adapter.passTime === undefined) await sleep(Math.min(ms, LONGEST_SLEEP_MS));
  else await adapter.passTime(ms);
}

function expectOutcome(step: EnforcementStep, result: StepOutcome): void {
  expectShape(OUTCOME, result);
  const isBegun = result.outcome === "wait" && result.begun !== undefined;
  ok(!isBegun || step === "cancel", "expected begun only for a cancel");
}

async function observe(adapter: AdapterUnderTest, orderId: string): Promise<ObservedOrder> {
  const order = await adapter.platform.observe(adapter.tenant, orderId);
  if (order === null || order === "hidden") return fail("expected the placed order to be there");
  expectObservation(order);
  return order;
}

/** The target of a step. For `untag`, the decision lacks the earlier decision's tags. */
export function toStepTarget(
  adapter: AdapterUnderTest,
  step: EnforcementStep,
  orderId: string,
): EnforcementTarget {
  const target = toTarget(adapter, orderId);
  return step === "untag" ? { ...target, decision: toDecision([]), formerTags: [TAG] } : target;
}

/** The target of a step on an order of the adapter's tenant. */
function toTarget({ tenant }: AdapterUnderTest, orderId: string): EnforcementTarget {
  return {
    tenant,
    orderId,
    decision: toDecision([TAG]),
    formerTags: [],
    result: {
      riskScore: 93,
      riskLevel: "critical",
      riskFactors: [
        { factor: "Example", severity: "critical", description: "An example.", category: "behavioral" },
      ],
      reasoning: "An example.",
      recommendations: ["Look at it."],
    },
    cancel: { refund: true, restock: true, notifyCustomer: false },
    memory: {},
  };
}

function toDecision(tags: readonly string[]): EnforcementTarget["decision"] {
  return {
    action: "cancel",
    tags,
    reasons: ["level:critical"],
    source: "service",
    degraded: false,
    riskLevel: "critical",
    riskScore: 93,
    enforce: true,
    policyVersion: 1,
  };
}
