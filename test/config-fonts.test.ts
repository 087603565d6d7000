import { describe, expect, it } from "vitest";
import { parseConfig } from "../src/config.ts";

describe("parseConfig, with fonts", () => {
  it.each([
    ["/fonts/A.ttf", [{ path: "/fonts/A.ttf" }]],
    ["/fonts/A.OTF, /b/C.ttc#C-Regular", [{ path: "/fonts/A.OTF" }, { path: "/b/C.ttc", face: "C-Regular" }]],
  ])("reads PDF_FONTS=%s", (text, pdfFonts) => {
    expect(parseConfig({ PDF_FONTS: text }).pdfFonts).toEqual(pdfFonts);
  });

  it.each([
    "A.ttf",
    "/fonts/A.pfb",
    "/fonts/A.ttc",
    "/fonts/A.ttf#A",
    "/a.ttf,,/b.ttf",
    ",/a.ttf".repeat(9).slice(1),
  ])("refuses PDF_FONTS=%s", (text) => {
    expect(() => parseConfig({ PDF_FONTS: text })).toThrow(
      "PDF_FONTS: expected up to 8 absolute paths of font files",
    );
  });
});
