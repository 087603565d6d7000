import { useState } from "preact/hooks";
import { ActionLabel, LevelBadge } from "../components/badge.tsx";
import { ActionButton } from "../components/action-button.tsx";
import { Button } from "../components/button.tsx";
import { Empty, Facts, Figure, Loading, Notice, Page, Panel } from "../components/panel.tsx";
import { Periods, useDays } from "../components/sub-nav.tsx";
import { Table } from "../components/table.tsx";
import { LEVEL_SERIES, Swatch } from "../components/texture.tsx";
import { Time } from "../components/time.tsx";
import type { RiskLevel } from "../data/api/api-types.ts";
import { toShare } from "../data/base/chart.ts";
import { DECLINE_WORDS } from "../data/orders/review.ts";
import { formatCount, formatDay, formatMoney, formatPart, formatSum } from "../data/base/format.ts";
import { OUTCOME_WORDS } from "../data/policy/replay.ts";
import {
  type Report,
  type ReportRow,
  saveReport,
  toBadShare,
  toReportSentence,
} from "../data/reports/report.ts";
import { navigate, toPath } from "../data/shell/route.ts";
import { toRoleReason } from "../data/api/session.ts";
import { useLoad } from "../data/api/use-load.ts";
import { DISPUTE_WORDS } from "../data/api/words.ts";
import { DisputeGauge } from "./report/dispute-gauge.tsx";
import { OutcomePanel } from "./report/outcome-panel.tsx";
import { ValuePanel } from "./report/value-panel.tsx";
import { rich, t } from "../data/base/texts.ts";

const PERIODS = [7, 14, 30, 90, 365];
/** A button shows the other rows. */
const ROWS_AT_FIRST = 50;

export function ReportView() {
  const days = useDays(PERIODS, 14);
  const load = useLoad("GET /report", { query: { days } });
  const { data, error } = load;
  return (
    <Page
      title={data?.mode === "shadow" ? t("report.report-watch-only") : t("report.report")}
      aside={
        <div class="row">
          <Periods periods={PERIODS} days={days} />
          <ActionButton label={t("report.download-csv")} icon="download" onAct={() => saveReport(days)} />
        </div>
      }
    >
      {data === null ? (
        <Loading load={load} lines={16} />
      ) : (
        <>
          {error !== null && (
            <Notice tone="warn">{t("components.out-of-date", { why: error.message })}</Notice>
          )}
          <Summary report={data} />
          <ValuePanel report={data} />
          <DisputeGauge />
          <OutcomePanel report={data} />
          <div class="columns report stack">
            <div class="stack">
              <LevelPanel title={t("report.by-risk-level")} byLevel={data.byLevel} />
              {data.agents !== null && (
                <LevelPanel title={t("report.agents-by-risk-level")} byLevel={data.agents.byLevel} />
              )}
              <DeclinedPanel declined={data.declined} />
            </div>
            <RowPanel key={data.since} report={data} />
          </div>
        </>
      )}
    </Page>
  );
}

function Summary({ report }: { readonly report: Report }) {
  const { mode, held, cancelled, tagged, agreed, buyers, orders, decided } = report;
  const isShadow = mode === "shadow";
  const toWorth = (shadow: string, active: string, { orders: count, amount }: Report["held"]) =>
    [isShadow ? shadow : active, formatCount(count), formatSum(amount)] as const;
  const figures = [
    toWorth(t("report.would-be-held"), t("report.decided-to-hold"), held),
    toWorth(t("report.would-be-canceled"), t("report.decided-to-cancel"), cancelled),
    toWorth(t("report.would-be-tagged"), t("report.decided-to-tag"), tagged),
    [
      t("report.platform-agreed"),
      agreed.of === 0 ? "–" : formatPart(agreed.orders, agreed.of),
      agreed.pending === 0 ? undefined : t("report.not-available-yet", { count: agreed.pending }),
    ],
    // Whether asking buyers pays.
    ...Object.entries(buyers.asked > 0 ? buyers : {}).map(
      ([figure, count]) => [t("asking.figure", { figure }), formatCount(count)] as const,
    ),
  ] as const;
  return (
    <section class="panel card stack" aria-label={t("report.summary")}>
      <p class="headline">{toReportSentence(report)}</p>
      <div class="figures stack gap-3">
        {figures.map(([label, value, hint]) => (
          <Figure key={label} label={label} value={value} hint={hint} />
        ))}
      </div>
      <div class="row gap-3 between spread">
        <p class="hint">
          {t("report.basis", {
            since: formatDay(report.since),
            until: formatDay(report.until),
            count: orders,
            decided,
          })}
        </p>
        {isShadow && (
          <Button
            label={t("report.switch-to-active")}
            look="primary"
            disabledReason={toRoleReason("owner")}
            onClick={() => navigate({ view: "policy", query: { mode: "active" } })}
          />
        )}
      </div>
    </section>
  );
}

