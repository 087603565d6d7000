import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createSqliteStore, type Store } from "../src/index.ts";
import { ROUNDS, type BenchContext, type Benchmark } from "./benchmark.ts";
import { interleave, median, toSpread, type Figure } from "./figure.ts";
import { QUICK_PLATFORM, toPlatformOrder } from "./quick-platform.ts";
import { toTimelineEntry } from "../src/pipeline/timeline.ts";

const TENANTS = 200;
const LARGE = 100_000;
const SMALL = 1_000;
const LIMIT = 50;
const CLAIMS = { quick: 20, full: 100 };
/** Orders received at once, in one commit. */
const BATCH = 250;

/** Does the next piece of work take longer to find when more work waits? */
export const claim: Benchmark = {
  name: "claim",
  about: "claiming 50 of 100,000 due orders of 200 tenants, against 50 of 1,000",
  async run(context) {
    const stores: Store[] = [];
    try {
      for (const count of [LARGE, SMALL]) {
        stores.push(await fillStore(count, join(context.folder, `${count}.db`), context));
      }
      const [large, small] = stores as [Store, Store];
      return [await measure(large, small, context)];
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  },
};

/** A store with `count` due orders, divided equally among the tenants. */
async function fillStore(count: number, path: string, { progress }: BenchContext): Promise<Store> {
  const store = await createSqliteStore({ path, dataKey: randomBytes(32) });
  for (let start = 0; start < count; start += BATCH) {
    progress((0.6 * start) / count, `keeping ${count} orders`);
    const numbers = Array.from({ length: BATCH }, (_, index) => start + index);
    await Promise.all(
      numbers.map((number) =>
        store.orders.receive(
          {
            tenant: `${QUICK_PLATFORM}:shop-${number % TENANTS}`,
            platform: QUICK_PLATFORM,
            receivedAtMs: number,
            ...toPlatformOrder(number),
          },
          toTimelineEntry(number, { kind: "received" }, "orders/create", "platform"),
        ),
      ),
    );
  }
  return store;
}

async function measure(large: Store, small: Store, { quick, progress }: BenchContext): Promise<Figure> {
  const claims = quick ? CLAIMS.quick : CLAIMS.full;
  // Each claim is later than the last one's lease, so the backlog stays the same length.
  let nowMs = LARGE;
  let short = 0;
  async function claimOften(store: Store): Promise<number> {
    const timesMs: number[] = [];
    for (let claimed = 0; claimed < claims; claimed += 1) {
      nowMs += 1_000;
      const startMs = performance.now();
      const orders = await store.orders.claim({ owner: "bench", nowMs, leaseMs: 1, limit: LIMIT });
      timesMs.push(performance.now() - startMs);
      if (orders.length !== LIMIT) short += 1;
    }
    return median(timesMs);
  }

  progress(0.6, "warming up");
  await claimOften(large);
  await claimOften(small);
  const rounds = await interleave(
    ROUNDS,
    { ours: () => claimOften(large), baseline: () => claimOften(small) },
    (done, total) => progress(0.7 + (0.3 * done) / total, `round ${done + 1} of ${total}`),
  );
  return {
    name: "claim",
    unit: "ms",
    ours: median(rounds.ours),
    baseline: median(rounds.baseline),
    against: `${SMALL} due orders`,
    ratio: median(rounds.baseline) / median(rounds.ours),
    goal: null,
    rounds,
    notes: [
      `spread of the times ${toSpread(rounds)}`,
      `${TENANTS} tenants, claims of ${LIMIT} with their commit`,
    ],
    faults: short === 0 ? [] : [`${short} claims gave fewer than ${LIMIT} orders`],
  };
}
