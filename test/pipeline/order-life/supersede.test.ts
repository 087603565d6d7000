import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { supersede } from "../../../src/pipeline/order-life/supersede.ts";
import type { Decision } from "../../../src/order/decision.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { OrderRecord, OrderState, Store, StepRecord } from "../../../src/store/store.ts";
import { claim, decision, entry, order, T0, TENANT } from "../../store/samples.ts";

const KEY = { tenant: TENANT, orderId: "1" };
const NEXT = decision({ action: "allow", tags: [], riskLevel: "low" });

const HELD = { held: true, heldByAnswer: true, tags: [] } as const;

let store: Store;

beforeEach(async () => {
  store = await createTestStore();
});
afterEach(() => store.close());

/** An order in `state` whose decision had these steps done. */
async function leave(
  state: OrderState,
  done: readonly StepRecord["step"][],
  former: Decision = decision(),
): Promise<OrderRecord> {
  await store.orders.receive(order("1"), entry("received"));
  await store.orders.claim(claim("p1"));
  for (const name of done) {
    const step: StepRecord = { step: name, state: "done", detail: "", memory: {}, atMs: T0 + 7 };
    await store.orders.save(KEY, "p1", { changes: {}, step, release: false });
  }
  const changes = { state, decision: former, decidedAtMs: T0 };
  await store.orders.save(KEY, "p1", { changes, release: true });
  const left = await store.orders.get(KEY);
  if (left === null) throw new Error("the order is gone");
  return left;
}

async function supersedeIt(left: OrderRecord) {
  const decided = { decision: NEXT, changes: { decidedAtMs: T0 + 7 }, entries: [] };
  return supersede(left, await store.orders.listSteps(left), decided);
}

describe("supersede", () => {
  it.each<[OrderState, readonly StepRecord["step"][], boolean, readonly string[]]>([
    ["review", ["hold", "assess", "tag"], true, ["holdfast-high"]],
    ["settled", ["hold", "assess", "tag"], false, ["holdfast-high"]],
    ["settled", ["assess"], false, []],
    ["waiting", ["assess"], true, ["holdfast-high"]],
    ["enforcing", [], true, ["holdfast-high"]],
    ["decided", [], true, ["holdfast-high"]],
    ["failed", ["hold"], true, ["holdfast-high"]],
    ["failed", ["hold", "release"], false, ["holdfast-high"]],
  ])("remembers what an order in %s that had %j done may have left", async (state, done, held, tags) => {
    const { decision: next } = await supersedeIt(await leave(state, done));

    expect(next.supersedes).toEqual({ held, tags, ...(held ? { heldByAnswer: true } : {}) });
  });

  it.each<[string, Partial<Decision>, true | undefined]>([
    ["an answer", {}, true],
    ["a kept answer", { source: "cache" }, true],
    ["an answer that said to cancel", { action: "cancel" }, true],
    ["a guess", { source: "local", degraded: true }, undefined],
    ["a guess after an answer", { source: "local", degraded: true, supersedes: HELD }, true],
    ["the policy, after an answer", { source: "policy", degraded: true, supersedes: HELD }, true],
    ["an answer that let go after one that held", { action: "allow", supersedes: HELD }, undefined],
  ])("remembers whether the service asked for the hold, after %s", async (_case, changes, heldByAnswer) => {
    const former = decision(changes);

    const { decision: next } = await supersedeIt(await leave("enforcing", [], former));

    expect(next.supersedes).toMatchObject({ held: true });
    expect(next.supersedes?.heldByAnswer).toBe(heldByAnswer);
  });

  it("remembers what the decision before the former one left on the platform", async () => {
    const former = decision({
      action: "allow",
      tags: ["holdfast-low"],
      supersedes: { held: true, tags: ["holdfast-high"] },
    });

    const { decision: next } = await supersedeIt(await leave("enforcing", [], former));

    expect(next.supersedes).toEqual({ held: true, tags: ["holdfast-low", "holdfast-high"] });
  });

  it("remembers nothing from a decision that was only recorded", async () => {
    const former = decision({ enforce: false });

    const { decision: next } = await supersedeIt(await leave("decided", [], former));

    expect(next.supersedes).toEqual({ held: false, tags: [] });
  });

  it("remembers what was left before a decision that was only recorded", async () => {
    const left = { held: true, heldByAnswer: true, tags: ["holdfast-high"] } as const;
    const former = decision({ action: "allow", tags: [], enforce: false, supersedes: left });

    const { decision: next } = await supersedeIt(await leave("review", ["hold", "tag"], former));

    expect(next.supersedes).toEqual({ held: true, tags: ["holdfast-high"] });
  });

  it("is later than every step of the former decision, even within a millisecond", async () => {
    const { changes } = await supersedeIt(await leave("review", ["hold"]));

    expect(changes.decidedAtMs).toBe(T0 + 8);
  });
});
