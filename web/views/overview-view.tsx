import { Figure, Loading, Notice, Panel } from "../components/panel.tsx";
import { Periods, useDays } from "../components/sub-nav.tsx";
import { StackedBars } from "../components/stacked-bars.tsx";
import { ACTION_SERIES, LEVEL_SERIES, UNJUDGED_SERIES } from "../components/texture.tsx";
import { formatCount, formatPlural, formatRatio, LOCALE, toZoneName } from "../data/format.ts";
import { formatTook, sumDays, type Overview } from "../data/overview.ts";
import { toPath } from "../data/route.ts";
import { countLeft, type Setup } from "../data/setup.ts";
import { useLoad } from "../data/use-load.ts";
import { CreditPanel } from "./overview/credit-panel.tsx";
import { Health } from "./overview/health.tsx";
import { FirstRun } from "./settings/setup-steps.tsx";

const PERIODS = [7, 30, 90];
const POLL_MS = 60_000;

/** How many orders there were, what was decided, what it cost and what needs somebody. */
export function OverviewView() {
  const days = useDays(PERIODS, 30);
  const load = useLoad("GET /overview", { query: { days }, pollMs: POLL_MS });
  const { data, error } = load;
  const setup = useLoad("GET /setup");
  const orders = data === null ? 0 : countOrders(data);
  return (
    <FirstRun isEmpty={data !== null && orders === 0}>
      <div class="page">
        <div class="page-head row">
          <h1>Overview</h1>
          <Periods periods={PERIODS} days={days} />
        </div>
        {data === null ? (
          <Loading load={load} lines={16} />
        ) : (
          <>
            {error !== null && <Notice tone="warn">These numbers may be out of date. {error.message}</Notice>}
            <OverviewBody overview={data} setup={setup.data} orders={orders} days={days} />
          </>
        )}
      </div>
    </FirstRun>
  );
}

function countOrders({ days }: Overview): number {
  return [...LEVEL_SERIES.map(({ id }) => id), "unjudged"].reduce(
    (sum, name) => sum + sumDays(days, name as "low"),
    0,
  );
}

interface OverviewBodyProps {
  readonly overview: Overview;
  readonly setup: Setup | null;
  readonly orders: number;
  readonly days: number;
}

function OverviewBody({ overview, setup, orders, days }: OverviewBodyProps) {
  const { credits, coverage, timeToDecision: time } = overview;
  return (
    <>
      <Health overview={overview} />
      <Attention overview={overview} />
      <div class="columns overview">
        <div class="stack">
          <Panel title="Orders by risk level" aside={<Total count={orders} days={days} />}>
            <DayChart overview={overview} by="level" />
          </Panel>
          <Panel title="Orders by decision">
            <DayChart overview={overview} by="action" />
          </Panel>
        </div>
        <div class="stack">
          <CreditPanel credits={credits} />
          <Panel title="Speed and coverage">
            <div class="figures two">
              <Figure label="Typical time to decide" value={formatTook(time.p50Ms)} />
              <Figure label="Slowest 1 in 100" value={formatTook(time.p99Ms)} />
              <Figure
                label="Decided on time"
                value={formatRatio(coverage.ratio)}
                hint={`${formatCount(coverage.decidedInTime)} of ${formatCount(coverage.eligible)} in ${coverage.windowHours} h`}
                tone={coverage.ratio !== null && coverage.ratio < 0.95 ? "warn" : undefined}
              />
              <Figure
                label="Without the service"
                value={formatCount(sumDays(overview.days, "degraded"))}
                hint={`${formatPlural(sumDays(overview.days, "degraded"), "order")} in ${days} days`}
              />
            </div>
          </Panel>
          {setup !== null && !setup.done && (
            <Notice>
              Finish setup: {formatPlural(countLeft(setup), "step")} left.{" "}
              <a href={toPath({ view: "settings", id: "setup" })}>Continue setup</a>
            </Notice>
          )}
        </div>
      </div>
    </>
  );
}

function Total({ count, days }: { readonly count: number; readonly days: number }) {
  return (
    <span class="hint">
      {formatPlural(count, "order")} in {days} days
    </span>
  );
}

function Attention({ overview: { queue } }: { readonly overview: Overview }) {
  const figures = [
    ["Held for review", queue.held, { state: "review" }],
    ["Due within 6 hours", queue.expiringSoon, { due: "soon" }, "warn"],
    ["Overdue", queue.overdue, { due: "overdue" }, "bad"],
    ["Needs attention", queue.failed, { state: "failed" }, "bad"],
    ["Held without the service", queue.degraded, { degraded: "true" }],
  ] as const;
  return (
    <div class="figures">
      {figures.map(([label, count, query, tone]) => (
        <Figure
          key={label}
          label={label}
          value={formatCount(count)}
          href={toPath({ view: "queue", query })}
          tone={count > 0 ? tone : undefined}
        />
      ))}
    </div>
  );
}

// A date of the shop's calendar, not a moment: no zone may move it.
const dayLabels = new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric", timeZone: "UTC" });

function DayChart({ overview, by }: { readonly overview: Overview; readonly by: "level" | "action" }) {
  const isLevel = by === "level";
  const hasUnjudged = isLevel && sumDays(overview.days, "unjudged") > 0;
  const series = isLevel ? [...LEVEL_SERIES, ...(hasUnjudged ? [UNJUDGED_SERIES] : [])] : ACTION_SERIES;
  const names = series.map(({ id }) => (id === "none" ? "unjudged" : id) as "low");
  return (
    <StackedBars
      title={isLevel ? "Orders per day by risk level" : "Orders per day by decision"}
      unit={`Orders per day (${toZoneName()})`}
      barName="Day"
      series={series}
      bars={overview.days.map((day) => ({
        label: dayLabels.format(new Date(`${day.date}T00:00:00Z`)),
        values: names.map((name) => day[name]),
      }))}
    />
  );
}
