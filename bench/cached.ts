import { ROUNDS, type BenchContext, type Benchmark } from "./benchmark.ts";
import { CHECKED_ORDERS } from "./checkout.ts";
import { startChild, type Child } from "./child.ts";
import { interleave, median, toSpread, type Figure } from "./figure.ts";
import { createLoadedSide } from "./load.ts";
import { toSampleOrder } from "./sample-order.ts";

const CONNECTIONS = 50;
const SECONDS = { quick: 1, full: 4 };

/** What the middleware costs a route when the answer is already stored. */
export const cached: Benchmark = {
  name: "cached",
  about: "an Express route behind verifyOrder, every answer stored, 50 connections",
  async run(context) {
    const ours = await startChild("cached.child.ts", ["ours"]);
    const baseline = await startChild("cached.child.ts", ["baseline"]);
    try {
      return [await measure(ours, baseline, context)];
    } finally {
      await Promise.all([ours.stop(), baseline.stop()]);
    }
  },
};

async function measure(oursChild: Child, baselineChild: Child, context: BenchContext): Promise<Figure> {
  const requests = Array.from({ length: CHECKED_ORDERS }, (_, number) => ({
    method: "POST" as const,
    path: oursChild.url.pathname,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(toSampleOrder(number)),
  }));
  const ours = createLoadedSide(oursChild, { connections: CONNECTIONS, requests });
  const baseline = createLoadedSide(baselineChild, { connections: CONNECTIONS, requests });
  const seconds = context.quick ? SECONDS.quick : SECONDS.full;

  context.progress(0, "warming up");
  await ours.warmUp(seconds);
  await baseline.warmUp(seconds);
  const rounds = await interleave(
    ROUNDS,
    { ours: () => ours.round(), baseline: () => baseline.round() },
    (done, total) => context.progress(0.2 + (0.8 * done) / total, `round ${done + 1} of ${total}`),
  );
  const failed = ours.failed + baseline.failed;
  return {
    name: "cached",
    unit: "req/s",
    ours: median(rounds.ours),
    baseline: median(rounds.baseline),
    against: "the same route with express.json and without verifyOrder",
    ratio: median(rounds.ours) / median(rounds.baseline),
    goal: { of: "ratio", atLeast: 0.9 },
    rounds,
    notes: [`spread ${toSpread(rounds)}`, `ours: ${ours.note()}`, `baseline: ${baseline.note()}`],
    faults: failed === 0 ? [] : [`${failed} requests were not answered from stored answers`],
  };
}
