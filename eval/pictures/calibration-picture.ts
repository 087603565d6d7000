import type { Calibration, CalibrationBin } from "../calibration.ts";
import { createChart, line, type Axis } from "./chart.ts";
import { element, text, type Svg } from "./svg.ts";

const OBSERVED = "#0072b2";
const PROMISED = "#d55e00";
/** Lower rates are drawn on this line: a logarithm has no place for zero. */
const LOWEST = 0.0005;
const DECADES = Math.log10(1 / LOWEST);

/** The scores' predictions against the outcomes of the orders, as SVG. */
export function toCalibrationPicture(title: string, { bins, slope }: Calibration): string {
  const chart = createChart(SCORE_AXIS, RATE_AXIS);
  const filled = bins.filter(({ orders }) => orders > 0);
  const toX = ({ from, to }: CalibrationBin): number => chart.x((from + to) / 2);
  const promised = filled.map((bin) => `${toX(bin).toFixed(1)},${chart.y(bin.promised ?? 0).toFixed(1)}`);
  const marks = [
    element("polyline", {
      points: promised.join(" "),
      fill: "none",
      stroke: PROMISED,
      "stroke-width": 2.5,
      "stroke-dasharray": "5 4",
    }),
    ...filled.flatMap((bin) => drawBin(bin, toX(bin), chart.y)),
  ];
  const fitted = slope === null ? "" : `; slope ${slope.toFixed(2)}, 1 is as promised`;
  return chart.draw(title, marks, [
    {
      name: "share that was fraud, with its 95 % interval; at the foot: orders",
      color: OBSERVED,
      kind: "dot",
    },
    { name: `what the points promise${fitted}`, color: PROMISED, kind: "dashed" },
  ]);
}

const SCORE_AXIS: Axis = {
  title: "score",
  place: (score) => score / 100,
  ticks: [0, 20, 40, 60, 80, 100].map((value) => ({ value, label: String(value) })),
};

const RATE_AXIS: Axis = {
  title: "share that is fraud",
  place: (rate) => 1 + Math.log10(Math.max(rate, LOWEST)) / DECADES,
  ticks: [0.0005, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1].map((value) => ({
    value,
    label: `${value === LOWEST ? "≤ " : ""}${Number((100 * value).toPrecision(1))} %`,
  })),
};

function drawBin(
  { interval, fraudRate, orders }: CalibrationBin,
  x: number,
  y: (rate: number) => number,
): readonly Svg[] {
  const [low, high] = interval ?? [0, 1];
  return [
    line([x, y(low), x, y(high)], { stroke: OBSERVED, "stroke-width": 1.5 }),
    line([x - 5, y(high), x + 5, y(high)], { stroke: OBSERVED, "stroke-width": 1.5 }),
    line([x - 5, y(low), x + 5, y(low)], { stroke: OBSERVED, "stroke-width": 1.5 }),
    element("circle", { cx: x, cy: y(fraudRate ?? 0), r: 4.5, fill: OBSERVED }),
    text(orders.toLocaleString("en-US"), {
      x,
      y: y(0) - 6,
      "text-anchor": "middle",
      "font-size": 10,
      fill: "#555555",
    }),
  ];
}
