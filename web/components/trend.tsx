import { useId } from "preact/hooks";
import type { TrendPoint } from "../data/base/chart.ts";
import { t } from "../data/base/texts.ts";
import { Table } from "./table.tsx";

interface TrendProps {
  readonly title: string;
  readonly points: readonly TrendPoint[];
  /** What the values mean: good, bad or neither. */
  readonly tone: "good" | "bad" | "plain";
}

const WIDTH = 240;
const HEIGHT = 64;
const PAD = 6;

/** A line through a few values, with the first, the last and the highest named, and all of them as a table. */
export function Trend({ title, points, tone }: TrendProps) {
  const id = useId();
  const top = Math.max(1e-9, ...points.map(({ value }) => value));
  const step = (WIDTH - 2 * PAD) / Math.max(1, points.length - 1);
  const places = points.map(({ value }, index) => ({
    x: PAD + step * index,
    y: PAD + (HEIGHT - 2 * PAD) * (1 - value / top),
  }));
  const last = places.at(-1);
  return (
    <figure class="trend stack gap-1" data-tone={tone} aria-labelledby={id}>
      <figcaption id={id} class="row between gap-2">
        <span class="hint">{title}</span>
        <strong class="digits">{points.at(-1)?.shown ?? "–"}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <line x1={PAD} x2={WIDTH - PAD} y1={HEIGHT - PAD} y2={HEIGHT - PAD} class="grid" />
        <polyline points={places.map(({ x, y }) => `${x},${y}`).join(" ")} />
        {last !== undefined && <line x1={last.x} x2={last.x} y1={last.y} y2={HEIGHT - PAD} class="drop" />}
      </svg>
      <p class="row between hint fine" aria-hidden="true">
        <span>{points[0]?.label}</span>
        <span>{points.at(-1)?.label}</span>
      </p>
      <details class="as-table">
        <summary>{t("components.view-as-table")}</summary>
        <Table
          caption={title}
          columns={[t("value.week"), [title, "number"]]}
          rows={points.toReversed().map(({ label, shown }) => [label, label, shown])}
        />
      </details>
    </figure>
  );
}
