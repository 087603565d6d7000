import { readFile } from "node:fs/promises";
import { HoldfastError, isHoldfastError } from "../base/errors.ts";
import { parseCsvRecords, type CsvRow, toCsvLine } from "../base/csv.ts";
import { createCatalogClient, type CatalogClient } from "../catalog/catalog-client.ts";
import { JOB_KINDS, type JobKind } from "../catalog/operations/catalog-operations.ts";
import { ENDED_STATUSES } from "../catalog/operations/statuses.ts";
import type { Config } from "../config.ts";
import { toUsageError } from "./arguments.ts";
import type { ServiceContext } from "./command.ts";
import { createProgress, toRecordLines, toTerminalText as clean, type Terminal } from "./output.ts";

/** Products of one bulk creation (the interface, Limits). */
const BATCH = 1_000;
/** Products of one enrichment job (the interface, Limits). */
const MOST_PRODUCTS = 5_000;
const COLUMNS = ["sku", "name", "manufacturer", "brand", "category"] as const;
/** Columns of an imported file; the other ones are left out, and named. */
const IMPORTED = ["sku", "name", "manufacturer", "mpn", "uom", "brand", "category", "externalId"] as const;

/** Work with a client of the catalog that has the configured key and organization, where one is configured. */
async function withCatalog<T>(
  { catalog, service }: Config,
  work: (client: CatalogClient, organization: string | undefined) => Promise<T>,
): Promise<T> {
  // What is meant for one service never goes to another, so no key of one stands in for the other's.
  const target = catalog ?? service;
  if (target?.apiKey === undefined) {
    const message =
      "CATALOG_URL and CATALOG_API_KEY, or VERIFY_URL and VERIFY_API_KEY: the catalog needs both";
    throw new HoldfastError("CONFIG_INVALID", message, { retryable: false });
  }
  const { url, organization, apiKey } = target;
  const timeoutMs = service?.timeoutMs;
  const client = createCatalogClient({ url, organization, timeoutMs, apiKey: apiKey.reveal() });
  try {
    return await work(client, organization);
  } finally {
    await client.close();
  }
}

/** `holdfast catalog products list`: a line for each product, by SKU. */
export async function listProducts(search: string | undefined, context: ServiceContext): Promise<void> {
  const { config, terminal, json } = context;
  await withCatalog(config, async (client) => {
    const query = { search, sortBy: "sku", sortOrder: "asc", limit: 100 } as const;
    for await (const product of client.products.list(query)) {
      terminal.line(json ? JSON.stringify(product) : COLUMNS.map((name) => clean(product[name])).join("  "));
    }
  });
}

/** `holdfast catalog products get SKU`. */
export async function showProduct(sku: string, { config, terminal, json }: ServiceContext): Promise<void> {
  await withCatalog(config, async (client) => {
    for await (const { id, sku: found } of client.products.list({ search: sku, limit: 100 })) {
      if (found !== sku) continue;
      const product = await client.products.get(id);
      terminal.line(json ? JSON.stringify(product) : toRecordLines(product));
      return;
    }
    throw new HoldfastError("SERVICE_NOT_FOUND", "the catalog has no product with this SKU", {
      retryable: false,
    });
  });
}

/**
 * `holdfast catalog products export`: CSV on standard output, with the columns that the interface lists. A text that a
 * spreadsheet would take for a formula gets an apostrophe in front.
 */
export async function exportProducts({ config, terminal, json }: ServiceContext): Promise<void> {
  await withCatalog(config, async (client) => {
    if (!json) terminal.line(COLUMNS.join(","));
    for await (const product of client.products.list({ sortBy: "sku", sortOrder: "asc", limit: 100 })) {
      const row = COLUMNS.map((name) => product[name]);
      terminal.line(json ? JSON.stringify(product) : toCsvLine(row).slice(0, -2));
    }
  });
}

/**
 * `holdfast catalog products import FILE.csv`: add the products that the catalog does not have. Run it again after an
 * interruption: what is there is left alone.
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
        : `${added.length} products imported, ${skipped} were there already`,
    );
  });
}

type ProductRow = CsvRow<Readonly<Record<string, string>>>;

/** Create products; what is wrong with one is told by its line in the file. */
async function addBatch(client: CatalogClient, file: string, rows: readonly ProductRow[]): Promise<void> {
  const products = rows.map(({ cells }) => cells) as unknown as { sku: string; name: string }[];
  try {
    await client.products.bulkCreate({ products });
  } catch (error) {
    if (!isHoldfastError(error, "INPUT_INVALID")) throw error;
    const problems = (error.fields ?? []).slice(0, 10).map(({ path, message }) => {
      const [, index = "", name = ""] = /^products\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
      return `line ${rows[Number(index)]?.line ?? "?"}: ${name}: ${message}`;
    });
    throw toUsageError(`${file}: ${problems.join("; ")}`);
  }
}

