import { toCoverageWindow } from "../../pipeline/watch/coverage-watch.ts";
import type { Finding } from "../../platform/platform.ts";
import type { WorkFigures } from "../../store/figures/inspection.ts";
import type { Backlog, Store } from "../../store/store.ts";
import { count, ok, problem, skipped, toSpan, warning } from "./findings.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Due work is started within a second. After this long, nobody works on it. */
const LATE_MS = 5 * MINUTE_MS;
/** The same as for the app's own warnings. */
const EXPIRING_MS = 6 * HOUR_MS;
/** Orders wait for the platform for up to a day. */
const OLD_MS = DAY_MS;
/** Fewer degraded orders a day aren't an outage. */
const MANY_DEGRADED = 0.05;

/** Check the state of the work in the database. */
export async function checkWork(store: Store, nowMs: number): Promise<readonly Finding[]> {
  const moments = { nowMs, lateMs: nowMs - LATE_MS, soonMs: nowMs + EXPIRING_MS, sinceMs: nowMs - DAY_MS };
  const figures = await store.inspectWork(moments);
  const isInstalled = (await store.listTenants()).length > 0;
  return [
    checkBacklog(await store.backlog(), figures, nowMs),
    checkFailed(figures),
    checkHolds(figures),
    ...checkDeliveries(figures, isInstalled, nowMs),
    checkDegraded(figures),
    await checkCoverage(store, nowMs),
  ];
}

function checkBacklog(
  { pending, oldestReceivedAtMs }: Backlog,
  { late }: WorkFigures,
  nowMs: number,
): Finding {
  const id = "work.backlog";
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
}

function checkFailed({ failed }: WorkFigures): Finding {
  const id = "work.failed";
  if (failed.length === 0) return ok(id, "no order needs attention");
  const orders = failed.reduce((sum, entry) => sum + entry.orders, 0);
  const named = failed.map((entry) => `${entry.problem} ${entry.orders}`).join(", ");
  return warning(
    id,
    `${count(orders, "order")} in state failed: ${named}`,
    "decide these orders on the platform",
  );
}

function checkHolds({ holdsOverdue, holdsExpiring }: WorkFigures): Finding {
  const id = "work.holds";
  if (holdsOverdue + holdsExpiring === 0) return ok(id, "no hold is near its deadline");
  const found = `${count(holdsOverdue, "hold")} past the deadline, ${holdsExpiring} within ${toSpan(EXPIRING_MS)}`;
  return warning(id, found, "release the hold or cancel the order; otherwise hold.onDeadline applies");
}

function checkDeliveries(
  { stuckDeliveries, newestDeliveryAtMs }: WorkFigures,
  isInstalled: boolean,
  nowMs: number,
): readonly Finding[] {
  const stuck = stuckDeliveries.reduce((sum, entry) => sum + entry.deliveries, 0);
  const named = stuckDeliveries.map((entry) => `${entry.problem} ${entry.deliveries}`).join(", ");
  return [
    stuck === 0
      ? ok("work.deliveries", "no webhook is stuck")
      : problem(
          "work.deliveries",
          `${count(stuck, "webhook")} can't be processed: ${named}`,
          "look up these codes in docs/reference/errors.md; we retry every hour",
        ),
    checkReceipt(newestDeliveryAtMs, isInstalled, nowMs),
  ];
}

function checkReceipt(newestAtMs: number | null, isInstalled: boolean, nowMs: number): Finding {
  const id = "work.webhooks";
  if (newestAtMs !== null) return ok(id, `the last webhook arrived ${toSpan(nowMs - newestAtMs)} ago`);
  if (!isInstalled) return skipped(id, "no webhook has arrived, and no shop is installed");
  const advice =
    "check that the subscriptions are registered and that the app's public address points to this app";
  return warning(id, "a shop is installed, but no webhook has ever arrived", advice);
}

function checkDegraded({ recentOrders, recentDegraded }: WorkFigures): Finding {
  const id = "work.degraded";
  const found = `${recentDegraded} of the ${count(recentOrders, "order")} of the last 24 hours were decided without the service`;
  if (recentDegraded === 0) return ok(id, found);
  if (recentDegraded / recentOrders < MANY_DEGRADED) return ok(id, found);
  return warning(id, found, "see circuits and service above; we retry for 24 hours");
}

async function checkCoverage(store: Store, nowMs: number): Promise<Finding> {
  const id = "work.coverage";
  const window = toCoverageWindow(nowMs);
  const { eligible, decidedInTime } = await store.coverage(null, window);
  if (eligible === 0) return skipped(id, "no order needed a decision in the last 24 hours");
  const found = `${decidedInTime} of ${eligible} orders of the last 24 hours were decided within ${toSpan(window.withinMs)}`;
  if (decidedInTime === eligible) return ok(id, found);
  return warning(id, found, "see the backlog and the failed orders above");
}
