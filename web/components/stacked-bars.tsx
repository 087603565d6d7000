import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { toLabelled, toPieces, toTicks, toShare } from "../data/base/chart.ts";
import { formatCount, formatList } from "../data/base/format.ts";
import { Table } from "./table.tsx";
import { Swatch, Textures, toFill, type Series, ACTION_SERIES } from "./texture.tsx";
import { ACTIONS, type Tally } from "../data/policy/replay.ts";

import { t } from "../data/base/texts.ts";

export interface Bar {
  /** Under the bar: `Nov 3`. */
  readonly label: string;
  /** One number per series. */
  readonly values: readonly number[];
}

interface StackedBarsProps {
  readonly title: string;
  /** What the bars count: "Orders". */
  readonly unit: string;
  /** From the bottom of the stack to the top. */
  readonly series: readonly Series[];
  readonly bars: readonly Bar[];
}

const HEIGHT = 200;
const FOOT = 22;
const LEFT = 36;
const TOP = 8;
/** A label and the space beside it. */
const LABEL_WIDTH = 64;
const WIDEST_BAR = 36;

/** Stacked bars, one a day, with an axis, a legend in shapes and colors, and the same data as a table. */
export function StackedBars({ title, unit, series, bars }: StackedBarsProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const bar = pointed === null ? undefined : bars[pointed];
  if (bars.every(({ values }) => values.every((value) => value === 0))) {
    return (
      <div class="plot none">
        <p>{t("components.no-data-for-this-period")}</p>
      </div>
    );
  }
  return (
    <figure class="chart stack gap-2">
      <ul class="legend row digits" aria-hidden="true">
        {series.map((one, index) => (
          <li key={one.id} class="line">
            <Swatch series={one} />
            {one.label}
            <b>{formatCount(bar === undefined ? toTotal(bars, index) : (bar.values[index] ?? 0))}</b>
          </li>
        ))}
        <li class="soft alone">{bar?.label ?? unit}</li>
      </ul>
      <BarPlot title={title} series={series} bars={bars} pointed={pointed} onPoint={setPointed} />
      <details>
        <summary>{t("components.view-as-table")}</summary>
        <Table
          caption={title}
          region={t("components.as-table", { title })}
          columns={[t("components.day"), ...series.map(({ label }) => [label, "number"] as const)]}
          rows={bars.toReversed().map(({ label, values }) => [label, label, ...values.map(formatCount)])}
        />
      </details>
    </figure>
  );
}

function toTotal(bars: readonly Bar[], series: number): number {
  return bars.reduce((sum, { values }) => sum + (values[series] ?? 0), 0);
}

interface BarPlotProps extends Pick<StackedBarsProps, "title" | "series" | "bars"> {
  readonly pointed: number | null;
  readonly onPoint: (index: number | null) => void;
}

function BarPlot({ title, series, bars, pointed, onPoint }: BarPlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const id = useId();
  const sums = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const ticks = toTicks(Math.max(0, ...sums));
  const top = ticks.at(-1) ?? 1;
  const slot = (width - LEFT) / Math.max(1, bars.length);
  const toY = (value: number) => TOP + (HEIGHT - TOP - FOOT) * (1 - value / top);
  const total = sums.reduce((sum, value) => sum + value, 0);
  return (
    <div class="plot" ref={box}>
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={t("components.chart", {
            title,
            count: total,
            from: bars[0]?.label ?? "",
            to: bars.at(-1)?.label ?? "",
          })}
          onPointerMove={(event) => onPoint(toIndex(event, slot, bars.length))}
          onPointerLeave={() => onPoint(null)}
        >
          <Textures id={id} series={series} />
          {ticks.map((tick) => (
            <g key={tick}>
              <line class="grid" x1={LEFT} x2={width} y1={toY(tick)} y2={toY(tick)} />
              <text x={LEFT - 6} y={toY(tick) + 4} text-anchor="end">
                {formatCount(tick)}
              </text>
            </g>
          ))}
          {pointed !== null && (
            <rect
              class="pointed"
              x={LEFT + slot * pointed}
              y={TOP}
              width={slot}
              height={HEIGHT - TOP - FOOT}
            />
          )}
          <Pieces bars={bars} series={series} id={id} slot={slot} toY={toY} />
          {toLabelled(bars.length, (width - LEFT) / LABEL_WIDTH).map((index) => (
            <text
              key={index}
              x={Math.min(LEFT + slot * (index + 0.5), width - LABEL_WIDTH / 3)}
              y={HEIGHT - 6}
              text-anchor="middle"
            >
              {bars[index]?.label}
            </text>
          ))}
        </svg>
      )}
    </div>
  );
}

interface PiecesProps extends Pick<StackedBarsProps, "series" | "bars"> {
  /** The ID of the textures. */
  readonly id: string;
  /** The width available to one bar, in pixels. */
  readonly slot: number;
  readonly toY: (value: number) => number;
}

function Pieces({ bars, series, id, slot, toY }: PiecesProps) {
  const barWidth = Math.min(WIDEST_BAR, Math.max(2, slot * 0.72));
  return (
    <>
      {bars.map(({ label, values }, index) =>
        toPieces(values).map(({ series: at, from, to }) => (
          <rect
            key={`${label} ${at}`}
            fill={toFill(id, series[at])}
            x={LEFT + slot * index + (slot - barWidth) / 2}
            y={toY(to)}
            width={barWidth}
            height={Math.max(1, toY(from) - toY(to))}
          />
        )),
      )}
    </>
  );
}

function toIndex(event: PointerEvent, slot: number, count: number): number | null {
  const { currentTarget } = event;
  if (!(currentTarget instanceof Element)) return null;
  const index = Math.floor((event.clientX - currentTarget.getBoundingClientRect().left - LEFT) / slot);
  return index >= 0 && index < count ? index : null;
}

/** Width of an element in pixels, 0 until it is known. */
function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    setWidth(current.clientWidth);
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return width;
}

/** How orders divide among the actions, as one bar. The table beside it has the numbers. */
export function ActionSplit({ label, tally }: { readonly label: string; readonly tally: Tally }) {
  const id = useId();
  const total = ACTIONS.reduce((sum, action) => sum + tally[action].orders, 0);
  const parts = ACTIONS.map((action) => t("components.split-part", { count: tally[action].orders, action }));
  let at = 0;
  return (
    <svg
      class="split-bar"
      viewBox="0 0 400 16"
      preserveAspectRatio="none"
      role="img"
      aria-label={t("components.split", { label, parts: formatList(parts) })}
    >
      <Textures id={id} series={ACTION_SERIES} />
      {ACTIONS.map((action, index) => {
        const width = 400 * toShare(tally[action].orders, total);
        const piece = (
          <rect key={action} x={at} y="0" width={width} height="16" fill={toFill(id, ACTION_SERIES[index])} />
        );
        at += width;
        return piece;
      })}
    </svg>
  );
}
