import { createLocalEngine } from "../src/local/engine.ts";
import type { Benchmark } from "./benchmark.ts";
import { percentile } from "./figure.ts";
import { readFixtureOrders } from "./fixture-orders.ts";

const PASSES = { quick: 500, full: 5_000 };

/** The built-in engine, which answers when the service does not. */
export const local: Benchmark = {
  name: "local",
  about: "one assessment by the local engine",
  async run({ quick, progress }) {
    const engine = createLocalEngine();
    const requests = readFixtureOrders().map(({ request }) => request);
    const passes = quick ? PASSES.quick : PASSES.full;
    const timesUs = new Float64Array(passes * requests.length);

    function measure(): void {
      let done = 0;
      for (let pass = 0; pass < passes; pass += 1) {
        for (const request of requests) {
          const startMs = performance.now();
          engine.assess(request);
          timesUs[done] = (performance.now() - startMs) * 1_000;
          done += 1;
        }
      }
    }

    progress(0, "warming up");
    measure();
    progress(0.5, "measuring");
    measure();
    return [0.5, 0.99].map((share) => {
      const timeUs = percentile(timesUs, share);
      return {
        name: `local-p${100 * share}`,
        unit: "µs",
        ours: timeUs,
        baseline: null,
        against: "",
        ratio: null,
        goal: null,
        rounds: { ours: [timeUs], baseline: [] },
        notes: [`${timesUs.length} assessments of ${requests.length} real orders`],
        faults: [],
      };
    });
  },
};
