import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ROUNDS, type BenchContext, type Benchmark } from "./benchmark.ts";
import { startChild, type Child } from "./child.ts";
import { toDeliveryBody, toDeliveryHeaders, toDeliveryId } from "./delivery.ts";
import { interleave, median, toSpread, type Figure } from "./figure.ts";
import { createLoadedSide, type LoadedSide } from "./load.ts";
import { runPacedLoad, type PacedLoadResult } from "./paced-load.ts";

const CONNECTIONS = 50;
const SECONDS = { quick: 1, full: 4 };
const PACED_SECONDS = { quick: 3, full: 10 };
const AGAINST = "Express 5, express.raw, signature checked, nothing kept";

/** A webhook is answered once it is on disk; the baseline keeps nothing. */
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
  readonly oursPaced: PacedLoadResult;
  readonly baselinePaced: PacedLoadResult;
  readonly perSecond: number;
  /** Requests that ours answered 200, in every run of this benchmark. */
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

  const perSecond = median(rounds.ours) / 2;
  const pace = async ({ url }: Child): Promise<PacedLoadResult> =>
    runPacedLoad({
      url,
      connections: CONNECTIONS,
      perSecond,
      seconds: context.quick ? PACED_SECONDS.quick : PACED_SECONDS.full,
      headers: () => ({ ...headers, ...toDeliveryId() }),
      body,
    });
  context.progress(0.7, "latency at half load");
  const oursPaced = await pace(oursChild);
  context.progress(0.85, "latency at half load");
  const baselinePaced = await pace(baselineChild);

  const failed = ours.failed + baseline.failed + oursPaced.failed + baselinePaced.failed;
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
    faults: failed === 0 ? [] : [`${failed} requests were not answered 200`],
  };
  return { throughput, oursPaced, baselinePaced, perSecond, accepted: ours.accepted + oursPaced.accepted };
}

function createSide(child: Child, body: Buffer, headers: Readonly<Record<string, string>>): LoadedSide {
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

/** Deliveries on disk, read after the app is gone. */
function countRows(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database.prepare("select count(*) as kept from deliveries where body is not null").get();
  database.close();
  return Number(row?.["kept"]);
}

function toFigures(measured: Measured, kept: number): readonly Figure[] {
  const { throughput, oursPaced, baselinePaced, perSecond, accepted } = measured;
  const lost = kept === accepted ? [] : [`${accepted} deliveries were acknowledged, ${kept} are on disk`];
  const faults = [...throughput.faults, ...lost];
  const notes = [...throughput.notes, `${accepted} acknowledged, ${kept} on disk`];
  const latency: Figure = {
    name: "acknowledge-p99",
    unit: "ms",
    ours: oursPaced.p99Ms,
    baseline: baselinePaced.p99Ms,
    against: `${AGAINST}, same load`,
    ratio: null,
    goal: { of: "ours", atMost: 25 },
    rounds: { ours: [oursPaced.p99Ms], baseline: [baselinePaced.p99Ms] },
    notes: [
      `at ${perSecond.toFixed(0)} req/s, from the moment a request is due`,
      `p50 ${oursPaced.p50Ms.toFixed(1)} ms, baseline ${baselinePaced.p50Ms.toFixed(1)} ms`,
    ],
    faults,
  };
  return [{ ...throughput, notes, faults }, latency];
}
