import { readFileSync } from "node:fs";
import { Pool } from "undici";
import { createVerificationClient } from "../src/service/client.ts";
import type { VerificationResult } from "../src/order/result.ts";
import { ROUNDS, type BenchContext, type Benchmark } from "./benchmark.ts";
import { startChild } from "./child.ts";
import { interleave, median, toSpread, type Figure } from "./figure.ts";
import { SAMPLE_RESULT, toSampleOrder } from "./sample-order.ts";

const IN_FLIGHT = 50;
const CALLS = { quick: 8_000, full: 20_000 };
const CERTIFICATE = new URL("../test/fixtures/tls/cert.pem", import.meta.url);
const API_KEY = "bench-key";
const PATH = "/api/bench/order-verification";

/** What our client adds to an HTTPS call: checks of the request and the answer, the time limit, the error handling. */
export const client: Benchmark = {
  name: "client",
  about: "calls of the verification client over TLS, 50 in flight",
  async run(context) {
    const service = await startChild("service.child.ts", ["https", "0"]);
    try {
      return [await measure(service.url, context)];
    } finally {
      await service.stop();
    }
  },
};

async function measure(url: URL, context: BenchContext): Promise<Figure> {
  const connect = { ca: readFileSync(CERTIFICATE, "utf8") };
  // The pools take turns and must not lose their connections while they wait.
  const keepAliveTimeout = 60_000;
  const pools = [1, 2].map(
    () => new Pool(url.origin, { connections: IN_FLIGHT, allowH2: false, connect, keepAliveTimeout }),
  );
  const [oursPool, baselinePool] = pools as [Pool, Pool];
  const verification = createVerificationClient({
    url,
    apiKey: API_KEY,
    organization: "bench",
    dispatcher: oursPool,
  });
  const order = toSampleOrder(1);

  async function ours(): Promise<VerificationResult> {
    return (await verification.verify(order)).result;
  }
  async function baseline(): Promise<VerificationResult> {
    const { statusCode, body } = await baselinePool.request({
      path: PATH,
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": API_KEY },
      body: JSON.stringify(order),
    });
    if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
    return (JSON.parse(await body.text()) as { data: VerificationResult }).data;
  }

  const calls = context.quick ? CALLS.quick : CALLS.full;
  const used = { ours: 0, baseline: 0 };
  const round = async (side: "ours" | "baseline", call: () => Promise<VerificationResult>) => {
    const before = process.cpuUsage();
    const perSecond = await runCalls(call, calls);
    const { user, system } = process.cpuUsage(before);
    used[side] += user + system;
    return perSecond;
  };

  context.progress(0, "warming up");
  await runCalls(ours, calls);
  await runCalls(baseline, calls);
  const rounds = await interleave(
    ROUNDS,
    { ours: () => round("ours", ours), baseline: () => round("baseline", baseline) },
    (done, total) => context.progress(0.1 + (0.9 * done) / total, `round ${done + 1} of ${total}`),
  );
  await verification.close();
  await Promise.all(pools.map((pool) => pool.close()));
  const toCpu = (micros: number) => (micros / (ROUNDS * calls)).toFixed(0);
  return {
    name: "client",
    unit: "call/s",
    ours: median(rounds.ours),
    baseline: median(rounds.baseline),
    against: "undici's request over an equal pool, JSON.stringify and JSON.parse",
    ratio: median(rounds.ours) / median(rounds.baseline),
    goal: { of: "ratio", atLeast: 0.9 },
    rounds,
    notes: [
      `spread ${toSpread(rounds)}`,
      `${toCpu(used.ours)} and ${toCpu(used.baseline)} µs CPU a call`,
      "client and service share the machine's cores",
    ],
    faults: [],
  };
}

/** Keep `IN_FLIGHT` calls under way until `amount` are done; resolves to calls a second. */
async function runCalls(call: () => Promise<VerificationResult>, amount: number): Promise<number> {
  let left = amount;
  async function callInTurn(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const { riskScore } = await call();
      if (riskScore !== SAMPLE_RESULT.riskScore) throw new Error("the answer differs from the service's");
    }
  }
  const startMs = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, callInTurn));
  return (amount * 1_000) / (performance.now() - startMs);
}
