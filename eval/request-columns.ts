import { z } from "zod";
import type { VelocityCounts } from "../src/engine/velocity/velocity-store.ts";
import { verificationRequestSchema } from "../src/order/request.ts";

/** Where a cell's value goes and how it is read. */
export type Column =
  | { readonly name: string; readonly kind: "label" }
  | { readonly name: string; readonly kind: "velocity"; readonly count: keyof VelocityCounts }
  | {
      readonly name: string;
      readonly kind: "field";
      /** Keys into the request, numbers for positions in a list. */
      readonly path: readonly [string, ...(string | number)[]];
      readonly type: "text" | "number" | "boolean" | "time";
      /** The request schema's rule for the field. */
      readonly rule: z.ZodType;
    };

/** The columns of a file, by position; null for columns without a meaning here. */
export interface Header {
  readonly columns: readonly (Column | null)[];
  readonly unknown: readonly string[];
}

const VELOCITY_COLUMNS: ReadonlyMap<string, keyof VelocityCounts> = new Map([
  ["velocity.email_1h", "emailOrders1h"],
  ["velocity.ip_emails_24h", "ipEmails24h"],
  ["velocity.card_emails_7d", "cardEmails7d"],
  ["velocity.address_emails_7d", "addressEmails7d"],
  ["velocity.email_cards_24h", "emailCards24h"],
  ["velocity.email_billing_postcodes_7d", "emailBillingPostcodes7d"],
  ["velocity.card_billing_postcodes_7d", "cardBillingPostcodes7d"],
  ["velocity.email_addresses_7d", "emailAddresses7d"],
  ["velocity.email_names_7d", "emailNames7d"],
  ["velocity.card_addresses_7d", "cardAddresses7d"],
]);
/** As many as the engine reads. */
const MAX_ITEMS = 500;

/**
 * Parse the first record of a file.
 *
 * @throws {Error} when there is no label, or when two columns mean the same.
 */
export function parseHeader(names: readonly string[]): Header {
  const columns = names.map((name) => toColumn(name.trim()));
  const known = columns.filter((column) => column !== null);
  if (!known.some(({ kind }) => kind === "label")) throw new Error('the file has no column "label"');
  const targets = new Map<string, string>();
  for (const column of known) {
    const target = toTarget(column);
    const other = targets.get(target);
    if (other !== undefined) throw new Error(`the columns "${other}" and "${column.name}" are the same`);
    targets.set(target, column.name);
  }
  return { columns, unknown: names.filter((_, index) => columns[index] === null) };
}

function toTarget(column: Column): string {
  return column.kind === "field" ? JSON.stringify(column.path) : column.name;
}

function toColumn(name: string): Column | null {
  if (name === "label") return { name, kind: "label" };
  const count = VELOCITY_COLUMNS.get(name);
  if (count !== undefined) return { name, kind: "velocity", count };
  const [field, ...rest] = toPath(name);
  if (typeof field !== "string") return null;
  const path = [field, ...rest] as const;
  const rule = findRule(verificationRequestSchema, path);
  return rule === null ? null : { name, kind: "field", path, type: toType(field, rule), rule };
}

/** `items[0].name` and `items.0.name` are the same. */
function toPath(name: string): readonly (string | number)[] {
  return name
    .replaceAll(/\[(\d{1,3})\]/g, ".$1")
    .split(".")
    .map((key) => (/^\d{1,3}$/.test(key) ? Number(key) : key));
}

/** The rule of a leaf of the schema; null for anything else. */
function findRule(schema: z.ZodType, path: readonly (string | number)[]): z.ZodType | null {
  if (schema instanceof z.ZodExactOptional) return findRule(schema.unwrap() as z.ZodType, path);
  const [key, ...rest] = path;
  if (schema instanceof z.ZodObject) {
    if (typeof key !== "string" || !Object.hasOwn(schema.shape, key)) return null;
    return findRule(schema.shape[key] as z.ZodType, rest);
  }
  if (schema instanceof z.ZodArray) {
    return typeof key === "number" && key < MAX_ITEMS ? findRule(schema.element as z.ZodType, rest) : null;
  }
  return key === undefined ? schema : null;
}

function toType(field: string, rule: z.ZodType): "text" | "number" | "boolean" | "time" {
  if (field === "orderTimestamp") return "time";
  if (rule instanceof z.ZodNumber) return "number";
  return rule instanceof z.ZodBoolean ? "boolean" : "text";
}
