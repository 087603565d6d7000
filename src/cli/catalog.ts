import { toDispatcher } from "../base/proxy.ts";
import { readFile } from "node:fs/promises";
import { explainSystemError, HoldfastError, isHoldfastError, toConfigError } from "../base/errors.ts";
import { parseCsvRecords, type CsvRow, toCsvLine } from "../base/csv.ts";
import { createCatalogClient, type CatalogClient } from "../catalog/catalog-client.ts";
import { JOB_KINDS, type JobKind } from "../catalog/operations/catalog-operations.ts";
import type { Config } from "../config.ts";
import type { ServiceContext } from "./command.ts";
import { createProgress, printAll, printRecord, toTerminalText as clean, type Terminal } from "./output.ts";

/** Most products in one bulk creation (the interface, Limits). */
const BATCH = 1_000;
const COLUMNS = ["sku", "name", "manufacturer", "brand", "category"] as const;
/** Columns of an imported file. Other columns are left out, and listed. */
const IMPORTED = ["sku", "name", "manufacturer", "mpn", "uom", "brand", "category", "externalId"] as const;

/** Work with a catalog client that has the configured key and, if one is configured, the organization. */
export async function withCatalog<T>(
  { catalog, service, proxy }: Config,
  work: (client: CatalogClient, organization: string | undefined) => Promise<T>,
): Promise<T> {
  // A key is only used for the service it is meant for.
  const target = catalog ?? service;
  if (target?.apiKey === undefined) {
    const message =
      "CATALOG_URL and CATALOG_API_KEY, or VERIFY_URL and VERIFY_API_KEY: the catalog needs both";
    throw toConfigError(message);
  }
  const { url, organization, apiKey } = target;
  const timeoutMs = service?.timeoutMs;
  const client = createCatalogClient({
    url,
    organization,
    timeoutMs,
    apiKey: apiKey.reveal(),
    dispatcher: toDispatcher(proxy),
  });
  try {
    return await work(client, organization);
  } finally {
    await client.close();
  }
}

/** `holdfast catalog products list`: a line for each product, by SKU. */
export async function listProducts(search: string | undefined, context: ServiceContext): Promise<void> {
  await withCatalog(context.config, async (client) => {
    const products = client.products.list({ search, sortBy: "sku", sortOrder: "asc", limit: 100 });
    await printAll(context, products, (product) => COLUMNS.map((name) => product[name]), "no products");
  });
}

/** `holdfast catalog products get SKU`. */
export async function showProduct(sku: string, context: ServiceContext): Promise<void> {
  await withCatalog(context.config, async (client) => {
    for await (const { id, sku: found } of client.products.list({ search: sku, limit: 100 })) {
      if (found === sku) return printRecord(context, await client.products.get(id));
    }
    const message = "the catalog has no product with this SKU";
    throw new HoldfastError("SERVICE_NOT_FOUND", message, { retryable: false });
  });
}

/**
 * `holdfast catalog products export`: CSV on standard output, with the columns that the interface lists. A text that a
 * spreadsheet would read as a formula gets an apostrophe in front.
 */
export async function exportProducts({ config, terminal, json, now }: ServiceContext): Promise<void> {
  await withCatalog(config, async (client) => {
    if (!json) terminal.line(COLUMNS.join(","));
    let count = 0;
    const products = client.products.list({ sortBy: "sku", sortOrder: "asc", limit: 100 });
    for await (const { entries, total } of products.pages()) {
      terminal.progress("");
      for (const product of entries) {
        const row = COLUMNS.map((name) => product[name]);
        terminal.line(json ? JSON.stringify(product) : toCsvLine(row).slice(0, -2));
      }
      count += entries.length;
      createProgress(terminal, "exporting", total, now).show(count);
    }
    terminal.progress("");
    if (!json) terminal.problem(toCount(count, "exported"));
  });
}

function toCount(count: number, done: string): string {
  return `${count} ${count === 1 ? "product" : "products"} ${done}`;
}

/**
 * `holdfast catalog products import FILE.csv`: add the products that the catalog does not have. You can run it again
 * after an interruption: existing products aren't changed.
 */
