import { describe, expect, it } from "vitest";
import { toFileType } from "../../src/buyer-check/file-type.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");
const PNG = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01";

describe("the kind of a file", () => {
  it.each([
    ["image/jpeg", "\xff\xd8\xff\xe0\0\x10JFIF"],
    ["image/png", PNG],
    ["image/webp", "RIFF\x24\0\0\0WEBPVP8 "],
    ["image/webp", "RIFF\x24\0\0\0WEBPVP8X"],
    ["image/heic", "\0\0\0\x18ftypheic\0\0\0\0mif1heic"],
    ["application/pdf", "%PDF-1.7\n%\xe2\xe3"],
  ])("is %s by its content", (type, content) => {
    expect(toFileType(bytes(content))).toBe(type);
  });

  it.each([
    ["nothing", ""],
    ["HTML", "<!doctype html><script>alert(1)</script>"],
    ["SVG", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ["a GIF", "GIF89a\x01\0\x01\0"],
    ["a ZIP", "PK\x03\x04"],
    ["HTML in front of a PDF", "<script>alert(1)</script>%PDF-1.7"],
    ["a PDF behind white space", " %PDF-1.7"],
    ["HTML in front of a JPEG", "<b>\xff\xd8\xff"],
    ["the beginning of a PNG", PNG.slice(0, 8)],
    ["sound in the same container as WebP", "RIFF\x24\0\0\0WAVEfmt "],
    ["a video in the same container as HEIC", "\0\0\0\x18ftypisom\0\0\0\0"],
    ["AVIF", "\0\0\0\x18ftypavif\0\0\0\0mif1avif"],
    ["a program", "MZ\x90\0"],
  ])("isn't allowed for %s", (_what, content) => {
    expect(toFileType(bytes(content))).toBeUndefined();
  });
});
