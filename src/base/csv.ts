/** The rows of a CSV text (RFC 4180), as lists of cells. Line ends may be LF; a byte order mark is left out. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let last = 0;
  // A cell, quoted or plain, with what ends it.
  for (const match of text.replace(/^\uFEFF/, "").matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (match.index < last || (match[0] === "" && row.length === 0)) continue;
    last = match.index + match[0].length;
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === ",") continue;
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  }
  return rows;
}

/** The rows of a CSV text as records by the cells of its first row. */
export function parseCsvRecords(text: string): readonly Readonly<Record<string, string>>[] {
  const [header = [], ...rows] = parseCsv(text);
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name.trim(), row[index] ?? ""])));
}

/** Rows as CSV text (RFC 4180). */
export function toCsvText(rows: readonly (readonly string[])[]): string {
  const toCell = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((row) => `${row.map((cell) => toCell(cell)).join(",")}\r\n`).join("");
}
