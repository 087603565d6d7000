import { z } from "zod";
import {
  COVERAGE_WINDOW_HOURS,
  toCoverageRatio,
  toCoverageWindow,
} from "../../../pipeline/chores/coverage-watch.ts";
import { HOLD_WARNING_MS } from "../../../pipeline/order-life/hold-deadline.ts";
import { LEVEL_SHIFTS, toTodayMs, listLevelShifts } from "../../../pipeline/chores/level-shift-watch.ts";
import type { TenantId } from "../../../platform/platform.ts";
import { DEFAULT_POLICY, parsePolicy } from "../../../policy/policy.ts";
import { ACTIONS } from "../../../order/decision.ts";
import { toDaySpans, type DaySpan } from "../../../base/day-spans.ts";
import { toCircuitName } from "../../../service/circuit-rules.ts";
import { RISK_LEVELS } from "../../../order/risk-level.ts";
import type { DayTally } from "../../../store/figures/statistics.ts";
import { handleRoutes, pick, type RouteDefinitions } from "../../http/api-route.ts";
import { creditsJson } from "../../parts/credit-summary.ts";
import { wholeNumber } from "../../http/query.ts";
import type { LocalParts } from "../../parts/shop-locales.ts";
import { createSharedAnswers } from "../../http/shared-answers.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 90;
/** Every open page polls, and nothing on it changes faster than this. */
const SHARED_MS = 5_000;

const count = z.int();
const dayJson = z.object({
  date: z.iso.date(),
  low: count,
  medium: count,
  high: count,
  critical: count,
  /** Orders without a risk level: not decided yet, or not checked. */
  unjudged: count,
  allow: count,
  tag: count,
  hold: count,
  cancel: count,
  degraded: count,
});

const overviewJson = z.object({
  days: z.array(dayJson),
  timeToDecision: z.object({ p50Ms: count.nullable(), p99Ms: count.nullable(), orders: count }),
  coverage: z.object({
    eligible: count,
    decidedInTime: count,
    ratio: z.number().nullable(),
    windowHours: z.number(),
  }),
  credits: creditsJson,
  queue: z.object({
    held: count,
    failed: count,
    waiting: count,
    expiringSoon: count,
    overdue: count,
    degraded: count,
  }),
  backlog: z.object({ pending: count, oldestAgeMs: count.nullable() }),
  circuits: z.array(z.object({ code: z.string(), untilAt: z.iso.datetime(), pause: z.boolean() })),
  levelShifts: z
    .array(
      z.object({
        shift: z.enum(LEVEL_SHIFTS),
        level: z.enum(["high,critical", "medium"]).describe("as the list of orders takes it"),
        since: z.iso.datetime().describe("when the shop's day began"),
      }),
    )
    .describe(
      "clear differences between the risk of today's orders and of orders on the same weekday before",
    ),
  mode: z.enum(["active", "shadow"]),
});
type OverviewJson = z.infer<typeof overviewJson>;

const OVERVIEW_ROUTES = {
  "GET /overview": {
    id: "showOverview",
    summary:
      "Show decisions by day in the shop's time zone, decision times, orders to review, and why service calls are paused.",
    role: "viewer",
    query: z.object({ days: wholeNumber(1, MAX_DAYS).default(DEFAULT_DAYS) }),
    answers: { 200: overviewJson },
  },
  "GET /credits": {
    id: "showCredits",
    summary: "Show credits used and saved, the limits, and whether calls to the service are paused.",
    role: "viewer",
    answers: { 200: creditsJson },
  },
} satisfies RouteDefinitions;

export function createOverviewRoutes(parts: LocalParts) {
  const { now, credits } = parts;
  const answers = createSharedAnswers<OverviewJson>({ forMs: SHARED_MS, now });
  return handleRoutes(OVERVIEW_ROUTES, {
    async "GET /overview"({ session: { tenant }, query: { days }, signal: caller, answer }) {
      const ask = (signal: AbortSignal) => summarize(parts, tenant, days, signal);
      answer(200, await answers(`${days}\0${tenant}`, ask, caller));
    },
    "GET /credits": async ({ session, answer }) =>
      answer(200, pick(creditsJson, await credits(session.tenant))),
  });
}

