import { parseCsv } from "../../base/csv.ts";
import { toFieldsError, type HoldfastError } from "../../base/errors.ts";
import { toFieldProblem, type FieldProblem } from "../../base/field-codes.ts";

/** One line of an export: one condition of a rule. */
export interface ExportedLine {
  /** The line of the file that it begins on, from 1. */
  readonly line: number;
  /** The rule's name; empty if the line has none, and then it's a rule by itself. */
  readonly name: string;
  readonly action: string;
  readonly field: string;
  readonly operator: string;
  readonly value: string;
}

/**
 * What the columns are called, without case, spaces and punctuation. Shopify never documented the file, so people may have
 * to rename a column.
 */
const COLUMNS = {
  name: ["name", "rulename", "filtername", "rule", "filter", "title"],
  action: ["action", "actions", "ruleaction", "filteraction"],
  field: ["field", "attribute", "criteria", "criterion", "rulefield", "property"],
  operator: ["operator", "comparison", "relation", "condition", "ruleoperator"],
  value: ["value", "values", "rulevalue"],
} as const;
type Column = keyof typeof COLUMNS;

const NAMES = Object.keys(COLUMNS) as readonly Column[];
/** Without an operator or an action, a rule could mean its opposite. */
const NEEDED: readonly Column[] = ["action", "field", "operator", "value"];
/** Several times the largest export that is known. */
const MOST_LINES = 5_000;

/** A text as it is compared: `Browser IP` and `browser_ip` are the same. */
export function toPlainName(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9<>=!]/g, "");
}

/**
 * The lines of a CSV export of Shopify's Fraud Filter. Its first row names the columns: Name, Action, Field, Operator, Value.
 *
 * @throws {HoldfastError} `INPUT_INVALID` for a file that isn't CSV, lacks a column or is too long.
 */
export function readExport(csv: string): readonly ExportedLine[] {
  const [header, ...rows] = parseCsv(csv);
  const titles = header?.cells.map(toPlainName) ?? [];
  const places = Object.fromEntries(
    NAMES.map((name) => [name, titles.findIndex((title) => COLUMNS[name].some((known) => known === title))]),
  ) as Record<Column, number>;
  const missing = NEEDED.filter((name) => places[name] === -1);
  if (missing.length > 0) throw refuse(toFieldProblem("csv", "csv-columns", { missing: missing.join(", ") }));
  if (rows.length > MOST_LINES) throw refuse(toFieldProblem("csv", "csv-lines", { max: MOST_LINES }));
  return rows.map(({ line, cells }) => {
    const read = (name: Column): string => cells[places[name]]?.trim() ?? "";
    return {
      line,
      name: read("name"),
      action: read("action"),
      field: read("field"),
      operator: read("operator"),
      value: read("value"),
    };
  });
}

function refuse(problem: FieldProblem): HoldfastError {
  return toFieldsError("INPUT_INVALID", problem.message, [problem]);
}
