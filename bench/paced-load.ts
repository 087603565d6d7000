import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { percentile } from "./figure.ts";

/** An open loop: requests start on a timetable, however the server is doing. */
export interface PacedLoadOptions {
  readonly url: URL;
  readonly connections: number;
  readonly perSecond: number;
  readonly seconds: number;
  readonly headers: () => Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** How it went. */
export interface PacedLoadResult {
  /** Milliseconds from when a request was due to its whole answer, so that a server which stalls is charged for all who wait. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly accepted: number;
  readonly failed: number;
}

/**
 * Put an even load on a server. Not done with autocannon, whose rate limit is a quota per second and connection: it
 * sends the second's requests in one burst and then waits.
 */
export async function runPacedLoad(options: PacedLoadOptions): Promise<PacedLoadResult> {
  const { url, connections, perSecond, seconds, headers, body } = options;
  const amount = Math.ceil(perSecond * seconds);
  const pool = new Pool(url.origin, { connections });
  const latenciesMs = new Float64Array(amount);
  let accepted = 0;

  async function send(number: number, dueAtMs: number): Promise<void> {
    const request = { path: url.pathname, method: "POST", headers: headers(), body } as const;
    try {
      const answer = await pool.request(request);
      await answer.body.dump();
      if (answer.statusCode === 200) accepted += 1;
    } catch {
      // Counted: what is not accepted has failed.
    }
    latenciesMs[number] = performance.now() - dueAtMs;
  }

  // Counted, not kept: the load generator's own garbage would stop it, and count as the server's.
  const over = Promise.withResolvers<void>();
  let ended = 0;
  const onEnd = (): void => {
    ended += 1;
    if (ended === amount) over.resolve();
  };
  const startMs = performance.now();
  for (let sent = 0; sent < amount;) {
    const dueAtMs = startMs + (sent * 1_000) / perSecond;
    // At thousands a second several are due in one turn of a timer.
    if (dueAtMs > performance.now()) await sleep(1);
    else void send(sent++, dueAtMs).then(onEnd);
  }
  await over.promise;
  await pool.close();
  return {
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    accepted,
    failed: amount - accepted,
  };
}
