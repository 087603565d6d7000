import { describe, expect, it } from "vitest";
import { createMemoryLedger, type MemoryLedgerOptions } from "../../../src/store/opening/memory-ledger.ts";
import { describeBrakes } from "../conformance-governor.ts";
import { describeLedger } from "../conformance-ledger.ts";
import { attempt, result, T0, TENANT } from "../samples.ts";

const DAY_MS = 86_400_000;

// A single process can't lose a lease to another.
const open = async () => ({
  ...createMemoryLedger({ now: () => T0 }),
  leases: { releaseAll: async () => undefined },
});

describe("memory ledger", () => {
  describeLedger(open);
  describeBrakes(open);
});

describe("createMemoryLedger", () => {
  async function fill(count: number, options: MemoryLedgerOptions, reasoning = "short") {
    const { ledger } = createMemoryLedger({ now: () => T0, ...options });
    for (let index = 0; index < count; index += 1) {
      const granted = await ledger.begin(attempt(`fp-${index}`));
      if (granted.outcome !== "granted") throw new Error(`not granted but ${granted.outcome}`);
      const end = { state: "answered", result: result(reasoning) } as const;
      await ledger.finish(granted.attemptId, end, T0);
    }
    const find = (index: number) => ledger.findAnswer(TENANT, `fp-${index}`, 0);
    return { ledger, find };
  }

  it("doesn't count a quota's place that only a clock far ahead can have taken", async () => {
    const { ledger } = createMemoryLedger();
    const quota = { tenant: TENANT, name: "health-probe", max: 1 };
    const take = (key: string, nowMs: number) =>
      ledger.takeQuota({ ...quota, key, sinceMs: nowMs - 600_000, nowMs });

    expect(await take("tomorrow", T0 + DAY_MS)).toBe(true);
    expect(await take("now", T0)).toBe(true);
    expect(await take("soon", T0 + 1)).toBe(false);
  });

  it("drops the order state that was asked about longest ago, and still counts its cost", async () => {
    const { ledger, find } = await fill(5, { maxEntries: 3 });

    expect([await find(0), await find(1)]).toEqual([null, null]);
    expect(await find(4)).not.toBeNull();
    const { dayStartMs, monthStartMs } = attempt("").budget;
    expect(await ledger.creditUse(TENANT, { dayStartMs, monthStartMs })).toMatchObject({ spentToday: 5 });
    const budget = { ...attempt("").budget, daily: 5 };
    expect(await ledger.begin(attempt("new", { budget }))).toMatchObject({ outcome: "over-budget" });
  });

  it("stores no more bytes than its limit", async () => {
    const { find } = await fill(5, { maxBytes: 50_000 }, "x".repeat(10_000));

    expect(await find(0)).toBeNull();
    expect(await find(4)).not.toBeNull();
  });

  it("forgets entries older than 90 days", async () => {
    let nowMs = T0;
    const { find } = await fill(1, { now: () => nowMs });
    nowMs += 89 * DAY_MS;
    expect(await find(0)).not.toBeNull();

    nowMs += 2 * DAY_MS;
    expect(await find(0)).toBeNull();
  });
});
