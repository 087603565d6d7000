import { openConnection, type Connection, type RepeatedRequest } from "./connection.ts";
import { percentile } from "./figure.ts";
import { readStolenTicks } from "./machine.ts";

/** An open loop: requests start on a timetable, however the server is doing. */
export interface PacedLoadOptions extends RepeatedRequest {
  readonly connections: number;
  readonly perSecond: number;
  readonly seconds: number;
}

/** The result of the load. */
export interface PacedLoadResult {
  /** Milliseconds from a request's due time to its whole answer, so that a stalled server is charged for the wait. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The latencies of the windows in which the host of a virtual machine took no CPU time from it, in milliseconds. */
  readonly undisturbedMs: readonly Float64Array[];
  /** All windows of {@link WINDOW_MS}. */
  readonly windows: number;
  readonly accepted: number;
  readonly failed: number;
}

/** Length of a window, long against a pause and short against a round. */
const WINDOW_MS = 250;

/**
 * Put an even load on a server. autocannon can't: its rate limit is a quota per second and connection, so it sends the
 * second's requests in one burst and then waits. An HTTP client can't either: it creates objects for each request, and
 * collecting them stopped the load for as long as the server's slowest answers took, and counted toward them.
 */
export async function runPacedLoad(options: PacedLoadOptions): Promise<PacedLoadResult> {
  const amount = Math.ceil(options.perSecond * options.seconds);
  const latenciesMs = new Float64Array(amount);
  const over = Promise.withResolvers<void>();
  const opened = Array.from({ length: options.connections }, () =>
    openConnection(options, { onAnswer, onFailure: over.reject }),
  );
  const connections = await Promise.all(opened);
  const idle = [...connections];
  const startMs = performance.now();
  const dueAtMs = (number: number): number => startMs + (number * 1_000) / options.perSecond;
  let sent = 0;
  let answered = 0;
  let accepted = 0;
  const perWindow = Math.ceil((options.perSecond * WINDOW_MS) / 1_000);
  const stolenAtStart: number[] = [];

  function onAnswer(connection: Connection, number: number, status: number): void {
    latenciesMs[number] = performance.now() - dueAtMs(number);
    answered += 1;
    if (status === 200) accepted += 1;
    idle.push(connection);
    if (answered === amount) over.resolve();
    sendWhatIsDue();
  }

  function sendWhatIsDue(): void {
    while (sent < amount && dueAtMs(sent) <= performance.now()) {
      const connection = idle.pop();
      if (connection === undefined) return;
      if (sent % perWindow === 0) stolenAtStart.push(readStolenTicks());
      connection.send(sent);
      sent += 1;
    }
  }

  const timetable = setInterval(sendWhatIsDue, 1);
  try {
    await over.promise;
  } finally {
    clearInterval(timetable);
    for (const connection of connections) connection.close();
  }
  stolenAtStart.push(readStolenTicks());
  return {
    undisturbedMs: toUndisturbed(latenciesMs, perWindow, stolenAtStart),
    windows: stolenAtStart.length - 1,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    accepted,
    failed: amount - accepted,
  };
}

/** A pause delays the requests of the next window too, so that one must not be counted either. */
function toUndisturbed(
  latenciesMs: Float64Array,
  perWindow: number,
  stolenAtStart: readonly number[],
): readonly Float64Array[] {
  const windows = Array.from({ length: stolenAtStart.length - 1 }, (_, window) => window);
  return windows
    .filter((window) => stolenAtStart[Math.max(0, window - 1)] === stolenAtStart[window + 1])
    .map((window) => latenciesMs.subarray(window * perWindow, (window + 1) * perWindow));
}
