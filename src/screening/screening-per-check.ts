import { keepRequestAlive } from "../base/cloudflare.ts";
import { createScreening, type Screening } from "./screening.ts";
import type { ScreeningParts } from "./screening-task.ts";

/**
 * A {@link Screening} for Cloudflare, where a request can't wait for another's call, slot or timer. Each check has its own,
 * as if it ran in a process of its own, and they share the store: it tells the second one that the first is asking, and the
 * second looks again until there's an answer.
 */
export function createScreeningPerCheck(
  parts: ScreeningParts,
): Pick<Screening, "fingerprint" | "screen" | "close"> {
  const { fingerprint } = createScreening(parts);
  let isClosed = false;
  return {
    fingerprint,
    async screen(input) {
      const own = createScreening({ ...parts, onCall: keepRequestAlive });
      if (isClosed) void own.close();
      return own.screen(input);
    },
    /** Begin no new checks. Running ones end with their requests. */
    async close() {
      isClosed = true;
    },
  };
}
