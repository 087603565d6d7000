import { toCsvBytes } from "../../catalog/operations/jobs.ts";
import { refuseBody } from "../http.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Longest texts of a product, in UTF-16 code units. */
const PRODUCT_TEXTS = { sku: 64, name: 256, manufacturer: 256, mpn: 128, uom: 128, brand: 128 } as const;
const MAX_FILE_NAME = 255;
/** 20 MB, 100 MB and 8 MB, in bytes. */
const MAX_FILE_BYTES = 20_000_000;
const MAX_IMPORT_BYTES = 100_000_000;
const MAX_CSV_BYTES = 8_000_000;

/**
 * Check a body against the narrower reading of each limit. The client takes the larger one, so that it refuses nothing
 * that is valid; a service may take either, and a program that passes here passes there.
 *
 * @throws {Refusal} 400 naming the limit at fault.
 */
export function checkNarrowly(name: string, body: Fields): void {
  const [group = ""] = name.split(".");
  if (group === "products") checkProducts(body);
  if (Array.isArray(body["files"])) checkFiles(group, body["files"] as readonly { content: Blob }[]);
  const { fileName, rows, inputColumns } = body;
  if (typeof fileName === "string" && fileName.length > MAX_FILE_NAME) {
    throw refuseBody(`fileName: expected at most ${MAX_FILE_NAME} characters`);
  }
  if (group !== "brandJobs" || rows === undefined) return;
  if (toCsvBytes(rows as readonly Fields[], inputColumns as readonly string[]) > MAX_CSV_BYTES) {
    throw refuseBody("rows: expected at most 8 MB as CSV");
  }
}

function checkProducts(body: Fields): void {
  const products = Array.isArray(body["products"]) ? (body["products"] as readonly Fields[]) : [body];
  for (const [index, product] of products.entries()) {
    const place = "products" in body ? `products[${index}].` : "";
    for (const [field, max] of Object.entries(PRODUCT_TEXTS)) {
      const value = product[field];
      if (typeof value !== "string" || value.length <= max) continue;
      throw refuseBody(`${place}${field}: expected at most ${max} characters`);
    }
  }
}

function checkFiles(group: string, files: readonly { readonly content: Blob }[]): void {
  const sizes = files.map(({ content }) => content.size);
  if (sizes.some((size) => size > MAX_FILE_BYTES)) throw refuseBody("files: expected at most 20 MB each");
  if (group === "importJobs" && sizes.reduce((sum, size) => sum + size, 0) > MAX_IMPORT_BYTES) {
    throw refuseBody("files: expected at most 100 MB in all");
  }
}
