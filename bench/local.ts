import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createLocalEngine, type LocalEngine } from "../src/engine/engine.ts";
import { createMemoryVelocity } from "../src/engine/velocity/memory-velocity.ts";
import { SILENT_LOGGER } from "../src/base/logger.ts";
import type { VerificationRequest } from "../src/order/request.ts";
import { createVelocity } from "../src/screening/velocity.ts";
import { createKeyring } from "../src/store/sealing/keyring.ts";
import type { Benchmark } from "./benchmark.ts";
import { median, percentile, type Figure } from "./figure.ts";
import { FIXTURE_TENANT, readFixtureOrders } from "./fixture-orders.ts";

const LOAD_SCRIPT = new URL("local-load.child.ts", import.meta.url);
const PASSES = { quick: 500, full: 5_000 };
/** Far less than a person notices, and less than a database query costs. */
const WITH_VELOCITY_GOALS_US: Goals = { 0.5: 100, 0.99: 1_000 };
/** A command that judges one order shouldn't feel slow, and a function with a cold start shouldn't time out. */
const LOAD_GOAL_MS = 150;
const LOADS = 7;

/** The local engine, which answers when the service doesn't: alone, and with the memory of other orders. */
export const local: Benchmark = {
  name: "local",
  about: "one assessment by the local engine, alone and with other orders in memory",
  async run({ quick, progress }) {
    const engine = createLocalEngine();
    const requests = readFixtureOrders().map(({ request }) => request);
    const passes = quick ? PASSES.quick : PASSES.full;
    const note = `${passes * requests.length} assessments of ${requests.length} real orders`;

    progress(0, "warming up");
    measureAlone(engine, requests, passes);
    progress(0.25, "measuring");
    const alone = measureAlone(engine, requests, passes);
    progress(0.5, "warming up with other orders");
    await measureTogether(engine, requests, passes);
    progress(0.75, "measuring with other orders");
    const together = await measureTogether(engine, requests, passes);
    return [
      ...toFigures("local", alone, [note], {}),
      ...toFigures(
        "local-velocity",
        together,
        [`${note}, each from another customer`],
        WITH_VELOCITY_GOALS_US,
      ),
      await measureLoad(),
    ];
  },
};

function measureAlone(
  engine: LocalEngine,
  requests: readonly VerificationRequest[],
  passes: number,
): Float64Array {
  const timesUs = new Float64Array(passes * requests.length);
  let done = 0;
  for (let pass = 0; pass < passes; pass += 1) {
    for (const request of requests) {
      const startMs = performance.now();
      engine.assess(request);
      timesUs[done] = (performance.now() - startMs) * 1_000;
      done += 1;
    }
  }
  return timesUs;
}

async function measureTogether(
  engine: LocalEngine,
  requests: readonly VerificationRequest[],
  passes: number,
): Promise<Float64Array> {
  const velocity = createVelocity({
    store: createMemoryVelocity(),
    keyring: createKeyring(Buffer.alloc(32, 1)),
    logger: SILENT_LOGGER,
    now: Date.now,
    timeLimitMs: 1_000,
  });
  const timesUs = new Float64Array(passes * requests.length);
  let done = 0;
  for (let pass = 0; pass < passes; pass += 1) {
    for (const request of requests) {
      const order = toAnothersOrder(request, done);
      const startMs = performance.now();
      const counts = await velocity.note({ tenant: FIXTURE_TENANT, orderId: order.orderId, order });
      engine.assess(order, counts);
      timesUs[done] = (performance.now() - startMs) * 1_000;
      done += 1;
    }
  }
  return timesUs;
}

/** The same order from another buyer at another place. */
function toAnothersOrder(request: VerificationRequest, number: number): VerificationRequest {
  const { shippingAddress } = request;
  return {
    ...request,
    orderId: String(number),
    customerEmail: `customer${number}@example.com`,
    shippingAddress: { ...shippingAddress, street: `${number} ${shippingAddress.street}` },
  };
}

const runFile = promisify(execFile);

/** The time until a new process has an engine with all its tables. */
async function measureLoad(): Promise<Figure> {
  const timesMs: number[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    const { stdout } = await runFile(process.execPath, [fileURLToPath(LOAD_SCRIPT)]);
    timesMs.push(Number(stdout));
  }
  return {
    name: "local-load",
    unit: "ms",
    ours: median(timesMs),
    baseline: null,
    against: "",
    ratio: null,
    goal: { of: "ours", atMost: LOAD_GOAL_MS },
    rounds: { ours: timesMs, baseline: [] },
    notes: [`${LOADS} processes, from TypeScript sources; the package has them compiled`],
    faults: [],
  };
}

/** The longest time that this share of the assessments takes, in microseconds. */
type Goals = Readonly<Partial<Record<0.5 | 0.99, number>>>;

function toFigures(
  name: string,
  timesUs: Float64Array,
  notes: readonly string[],
  goalsUs: Goals,
): readonly Figure[] {
  return ([0.5, 0.99] as const).map((share) => {
    const timeUs = percentile(timesUs, share);
    const goalUs = goalsUs[share];
    return {
      name: `${name}-p${100 * share}`,
      unit: "µs",
      ours: timeUs,
      baseline: null,
      against: "",
      ratio: null,
      goal: goalUs === undefined ? null : { of: "ours", atMost: goalUs },
      rounds: { ours: [timeUs], baseline: [] },
      notes,
      faults: [],
    };
  });
}
