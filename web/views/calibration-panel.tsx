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
} from "../data/calibration.ts";
import type { RiskLevel } from "../data/api-types.ts";
import { formatCount, formatRatio } from "../data/format.ts";
import { useLoad } from "../data/use-load.ts";

/** How much fraud was caught, and how many good orders were stopped, at each level. */
export function CalibrationPanel() {
  const load = useLoad("GET /calibration");
  const { data } = load;
  return (
    <Panel
      title="Fraud caught and good orders stopped"
      aside={data !== null && <span class="hint">Last {data.days} days</span>}
    >
      {data === null ? <Loading load={load} lines={6} /> : <Outcomes calibration={data} />}
    </Panel>
  );
}

function Outcomes({ calibration }: { readonly calibration: Calibration }) {
  const { byLevel } = calibration;
  const sum = sumOutcomes(calibration);
  const caution = toCaution(calibration);
  const isKnown = sum.fraud + sum.good + sum.refunded > 0;
  return (
    <div class="stack">
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
        >
          {LEVEL_SERIES.toReversed().map((series) => (
            <Row key={series.id} outcomes={byLevel[series.id as RiskLevel]}>
              <Swatch series={series} /> {series.label}
            </Row>
          ))}
          {byLevel.none.fraud + byLevel.none.good + byLevel.none.refunded > 0 && (
            <Row outcomes={byLevel.none}>No level</Row>
          )}
          <Row outcomes={sum}>All</Row>
        </Table>
      )}
      <p class="hint">{toBasis(calibration)}</p>
    </div>
  );
}

function Row({
  outcomes: { fraud, caught, good, stopped, refunded },
  children,
}: {
  readonly outcomes: LevelOutcomes;
  readonly children: ComponentChildren;
}) {
  return (
    <tr>
      <th scope="row">{children}</th>
      <Part part={caught} of={fraud} />
      <Part part={stopped} of={good} />
      <td class="number">{refunded === 0 ? "–" : formatCount(refunded)}</td>
    </tr>
  );
}

function Part({ part, of }: { readonly part: number; readonly of: number }) {
  return (
    <td class="number">
      {toPart(part, of)}
      {of > 0 && <span class="sub">{formatRatio(part / of)}</span>}
    </td>
  );
}
