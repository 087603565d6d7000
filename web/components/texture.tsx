import { useId } from "preact/hooks";
import { ACTION_WORDS, LEVEL_WORDS } from "../data/api/words.ts";
import { t } from "../data/base/texts.ts";

export interface Series {
  /** Sets its color: a risk level, an action, or `none`. */
  readonly id: string;
  readonly label: string;
  readonly texture: Texture;
}

/** Distinguishes a series without color. */
export type Texture = "plain" | "dots" | "stripes" | "grid" | "hollow";

const LINES: Readonly<Record<Exclude<Texture, "plain">, string>> = {
  dots: "M2 2h2v2h-2z",
  stripes: "M-1 7L7 -1M-1 1L1 -1M5 7L7 5",
  grid: "M0 3h6M3 0v6",
  hollow: "M0 0h6v6h-6z",
};

/** The fills of some series, to be put into the drawing that uses them. */
export function Textures({ id, series }: { readonly id: string; readonly series: readonly Series[] }) {
  return (
    <defs>
      {series.map((one) => (
        <pattern
          key={one.id}
          id={`${id}-${one.id}`}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          class="texture"
          data-series={one.id}
          data-texture={one.texture}
        >
          <rect width="6" height="6" />
          {one.texture !== "plain" && <path d={LINES[one.texture]} />}
        </pattern>
      ))}
    </defs>
  );
}

/** The `fill` of a series among {@link Textures} of that id. */
export function toFill(id: string, series: Series | undefined): string {
  return `url(#${id}-${series?.id ?? ""})`;
}

export function Swatch({ series }: { readonly series: Series }) {
  const id = useId();
  return (
    <svg class="swatch" width="14" height="14" aria-hidden="true" focusable="false">
      <Textures id={id} series={[series]} />
      <rect width="14" height="14" rx="3" fill={toFill(id, series)} />
    </svg>
  );
}

const TEXTURES: readonly Texture[] = ["plain", "dots", "stripes", "grid"];

function toSeries(words: Readonly<Record<string, string>>): readonly Series[] {
  return Object.entries(words).map(([id, label], at) => ({ id, label, texture: TEXTURES[at] ?? "hollow" }));
}

/** The levels of risk as series, lowest first. */
export const LEVEL_SERIES = toSeries(LEVEL_WORDS);

/** The actions as series, mildest first. */
export const ACTION_SERIES = toSeries(ACTION_WORDS);

export const UNJUDGED_SERIES: Series = {
  id: "none",
  label: t("components.no-risk-level"),
  texture: "hollow",
};
