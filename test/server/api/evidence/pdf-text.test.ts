import { describe, expect, it } from "vitest";
import { type Fonts, type Replaced, toRuns } from "../../../../src/server/api/evidence/pdf/printable-text.ts";
import { breakLines, type Line } from "../../../../src/server/api/evidence/pdf/text-lines.ts";

const noFonts: Fonts = { names: [], has: () => false };
const among = (scripts: Readonly<Record<string, RegExp>>): Fonts => ({
  names: Object.keys(scripts),
  has: (font, codePoint) => scripts[font]?.test(String.fromCodePoint(codePoint)) ?? false,
});
const FONTS = among({ greek: /\p{Script=Greek}/u, cyrillic: /[\p{Script=Cyrillic}\p{Script=Latin}]/u });

function show(word: string, fonts = noFonts) {
  const replaced: Replaced = { letters: new Map(), hasCodePoints: false };
  const runs = toRuns(word, fonts, replaced).map(({ font, text }) =>
    font === undefined ? text : `<${font} ${text}>`,
  );
  return {
    text: runs.join("|"),
    letters: Object.fromEntries(replaced.letters),
    marks: replaced.hasCodePoints,
  };
}

describe("toRuns", () => {
  it.each(["Jané", "Günther", "€5", "“Œuvre”", "-–—", "Ångström"])(
    "leaves Western text as it is: %s",
    (word) => {
      expect(show(word)).toEqual({ text: word, letters: {}, marks: false });
    },
  );

  it.each([
    ["Łukasz", "Lukasz", { "U+0141": "L" }],
    ["Erdős", "Erdos", { "U+0151": "o" }],
    ["Nguyễn", "Nguyen", { "U+1EC5": "e" }],
  ])("shows Latin letters without their marks, and says which: %s", (word, text, letters) => {
    expect(show(word)).toEqual({ text, letters, marks: false });
  });

  it.each([
    ["山田", "[U+5C71][U+7530]"],
    ["Иван", "[U+0418][U+0432][U+0430][U+043D]"],
    ["علي", "[U+0639][U+0644][U+064A]"],
    ["😀", "[U+1F600]"],
    ["❤️", "[U+2764]"],
    ["👩‍🚀", "[U+1F469][U+1F680]"],
  ])("shows other characters as code points: %s", (word, text) => {
    expect(show(word)).toEqual({ text, letters: {}, marks: true });
  });

  it.each([
    ["a\u202Eb", "a[U+202E]b"],
    ["a\u0007b", "a[U+0007]b"],
    ["a\u200Bb", "a[U+200B]b"],
    ["a\u00ADb", "a[U+00AD]b"],
    ["a\uD800b", "a[U+D800]b"],
    ["a\uE000b", "a[U+E000]b"],
  ])("shows characters that nobody sees, also if a font has them: %j", (word, text) => {
    expect(show(word, among({ all: /[^]/u })).text.replaceAll(/<all (\w)>/g, "$1")).toBe(text);
  });

  it("sets a word in one font, the first that has all of it", () => {
    expect(show("Иван", FONTS).text).toBe("<cyrillic Иван>");
    expect(show("Łukasz", FONTS)).toEqual({ text: "<cyrillic Łukasz>", letters: {}, marks: false });
    expect(show("αИ山b", FONTS)).toEqual({
      text: "<greek α>|<cyrillic И>|[U+5C71]b",
      letters: {},
      marks: true,
    });
  });
});

describe("breakLines", () => {
  const setting = (width: number, fonts = noFonts) => ({
    width,
    toRuns: (word: string) => toRuns(word, fonts, { letters: new Map(), hasCodePoints: false }),
    measure: ({ text }: { readonly text: string }) => text.length,
  });
  const read = (line: Line): string => line.map(({ text }) => text).join(" ");
  const all = among({ all: /[^]/u });

  it("fills lines up to their width, and keeps paragraphs", () => {
    const lines = breakLines("aa bb\tcc\n\r\ndd", setting(5));
    expect(lines.map(read)).toEqual(["aa bb", "cc", "", "dd"]);
    expect(lines[0]?.map(({ x }) => x)).toEqual([0, 3]);
  });

  it("splits what is longer than a line, and no letter from its mark", () => {
    expect(breakLines("abcdefgh", setting(3)).map(read)).toEqual(["abc", "def", "gh"]);
    const marked = "x\u0323\u0302".repeat(4);
    for (const line of breakLines(marked, setting(7, all)))
      expect(read(line)).toMatch(/^(?:x\u0323\u0302)+$/);
  });

  it("splits a letter that carries more marks than a line has room for", () => {
    const lines = breakLines(`o${"\u0489".repeat(2_000)}`, setting(80));
    expect(Math.max(...lines.map((line) => read(line).length))).toBeLessThanOrEqual(80);
    expect(lines.map(read).join("").split("[U+0489]")).toHaveLength(2_001);
  });

  it("puts Arabic and Hebrew words in reading order, line by line", () => {
    expect(breakLines("to محمد علي حسن now", setting(80, all)).map(read)).toEqual(["to حسن علي محمد now"]);
    expect(breakLines("שלום לך", setting(4, all)).map(read)).toEqual(["שלום", "לך"]);
  });
});
