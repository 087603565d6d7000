import type { Calibration } from "./calibration.ts";
import type { Band, Evaluation } from "./evaluation.ts";
import type { FileReport } from "./orders-file.ts";
import type { RiskLevel } from "../src/order/risk-level.ts";

/** What `--json` prints about one set of orders. Names without `WithVelocity` ignore the velocity columns. */
export interface Summary {
  readonly rows: number;
  readonly positives: number;
  readonly unlabelled: number;
  readonly exceptions: number;
  readonly auc: number | null;
  readonly aucInterval: readonly [low: number, high: number] | null;
  readonly aucWithVelocity: number | null;
  readonly aucWithVelocityInterval: readonly [low: number, high: number] | null;
  readonly recallAt5: number | null;
  readonly recallAt5WithVelocity: number | null;
  readonly bands: Readonly<Record<RiskLevel, Band>>;
  readonly bandsWithVelocity: Readonly<Record<RiskLevel, Band>> | null;
  readonly calibration: Calibration;
  readonly calibrationWithVelocity: Calibration | null;
  readonly p50Micros: number;
  readonly p99Micros: number;
  readonly maxMicros: number;
  readonly engine: Evaluation["engine"];
  readonly node: string;
}

/** An evaluation as one flat object. */
export function toSummary(evaluation: Evaluation): Summary {
  const { rows, positives, unlabelled, exceptions, withoutVelocity, withVelocity, times, engine } =
    evaluation;
  return {
    rows,
    positives,
    unlabelled,
    exceptions,
    auc: withoutVelocity.auc,
    aucInterval: withoutVelocity.aucInterval,
    aucWithVelocity: withVelocity?.auc ?? null,
    aucWithVelocityInterval: withVelocity?.aucInterval ?? null,
    recallAt5: withoutVelocity.recallAt5,
    recallAt5WithVelocity: withVelocity?.recallAt5 ?? null,
    bands: withoutVelocity.bands,
    bandsWithVelocity: withVelocity?.bands ?? null,
    calibration: withoutVelocity.calibration,
    calibrationWithVelocity: withVelocity?.calibration ?? null,
    ...times,
    engine,
    node: process.version,
  };
}

/** What was left out of a file, or looked odd in it, for a person. Empty if nothing was. */
export function toFileNotes({ badRows, unknownColumns, oddCells }: FileReport): readonly string[] {
  const { count, first } = badRows;
  return [
    ...(count === 0 ? [] : [`${toCount(count)} rows could not be used:`]),
    ...first.map(
      ({ line, column, problem }) => `  line ${line}${column === null ? "" : `, ${column}`}: ${problem}`,
    ),
    ...(count > first.length ? [`  and ${toCount(count - first.length)} more`] : []),
    ...(unknownColumns.length === 0
      ? []
      : [`Columns that aren't fields of an order: ${unknownColumns.join(", ")}`]),
    ...oddCells.map(
      ({ column, expected, cells, firstLine }) =>
        `${column}: ${toCount(cells)} cells the service would refuse, the first in line ${firstLine} (${expected})`,
    ),
  ];
}

/** `12,345`. */
export function toCount(count: number): string {
  return count.toLocaleString("en-US");
}
