import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ROUNDS, type BenchContext, type Benchmark } from "./benchmark.ts";
import { startChild, type Child } from "./child.ts";
import { toDeliveryBody, toDeliveryHeaders, toDeliveryId } from "./delivery.ts";
import { interleave, median, toSpread, type Figure } from "./figure.ts";
import { createLoadedSide, type LoadedSide } from "./load.ts";
import { createPaced, type Paced } from "./paced-side.ts";

const CONNECTIONS = 50;
const SECONDS = { quick: 1, full: 4 };
const PACED_SECONDS = { quick: 1, full: 4 };
const AGAINST = "Express 5, express.raw, signature checked, nothing stored";

/** A webhook is answered once it is on disk; the baseline stores nothing. */
export const acknowledge: Benchmark = {
  name: "acknowledge",
  about: "webhooks of 7 KB answered once durable in SQLite, 50 connections",
  async run(context) {
    const path = join(context.folder, "holdfast.db");
    const ours = await startChild("acknowledge.child.ts", ["ours", path]);
    const baseline = await startChild("acknowledge.child.ts", ["baseline"]);
    let measured: Measured;
    try {
      measured = await measure(ours, baseline, context);
    } finally {
      await Promise.all([ours.stop(), baseline.stop()]);
    }
    return toFigures(measured, countRows(path));
  },
};

interface Measured {
  readonly throughput: Figure;
  readonly latency: Figure;
  /** Requests that our app answered with 200, in every run of this benchmark. */
  readonly accepted: number;
}

async function measure(oursChild: Child, baselineChild: Child, context: BenchContext): Promise<Measured> {
  const body = toDeliveryBody();
  const headers = toDeliveryHeaders(body);
  const ours = createSide(oursChild, body, headers);
  const baseline = createSide(baselineChild, body, headers);
  const seconds = context.quick ? SECONDS.quick : SECONDS.full;

  context.progress(0, "warming up");
  await ours.warmUp(seconds);
  await baseline.warmUp(seconds);
  const rounds = await interleave(
    ROUNDS,
    { ours: () => ours.round(), baseline: () => baseline.round() },
    (done, total) => context.progress(0.2 + (0.5 * done) / total, `round ${done + 1} of ${total}`),
  );

  // Each at half of its own rate: a bare route that is as busy shows the share of the machine and the load generator.
  const halfLoad = { ours: median(rounds.ours) / 2, baseline: median(rounds.baseline) / 2 };
  const throughput: Figure = {
    name: "acknowledge",
    unit: "req/s",
    ours: median(rounds.ours),
    baseline: median(rounds.baseline),
    against: AGAINST,
    ratio: median(rounds.ours) / median(rounds.baseline),
    goal: { of: "ratio", atLeast: 0.8 },
    rounds,
    notes: [`spread ${toSpread(rounds)}`, `ours: ${ours.note()}`, `baseline: ${baseline.note()}`],
    faults: toFaults(ours.failed + baseline.failed),
  };
  const paced = {
    ours: createPaced(oursChild, CONNECTIONS),
    baseline: createPaced(baselineChild, CONNECTIONS),
  };
  const latency = await measureLatency(paced, halfLoad, context);
  return { throughput, latency, accepted: ours.accepted + paced.ours.accepted };
}

async function measureLatency(
  { ours, baseline }: { readonly ours: Paced; readonly baseline: Paced },
  perSecond: { readonly ours: number; readonly baseline: number },
  { quick, progress }: BenchContext,
): Promise<Figure> {
  const seconds = quick ? PACED_SECONDS.quick : PACED_SECONDS.full;
  const rounds = await interleave(
    ROUNDS,
    {
      ours: () => ours.round(perSecond.ours, seconds),
      baseline: () => baseline.round(perSecond.baseline, seconds),
    },
    (done, total) => progress(0.7 + (0.3 * done) / total, `latency at half load, ${done + 1} of ${total}`),
  );
  return {
    name: "acknowledge-p99",
    unit: "ms",
    ours: median(rounds.ours),
    baseline: median(rounds.baseline),
    against: `${AGAINST}, at half of its own load`,
    ratio: median(rounds.baseline) / median(rounds.ours),
    goal: { of: "ours", atMost: 10 },
    rounds,
    notes: [
      `at ${perSecond.ours.toFixed(0)} req/s, baseline ${perSecond.baseline.toFixed(0)} req/s, from the moment a request is due`,
      `p50 ${ours.p50Ms().toFixed(1)} ms, baseline ${baseline.p50Ms().toFixed(1)} ms`,
      `p99 while the host took no CPU time: ours ${ours.undisturbed()}, baseline ${baseline.undisturbed()}`,
    ],
    faults: toFaults(ours.failed + baseline.failed),
  };
}

function toFaults(failed: number): readonly string[] {
  return failed === 0 ? [] : [`${failed} requests were not answered 200`];
}

/** One side under as much load as it can take. */
export function createSide(
  child: Child,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
): LoadedSide {
  const request = {
    method: "POST" as const,
    path: child.url.pathname,
    headers,
    body,
    // Called with a copy for each request.
    setupRequest<Request extends { headers?: object | undefined }>(request: Request): Request {
      Object.assign(request.headers ?? {}, toDeliveryId());
      return request;
    },
  };
  return createLoadedSide(child, { connections: CONNECTIONS, requests: [request] });
}

/** Deliveries on disk, read after the app has stopped. */
function countRows(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database.prepare("select count(*) as kept from deliveries where body is not null").get();
  database.close();
  return Number(row?.["kept"]);
}

function toFigures({ throughput, latency, accepted }: Measured, kept: number): readonly Figure[] {
  const lost = kept === accepted ? [] : [`${accepted} deliveries were acknowledged, ${kept} are on disk`];
  const notes = [...throughput.notes, `${accepted} acknowledged, ${kept} on disk`];
  return [
    { ...throughput, notes, faults: [...throughput.faults, ...lost] },
    { ...latency, faults: [...latency.faults, ...lost] },
  ];
}
