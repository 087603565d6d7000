/** What is used of pdfkit, which has no types of its own. */
declare module "pdfkit" {
  import type { Readable } from "node:stream";

  interface FontSource {
    hasGlyphForCodePoint(codePoint: number): boolean;
  }

  interface DocumentOptions {
    readonly size: "A4";
    readonly margin: number;
    readonly bufferPages: boolean;
    readonly lang: string;
    readonly displayTitle: boolean;
    readonly pdfVersion: "1.7";
    readonly info: Readonly<Record<"Title" | "Author" | "Creator" | "Producer", string>> & {
      readonly CreationDate: Date;
    };
  }

  export default class PDFDocument extends Readable {
    constructor(options: DocumentOptions);
    readonly page: { readonly width: number; readonly height: number };
    /** The current font. Of standard fonts, `font` has no glyphs to ask for. */
    readonly _font: { readonly font: Partial<FontSource> };
    registerFont(name: string, file: Uint8Array, face?: string): this;
    font(name: string): this;
    fontSize(size: number): this;
    fillColor(color: string): this;
    widthOfString(text: string): number;
    text(
      text: string,
      x: number,
      y: number,
      options: { readonly lineBreak: false; readonly baseline: "alphabetic" },
    ): this;
    rect(x: number, y: number, width: number, height: number): this;
    fill(color: string): this;
    addPage(): this;
    bufferedPageRange(): { readonly start: number; readonly count: number };
    switchToPage(index: number): void;
    end(): void;
  }
}
