import { toFieldsError, type HoldfastError } from "./errors.ts";
import { toFieldProblem } from "./field-codes.ts";

export interface CsvRow<Cells> {
  /** Line of the text that it begins on, from 1. */
  readonly line: number;
  readonly cells: Cells;
}

/** A cell, quoted or plain, with what ends it. A quote inside a plain cell is text. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|((?!")[^,\r\n]*))(,|\r\n|\r|\n|$)/y;
const LINE_END = /\r\n|\r|\n/g;

/**
 * The rows of a CSV text (RFC 4180). Lines may end with CR LF, LF or CR; a byte order mark and blank lines are left out.
 *
 * @throws {HoldfastError} `INPUT_INVALID` naming the line whose quotes don't match.
 */
export function parseCsv(text: string): readonly CsvRow<readonly string[]>[] {
  const rows: CsvRow<string[]>[] = [];
  const plain = text.replace(/^\uFEFF/, "");
  let cells: string[] = [];
  let line = 1;
  let startLine = 1;
  for (let at = 0; at < plain.length || cells.length > 0;) {
    CELL.lastIndex = at;
    const match = CELL.exec(plain);
    if (match === null) throw toQuoteError(line);
    at = CELL.lastIndex;
    line += match[0].match(LINE_END)?.length ?? 0;
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === ",") continue;
    if (cells.length > 1 || cells[0] !== "") rows.push({ line: startLine, cells });
    cells = [];
    startLine = line;
  }
  return rows;
}

function toQuoteError(line: number): HoldfastError {
  const problem = toFieldProblem(`line ${line}`, "csv-quotes");
  return toFieldsError("INPUT_INVALID", `${problem.path}: ${problem.message}`, [problem]);
}

/**
 * The rows of a CSV text as records by the cells of its first row.
 *
 * @throws {HoldfastError} `INPUT_INVALID` naming the line whose quotes don't match.
 */
export function parseCsvRecords(text: string): readonly CsvRow<Readonly<Record<string, string>>>[] {
  const [header, ...rows] = parseCsv(text);
  const names = header?.cells.map((name) => name.trim()) ?? [];
  return rows.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""])),
  }));
}

/** Rows as CSV text (RFC 4180), for programs: texts aren't changed. */
export function toCsvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quote).join(",")}\r\n`).join("");
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One value of a row; null is an empty field. An `id` stays text in a spreadsheet, which would round a long number. */
export type CsvValue = string | number | null | { readonly id: string };

/**
 * The start of a text that a spreadsheet reads as a formula, or strips before it looks for one: also in the wide forms
 * of East Asian keyboards (OWASP, CSV Injection).
 */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** The start of a file. Without it, a spreadsheet reads UTF-8 in its machine's code page. */
export const CSV_START = "\uFEFF";

/**
 * One line of a CSV file for people, with its end (RFC 4180). A text that a spreadsheet would read as a formula gets an
 * apostrophe in front; numbers stay numbers.
 */
export function toCsvLine(values: readonly CsvValue[]): string {
  return `${values.map(toField).join(",")}\r\n`;
}

function toField(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  if (typeof value === "object") return /^\d+$/.test(value.id) ? quote(`="${value.id}"`) : toField(value.id);
  return quote(FORMULA.test(value) ? `'${value}` : value);
}
