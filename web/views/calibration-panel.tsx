import type { ComponentChildren } from "preact";
import { Loading, Notice, Panel } from "../components/panel.tsx";
import { Table } from "../components/table.tsx";
import { LEVEL_SERIES, Swatch } from "../components/texture.tsx";
import {
  sumOutcomes,
  toBasis,
  toCalibrationSentence,
  toCaution,
  toPart,
  type Calibration,
  type LevelOutcomes,
} from "../data/reports/calibration.ts";
import type { RiskLevel } from "../data/api/api-types.ts";
import { formatCount, formatRatio } from "../data/base/format.ts";
import { useLoad } from "../data/api/use-load.ts";

export function CalibrationPanel() {
  const load = useLoad("GET /calibration");
  const { data } = load;
  return (
    <Panel
      title="Fraud caught and good orders stopped"
      aside={data !== null && <span class="hint">Last {data.days} days</span>}
      isStack
    >
      {data === null ? <Loading load={load} lines={6} /> : <Outcomes calibration={data} />}
    </Panel>
  );
}

function Outcomes({ calibration }: { readonly calibration: Calibration }) {
  const { byLevel } = calibration;
  const { none } = byLevel;
  const sum = sumOutcomes(calibration);
  const caution = toCaution(calibration);
  const isKnown = sum.fraud + sum.good + sum.refunded > 0;
  return (
    <>
      <p>{toCalibrationSentence(calibration)}</p>
      {caution !== null && <Notice tone="info">{caution}</Notice>}
      {isKnown && (
        <Table
          look="level-table outcomes"
          caption="Orders whose outcome is known, by risk level"
          columns={[
            "Level",
            ["Fraud caught", "number"],
            ["Good orders stopped", "number"],
            ["Refunded", "number"],
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
            ...(none.fraud + none.good + none.refunded > 0 ? [toRow("none", "No risk level", none)] : []),
            toRow("all", "All", sum),
          ]}
        />
      )}
      <p class="hint">{toBasis(calibration)}</p>
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
  return (
    <>
      {toPart(part, of)}
      {of > 0 && <span class="sub">{formatRatio(part / of)}</span>}
    </>
  );
}
