import type { BuyerFileType } from "../order/buyer-check.ts";

/** What a file's content begins with, at an offset. All parts must be there. */
type Signature = readonly (readonly [at: number, bytes: Buffer])[];

const text = (at: number, ...texts: readonly string[]): Signature =>
  texts.map((one) => [at, Buffer.from(one, "latin1")] as const);

const PNG_HEADER = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");

const SIGNATURES: readonly (readonly [BuyerFileType, Signature])[] = [
  ["image/jpeg", [[0, Buffer.of(0xff, 0xd8, 0xff)]]],
  ["image/png", [[0, PNG_HEADER]]],
  ...["VP8 ", "VP8L", "VP8X"].map(
    (chunk) => ["image/webp", [...text(0, "RIFF"), ...text(8, `WEBP${chunk}`)]] as const,
  ),
  // The brands of HEIF with HEVC: a photo, and a series of them.
  ...["heic", "heix", "heim", "heis", "hevc", "hevx"].map(
    (brand) => ["image/heic", text(4, `ftyp${brand}`)] as const,
  ),
  // Readers also find a PDF behind other bytes. Then it can be two kinds of file at once, so only the first place counts.
  ...["%PDF-1.", "%PDF-2."].map((version) => ["application/pdf", text(0, version)] as const),
];

/** What kind of file this is, by its first bytes; undefined for every kind that isn't allowed. */
export function toFileType(bytes: Buffer): BuyerFileType | undefined {
  const found = SIGNATURES.find(([, signature]) =>
    signature.every(([at, part]) => bytes.subarray(at, at + part.length).equals(part)),
  );
  return found?.[0];
}
