import { RISK_BANDS, type RiskLevel } from "../../src/order/risk-level.ts";
import type { Judgement } from "../evaluation.ts";
import type { RocPoint } from "../ranking.ts";
import { createChart, line, type Axis, type Legend } from "./chart.ts";
import { element, text, type Svg } from "./svg.ts";

/** Colors that people who can't tell red from green can distinguish (Okabe and Ito 2008). */
const PLAIN = "#0072b2";
const INFORMED = "#d55e00";
const CHANCE = "#999999";
/** Points closer than this, in pixels, look like one. */
const RESOLUTION = 0.4;
const LEVELS = ["medium", "high", "critical"] as const;

/** Frauds caught against customers bothered, as SVG. */
export function toRocPicture(title: string, plain: Judgement, informed: Judgement | null): string {
  const chart = createChart(toShareAxis("legitimate orders caught with them"), toShareAxis("frauds caught"));
  const toPixels = ({ falsePositives, recall }: RocPoint): Pixels => [
    chart.x(falsePositives),
    chart.y(recall),
  ];
  const first = { name: "without velocity", color: PLAIN, judgement: plain };
  const best =
    informed === null ? first : { name: "with velocity counts", color: INFORMED, judgement: informed };
  const curves = informed === null ? [first] : [first, best];
  const marks = [
    line([chart.x(0), chart.y(0), chart.x(1), chart.y(1)], { stroke: CHANCE, "stroke-dasharray": "5 4" }),
    line([chart.x(0.05), chart.y(0), chart.x(0.05), chart.y(1)], {
      stroke: "#555555",
      "stroke-dasharray": "2 3",
    }),
    text("5 %", { x: chart.x(0.05) + 5, y: chart.y(1) + 16, fill: "#555555" }),
    ...curves.map(({ color, judgement: { roc } }) => drawCurve(roc.map(toPixels), color)),
    // Level names beside one curve only: beside both they would overlap.
    ...drawLevels(best.judgement.roc, toPixels, best.color, chart.y(0)),
  ];
  const legend: readonly Legend[] = [
    ...curves.map(({ name, color, judgement: { auc } }) => ({
      name: `${name}: AUC ${auc?.toFixed(3) ?? "unknown"}`,
      color,
      kind: "line" as const,
    })),
    { name: "drawing lots: AUC 0.5", color: CHANCE, kind: "dashed" },
  ];
  return chart.draw(title, marks, legend);
}

type Pixels = readonly [x: number, y: number];

function toShareAxis(title: string): Axis {
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => ({ value, label: `${Math.round(100 * value)} %` }));
  return { title, place: (value) => value, ticks };
}

function drawCurve(points: readonly Pixels[], color: string): Svg {
  const kept: Pixels[] = [];
  for (const [index, point] of points.entries()) {
    const last = kept.at(-1);
    const isFar = last === undefined || Math.hypot(point[0] - last[0], point[1] - last[1]) >= RESOLUTION;
    if (isFar || index === points.length - 1) kept.push(point);
  }
  const path = kept.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  return element("polyline", { points: path, fill: "none", stroke: color, "stroke-width": 2.5 });
}

/** Where each risk level starts: everything to the left and below has that level or a worse one. */
function drawLevels(
  roc: readonly RocPoint[],
  toPixels: (point: RocPoint) => Pixels,
  color: string,
  foot: number,
): readonly Svg[] {
  return LEVELS.flatMap((level) => {
    const start = roc.findLast(({ score }) => Math.round(score) >= RISK_BANDS[level][0]);
    // No order reaches it.
    if (start === undefined || start.score === Infinity) return [];
    const [x, y] = toPixels(start);
    return [
      element("circle", { cx: x, cy: y, r: 4.5, fill: "#ffffff", stroke: color, "stroke-width": 2 }),
      // A white edge keeps the name readable on top of the other curve; near the bottom it goes above the mark.
      text(toName(level), {
        x: x + 9,
        y: y > foot - 20 ? y - 8 : y + 15,
        fill: color,
        stroke: "#ffffff",
        "stroke-width": 4,
        "paint-order": "stroke",
      }),
    ];
  });
}

function toName(level: RiskLevel): string {
  return level === "critical" ? "critical" : `${level} or worse`;
}
