import { isGoalMet, type Figure, type Goal } from "./figure.ts";

const HEADING = ["name", "ours", "baseline", "ratio", "goal", ""];

/** The figures as one table, each with its notes below it. */
export function toTable(figures: readonly Figure[]): string {
  const rows = figures.map(toRow);
  const widths = HEADING.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const toLine = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  const lines = [HEADING, widths.map((width) => "-".repeat(width)), ...rows].map(toLine);
  return [...lines, "", ...figures.map(toNotes)].join("\n");
}

function toRow(figure: Figure): readonly string[] {
  const { name, unit, ours, baseline, ratio, goal } = figure;
  return [
    name,
    `${toNumber(ours)} ${unit}`,
    baseline === null ? "" : `${toNumber(baseline)} ${unit}`,
    ratio === null ? "" : ratio.toFixed(2),
    goal === null ? "" : toGoal(goal, unit),
    toReview(figure),
  ];
}

function toGoal(goal: Goal, unit: string): string {
  const suffix = goal.of === "ours" ? ` ${unit}` : "";
  return "atLeast" in goal ? `>= ${goal.atLeast}${suffix}` : `<= ${goal.atMost}${suffix}`;
}

function toReview(figure: Figure): string {
  if (figure.faults.length > 0) return "INVALID";
  const met = isGoalMet(figure);
  if (met === null) return "";
  return met ? "goal met" : "goal missed";
}

function toNotes({ name, against, notes, faults }: Figure): string {
  const parts = [
    against === "" ? [] : `against ${against}`,
    notes,
    faults.map((fault) => `INVALID: ${fault}`),
  ];
  return `${name}: ${parts.flat().join("; ")}`;
}

/** Three significant digits. */
function toNumber(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
