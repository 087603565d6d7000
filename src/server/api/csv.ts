/** One value of a row; null is an empty field. */
export type CsvValue = string | number | null;

/**
 * What a spreadsheet takes for a formula, or strips on the way to one: also in the wide forms of East Asian keyboards
 * (OWASP, CSV Injection).
 */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const TO_QUOTE = /[",\r\n]/;

/** Begins a file, or a spreadsheet takes UTF-8 for the code page of its machine. */
export const CSV_START = "\uFEFF";

/**
 * One line of a CSV file, with its end (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe
 * in front; numbers stay numbers.
 */
export function toCsvLine(values: readonly CsvValue[]): string {
  return `${values.map(toField).join(",")}\r\n`;
}

function toField(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return TO_QUOTE.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