export async function importProducts(file: string, context: ServiceContext): Promise<void> {
  const { config, terminal, json, now } = context;
  const rows = await readProducts(file, terminal);
  await withCatalog(config, async (client) => {
    const existing = new Set<string>();
    for await (const { sku } of client.products.list({ limit: 100 })) existing.add(sku);
    const added = rows.filter(({ cells }) => !existing.has(cells["sku"] ?? ""));
    const progress = createProgress(terminal, "importing", added.length, now);
    for (let start = 0; start < added.length; start += BATCH) {
      await addBatch(client, file, added.slice(start, start + BATCH));
      progress.show(Math.min(start + BATCH, added.length));
    }
    progress.end();
    const skipped = rows.length - added.length;
    terminal.line(
      json
        ? JSON.stringify({ imported: added.length, skipped })
        : `${toCount(added.length, "imported")}, ${skipped} were there already`,
    );
  });
}

type ProductRow = CsvRow<Readonly<Record<string, string>>>;

/** A problem message names the product's line in the file. */
async function addBatch(client: CatalogClient, file: string, rows: readonly ProductRow[]): Promise<void> {
  const products = rows.map(({ cells }) => cells) as unknown as { sku: string; name: string }[];
  try {
    await client.products.bulkCreate({ products });
  } catch (error) {
    if (!isHoldfastError(error, "INPUT_INVALID")) throw error;
    const problems = error.fields.slice(0, 10).map(({ path, message }) => {
      const [, index = "", name = ""] = /^products\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
      return `line ${rows[Number(index)]?.line ?? "?"}: ${name}: ${message}`;
    });
    throw toConfigError(`${file}: ${problems.join("; ")}`);
  }
}

async function readProducts(file: string, terminal: Terminal): Promise<readonly ProductRow[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw toConfigError(`${file}: can't be read: ${explainSystemError(error)}`);
  });
  const rows = readRecords(file, text);
  const columns = Object.keys(rows[0]?.cells ?? {});
  if (!columns.includes("sku") || !columns.includes("name")) {
    throw toConfigError(`${file}: expected a CSV file with the columns sku and name`);
  }
  const strange = columns.filter((column) => !IMPORTED.some((known) => known === column));
  if (strange.length > 0) terminal.problem(`not imported: ${strange.map((name) => clean(name)).join(", ")}`);
  refuseTwins(file, rows);
  return rows.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(IMPORTED.flatMap((name) => (cells[name] ? [[name, cells[name]]] : []))),
  }));
}

/** Because of one duplicate, the service would refuse the whole batch and say that the product already exists. */
function refuseTwins(file: string, rows: readonly ProductRow[]): void {
  for (const name of ["sku", "externalId"]) {
    const lines = new Map<string, number>();
    for (const { line, cells } of rows) {
      const value = cells[name] ?? "";
      const first = lines.get(value);
      if (value !== "" && first !== undefined) {
        throw toConfigError(`${file}: line ${line}: ${name}: the same as in line ${first}`);
      }
      lines.set(value, line);
    }
  }
}

function readRecords(file: string, text: string): readonly ProductRow[] {
  try {
    return parseCsvRecords(text);
  } catch (error) {
    if (isHoldfastError(error, "INPUT_INVALID")) throw toConfigError(`${file}: ${error.message}`);
    throw error;
  }
}

/** `holdfast catalog jobs`: a line for each job, of every kind. */
export async function listCatalogJobs(context: ServiceContext): Promise<void> {
  await withCatalog(context.config, (client) =>
    printAll(
      context,
      listJobs(client),
      ({ kind, ...job }) => [job.createdAt, kind.padEnd(10), job.id, job.status.padEnd(21), toCounts(job)],
      "no jobs",
    ),
  );
}

async function* listJobs(client: CatalogClient) {
  for (const kind of Object.keys(JOB_KINDS) as JobKind[]) {
    for await (const job of client[JOB_KINDS[kind]].list({ limit: 100 })) yield { kind, ...job };
  }
}

/** A job's progress. An import counts what it found in its files. */
function toCounts(job: object): string {
  const fields: Readonly<Record<string, unknown>> = { ...job };
  const { totalProducts, totalBrands, totalCategories, totalFiles, totalExtracted } = fields;
  const files = totalFiles === 1 ? "1 file" : `${clean(totalFiles)} files`;
  if (totalFiles !== undefined) return `${clean(totalExtracted ?? 0)} found in ${files}`;
  const total = totalProducts ?? totalBrands ?? totalCategories;
  const [done, failed] = [fields["successCount"] ?? 0, fields["failedCount"] ?? 0];
  return `${clean(done)} of ${clean(total)} done, ${clean(failed)} failed`;
}
