import type { VelocityCounts } from "../src/engine/velocity/velocity-store.ts";
import type { PartialVerificationRequest } from "../src/order/request.ts";
import type { LabelledOrder } from "./labelled-order.ts";
import type { Column, Header } from "./request-columns.ts";

/** A cell that the request schema would refuse. The engine accepts the order anyway. */
export interface OddCell {
  readonly column: string;
  readonly expected: string;
}

/** The content of a record; `problem` never contains a value, which can be personal. */
export type Row =
  | { readonly kind: "order"; readonly order: LabelledOrder; readonly odd: readonly OddCell[] }
  | { readonly kind: "bad"; readonly column: string | null; readonly problem: string };

type Fields = Record<string, unknown>;
type Reading<Value> = { readonly value: Value | undefined } | { readonly problem: string };

const LABELS: ReadonlyMap<string, boolean> = new Map([
  ["1", true],
  ["1.0", true],
  ["true", true],
  ["fraud", true],
  ["0", false],
  ["0.0", false],
  ["false", false],
  ["legit", false],
]);
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["1", true],
  ["1.0", true],
  ["true", true],
  ["0", false],
  ["0.0", false],
  ["false", false],
]);
/** How other tools write an empty cell where no text is possible. */
const NOTHING: ReadonlySet<string> = new Set(["na", "n/a", "nan", "null", "none"]);
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
/** ISO 8601, with a space instead of the T, and perhaps without an offset. */
const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Read the cells of one record. A value of the wrong type makes the row bad; a text that breaks a rule is only odd. */
export function readRow(header: Header, cells: readonly string[]): Row {
  if (cells.length !== header.columns.length) {
    const problem = `${cells.length} cells instead of ${header.columns.length}`;
    return { kind: "bad", column: null, problem };
  }
  const request: Fields = {};
  const counts: Partial<Record<keyof VelocityCounts, number>> = {};
  const odd: OddCell[] = [];
  let fraud: boolean | undefined;
  for (const [index, column] of header.columns.entries()) {
    const cell = cells[index]?.trim() ?? "";
    if (column === null || cell === "") continue;
    const reading = readCell(column, cell);
    if ("problem" in reading) return { kind: "bad", column: column.name, problem: reading.problem };
    const { value } = reading;
    if (value === undefined) continue;
    if (column.kind === "label") fraud = value === true;
    else if (column.kind === "velocity") counts[column.count] = Number(value);
    else {
      put(request, column.path, value);
      if (!column.rule.safeParse(value).success) odd.push(toOddCell(column, value));
    }
  }
  const order = withoutGaps(request) as PartialVerificationRequest;
  return { kind: "order", order: { order, fraud, velocity: toVelocity(counts) }, odd };
}

function readCell(column: Column, cell: string): Reading<unknown> {
  const word = cell.toLowerCase();
  if (column.kind === "label") return find(LABELS, word, "1 or 0, true or false, fraud or legit");
  if (column.kind === "field" && column.type === "text") return { value: cell };
  if (NOTHING.has(word)) return { value: undefined };
  if (column.kind === "velocity") return readNonNegative(cell);
  switch (column.type) {
    case "number":
      return readNumber(cell);
    case "boolean":
      return find(BOOLEANS, word, "true or false");
    default:
      return { value: toOffsetTime(cell) };
  }
}

function find(words: ReadonlyMap<string, boolean>, word: string, expected: string): Reading<boolean> {
  const value = words.get(word);
  return value === undefined ? { problem: `expected ${expected}` } : { value };
}

function readNumber(cell: string): Reading<number> {
  const value = Number(cell);
  return NUMBER.test(cell) && Number.isFinite(value) ? { value } : { problem: "expected a number" };
}

/** This order counts as one, so a file with 0 counted only other orders, and found none. */
function readNonNegative(cell: string): Reading<number> {
  const reading = readNumber(cell);
  if ("problem" in reading) return reading;
  const { value = 0 } = reading;
  return Number.isInteger(value) && value >= 0
    ? { value: Math.max(1, value) }
    : { problem: "expected a whole number, 1 or more" };
}

/** A time without an offset is read as UTC: leaving it out would silence every signal that needs the time. */
function toOffsetTime(cell: string): string {
  const match = TIME.exec(cell);
  if (match === null) return cell;
  const [, date, time, offset = "Z"] = match;
  return `${date}T${time}${offset.toUpperCase()}`;
}

function put(root: Fields, path: readonly [string, ...(string | number)[]], value: unknown): void {
  let at: Fields = root;
  for (const [index, key] of path.entries()) {
    if (index === path.length - 1) at[key] = value;
    else {
      at[key] ??= typeof path[index + 1] === "number" ? [] : {};
      at = at[key] as Fields;
    }
  }
}

/** Close the gaps in lists where a row leaves out a position. */
function withoutGaps(request: Fields): Fields {
  const { items } = request;
  return Array.isArray(items) ? { ...request, items: items.filter((item) => item !== undefined) } : request;
}

function toOddCell(column: Column & { readonly kind: "field" }, value: unknown): OddCell {
  const message = column.rule.safeParse(value).error?.issues[0]?.message ?? "expected something else";
  return { column: column.name, expected: message };
}

function toVelocity(counts: Partial<Record<keyof VelocityCounts, number>>): VelocityCounts | undefined {
  if (Object.keys(counts).length === 0) return undefined;
  return {
    emailOrders1h: counts.emailOrders1h,
    ipEmails24h: counts.ipEmails24h,
    cardEmails7d: counts.cardEmails7d,
    addressEmails7d: counts.addressEmails7d,
    emailCards24h: counts.emailCards24h,
    emailBillingPostcodes7d: counts.emailBillingPostcodes7d,
    cardBillingPostcodes7d: counts.cardBillingPostcodes7d,
  };
}
