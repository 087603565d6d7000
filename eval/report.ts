import { RISK_LEVELS } from "../src/order/risk-level.ts";
import type { Band, Evaluation, Judgement } from "./evaluation.ts";
import { toCount } from "./summary.ts";

/** An evaluation as tables for a person. */
export function toReport(title: string, evaluation: Evaluation): string {
  const { withoutVelocity, withVelocity } = evaluation;
  return [
    toHeading(title, evaluation),
    "",
    ...toTable(toFigures(withoutVelocity, withVelocity)),
    "",
    ...toTable(toBandRows(withVelocity === null ? "risk level" : "without velocity", withoutVelocity)),
    ...(withVelocity === null ? [] : ["", ...toTable(toBandRows("with velocity", withVelocity))]),
    "",
    toTimes(evaluation),
  ].join("\n");
}

/** Align rows of cells in columns: the first to the left, the others to the right. */
export function toTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

function toHeading(title: string, { rows, positives, unlabelled, exceptions, engine }: Evaluation): string {
  const labelled = rows - unlabelled - exceptions;
  return [
    `${title}: ${toCount(rows)} orders`,
    `${toCount(positives)} of them fraud (${toPercent(labelled === 0 ? null : positives / labelled)})`,
    ...(unlabelled === 0 ? [] : [`${toCount(unlabelled)} without a label`]),
    ...(exceptions === 0 ? [] : [`${toCount(exceptions)} THAT MADE THE ENGINE THROW`]),
    `engine ${engine?.version ?? "unknown"}`,
  ].join(", ");
}

function toFigures(plain: Judgement, informed: Judgement | null): readonly (readonly string[])[] {
  const judgements = informed === null ? [plain] : [plain, informed];
  return [
    ...(informed === null ? [] : [["", "without velocity", "with velocity"]]),
    ["AUC", ...judgements.map(({ auc }) => toFigure(auc))],
    [
      "  95 of 100 samples",
      ...judgements.map(({ aucInterval }) => aucInterval?.map(toFigure).join(" to ") ?? "-"),
    ],
    ["frauds caught at 5 % false positives", ...judgements.map(({ recallAt5 }) => toPercent(recallAt5))],
    [
      "slope of the points (1 is as promised)",
      ...judgements.map(({ calibration }) => toFigure(calibration.slope)),
    ],
  ];
}

function toBandRows(title: string, { bands }: Judgement): readonly (readonly string[])[] {
  return [
    [title, "orders", "share", "fraud rate", "lift", "of all fraud"],
    ...RISK_LEVELS.map((level) => [level, ...toBandCells(bands[level])]),
  ];
}

function toBandCells({ orders, share, fraudRate, lift, fraudShare }: Band): readonly string[] {
  return [
    toCount(orders),
    toPercent(share),
    toPercent(fraudRate),
    lift === null ? "-" : lift.toFixed(2),
    toPercent(fraudShare),
  ];
}

function toTimes({ times: { p50Micros, p99Micros, maxMicros } }: Evaluation): string {
  const [half, most, all] = [p50Micros, p99Micros, maxMicros].map(
    (micros) => `${toCount(Math.round(micros))} µs`,
  );
  return `One order takes ${half} (p50), ${most} (p99), ${all} at most.`;
}

function toFigure(value: number | null): string {
  return value === null ? "-" : value.toFixed(3);
}

function toPercent(share: number | null): string {
  return share === null ? "-" : `${(100 * share).toFixed(2)} %`;
}
