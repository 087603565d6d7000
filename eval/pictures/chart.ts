import { element, picture, text, type Svg } from "./svg.ts";

/** One axis: the position of a value, 0 (start) to 1 (end), and the values written beside it. */
export interface Axis {
  readonly title: string;
  readonly place: (value: number) => number;
  readonly ticks: readonly { readonly value: number; readonly label: string }[];
}

/** A line, a dashed one or a row of dots, and its name in the legend. */
export interface Legend {
  readonly name: string;
  readonly color: string;
  readonly kind: "line" | "dashed" | "dot";
}

/** A square plot with two axes. Made by {@link createChart}. */
export interface Chart {
  /** Horizontal position, in pixels. */
  readonly x: (value: number) => number;
  /** Vertical position, in pixels. */
  readonly y: (value: number) => number;
  /** The whole picture. */
  draw(title: string, marks: readonly Svg[], legend: readonly Legend[]): string;
}

const LEFT = 78;
const TOP = 56;
const SIDE = 440;
const RIGHT = 22;
const LINE_HEIGHT = 20;
/** Characters that fit above the plot. */
const MAX_TITLE = 62;
const GRID = "#dddddd";

/** Create an empty {@link Chart}. */
export function createChart(across: Axis, upward: Axis): Chart {
  const x = (value: number): number => LEFT + SIDE * across.place(value);
  const y = (value: number): number => TOP + SIDE * (1 - upward.place(value));
  const bottom = TOP + SIDE;

  const grid = [
    ...across.ticks.flatMap(({ value, label }) => [
      line([x(value), TOP, x(value), bottom], { stroke: GRID }),
      text(label, { x: x(value), y: bottom + 20, "text-anchor": "middle" }),
    ]),
    ...upward.ticks.flatMap(({ value, label }) => [
      line([LEFT, y(value), LEFT + SIDE, y(value)], { stroke: GRID }),
      text(label, { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }),
    ]),
    element("rect", { x: LEFT, y: TOP, width: SIDE, height: SIDE, fill: "none", stroke: "#666666" }),
    text(across.title, { x: LEFT + SIDE / 2, y: bottom + 44, "text-anchor": "middle" }),
    text(upward.title, {
      "text-anchor": "middle",
      transform: `translate(20 ${TOP + SIDE / 2}) rotate(-90)`,
    }),
  ];

  return {
    x,
    y,
    draw(title, marks, legend) {
      const height = bottom + 62 + LINE_HEIGHT * legend.length + 8;
      const names = legend.flatMap((entry, index) => toLegend(entry, bottom + 68 + LINE_HEIGHT * index));
      const heading = text(toFitting(title), { x: 14, y: 32, "font-size": 15, "font-weight": 600 });
      return picture(title, LEFT + SIDE + RIGHT, height, [...grid, heading, ...marks, ...names]);
    },
  };
}

/** A straight line between two points. */
export function line(
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  attributes: Readonly<Record<string, string | number>>,
): Svg {
  return element("line", { x1, y1, x2, y2, ...attributes });
}

function toFitting(title: string): string {
  return title.length <= MAX_TITLE ? title : `${title.slice(0, MAX_TITLE - 1)}…`;
}

function toLegend({ name, color, kind }: Legend, y: number): readonly Svg[] {
  const mark =
    kind === "dot"
      ? element("circle", { cx: LEFT + 15, cy: y, r: 4.5, fill: color })
      : line([LEFT, y, LEFT + 30, y], {
          stroke: color,
          "stroke-width": 2.5,
          ...(kind === "dashed" ? { "stroke-dasharray": "5 4" } : {}),
        });
  return [mark, text(name, { x: LEFT + 40, y: y + 4 })];
}
