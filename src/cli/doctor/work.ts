import { toSignatureIncident } from "../../server/intake/signature-watch.ts";
import { toCoverageWindow } from "../../pipeline/chores/coverage-watch.ts";
import { HOLD_WARNING_MS } from "../../pipeline/order-life/hold-deadline.ts";
import type { Finding } from "../../platform/platform.ts";
import type { WorkFigures } from "../../store/figures/inspection.ts";
import type { Backlog, Store } from "../../store/store.ts";
import { count, ok, problem, runChecks, skipped, toSpan, warning, type Checks } from "./findings.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Due work is started within a second. After this long, nobody works on it. */
const LATE_MS = 5 * MINUTE_MS;
/** Orders wait for the platform for up to a day. */
const OLD_MS = DAY_MS;
/** Fewer degraded orders a day aren't an outage. */
const MANY_DEGRADED = 0.05;

/** @param platforms - The names of the platforms that send webhooks. */
export async function checkWork(
  store: Store,
  nowMs: number,
  platforms: readonly string[],
): Promise<readonly Finding[]> {
  const moments = {
    nowMs,
    lateMs: nowMs - LATE_MS,
    soonMs: nowMs + HOLD_WARNING_MS,
    sinceMs: nowMs - DAY_MS,
  };
  return runChecks(WORK_CHECKS, {
    ...(await store.figures.inspectWork(moments)),
    ...(await store.figures.backlog()),
    isInstalled: (await store.tenants.list()).length > 0,
    areSignaturesRefused: (await store.incidents.listOpen("", platforms.map(toSignatureIncident))).length > 0,
    store,
    nowMs,
  });
}

interface Work extends WorkFigures, Backlog {
  readonly isInstalled: boolean;
  readonly areSignaturesRefused: boolean;
  readonly store: Store;
  readonly nowMs: number;
}

export const WORK_CHECKS = {
  "work.backlog"(id, { pending, oldestReceivedAtMs, late, nowMs }) {
    const ageMs = oldestReceivedAtMs === null ? 0 : nowMs - oldestReceivedAtMs;
    const oldest = pending === 0 ? "" : `, the oldest since ${toSpan(ageMs)}`;
    const found = `${pending} in progress or waiting${oldest}`;
    if (late > 0) {
      const advice = "check that a process with ROLE all or worker runs, and read its log";
      return problem(id, `${found}; ${late} overdue by more than ${toSpan(LATE_MS)}`, advice);
    }
    if (ageMs > OLD_MS)
      return warning(id, found, "check in the console what the oldest orders are waiting for");
    return ok(id, found);
  },
  "work.failed"(id, { failed }) {
    if (failed.length === 0) return ok(id, "no order needs attention");
    const orders = failed.reduce((sum, entry) => sum + entry.orders, 0);
    const named = failed.map((entry) => `${entry.problem} ${entry.orders}`).join(", ");
    const found = `${count(orders, "order")} in state failed: ${named}`;
    return warning(id, found, "decide these orders on the platform");
  },
  "work.holds"(id, { holdsOverdue, holdsExpiring }) {
    if (holdsOverdue + holdsExpiring === 0) return ok(id, "no hold is near its deadline");
    const found = `${count(holdsOverdue, "hold")} past the deadline, ${holdsExpiring} within ${toSpan(HOLD_WARNING_MS)}`;
    return warning(id, found, "release the hold or cancel the order; otherwise hold.onDeadline applies");
  },
  "work.deliveries"(id, { stuckDeliveries }) {
    if (stuckDeliveries.length === 0) return ok(id, "no webhook is stuck");
    const stuck = stuckDeliveries.reduce((sum, entry) => sum + entry.deliveries, 0);
    const named = stuckDeliveries.map((entry) => `${entry.problem} ${entry.deliveries}`).join(", ");
    const found = `${count(stuck, "webhook")} can't be processed: ${named}`;
    return problem(id, found, "look up these codes in docs/reference/errors.md; we retry every hour");
  },
  "work.signatures"(id, { areSignaturesRefused }) {
    if (!areSignaturesRefused) return ok(id, "webhooks aren't refused for their signature");
    const found = "the last webhooks were signed with another secret, and answered with 401";
    const advice =
      "set SHOPIFY_API_SECRET to the app's client secret, without quotes, and restart the app; this ends with the next webhook";
    return problem(id, found, advice);
  },
  "work.webhooks"(id, { newestDeliveryAtMs, isInstalled, nowMs }) {
    if (newestDeliveryAtMs !== null) {
      return ok(id, `the last webhook arrived ${toSpan(nowMs - newestDeliveryAtMs)} ago`);
    }
    if (!isInstalled) return skipped(id, "no webhook has arrived, and no shop is installed");
    const advice =
      "check that the subscriptions are registered and that the app's public address points to this app";
    return warning(id, "a shop is installed, but no webhook has ever arrived", advice);
  },
  "work.degraded"(id, { recentOrders, recentDegraded }) {
    const found = `${recentDegraded} of the ${count(recentOrders, "order")} of the last 24 hours were decided without the service`;
    if (recentDegraded === 0 || recentDegraded / recentOrders < MANY_DEGRADED) return ok(id, found);
    return warning(id, found, "see circuits and service above; we retry for 24 hours");
  },
  async "work.coverage"(id, { store, nowMs }) {
    const window = toCoverageWindow(nowMs);
    const { eligible, decidedInTime } = await store.figures.coverage(null, window);
    if (eligible === 0) return skipped(id, "no order needed a decision in the last 24 hours");
    const found = `${decidedInTime} of ${eligible} orders of the last 24 hours were decided within ${toSpan(window.withinMs)}`;
    if (decidedInTime === eligible) return ok(id, found);
    return warning(id, found, "see the backlog and the failed orders above");
  },
} satisfies Checks<Work>;
