import { randomUUID } from "node:crypto";
import { parseCsvRecords } from "../../base/csv.ts";
import { isHoldfastError } from "../../base/errors.ts";
import type { SandboxRecord } from "./records.ts";

const FIELDS = ["name", "sku", "brand", "category", "manufacturer", "mpn"] as const;
type Row = Readonly<Record<string, string>>;

/**
 * The products in a file. Of a CSV every row with a name is one; rows of the same `family` are its variants, and other columns
 * their options. Any other file holds one product, named after the file.
 */
export function extractItems(fileName: string, content: string): readonly SandboxRecord[] {
  if (!/\.csv$/i.test(fileName)) {
    const name = fileName.replace(/\.[^.]*$/, "");
    return name === "" ? [] : [toItem({ name, sku: name.toUpperCase() }, "standalone", null)];
  }
  const rows = readRows(content).filter(({ name }) => name !== undefined && name !== "");
  const families = new Map<string, SandboxRecord>();
  return rows.flatMap((row) => {
    const family = row["family"] ?? "";
    if (family === "") return [toItem(row, "standalone", null)];
    const known = families.get(family);
    const childCount = rows.filter((one) => one["family"] === family).length;
    const parent = known ?? { ...toItem({ name: family }, "family", null), childCount };
    families.set(family, parent);
    const variant = toItem(row, "product", parent.id);
    return known === undefined ? [parent, variant] : [variant];
  });
}

/** None of a text that can't be read. */
function readRows(content: string): readonly Row[] {
  try {
    return parseCsvRecords(content).map(({ cells }) => cells);
  } catch (error) {
    if (isHoldfastError(error, "INPUT_INVALID")) return [];
    throw error;
  }
}

function toItem(row: Row, type: string, parentItemId: string | null): SandboxRecord {
  const known = new Set<string>([...FIELDS, "family"]);
  const options = Object.entries(row).filter(([name, value]) => !known.has(name) && value !== "");
  return {
    id: randomUUID(),
    type,
    status: "pending",
    parentItemId,
    data: {
      ...Object.fromEntries(FIELDS.map((field) => [field, row[field] || null])),
      variantOptions: Object.fromEntries(options),
    },
    errorMessage: null,
    childCount: 0,
  };
}
