import { randomUUID } from "node:crypto";
import { cutPage, type BodyOf, type CatalogCall, type CatalogHandlers } from "./catalog-call.ts";
import { listJobs, readJob, startProductJob, stopJob, toNewJob } from "./jobs.ts";
import { addProducts } from "./products.ts";
import { refuseBody } from "../http.ts";
import { hasText, pick, sortRecords, toText, type SandboxRecord } from "./records.ts";

/** A file whose name contains this passes the batch's checks, but can't be ingested. */
const FAILING = "sandbox-fail";

function upload({ records, body }: CatalogCall<BodyOf<"files", "upload">>): unknown {
  const { files } = body;
  const failed = files.filter(({ name }) => name.includes(FAILING));
  const uploadedFileIds = files
    .filter((file) => !failed.includes(file))
    .map(({ name, content }) => {
      const record = { id: `file_${randomUUID()}`, name, size: content.size };
      records("file").put(record);
      return record.id;
    });
  const errors = failed.map(({ name }) => ({ fileName: name, error: "The file can't be read" }));
  return { success: failed.length === 0, uploadedFileIds, ...(failed.length > 0 ? { errors } : {}) };
}

async function create(call: CatalogCall<BodyOf<"importJobs", "create">>): Promise<unknown> {
  const { files, ...options } = call.body;
  const contents = await Promise.all(
    files.map(async ({ name, content }) => (/\.csv$/i.test(name) ? content.text() : "")),
  );
  const totalFiles = files.length;
  const job = toNewJob("importJobs", call.nowMs, { modelType: "pro-v1", ...options, totalFiles });
  const items = files.map(({ name }, index) => ({
    id: randomUUID(),
    jobId: job.id,
    fileName: name,
    content: contents[index],
    status: "pending",
  }));
  call.jobs.start(job, items);
  return { jobId: job.id, ...pick(job, "status", "totalFiles", "modelType", "createdAt") };
}

type ItemData = Readonly<Record<string, unknown>>;
const dataOf = (item: SandboxRecord) => item["data"] as ItemData;

function listItems(call: CatalogCall<BodyOf<"importJobs", "items">>): unknown {
  readJob(call, "importJobs");
  const { searchQuery = "", sort = "name-asc" } = call.body;
  const [by, order] = sort.split("-");
  const key = (item: SandboxRecord) => String(by === "type" ? item["type"] : dataOf(item)["name"]);
  const all = call.records("import-item").list({ parent: call.id });
  const found = all.filter((item) => hasText(dataOf(item), ["name", "sku"], searchQuery));
  const sorted = sortRecords(found, key, order === "desc" ? "desc" : "asc");
  const { entries, pagination } = cutPage(sorted, call.body, 200);
  return { items: entries, pagination };
}

/** A product's fields from the extracted data; null if it can't be a product. */
function toProduct(item: SandboxRecord, parentId: string | undefined): ItemData | null {
  const fields = Object.fromEntries(
    Object.entries(dataOf(item)).filter(([name, value]) => value !== null && name !== "variantOptions"),
  );
  const sku = fields["sku"] ?? (item["type"] === "family" ? `FAMILY-${item.id.slice(0, 8)}` : undefined);
  if (sku === undefined || toText(sku).length > 64) return null;
  return {
    ...fields,
    sku,
    isParent: item["type"] === "family",
    ...(parentId === undefined ? {} : { parentId }),
  };
}

function finalize(call: CatalogCall<BodyOf<"importJobs", "finalize">>): unknown {
  const job = readJob(call, "importJobs");
  const { all = false, itemIds = [], excludedIds = [] } = call.body;
  const pending = call.records("import-item").list({ parent: job.id, state: "pending" });
  const chosen = pending.filter(({ id }) => (all ? !excludedIds.includes(id) : itemIds.includes(id)));
  const created: string[] = [];
  let failed = 0;
  // Families come first: their variants need the product's id.
  for (const item of chosen.toSorted(
    (a, b) => Number(b["type"] === "family") - Number(a["type"] === "family"),
  )) {
    const id = importItem(call, item);
    if (id === undefined) failed += 1;
    else created.push(id);
  }
  if (job["autoEnrich"] === true && created.length > 0) {
    const given = job["enrichmentConfig"] as BodyOf<"importJobs", "create">["enrichmentConfig"];
    const { modelType = "budget-v1", attributeSetId: _set, ...config } = given ?? {};
    startProductJob(call, "enrichmentJobs", { websearch: false, ...config, modelType, productIds: created });
  }
  return { jobId: job.id, imported: created.length, failed };
}

function importItem(call: CatalogCall, item: SandboxRecord): string | undefined {
  const items = call.records("import-item");
  const parentItem = toText(item["parentItemId"]) || undefined;
  const parent = parentItem === undefined ? undefined : items.get(parentItem)?.["productId"];
  const keys = { parent: call.id };
  try {
    const product = toProduct(item, toText(parent) || undefined);
    if (product === null) throw refuseBody("sku: expected 1 to 64 characters");
    const [added] = addProducts(call, [product]);
    const done = { ...item, status: "completed", productId: added?.id };
    items.put(done, { ...keys, state: "completed" });
    if (added !== undefined && item["type"] === "family") adoptVariants(call, item.id, added.id);
    return added?.id;
  } catch (error) {
    const errorMessage = (error as Error).message;
    items.put({ ...item, status: "failed", errorMessage }, { ...keys, state: "failed" });
    return undefined;
  }
}

/** Variants that were finalized before their family have no parent yet. */
function adoptVariants(call: CatalogCall, family: string, parentId: string): void {
  const products = call.records("product");
  for (const item of call.records("import-item").list({ parent: call.id, state: "completed" })) {
    if (item["parentItemId"] !== family) continue;
    const product = products.get(toText(item["productId"]));
    if (product !== undefined) products.put({ ...product, parentId });
  }
}

const LISTED = ["id", "status", "modelType", "totalFiles", "totalExtracted", "createdAt", "completedAt"];

export const FILE_HANDLERS: CatalogHandlers<"files" | "importJobs"> = {
  files: { upload },
  importJobs: {
    create,
    list: (call) => listJobs(call, "importJobs", { usual: 10, fields: LISTED }),
    items: listItems,
    finalize,
    stop: (call) => ({ jobId: stopJob(call, "importJobs").id, status: "stopped" }),
  },
};
