import { Figure, Loading, Notice, Page, Panel } from "../components/panel.tsx";
import { StackedBars } from "../components/stacked-bars.tsx";
import { Periods, useDays } from "../components/sub-nav.tsx";
import { ACTION_SERIES, LEVEL_SERIES, UNJUDGED_SERIES } from "../components/texture.tsx";
import { Time } from "../components/time.tsx";
import { toSentence } from "../data/api/api.ts";
import { formatCount, formatPlural, formatRatio, LOCALE, toZoneName } from "../data/base/format.ts";
import {
  CIRCUIT_WORDS,
  countToday,
  type Credits,
  formatTook,
  type Overview,
  SAVED_WORDS,
  SHIFT_WORDS,
  sumDays,
  toRunOutSentence,
} from "../data/reports/overview.ts";
import { toPath } from "../data/shell/route.ts";
import { type Setup, countLeft } from "../data/settings/settings.ts";
import { useLoad } from "../data/api/use-load.ts";
import { explainCode } from "../data/api/words.ts";
import { FirstRun } from "./settings/setup-steps.tsx";

const PERIODS = [7, 30, 90];
const POLL_MS = 60_000;

export function OverviewView() {
  const days = useDays(PERIODS, 30);
  const load = useLoad("GET /overview", { query: { days }, pollMs: POLL_MS });
  const { data, error } = load;
  const setup = useLoad("GET /setup");
  const orders = data === null ? 0 : countOrders(data);
  return (
    <FirstRun isEmpty={data !== null && orders === 0}>
      <Page title="Overview" aside={<Periods periods={PERIODS} days={days} />}>
        {data === null ? (
          <Loading load={load} lines={16} />
        ) : (
          <>
            {error !== null && <Notice tone="warn">These numbers may be out of date. {error.message}</Notice>}
            <OverviewBody overview={data} setup={setup.data} orders={orders} days={days} />
          </>
        )}
      </Page>
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
  const degraded = sumDays(overview.days, "degraded");
  const inDays = (count: number) => `${formatPlural(count, "order")} in ${days} days`;
  return (
    <>
      <Health overview={overview} />
      <Attention overview={overview} />
      <div class="columns overview stack">
        <div class="stack">
          <Panel title="Orders by risk level" aside={<span class="hint">{inDays(orders)}</span>}>
            <DayChart overview={overview} by="level" />
          </Panel>
          <Panel title="Orders by decision">
            <DayChart overview={overview} by="action" />
          </Panel>
        </div>
        <div class="stack">
          <CreditPanel credits={credits} />
          <Panel title="Speed and coverage">
            <div class="figures two stack gap-3">
              <Figure label="Typical time to decide" value={formatTook(time.p50Ms)} />
              <Figure label="Slowest 1 in 100" value={formatTook(time.p99Ms)} />
              <Figure
                label="Decided on time"
                value={formatRatio(coverage.ratio)}
                hint={`${formatCount(coverage.decidedInTime)} of ${formatCount(coverage.eligible)} in ${coverage.windowHours} h`}
                tone={coverage.ratio !== null && coverage.ratio < 0.95 ? "warn" : undefined}
              />
              <Figure label="Without the service" value={formatCount(degraded)} hint={inDays(degraded)} />
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

function Attention({ overview: { queue } }: { readonly overview: Overview }) {
  const figures = [
    ["Held for review", queue.held, { state: "review" }],
    ["Due within 6 hours", queue.expiringSoon, { due: "soon" }, "warn"],
    ["Overdue", queue.overdue, { due: "overdue" }, "bad"],
    ["Not held yet", queue.waiting, { state: "waiting" }, "warn"],
    ["Needs attention", queue.failed, { state: "failed" }, "bad"],
    ["Held without the service", queue.degraded, { degraded: "true" }],
  ] as const;
  return (
    <div class="figures stack gap-3">
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
      series={series}
      bars={overview.days.map((day) => ({
        label: dayLabels.format(new Date(`${day.date}T00:00:00Z`)),
        values: names.map((name) => day[name]),
      }))}
    />
  );
}

function CreditPanel({ credits }: { readonly credits: Credits }) {
  const { spentToday, spentMonth, savedMonth, savedByReason, dailyCap, monthlyCap } = credits;
  const saved = Object.entries(savedByReason).toSorted(([, one], [, other]) => other - one);
  return (
    <Panel title="Credits">
      <div class="stack gap-3">
        <div class="figures two stack gap-3">
          <Figure
            label="Used this month"
            value={formatCount(spentMonth)}
            hint={<Cap spent={spentMonth} cap={monthlyCap} of="month" />}
          />
          <Figure
            label="Used today"
            value={formatCount(spentToday)}
            hint={<Cap spent={spentToday} cap={dailyCap} of="day" />}
          />
        </div>
        <Figure
          label="Saved this month"
          value={formatCount(savedMonth)}
          hint={saved
            .map(([reason, count]) => `${formatCount(count)} ${SAVED_WORDS[reason] ?? reason}`)
            .join(", ")}
        />
      </div>
      <p class="lead hint">{toRunOutSentence(credits, new Date().toISOString().slice(0, 10))}</p>
    </Panel>
  );
}

type CapProps = { readonly spent: number; readonly cap: number | null; readonly of: "day" | "month" };

function Cap({ spent, cap, of }: CapProps) {
  if (cap === null) return <>no limit</>;
  return (
    <>
      of {formatCount(cap)}
      <meter
        min={0}
        max={Math.max(1, cap)}
        low={cap * 0.8}
        high={cap * 0.95}
        optimum={0}
        value={spent}
        aria-label={`Credits of this ${of}: ${spent} of ${cap}`}
      />
    </>
  );
}

/** Warn if the oldest undecided order is older than this. */
const SLOW_MS = 5 * 60_000;
/** An end in this year or later counts as no end. */
const NO_END = "9999";

/** What affects every order now, not only problems: the mode too. Empty if nothing does. */
function Health({ overview }: { readonly overview: Overview }) {
  const { circuits, credits, backlog, levelShifts, mode } = overview;
  const isSlow = backlog.oldestAgeMs !== null && backlog.oldestAgeMs > SLOW_MS;
  return (
    <>
      {mode === "shadow" && (
        <Notice>
          Watch only: Holdfast records decisions without changing orders.{" "}
          <a href={toPath({ view: "report" })}>See what would have happened</a>
        </Notice>
      )}
      {circuits.map(({ code, untilAt, pause }) => (
        <Notice key={code} tone={pause ? "warn" : "bad"}>
          {toSentence(explainCode(code))}{" "}
          {untilAt === null || untilAt > NO_END ? (
            "Calls stay paused until this is fixed."
          ) : (
            <>
              Next attempt: <Time at={untilAt} />. Orders that can't wait until then follow the policy for
              when the service is unavailable.
            </>
          )}
        </Notice>
      ))}
      {circuits.length === 0 && credits.circuit !== "closed" && (
        <Notice>{CIRCUIT_WORDS[credits.circuit]}</Notice>
      )}
      {levelShifts.map(({ shift, level, since }) => (
        <Notice key={shift} tone="warn">
          {SHIFT_WORDS[shift]} {formatCount(countToday(overview, level))} of{" "}
          {formatPlural(countToday(overview), "order")} with a risk level today.{" "}
          <a href={toPath({ view: "orders", query: { level, since } })}>Show these orders</a>
        </Notice>
      ))}
      {isSlow && (
        <Notice tone="warn">
          Undecided orders: {formatCount(backlog.pending)}. The oldest arrived{" "}
          {formatTook(backlog.oldestAgeMs)} ago.
        </Notice>
      )}
    </>
  );
}
