import type { Screener } from "./order-check.ts";

/** Takes what has to end before a serverless function is frozen: `after` of Next, `waitUntil` of others. */
export type WaitUntil = (promise: Promise<unknown>) => void;

/**
 * A screener whose late answers are waited for: when a check comes out `pending`, `waitUntil` gets a promise that ends with the
 * decision that follows; when the client hangs up during a check, one that ends with the call under way. A serverless function is frozen after its response otherwise, with the answer that was paid for on its way.
 */
export function withWaitUntil(
  screener: Pick<Screener, "check" | "on">,
  waitUntil: WaitUntil,
): Pick<Screener, "check"> {
  return {
    async check(order, options) {
      const late = new Set<string>();
      const waiting = Promise.withResolvers<void>();
      let pending: string | undefined;
      // Before the check: its decision could come before anybody listens.
      const stop = screener.on("decision", (event) => {
        if (!event.late) return;
        late.add(event.check.fingerprint);
        if (event.check.fingerprint === pending) waiting.resolve();
      });
      try {
        const check = await screener.check(order, { onAbandoned: waitUntil, ...options });
        if (check.status === "pending" && !late.has(check.fingerprint)) pending = check.fingerprint;
        return check;
      } finally {
        if (pending === undefined) stop();
        else waitUntil(waiting.promise.finally(stop));
      }
    },
  };
}
