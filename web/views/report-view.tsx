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
import { formatCount, formatDay, formatMoney, formatPlural, formatSum } from "../data/base/format.ts";
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
import { CalibrationPanel } from "./calibration-panel.tsx";

const PERIODS = [7, 14, 30, 90];
/** A button shows the other rows. */
const ROWS_AT_FIRST = 50;

export function ReportView() {
  const days = useDays(PERIODS, 14);
  const load = useLoad("GET /report", { query: { days } });
  const { data, error } = load;
  return (
    <Page
      title={data?.mode === "shadow" ? "Report (watch only)" : "Report"}
      aside={
        <div class="row">
          <Periods periods={PERIODS} days={days} />
          <ActionButton label="Download CSV" icon="download" onAct={() => saveReport(days)} />
        </div>
      }
    >
      {data === null ? (
        <Loading load={load} lines={16} />
      ) : (
        <>
          {error !== null && <Notice tone="warn">These numbers may be out of date. {error.message}</Notice>}
          <Summary report={data} />
          <CalibrationPanel />
          <div class="columns report stack">
            <div class="stack">
              <LevelPanel report={data} />
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
  const { mode, held, cancelled, tagged, agreed, credits, orders, decided, passed } = report;
  const isShadow = mode === "shadow";
  const toWorth = (shadow: string, active: string, { orders: count, amount }: Report["held"]) =>
    [isShadow ? shadow : active, formatCount(count), formatSum(amount)] as const;
  const figures = [
    toWorth("Would be held", "Decided to hold", held),
    toWorth("Would be canceled", "Decided to cancel", cancelled),
    toWorth("Would be tagged", "Decided to tag", tagged),
    [
      "Platform agreed",
      agreed.of === 0 ? "–" : `${formatCount(agreed.orders)} of ${formatCount(agreed.of)}`,
      agreed.pending === 0 ? undefined : `${formatCount(agreed.pending)} not available yet`,
    ],
    [
      "Fraud that passed",
      formatCount(passed.orders),
      passed.orders === 0 ? "charged back as fraud" : formatSum(passed.amount),
    ],
    ["Credits", formatCount(credits.spent), `${formatCount(credits.saved)} saved`],
  ] as const;
  return (
    <section class="panel card stack" aria-label="Summary">
      <p class="headline">{toReportSentence(report)}</p>
      <div class="figures stack gap-3">
        {figures.map(([label, value, hint]) => (
          <Figure key={label} label={label} value={value} hint={hint} />
        ))}
      </div>
      <div class="row gap-3 between spread">
        <p class="hint">
          {formatDay(report.since)} – {formatDay(report.until)}: {formatPlural(orders, "order")},{" "}
          {formatCount(decided)} decided. “Platform agreed” means the platform also flagged the order as
          risky, or someone else canceled or declined it.
        </p>
        {isShadow && (
          <Button
            label="Switch to active"
            look="primary"
            disabledReason={toRoleReason("owner")}
            onClick={() => navigate({ view: "policy", query: { mode: "active" } })}
          />
        )}
      </div>
    </section>
  );
}

function LevelPanel({ report: { byLevel } }: { readonly report: Report }) {
  const most = Math.max(...Object.values(byLevel).map(({ orders }) => orders));
  return (
    <Panel title="By risk level">
      <Table
        look="level-table"
        caption="Decided orders by risk level"
        columns={["Level", ["Orders", "number"], ["Amount", "number"]]}
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
                <span class="hint">
                  {toBadShare(level)} charged
                  <br />
                  back or canceled
                </span>
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
  const counts = Object.entries({ ...DECLINE_WORDS, none: "No reason given" }).flatMap(([reason, words]) => {
    const count = declined[reason as keyof Report["declined"]];
    return count === undefined ? [] : [[words, formatCount(count)] as const];
  });
  if (counts.length === 0) return null;
  return (
    <Panel title="Declined by people">
      <Facts facts={counts} />
    </Panel>
  );
}

function RowPanel({ report: { rows, mode } }: { readonly report: Report }) {
  const [shown, setShown] = useState(ROWS_AT_FIRST);
  if (rows.length === 0) {
    return (
      <Panel title="Orders">
        <Empty title="No orders tagged, held, canceled, or disputed in this period" icon="check" />
      </Panel>
    );
  }
  return (
    <Panel title="Orders" aside={<span class="count">{formatCount(rows.length)}</span>}>
      <Table
        look="report-table"
        caption="Orders that were tagged, held, canceled, or disputed, newest first"
        region="Orders in the report"
        columns={[
          "Order",
          ["Amount", "number"],
          "Risk",
          mode === "shadow" ? "Would be" : "Decided",
          "Outcome",
          "Platform risk",
        ]}
        isCards
        rows={rows.slice(0, shown).map(toCells)}
      />
      {rows.length > shown && (
        <Button
          label={`Show more (${formatCount(rows.length - shown)})`}
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
    platformRisk ?? <span class="soft">not available</span>,
  ] as const;
}
