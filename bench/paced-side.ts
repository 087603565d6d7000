import type { Child } from "./child.ts";
import { toDeliveryBody, toDeliveryHeaders, DELIVERY_ID_HEADER } from "./delivery.ts";
import { median, percentile } from "./figure.ts";
import { runPacedLoad, type PacedLoadResult } from "./paced-load.ts";

/** One side of a comparison under an even load of webhooks, over all its rounds. */
export interface Paced {
  /** One round; resolves to the p99 in milliseconds. */
  round(perSecond: number, seconds: number): Promise<number>;
  /** Median of the rounds. */
  p50Ms(): number;
  /** The p99 of the windows that the machine's host left alone, as text. */
  undisturbed(): string;
  readonly accepted: number;
  readonly failed: number;
}

/** Create one side. */
export function createPaced({ url }: Child, connections: number): Paced {
  const body = toDeliveryBody();
  const request = { url, headers: toDeliveryHeaders(body), idHeader: DELIVERY_ID_HEADER, body };
  const results: PacedLoadResult[] = [];
  return {
    async round(perSecond, seconds) {
      const result = await runPacedLoad({ ...request, connections, perSecond, seconds });
      results.push(result);
      return result.p99Ms;
    },
    p50Ms: () => median(results.map(({ p50Ms }) => p50Ms)),
    undisturbed() {
      const quiet = results.flatMap(({ undisturbedMs }) => undisturbedMs);
      const windows = results.reduce((sum, result) => sum + result.windows, 0);
      if (quiet.length === 0) return `no such window of ${windows}`;
      const p99Ms = percentile(Float64Array.from(quiet.flatMap((window) => [...window])), 0.99);
      return `${p99Ms.toFixed(1)} ms in ${quiet.length} windows of ${windows}`;
    },
    get accepted() {
      return results.reduce((sum, { accepted }) => sum + accepted, 0);
    },
    get failed() {
      return results.reduce((sum, { failed }) => sum + failed, 0);
    },
  };
}