async function readProducts(file: string, terminal: Terminal): Promise<readonly ProductRow[]> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) throw toUsageError(`${file}: can't be read`);
  const rows = readRecords(file, text);
  const columns = Object.keys(rows[0]?.cells ?? {});
  if (!columns.includes("sku") || !columns.includes("name")) {
    throw toUsageError(`${file}: expected a CSV file with the columns sku and name`);
  }
  const strange = columns.filter((column) => !IMPORTED.some((known) => known === column));
  if (strange.length > 0) terminal.problem(`not imported: ${strange.map((name) => clean(name)).join(", ")}`);
  return rows.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(IMPORTED.flatMap((name) => (cells[name] ? [[name, cells[name]]] : []))),
  }));
}

function readRecords(file: string, text: string): readonly ProductRow[] {
  try {
    return parseCsvRecords(text);
  } catch (error) {
    if (isHoldfastError(error, "INPUT_INVALID")) throw toUsageError(`${file}: ${error.message}`);
    throw error;
  }
}

/** What `holdfast catalog enrich` may do. */
export interface EnrichOptions {
  /** Only products of this category, and below it. */
  readonly category?: string | undefined;
  /** Most products. What one costs is the service's to say. */
  readonly budget: string | undefined;
  readonly yes: boolean;
}

/**
 * `holdfast catalog enrich`: enrich products that never were, after a question. A job that goes on is waited for, so that
 * the command can be run again after ctrl-c. Resolves to whether all succeeded.
 */
export async function enrichProducts(options: EnrichOptions, context: ServiceContext): Promise<boolean> {
  const budget = readBudget(options.budget);
  const { terminal, config } = context;
  return withCatalog(config, async (client, configured) => {
    const running = await findRunningJob(client);
    if (running !== undefined) {
      terminal.problem("an enrichment job is running; waiting for it");
      return follow(client, running, context);
    }
    const productIds = await findProducts(client, options.category, budget);
    if (productIds.length === 0) {
      terminal.line(context.json ? JSON.stringify({ products: 0 }) : "nothing to enrich");
      return true;
    }
    const payer = configured ?? (await client.organizations())[0]?.slug;
    const count = productIds.length === 1 ? "1 product" : `${productIds.length} products`;
    const question = `Enrich ${count}? This spends credits of ${clean(payer)}.`;
    if (!options.yes && !(terminal.isInteractive && (await terminal.confirm(question)))) {
      terminal.problem(`${question} Nothing was done; confirm with --yes.`);
      return false;
    }
    const { jobId } = await client.enrichmentJobs.create({ productIds, modelType: "budget-v1" });
    if (terminal.isInteractive)
      terminal.problem("The job goes on after ctrl-c; run the command again to wait for it.");
    return follow(client, jobId, context);
  });
}

function readBudget(text: string | undefined): number {
  const budget = Number(text);
  if (text !== undefined && /^\d+$/.test(text) && budget >= 1 && budget <= MOST_PRODUCTS) return budget;
  throw toUsageError(`--budget: expected a whole number from 1 to ${MOST_PRODUCTS}`);
}

async function findRunningJob(client: CatalogClient): Promise<string | undefined> {
  for await (const { id, status } of client.enrichmentJobs.list({ limit: 100 })) {
    if (!ENDED_STATUSES.has(status)) return id;
  }
  return undefined;
}

async function findProducts(
  client: CatalogClient,
  category: string | undefined,
  most: number,
): Promise<readonly string[]> {
  const ids: string[] = [];
  const query = { enrichedFilter: "not-enriched", sortBy: "sku", sortOrder: "asc", limit: 100 } as const;
  for await (const product of client.products.list(query)) {
    const path = product.category ?? "";
    if (category !== undefined && path !== category && !path.startsWith(`${category} > `)) continue;
    if (ids.push(product.id) >= most) break;
  }
  return ids;
}

async function follow(client: CatalogClient, jobId: string, context: ServiceContext): Promise<boolean> {
  const { terminal, json, now } = context;
  const end = await client.waitForJob(jobId, {
    kind: "enrichment",
    onProgress: (job) =>
      createProgress(terminal, "enriching", job.total ?? 0, now).show(job.processedCount ?? 0),
  });
  terminal.progress("");
  const { successCount, failedCount } = end.job;
  terminal.line(
    json
      ? JSON.stringify({ jobId, outcome: end.outcome, successCount, failedCount })
      : `${end.outcome}: ${successCount ?? 0} enriched, ${failedCount ?? 0} failed (job ${clean(jobId)})`,
  );
  return end.outcome === "completed";
}

/** `holdfast catalog jobs`: a line for each job, of every kind. */
export async function listCatalogJobs({ config, terminal, json }: ServiceContext): Promise<void> {
  await withCatalog(config, async (client) => {
    for (const kind of Object.keys(JOB_KINDS) as JobKind[]) {
      for await (const job of client[JOB_KINDS[kind]].list({ limit: 100 })) {
        const { id, status, createdAt } = job;
        const fields: Readonly<Record<string, unknown>> = job;
        const counts = `${clean(fields["successCount"] ?? 0)} done, ${clean(fields["failedCount"] ?? 0)} failed`;
        terminal.line(
          json
            ? JSON.stringify({ kind, ...job })
            : [clean(createdAt), kind.padEnd(10), clean(id), clean(status).padEnd(21), counts].join("  "),
        );
      }
    }
  });
}
