import { readFile } from "node:fs/promises";
import type PDFDocument from "pdfkit";
import type { Logger } from "../../../../base/logger.ts";
import { throwMissingPackage } from "../../../../base/missing-package.ts";
import type { FontFile } from "../../../parts/server-parts.ts";
import type { Block, EvidencePage } from "./evidence-page.ts";
import { toRuns, type Fonts, type Replaced, type Run } from "./printable-text.ts";
import { breakLines, type Line } from "./text-lines.ts";

const MARGIN = 54;
const FOOT = 30;
const LABEL_WIDTH = 104;
const INDENT = 12;
const NUMBER_WIDTH = 72;
const LEADING = 1.32;
const [BLACK, GRAY, LINE_GRAY] = ["#111111", "#5c5c5c", "#cccccc"] as const;
const REGULAR = "Helvetica";
const BOLD = "Helvetica-Bold";

interface Style {
  readonly size: number;
  readonly font: string;
  readonly color: string;
  /** Room above and below, in points. */
  readonly before: number;
  readonly after: number;
}

const STYLES = {
  title: { size: 17, font: BOLD, color: BLACK, before: 0, after: 6 },
  heading: { size: 11.5, font: BOLD, color: BLACK, before: 12, after: 3 },
  text: { size: 9.5, font: REGULAR, color: BLACK, before: 0, after: 3 },
  label: { size: 9.5, font: REGULAR, color: GRAY, before: 0, after: 1 },
  item: { size: 9.5, font: REGULAR, color: BLACK, before: 0, after: 1 },
  note: { size: 8.5, font: REGULAR, color: GRAY, before: 1, after: 3 },
  source: { size: 8.5, font: REGULAR, color: GRAY, before: 0, after: 3 },
  foot: { size: 8.5, font: REGULAR, color: GRAY, before: 0, after: 0 },
} as const satisfies Readonly<Record<string, Style>>;

/**
 * Evidence as a PDF file of A4 pages, with no script, link, form or outside font in it.
 *
 * @param fonts - For characters that the standard fonts don't have. A file that can't be used is left out, with a log line.
 * @throws {HoldfastError} `CONFIG_INVALID` if the package pdfkit isn't installed.
 */
export async function toEvidencePdf(
  page: EvidencePage,
  fonts: readonly FontFile[],
  logger: Logger,
): Promise<Buffer> {
  const Document = await import("pdfkit").then((pdfkit) => pdfkit.default).catch(throwMissingPackage);
  const document = new Document({
    size: "A4",
    margin: 0,
    bufferPages: true,
    lang: "en",
    displayTitle: true,
    pdfVersion: "1.7",
    info: {
      Title: page.title,
      Author: page.shop,
      Creator: "Holdfast",
      Producer: "pdfkit",
      CreationDate: new Date(page.madeAtMs),
    },
  });
  const parts: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    document.on("data", (part: Buffer) => parts.push(part));
    document.on("end", resolve);
    document.on("error", reject);
  });
  const typesetter = createTypesetter(document, await openFonts(document, page, fonts, logger));
  const draw = createPen(document, typesetter);
  for (const block of page.blocks) draw(block);
  for (const text of explainReplaced(typesetter.replaced)) draw({ kind: "note", text });
  drawFeet(document, typesetter, page.foot);
  document.end();
  await ended;
  return Buffer.concat(parts);
}

/** Fonts of the files, as far as the texts need them: a font for Chinese and Japanese alone takes half a second to open. */
async function openFonts(
  document: PDFDocument,
  page: EvidencePage,
  files: readonly FontFile[],
  logger: Logger,
): Promise<Fonts> {
  const opened = new Map<string, (codePoint: number) => boolean>();
  const has = (font: string, codePoint: number): boolean => opened.get(font)?.(codePoint) ?? false;
  const needed = new Set(JSON.stringify(page));
  for (const [index, { path, face }] of files.entries()) {
    const fonts: Fonts = { names: [...opened.keys()], has };
    const replaced: Replaced = { letters: new Map(), hasCodePoints: false };
    toRuns([...needed].join(""), fonts, replaced);
    if (!replaced.hasCodePoints && replaced.letters.size === 0) break;
    const name = `font-${index}`;
    try {
      document.registerFont(name, await readFile(path), face);
      const { font } = document.font(name)._font;
      opened.set(name, (codePoint) => font.hasGlyphForCodePoint?.(codePoint) ?? false);
    } catch (error) {
      logger.warn({ err: error, path }, "a font of PDF_FONTS can't be used");
    }
  }
  return { names: [...opened.keys()], has };
}

