import type { OrderRecord, OrderState } from "../../store/store.ts";
import type { PipelineParts } from "../tasks.ts";
import { needsCatchUp, toCatchUpMs } from "./catch-up.ts";
import { WARNING_MS } from "./hold-deadline.ts";
import { toWarningsMs } from "./hold-warnings.ts";

/**
 * When to look at an order at rest again; null for never. Held orders are watched until somebody decides, and orders that were
 * decided without the service until it answers.
 */
export async function findNextLook(
  { accessOf, now }: Pick<PipelineParts, "accessOf" | "now">,
  order: OrderRecord,
  state: OrderState,
  holdDeadlineMs: number | null,
): Promise<number | null> {
  const isAskedAgain = needsCatchUp(order, now()) && (await accessOf(order.tenant)) !== null;
  const looks = [
    ...(state === "review" ? [toNextLookMs(holdDeadlineMs, 0, now(), toWarningsMs(order))] : []),
    ...(isAskedAgain ? [toCatchUpMs(order, 0, now())] : []),
  ];
  return looks.length === 0 ? null : Math.min(...looks);
}

/** When to look at a held order again: soon after the hold, because other tools act then too, and later less often. */
const LOOKS_MS = [10 * 60_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000] as const;

/**
 * When to look at a held order next, after `looks` looks: by the schedule, at the warning, at the deadline, and at the other
 * warnings in `warningsMs`.
 */
export function toNextLookMs(
  holdDeadlineMs: number | null,
  looks: number,
  nowMs: number,
  warningsMs: readonly (number | null)[] = [],
): number {
  const regular = nowMs + (LOOKS_MS[Math.min(looks, LOOKS_MS.length - 1)] ?? LOOKS_MS[0]);
  const deadlines = holdDeadlineMs === null ? [] : [holdDeadlineMs - WARNING_MS, holdDeadlineMs];
  const moments = [...deadlines, ...warningsMs.filter((momentMs) => momentMs !== null)];
  return Math.min(regular, ...moments.filter((momentMs) => momentMs > nowMs));
}
