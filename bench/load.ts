import autocannon from "autocannon";
import type { Child } from "./child.ts";

/** A closed loop: each connection sends its next request once the previous one is answered. */
export interface LoadOptions {
  readonly url: URL;
  readonly connections: number;
  /** Total number of requests. A number, not a time, so that every request that is sent is also answered. */
  readonly amount: number;
  /** Sent in turn by each connection; one with `setupRequest` is built again each time. */
  readonly requests: readonly autocannon.Request[];
}

/** The result of a load. */
export interface LoadResult {
  /** Answers a second, over the middle 80 % of all answers: without the start and the connections that end first. */
  readonly perSecond: number;
  readonly accepted: number;
  /** Answers other than 200, and requests without an answer. */
  readonly failed: number;
}

const EDGE = 0.1;

/** Put load on a server. */
export async function runLoad({ url, connections, amount, requests }: LoadOptions): Promise<LoadResult> {
  const answeredAtMs = new Float64Array(amount);
  let answered = 0;
  let accepted = 0;
  const options = {
    url: url.href,
    connections,
    amount,
    requests: [...requests],
    sampleInt: 100,
    timeout: 30,
  };
  await new Promise<void>((resolve, reject) => {
    const run = autocannon(options, (error: unknown) =>
      error === null ? resolve() : reject(new Error("the load could not be run", { cause: error })),
    );
    run.on("response", (_client, status) => {
      answeredAtMs[answered] = performance.now();
      answered += 1;
      if (status === 200) accepted += 1;
    });
  });
  const first = Math.floor(answered * EDGE);
  const last = Math.ceil(answered * (1 - EDGE)) - 1;
  const seconds = ((answeredAtMs[last] ?? 0) - (answeredAtMs[first] ?? 0)) / 1_000;
  return { perSecond: (last - first) / seconds, accepted, failed: amount - accepted };
}

/** One side of a comparison under load, over all its rounds. */
export interface LoadedSide {
  /** Run until it is warm, then find out how many requests a round of `seconds` takes. */
  warmUp(seconds: number): Promise<void>;
  /** One round; resolves to answers a second. */
  round(): Promise<number>;
  readonly accepted: number;
  readonly failed: number;
  /** How busy the server was, and its CPU time per request. */
  note(): string;
}

/** Requests of the first run, which only finds out how fast the side is. */
const FIRST_AMOUNT = 4_000;

/** Create one side. */
export function createLoadedSide(child: Child, load: Omit<LoadOptions, "amount" | "url">): LoadedSide {
  let amount = FIRST_AMOUNT;
  let accepted = 0;
  let failed = 0;
  let rounds = 0;
  const sum = { busy: 0, cpuMs: 0, accepted: 0 };

  async function run(): Promise<number> {
    const result = await runLoad({ ...load, url: child.url, amount });
    accepted += result.accepted;
    failed += result.failed;
    return result.perSecond;
  }

  return {
    async warmUp(seconds) {
      amount = Math.ceil((await run()) * seconds);
      amount = Math.ceil((await run()) * seconds);
    },
    async round() {
      await child.usage();
      const before = accepted;
      const perSecond = await run();
      const usage = await child.usage();
      rounds += 1;
      sum.busy += usage.busy;
      sum.cpuMs += usage.cpuMs;
      sum.accepted += accepted - before;
      return perSecond;
    },
    get accepted() {
      return accepted;
    },
    get failed() {
      return failed;
    },
    note() {
      const busy = ((100 * sum.busy) / rounds).toFixed(0);
      return `${busy} % busy, ${((1_000 * sum.cpuMs) / sum.accepted).toFixed(0)} µs CPU a request`;
    },
  };
}
