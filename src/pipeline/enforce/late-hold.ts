import type { Logger } from "../../base/logger.ts";
import { toProblemText, type OrderProblem } from "../../store/orders/timeline.ts";
import type { IncidentStore, OrderRecord } from "../../store/store.ts";

/** What {@link warnOfLateHold} needs. */
export interface LateHoldOptions {
  readonly store: Pick<IncidentStore, "openIncident">;
  readonly logger: Logger;
  readonly now: () => number;
}

const MONTH_MS = 30 * 24 * 3_600_000;
/** Platforms route an order for fulfilment within minutes; what takes longer is somebody's to look at. */
const LATE_HOLD_MS = 30 * 60_000;

/** An order whose goods are not all on hold can ship: told once. */
export async function warnOfLateHold(
  { store, logger, now }: LateHoldOptions,
  { tenant, orderId, decidedAtMs }: OrderRecord,
  problems: readonly OrderProblem[],
): Promise<void> {
  const nowMs = now();
  if (nowMs < (decidedAtMs ?? nowMs) + LATE_HOLD_MS) return;
  const incident = { tenant, name: `hold_not_placed:${orderId}`, nowMs, quietMs: MONTH_MS };
  if ((await store.openIncident(incident)).isNews)
    logger.error(
      { alert: "hold_not_placed", problem: toProblemText(problems), tenant, orderId },
      "an order that is to be held is not held yet, or not all of it",
    );
}
