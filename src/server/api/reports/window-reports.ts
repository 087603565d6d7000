import { toIso } from "../../../base/iso-time.ts";
import { createSerialQueue } from "../../../base/waiting.ts";
import type { TenantId } from "../../../platform/platform.ts";
import type { TimeWindow } from "../../../store/slices.ts";
import { createSharedAnswers } from "../../http/shared-answers.ts";

const DAY_MS = 86_400_000;

export function toWindow(untilMs: number, days: number): TimeWindow {
  return { sinceMs: untilMs - days * DAY_MS, untilMs };
}

/** Makes a report about a tenant's orders of a window. The signal fires when nobody waits for it any more. */
type MakeReport<T> = (tenant: TenantId, window: TimeWindow & { readonly signal: AbortSignal }) => Promise<T>;

/**
 * Create reports about a number of days up to now. Each tenant's reports are made one at a time. Callers who wait for the
 * same report share it, and it's stopped when all of them disconnect.
 *
 * @param forMs - How long a report is reused. 0: only for callers that wait for it.
 */
export function createWindowReports({ now, forMs }: { readonly now: () => number; readonly forMs: number }) {
  const turns = createSerialQueue();
  return <T extends object>(make: MakeReport<T>) => {
    const shared = createSharedAnswers<T & ReturnType<typeof toSpan>>({ forMs, now });
    return (tenant: TenantId, days: number, caller: AbortSignal) => {
      const start = async (signal: AbortSignal) => {
        signal.throwIfAborted();
        const window = toWindow(now(), days);
        return { ...toSpan(window, days), ...(await make(tenant, { ...window, signal })) };
      };
      return shared(`${days}\0${tenant}`, (signal) => turns(tenant, () => start(signal)), caller);
    };
  };
}

function toSpan({ sinceMs, untilMs }: TimeWindow, days: number) {
  return { since: toIso(sinceMs), until: toIso(untilMs), days };
}