function LevelPanel({ title, byLevel }: { readonly title: string } & Pick<Report, "byLevel">) {
  const most = Math.max(...Object.values(byLevel).map(({ orders }) => orders));
  return (
    <Panel title={title}>
      <Table
        look="level-table"
        caption={title}
        columns={[t("report.level"), [t("report.orders"), "number"], [t("report.amount"), "number"]]}
        rows={LEVEL_SERIES.toReversed().map((series) => {
          const level = byLevel[series.id as RiskLevel];
          return [
            series.id,
            <>
              <Swatch series={series} /> {series.label}
              <svg
                class="share"
                viewBox="0 0 100 4"
                preserveAspectRatio="none"
                aria-hidden="true"
                data-series={series.id}
              >
                <rect width="100" height="4" />
                <rect class="part" width={100 * toShare(level.orders, most)} height="4" />
              </svg>
              {level.orders > 0 && (
                <span class="hint">{rich("report.bad-share", { share: toBadShare(level), br: <br /> })}</span>
              )}
            </>,
            formatCount(level.orders),
            formatSum(level.amount),
          ];
        })}
      />
    </Panel>
  );
}

function DeclinedPanel({ declined }: Pick<Report, "declined">) {
  const counts = Object.entries({ ...DECLINE_WORDS, none: t("report.no-reason-given") }).flatMap(
    ([reason, words]) => {
      const count = declined[reason as keyof Report["declined"]];
      return count === undefined ? [] : [[words, formatCount(count)] as const];
    },
  );
  if (counts.length === 0) return null;
  return (
    <Panel title={t("report.declined-by-people")}>
      <Facts facts={counts} />
    </Panel>
  );
}

function RowPanel({ report: { rows, mode } }: { readonly report: Report }) {
  const [shown, setShown] = useState(ROWS_AT_FIRST);
  if (rows.length === 0) {
    return (
      <Panel title={t("report.orders")}>
        <Empty title={t("report.no-orders-tagged-held-canceled-or")} icon="check" />
      </Panel>
    );
  }
  return (
    <Panel title={t("report.orders")} aside={<span class="count">{formatCount(rows.length)}</span>}>
      <Table
        look="report-table"
        caption={t("report.orders-that-were-tagged-held-canceled")}
        region={t("report.orders-in-the-report")}
        columns={[
          t("report.order"),
          [t("report.amount"), "number"],
          t("report.risk"),
          mode === "shadow" ? t("report.would-be") : t("report.decided"),
          t("report.outcome"),
          t("report.platform-risk"),
        ]}
        isCards
        rows={rows.slice(0, shown).map(toCells)}
      />
      {rows.length > shown && (
        <Button
          label={t("report.show-more", { count: rows.length - shown })}
          onClick={() => setShown(shown + ROWS_AT_FIRST)}
        />
      )}
    </Panel>
  );
}

function toCells(row: ReportRow) {
  const { orderId, outcome, platformRisk, dispute } = row;
  return [
    orderId,
    <>
      <a href={toPath({ view: "orders", id: orderId })}>{row.name}</a>
      <span class="sub">
        <Time at={row.receivedAt} />
      </span>
    </>,
    formatMoney(row.amount, row.currency),
    <LevelBadge level={row.riskLevel} score={row.riskScore} />,
    <ActionLabel action={row.action} />,
    <>
      {OUTCOME_WORDS[outcome] ?? outcome}
      {dispute !== null && outcome !== "charged-back" && <span class="sub">{DISPUTE_WORDS[dispute]}</span>}
    </>,
    platformRisk ?? <span class="soft">{t("report.not-available")}</span>,
  ] as const;
}
