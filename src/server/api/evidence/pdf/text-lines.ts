import type { Run } from "./printable-text.ts";

/** A run and its distance from the line's start. */
export interface PlacedRun extends Run {
  readonly x: number;
}
export type Line = readonly PlacedRun[];

export interface Typesetting {
  readonly width: number;
  readonly toRuns: (word: string) => readonly Run[];
  readonly measure: (run: Run) => number;
}

interface Word {
  readonly runs: readonly Run[];
  readonly widths: readonly number[];
  readonly width: number;
  readonly isRightToLeft: boolean;
}

const SPACE: Run = { font: undefined, text: " " };
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A text in lines that fit. Words that are longer than a line are split. */
export function breakLines(text: string, typesetting: Typesetting): readonly Line[] {
  const space = typesetting.measure(SPACE);
  return text
    .normalize("NFC")
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .flatMap((paragraph) => {
      const words = paragraph
        .split(/[\t ]+/)
        .filter((word) => word !== "")
        .flatMap((word) => fitWord(word, typesetting));
      return toRows(words, space, typesetting.width).map((row) => placeRow(row, space));
    });
}

function fitWord(word: string, typesetting: Typesetting): readonly Word[] {
  const whole = toWord(word, typesetting);
  if (whole.width <= typesetting.width) return [whole];
  const parts: Word[] = [];
  let part = "";
  for (const segment of toSegments(word, typesetting)) {
    if (part !== "" && toWord(part + segment, typesetting).width > typesetting.width) {
      parts.push(toWord(part, typesetting));
      part = "";
    }
    part += segment;
  }
  return [...parts, toWord(part, typesetting)];
}

/** What isn't split, unless it's longer than a line itself: a letter can carry thousands of marks. */
function toSegments(word: string, typesetting: Typesetting): readonly string[] {
  const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(word);
  return Array.from(graphemes, ({ segment }) => segment).flatMap((segment) =>
    toWord(segment, typesetting).width > typesetting.width ? Array.from(segment) : [segment],
  );
}

function toWord(text: string, { toRuns, measure }: Typesetting): Word {
  const runs = toRuns(text);
  const widths = runs.map(measure);
  const width = widths.reduce((sum, one) => sum + one, 0);
  return { runs, widths, width, isRightToLeft: RIGHT_TO_LEFT.test(text) };
}

function toRows(words: readonly Word[], space: number, width: number): readonly (readonly Word[])[] {
  const rows: Word[][] = [[]];
  let used = 0;
  for (const word of words) {
    if (used > 0 && used + space + word.width > width) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push(word);
    used += (used > 0 ? space : 0) + word.width;
  }
  return rows;
}

function placeRow(row: readonly Word[], space: number): Line {
  let x = 0;
  return toReadingOrder(row).flatMap(({ runs, widths, width }) => {
    let at = x;
    x += width + space;
    return runs.map((run, index) => {
      const placed = { ...run, x: at };
      at += widths[index] ?? 0;
      return placed;
    });
  });
}

/** Words that follow each other in Arabic or Hebrew, from right to left. Within a word, the font does it. */
function toReadingOrder(row: readonly Word[]): readonly Word[] {
  const ordered: Word[] = [];
  let from = 0;
  for (const [index, word] of row.entries()) {
    if (!word.isRightToLeft) from = index + 1;
    ordered.splice(word.isRightToLeft ? from : index, 0, word);
  }
  return ordered;
}
