import { Figure, Loading, Notice, Page, Panel } from "../components/panel.tsx";
import { StackedBars } from "../components/stacked-bars.tsx";
import { Periods, useDays } from "../components/sub-nav.tsx";
import { ACTION_SERIES, LEVEL_SERIES, UNJUDGED_SERIES } from "../components/texture.tsx";
import { Time } from "../components/time.tsx";
import { toSentence } from "../data/api/api.ts";
import { formatCount, formatList, formatPart, formatRatio, toZoneName } from "../data/base/format.ts";
import { LOCALE } from "../data/base/language.ts";
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
import { rich, t } from "../data/base/texts.ts";

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
      <Page title={t("overview.overview")} aside={<Periods periods={PERIODS} days={days} />}>
        {data === null ? (
          <Loading load={load} lines={16} />
        ) : (
          <>
            {error !== null && (
              <Notice tone="warn">{t("components.out-of-date", { why: error.message })}</Notice>
            )}
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
  const inDays = (count: number) => t("overview.in-days", { count, days });
  return (
    <>
      <Health overview={overview} />
      <Attention overview={overview} />
      <div class="columns overview stack">
        <div class="stack">
          <Panel
            title={t("overview.orders-by-risk-level")}
            aside={<span class="hint">{inDays(orders)}</span>}
          >
            <DayChart overview={overview} by="level" />
          </Panel>
          <Panel title={t("overview.orders-by-decision")}>
            <DayChart overview={overview} by="action" />
          </Panel>
        </div>
        <div class="stack">
          <CreditPanel credits={credits} />
          <Panel title={t("overview.speed-and-coverage")}>
            <div class="figures two stack gap-3">
              <Figure label={t("overview.typical-time-to-decide")} value={formatTook(time.p50Ms)} />
              <Figure label={t("overview.slowest-1-in-100")} value={formatTook(time.p99Ms)} />
              <Figure
                label={t("overview.decided-on-time")}
                value={formatRatio(coverage.ratio)}
                hint={t("overview.in-hours", {
                  part: formatPart(coverage.decidedInTime, coverage.eligible),
                  hours: coverage.windowHours,
                })}
                tone={coverage.ratio !== null && coverage.ratio < 0.95 ? "warn" : undefined}
              />
              <Figure
                label={t("overview.without-the-service")}
                value={formatCount(degraded)}
                hint={inDays(degraded)}
              />
            </div>
          </Panel>
          {setup !== null && !setup.done && (
            <Notice>
              {rich("overview.finish-setup", {
                count: countLeft(setup),
                link: (text) => <a href={toPath({ view: "settings", id: "setup" })}>{text}</a>,
              })}
            </Notice>
          )}
        </div>
      </div>
    </>
  );
}

function Attention({ overview: { queue } }: { readonly overview: Overview }) {
  const figures = [
    [t("overview.held-for-review"), queue.held, { state: "review" }],
    [t("overview.due-within-6-hours"), queue.expiringSoon, { due: "soon" }, "warn"],
    [t("overview.overdue"), queue.overdue, { due: "overdue" }, "bad"],
    [t("overview.not-held-yet"), queue.waiting, { state: "waiting" }, "warn"],
    [t("overview.needs-attention"), queue.failed, { state: "failed" }, "bad"],
    [t("overview.held-without-the-service"), queue.degraded, { degraded: "true" }],
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
      title={isLevel ? t("overview.orders-per-day-by-risk-level") : t("overview.orders-per-day-by-decision")}
      unit={t("overview.per-day", { zone: toZoneName() })}
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
    <Panel title={t("overview.credits")}>
      <div class="stack gap-3">
        <div class="figures two stack gap-3">
          <Figure
            label={t("overview.used-this-month")}
            value={formatCount(spentMonth)}
            hint={<Cap spent={spentMonth} cap={monthlyCap} of="month" />}
          />
          <Figure
            label={t("overview.used-today")}
            value={formatCount(spentToday)}
            hint={<Cap spent={spentToday} cap={dailyCap} of="day" />}
          />
        </div>
        <Figure
          label={t("overview.saved-this-month")}
          value={formatCount(savedMonth)}
          hint={formatList(
            saved.map(([reason, count]) =>
              t("overview.saved-part", { count, reason: SAVED_WORDS[reason] ?? reason }),
            ),
          )}
        />
      </div>
      <p class="lead hint">{toRunOutSentence(credits, new Date().toISOString().slice(0, 10))}</p>
    </Panel>
  );
}

type CapProps = { readonly spent: number; readonly cap: number | null; readonly of: "day" | "month" };

function Cap({ spent, cap, of }: CapProps) {
  if (cap === null) return <>{t("overview.no-limit")}</>;
  return (
    <>
      {t("overview.of", { cap })}
      <meter
        min={0}
        max={Math.max(1, cap)}
        low={cap * 0.8}
        high={cap * 0.95}
        optimum={0}
        value={spent}
        aria-label={t("overview.cap", { of, spent, cap })}
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
          {rich("overview.watch-only", {
            link: (text) => <a href={toPath({ view: "report" })}>{text}</a>,
          })}
        </Notice>
      )}
      {circuits.map(({ code, untilAt, pause }) => (
        <Notice key={code} tone={pause ? "warn" : "bad"}>
          {toSentence(explainCode(code))}{" "}
          {untilAt === null || untilAt > NO_END
            ? t("overview.calls-stay-paused-until-this-is")
            : rich("overview.next-attempt", { time: <Time at={untilAt} /> })}
        </Notice>
      ))}
      {circuits.length === 0 && credits.circuit !== "closed" && (
        <Notice>{CIRCUIT_WORDS[credits.circuit]}</Notice>
      )}
      {levelShifts.map(({ shift, level, since }) => (
        <Notice key={shift} tone="warn">
          {rich("overview.shift", {
            shift: SHIFT_WORDS[shift],
            orders: countToday(overview, level),
            count: countToday(overview),
            link: (text) => <a href={toPath({ view: "orders", query: { level, since } })}>{text}</a>,
          })}
        </Notice>
      ))}
      {isSlow && (
        <Notice tone="warn">
          {t("overview.backlog", { count: backlog.pending, age: formatTook(backlog.oldestAgeMs) })}
        </Notice>
      )}
    </>
  );
}
