/** Part of a line in one font. */
export interface Run {
  /** Undefined: the PDF's standard font. */
  readonly font: string | undefined;
  readonly text: string;
}

/** Fonts beside the standard one, in the order in which they are tried. */
export interface Fonts {
  readonly names: readonly string[];
  readonly has: (font: string, codePoint: number) => boolean;
}

/** Characters that the file shows in another form, for its last page. */
export interface Replaced {
  /** Letters that are shown without their marks, by code point. */
  readonly letters: Map<string, string>;
  /** Whether there is a character that is shown only as its code point. */
  hasCodePoints: boolean;
}

/** Beside Latin-1, the standard fonts have these (WinAnsi). */
const WIN_ANSI = new Set("€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ");
/** Letters whose mark isn't a character of its own. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
  Ł: "L",
  ł: "l",
  Đ: "D",
  đ: "d",
  ı: "i",
  Ħ: "H",
  ħ: "h",
  Ŧ: "T",
  ŧ: "t",
};

/**
 * A word in runs of fonts that have its characters. Without a font, a Latin letter is shown without its marks, and any
 * other character as its code point: a question mark or an empty box would look like the buyer's own text.
 */
export function toRuns(word: string, fonts: Fonts, replaced: Replaced): readonly Run[] {
  const characters = Array.from(word);
  if (characters.every(isStandard)) return [{ font: undefined, text: word }];
  // A word in two fonts is hard to read, and its letters may depend on each other.
  const whole = fonts.names.find((font) => characters.every((character) => isIn(fonts, font, character)));
  if (whole !== undefined) return [{ font: whole, text: word }];
  return joinRuns(
    characters.filter((character) => !JOINERS.has(character)).map((one) => toRun(one, fonts, replaced)),
  );
}

/** They change how their neighbors look, and show nothing themselves. */
const JOINERS: ReadonlySet<string> = new Set(["\u200C", "\u200D", "\uFE0E", "\uFE0F"]);
/** Control characters and those that change the direction of a text: with them, a name could pass for another. */
const INVISIBLE = /^[\p{Cc}\p{Cf}\p{Co}\p{Cs}]$/u;

function isStandard(character: string): boolean {
  return /^[\x20-\x7e\xa0-\xff]$/.test(character) ? character !== "\xad" : WIN_ANSI.has(character);
}

function isIn(fonts: Fonts, font: string, character: string): boolean {
  if (JOINERS.has(character)) return true;
  return !INVISIBLE.test(character) && fonts.has(font, character.codePointAt(0) ?? 0);
}

function toRun(character: string, fonts: Fonts, replaced: Replaced): Run {
  if (isStandard(character)) return { font: undefined, text: character };
  const font = fonts.names.find((name) => isIn(fonts, name, character));
  if (font !== undefined) return { font, text: character };
  const codePoint = toCodePoint(character);
  const base = BASE_LETTERS[character] ?? character.normalize("NFD").replaceAll(/\p{M}/gu, "");
  if (base !== "" && base !== character && Array.from(base).every(isStandard)) {
    replaced.letters.set(codePoint, base);
    return { font: undefined, text: base };
  }
  replaced.hasCodePoints = true;
  return { font: undefined, text: `[${codePoint}]` };
}

function toCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function joinRuns(runs: readonly Run[]): readonly Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last !== undefined && last.font === run.font)
      joined[joined.length - 1] = { font: run.font, text: last.text + run.text };
    else joined.push(run);
  }
  return joined;
}
