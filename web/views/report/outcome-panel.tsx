import type { ComponentChildren } from "preact";
import { Notice, Panel } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import { LEVEL_SERIES, Swatch } from "../../components/texture.tsx";
import {
  sumOutcomes,
  toBasis,
  toCaution,
  toOutcomeSentence,
  toPart,
  toShareOf,
  type LevelOutcomes,
  type Outcomes,
} from "../../data/reports/calibration.ts";
import type { RiskLevel } from "../../data/api/api-types.ts";
import { formatCount } from "../../data/base/format.ts";
import type { Report } from "../../data/reports/report.ts";
import { t } from "../../data/base/texts.ts";

/** How the period's orders turned out, by risk level. */
export function OutcomePanel({ report }: { readonly report: Report }) {
  return (
    <Panel title={t("calibration.fraud-caught-and-good-orders-stopped")} isStack>
      <OutcomeTable outcomes={report.outcomes} days={report.days} />
    </Panel>
  );
}

function OutcomeTable({ outcomes, days }: { readonly outcomes: Outcomes; readonly days: number }) {
  const { byLevel } = outcomes;
  const { none } = byLevel;
  const sum = sumOutcomes(outcomes);
  const caution = toCaution(outcomes);
  const isKnown = sum.fraud + sum.good + sum.refunded > 0;
  return (
    <>
      <p>{toOutcomeSentence(outcomes)}</p>
      {caution !== null && <Notice tone="info">{caution}</Notice>}
      {isKnown && (
        <Table
          look="level-table outcomes"
          caption={t("calibration.orders-whose-outcome-is-known-by")}
          columns={[
            t("calibration.level"),
            [t("calibration.fraud-caught"), "number"],
            [t("calibration.good-orders-stopped"), "number"],
            [t("calibration.refunded"), "number"],
          ]}
          rows={[
            ...LEVEL_SERIES.toReversed().map((series) =>
              toRow(
                series.id,
                <>
                  <Swatch series={series} /> {series.label}
                </>,
                byLevel[series.id as RiskLevel],
              ),
            ),
            ...(none.fraud + none.good + none.refunded > 0
              ? [toRow("none", t("calibration.no-risk-level"), none)]
              : []),
            toRow("all", t("calibration.all"), sum),
          ]}
        />
      )}
      <p class="hint">{toBasis(outcomes, days)}</p>
    </>
  );
}

function toRow(
  key: string,
  heading: ComponentChildren,
  { fraud, caught, good, stopped, refunded }: LevelOutcomes,
) {
  return [
    key,
    heading,
    <Part part={caught} of={fraud} />,
    <Part part={stopped} of={good} />,
    refunded === 0 ? "–" : formatCount(refunded),
  ] as const;
}

function Part({ part, of }: { readonly part: number; readonly of: number }) {
  const share = toShareOf(part, of);
  return (
    <>
      {toPart(part, of)}
      {share !== null && <span class="sub">{share}</span>}
    </>
  );
}