/** Sets lines of text in the fonts that have its characters. */
function createTypesetter(document: PDFDocument, fonts: Fonts) {
  const replaced: Replaced = { letters: new Map(), hasCodePoints: false };
  const use = (run: Run, style: Style): PDFDocument =>
    document.font(run.font ?? style.font).fontSize(style.size);
  return {
    replaced,
    toLines: (text: string, style: Style, room: number): readonly Line[] =>
      breakLines(text, {
        width: room,
        toRuns: (word) => toRuns(word, fonts, replaced),
        measure: (run) => use(run, style).widthOfString(run.text),
      }),
    drawLine: (line: Line, x: number, y: number, style: Style): void => {
      for (const run of line)
        use(run, style)
          .fillColor(style.color)
          .text(run.text, x + run.x, y + style.size, { lineBreak: false, baseline: "alphabetic" });
    },
  };
}
type Typesetter = ReturnType<typeof createTypesetter>;

/** Draws blocks one below the other, on as many pages as they need. */
function createPen(document: PDFDocument, { toLines, drawLine }: Typesetter) {
  const { width, height } = document.page;
  let y = MARGIN;

  /** Start a page unless that many lines fit. */
  function makeRoom(style: Style, lines = 1): void {
    if (y + lines * style.size * LEADING <= height - MARGIN) return;
    document.addPage();
    y = MARGIN;
  }

  function drawText(text: string, style: Style, x = MARGIN): void {
    // A heading stays with what follows.
    y += y > MARGIN ? style.before : 0;
    makeRoom(style, style === STYLES.heading ? 4 : 1);
    for (const line of toLines(text, style, width - MARGIN - x)) {
      makeRoom(style);
      drawLine(line, x, y, style);
      y += style.size * LEADING;
    }
    y += style.after;
  }

  function drawFact([label, value]: readonly [string, string]): void {
    const { label: ofLabel, text: ofText } = STYLES;
    makeRoom(ofText);
    drawLine(toLines(label, ofLabel, LABEL_WIDTH)[0] ?? [], MARGIN, y, ofLabel);
    drawText(value, { ...ofText, after: ofLabel.after }, MARGIN + LABEL_WIDTH);
  }

  return (block: Block): void => {
    if (block.kind === "facts") {
      // The rows of one order stay together.
      makeRoom(STYLES.text, Math.min(block.rows.length, 8));
      for (const row of block.rows) drawFact(row);
      y += STYLES.text.after;
    } else if (block.kind === "item") {
      makeRoom(STYLES.item, 2);
      drawLine([{ font: undefined, text: "•", x: 0 }], MARGIN, y, STYLES.item);
      drawText(block.text, STYLES.item, MARGIN + INDENT);
      drawText(block.source, STYLES.source, MARGIN + INDENT);
    } else drawText(block.text, STYLES[block.kind]);
  };
}

function drawFeet(document: PDFDocument, { toLines, drawLine }: Typesetter, text: string): void {
  const { width, height } = document.page;
  const { count } = document.bufferedPageRange();
  const style = STYLES.foot;
  const y = height - FOOT;
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(page);
    document.rect(MARGIN, y - 6, width - 2 * MARGIN, 0.5).fill(LINE_GRAY);
    const [foot] = toLines(text, style, width - 2 * MARGIN - NUMBER_WIDTH);
    const [number] = toLines(`Page ${page + 1} of ${count}`, style, NUMBER_WIDTH);
    drawLine(foot ?? [], MARGIN, y, style);
    drawLine(number ?? [], width - MARGIN - NUMBER_WIDTH, y, style);
  }
}

function explainReplaced({ letters, hasCodePoints }: Replaced): readonly string[] {
  const pairs = [...letters].map(([codePoint, base]) => `${codePoint} as ${base}`);
  return [
    ...(pairs.length === 0 ? [] : [`Letters shown without their marks: ${pairs.join(", ")}.`]),
    ...(hasCodePoints
      ? ["[U+…] stands for a character by its Unicode number: this file has no font for it."]
      : []),
  ];
}