async function summarize(
  parts: LocalParts,
  tenant: TenantId,
  days: number,
  signal: AbortSignal,
): Promise<OverviewJson> {
  const { store, now } = parts;
  const nowMs = now();
  const spans = toDaySpans(nowMs, days, (await parts.localeOf(tenant)).timeZone);
  const todayMs = toTodayMs(spans);
  const window = { sinceMs: spans[0]?.sinceMs ?? nowMs, untilMs: spans.at(-1)?.untilMs ?? nowMs };
  const [tallies, times, coverage, credits, queue, backlog, circuits, mode, shifts] = await Promise.all([
    Promise.all(spans.map((span) => tallySpan(parts, tenant, span, signal))),
    store.figures.decisionTimes(tenant, window, signal),
    store.figures.coverage(tenant, toCoverageWindow(nowMs), signal),
    parts.credits(tenant),
    store.figures.queueFigures(tenant, { nowMs, soonMs: nowMs + HOLD_WARNING_MS }),
    store.figures.backlog(tenant),
    findCircuits(parts, tenant, nowMs),
    findMode(parts, tenant),
    listLevelShifts(store, tenant, todayMs),
  ]);
  const { pending, oldestReceivedAtMs } = backlog;
  return {
    days: toDays(tallies.flat(), spans[0]?.firstDay ?? 0, spans.at(-1)?.lastDay ?? 0),
    timeToDecision: times,
    coverage: { ...coverage, ratio: toCoverageRatio(coverage), windowHours: COVERAGE_WINDOW_HOURS },
    credits: pick(creditsJson, credits),
    queue,
    backlog: {
      pending,
      oldestAgeMs: oldestReceivedAtMs === null ? null : Math.max(0, nowMs - oldestReceivedAtMs),
    },
    circuits,
    levelShifts: shifts.map((shift) => ({
      shift,
      level: shift.startsWith("medium") ? "medium" : "high,critical",
      since: toIso(todayMs),
    })),
    mode,
  };
}

async function tallySpan({ store }: LocalParts, tenant: TenantId, span: DaySpan, signal: AbortSignal) {
  const { firstDay, lastDay, ...window } = span;
  const tallies = await store.figures.tallyDays(tenant, window, signal);
  // A day on which clocks change is longer or shorter than the database assumes.
  return tallies.map((tally) => ({
    ...tally,
    day: Math.min(Math.max(tally.day, firstDay), lastDay),
  }));
}

/** Every day from the first to the last, including days without orders. */
function toDays(tallies: readonly DayTally[], first: number, last: number): OverviewJson["days"] {
  const days = new Map<number, OverviewJson["days"][number]>();
  for (let day = first; day <= last; day += 1) {
    const levels = Object.fromEntries(RISK_LEVELS.map((level) => [level, 0]));
    const actions = Object.fromEntries(ACTIONS.map((action) => [action, 0]));
    const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
    days.set(day, dayJson.parse({ date, ...levels, ...actions, unjudged: 0, degraded: 0 }));
  }
  for (const { day, level, action, degraded, orders } of tallies) {
    const tally = days.get(day);
    if (tally === undefined) continue;
    tally[level ?? "unjudged"] += orders;
    if (action !== null) tally[action] += orders;
    if (degraded) tally.degraded += orders;
  }
  return [...days.values()];
}

/** From the results of all processes, or only of this one if they share none. */
async function findCircuits({ accesses, store, breaker }: LocalParts, tenant: TenantId, nowMs: number) {
  const access = await accesses.of(tenant);
  if (access === null) return [];
  const { keyId } = access;
  const blocks = await store.ledger.findBlocks([toCircuitName(keyId)], nowMs);
  if (blocks.length > 0) {
    return blocks.map(({ code, untilMs, pause }) => ({ code, untilAt: toIso(untilMs), pause }));
  }
  const answer = breaker.peek({ keyId, tenant });
  if (answer.allowed) return [];
  const { code, retryAtMs } = answer;
  return [{ code, untilAt: toIso(retryAtMs), pause: code === "VERIFICATION_RATE_LIMITED" }];
}

/** The wait for an abandoned trial can be infinite. */
function toIso(ms: number): string {
  const LAST_MS = 8.64e15;
  return new Date(Math.min(Math.ceil(ms), LAST_MS)).toISOString();
}

async function findMode({ store }: LocalParts, tenant: TenantId): Promise<OverviewJson["mode"]> {
  const kept = await store.policies.load(tenant);
  return (kept === null ? DEFAULT_POLICY : parsePolicy(kept.document)).mode;
}
