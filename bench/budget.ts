import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { VerificationResult } from "../src/order/result.ts";
import { toPeriods } from "../src/screening/screening-task.ts";
import { createSqliteStore } from "../src/store/opening/open-store.ts";
import type { Store } from "../src/store/store.ts";
import { ROUNDS, type Benchmark } from "./benchmark.ts";
import { interleave, median, toSpread } from "./figure.ts";

const SPENT = 400_000;
const CAP = 1_000_000;
const CALLS = { quick: 20, full: 100 };
const [MANY, NONE] = ["bench:many", "bench:none"];
const RESULT: VerificationResult = {
  riskScore: 5,
  riskLevel: "low",
  riskFactors: [],
  reasoning: "",
  recommendations: [],
};

/** Does a paid call take longer when more credits were spent? */
export const budget: Benchmark = {
  name: "budget",
  about: "one paid call's bookkeeping under caps, with 400,000 credits spent, against none",
  async run({ folder, quick, progress }) {
    progress(0, `writing ${SPENT} calls`);
    const path = join(folder, "holdfast.db");
    const dataKey = randomBytes(32);
    await (await createSqliteStore({ path, dataKey })).close();
    spend(path);
    const store = await createSqliteStore({ path, dataKey });
    try {
      const calls = quick ? CALLS.quick : CALLS.full;
      progress(0.6, "warming up");
      for (const tenant of [MANY, NONE]) await callOften(store, tenant, calls);
      const rounds = await interleave(
        ROUNDS,
        { ours: () => callOften(store, MANY, calls), baseline: () => callOften(store, NONE, calls) },
        (done, total) => progress(0.7 + (0.3 * done) / total, `round ${done + 1} of ${total}`),
      );
      const [ours, baseline] = [median(rounds.ours), median(rounds.baseline)];
      const notes = [
        `spread of the times ${toSpread(rounds)}`,
        "beginning and ending the call, with both commits",
      ];
      const figure = { name: "budget", unit: "ms", against: "no credits spent", goal: null, faults: [] };
      return [{ ...figure, ours, baseline, ratio: baseline / ours, rounds, notes }];
    } finally {
      await store.close();
    }
  },
};

/** Write calls of this month past the store, which would take minutes. */
function spend(path: string): void {
  const nowMs = Date.now();
  const { monthStartMs } = toPeriods(nowMs);
  const stepMs = Math.floor((nowMs - monthStartMs) / SPENT);
  const database = new DatabaseSync(path);
  database.exec(`
    insert into attempts (attempt_id, tenant, fingerprint, owner, state, metered, started_at, ended_at, lease_until, erased)
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${SPENT})
    select 'spent' || n, '${MANY}', 'spent' || n, 'bench', 'answered', 'yes', ${monthStartMs} + n * ${stepMs}, 0, 0, 0
    from numbers`);
  database.close();
}

let called = 0;

/** The median of the calls' times, in milliseconds. */
async function callOften(store: Store, tenant: string, calls: number): Promise<number> {
  const timesMs: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const startMs = performance.now();
    const granted = await store.ledger.begin(toRequest(tenant));
    if (granted.outcome !== "granted") throw new Error(`not granted but ${granted.outcome}`);
    await store.ledger.finish(granted.attemptId, { state: "answered", result: RESULT }, Date.now());
    timesMs.push(performance.now() - startMs);
  }
  return median(timesMs);
}

function toRequest(tenant: string): Parameters<Store["ledger"]["begin"]>[0] {
  const nowMs = Date.now();
  called += 1;
  return {
    tenant,
    fingerprint: `call-${called}`,
    answersSinceMs: 0,
    failuresSinceMs: 0,
    orderId: undefined,
    owner: "bench",
    nowMs,
    leaseMs: 60_000,
    maxPaidAttempts: 3,
    retryAfterMs: 3_000,
    reserveAfterMs: 60_000,
    seenHealthyAtMs: 0,
    budget: { daily: CAP, monthly: CAP, ...toPeriods(nowMs) },
    amount: 10,
    currency: "USD",
    burst: { limit: null, atMs: nowMs, sources: [] },
    circuit: "bench",
    trialUntilMs: 0,
  };
}
