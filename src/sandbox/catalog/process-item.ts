import { randomUUID } from "node:crypto";
import { parseCsvRecords } from "../../base/csv.ts";
import { isHoldfastError } from "../../base/errors.ts";
import { inventAttributes, toDigest } from "./attribute-sets.ts";
import { toSlug, toText, toTime, type OrganizationRecords, type SandboxRecord } from "./records.ts";

/** The result of an item: its new fields, its price, and what to save elsewhere once it is paid for. */
export interface ItemOutcome {
  readonly item: Readonly<Record<string, unknown>>;
  readonly cost: number;
  readonly keep?: (() => void) | undefined;
  /** Products found in a file. */
  readonly extracted?: number | undefined;
}

interface ItemContext {
  readonly records: OrganizationRecords;
  readonly job: SandboxRecord;
  readonly nowMs: number;
}

/** A name or SKU that contains this fails, so that you can test failures. */
const FAILING = "sandbox-fail";
/** A job whose first item's name, SKU or file name contains this fails before it works on anything. */
const BREAKING = "sandbox-fail-job";
/** Most products that are examined for one brand or category (the interface, Limits). */
const MOST_SAMPLED = 10;
/** A parent costs less: nothing is searched (Parent product rules, 5). */
const PARENT_COST = 0.5;

/** What the jobs on names are about. */
const SUBJECTS: Readonly<Record<string, "brand" | "category">> = {
  brandJobs: "brand",
  categoryJobs: "category",
};

/** Whether a job can't run, because its first item says so. */
export function isBroken(
  { records }: Pick<ItemContext, "records">,
  item: SandboxRecord | undefined,
): boolean {
  const product = records("product").get(toText(item?.["productId"]));
  const names = [
    item?.["brandName"],
    item?.["categoryName"],
    item?.["fileName"],
    product?.["sku"],
    product?.["name"],
  ];
  return names.some((name) => toText(name).includes(BREAKING));
}

/** Process one item of a job. All results are made up, and the same every time. */
export function processItem(context: ItemContext, item: SandboxRecord): ItemOutcome {
  const kind = toText(context.job["kind"]);
  const subject = SUBJECTS[kind];
  if (subject !== undefined) return enrichName(context, item, subject);
  if (kind === "enrichmentJobs") return enrichProduct(context, item);
  return kind === "validationJobs" ? validateProduct(context, item) : extract(context, item);
}

/** The result of an item that failed. It costs nothing. */
export function fail(errorMessage: string): ItemOutcome {
  return { item: { status: "failed", errorMessage }, cost: 0 };
}

function enrichName(
  { records, job }: ItemContext,
  item: SandboxRecord,
  kind: "brand" | "category",
): ItemOutcome {
  const name = String(item[`${kind}Name`]);
  if (name.includes(FAILING)) return fail("Unable to fetch source data");
  const linked = records("product")
    .list()
    .filter((product) => toText(product[kind]).toLowerCase() === name.toLowerCase())
    .slice(0, MOST_SAMPLED);
  if (linked.length === 0 && job["useWebsearch"] !== true) {
    return fail(`No products are linked to this ${kind}. Link products to it, or enable web search.`);
  }
  const referenceData =
    linked.length > 0
      ? { mode: "products", productIds: linked.map(({ id }) => id) }
      : { mode: "websearch", urls: [`https://example.com/sandbox/${toSlug(name)}`] };
  const enrichedAttributes = inventAttributes(kind === "brand" ? "brands" : "categories", name);
  return { item: { status: "completed", enrichedAttributes, referenceData, cost: 1 }, cost: 1 };
}

/** Add a finished item of a brand or category job to its name's history, even if it failed. */
export function keepNameHistory({ records, job }: Omit<ItemContext, "nowMs">, item: SandboxRecord): void {
  const kind = SUBJECTS[toText(job["kind"])];
  if (kind === undefined) return;
  const name = String(item[`${kind}Name`]);
  const entry = {
    id: randomUUID(),
    [`${kind}Name`]: name,
    ...(kind === "brand" ? { enrichedAttributes: item["enrichedAttributes"] ?? {} } : {}),
    referenceData: item["referenceData"] ?? null,
    createdAt: job["createdAt"],
    completedAt: item["completedAt"],
    modelType: job["modelType"],
    status: item["status"],
    errorMessage: item["errorMessage"] ?? null,
  };
  records(`${kind}-history`).put(entry, { parent: name.toLowerCase() });
}

type AttributeMap = Readonly<Record<string, { readonly value: unknown }>>;

function childrenOf({ records }: ItemContext, product: SandboxRecord): readonly SandboxRecord[] {
  return records("product")
    .list()
    .filter(({ parentId, enrichedAt }) => parentId === product.id && enrichedAt !== undefined);
}

/** The combined values of variants: equal values stay, numbers become a range, and other values are joined. */
function aggregate(children: readonly SandboxRecord[]): AttributeMap {
  const maps = children.map(({ attributes }) => (attributes ?? {}) as AttributeMap);
  const slugs = [...new Set(maps.flatMap((map) => Object.keys(map)))];
  return Object.fromEntries(
    slugs.flatMap((slug) => {
      const found = maps.flatMap((map) => map[slug] ?? []);
      const [first] = found;
      return first === undefined
        ? []
        : [[slug, { ...first, value: combine(found.map(({ value }) => value)) }]];
    }),
  );
}

function combine(values: readonly unknown[]): unknown {
  const distinct = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
  if (distinct.length === 1) return distinct[0];
  if (distinct.every((value) => typeof value === "number")) {
    return `${Math.min(...distinct)} - ${Math.max(...distinct)}`;
  }
  // A boolean stays one: what most of the variants are.
  if (distinct.every((value) => typeof value === "boolean")) {
    return values.filter((value) => value === true).length * 2 >= values.length;
  }
  if (distinct.every((value) => Array.isArray(value))) return [...new Set(distinct.flat())];
  return distinct.join(", ");
}

/** Fresh data about a product: made up, or combined from its variants. Undefined if there is no data. */
function findData(context: ItemContext, product: SandboxRecord): AttributeMap | undefined {
  if (product["isParent"] !== true) return inventAttributes("products", String(product["name"]));
  const children = childrenOf(context, product);
  return children.length === 0 ? undefined : aggregate(children);
}

/** Work on an item's product with fresh data about it. `work` returns undefined when it needs more. */
function onProduct(
  context: ItemContext,
  item: SandboxRecord,
  work: (product: SandboxRecord, fresh: AttributeMap) => Omit<ItemOutcome, "cost"> | undefined,
): ItemOutcome {
  const product = context.records("product").get(String(item["productId"]));
  const text = `${toText(product?.["sku"])} ${toText(product?.["name"])}`;
  if (product === undefined || text.includes(FAILING)) return fail("Unable to fetch source data");
  const fresh = findData(context, product);
  const outcome = fresh && work(product, fresh);
  if (outcome === undefined) return fail("Insufficient product data");
  return { ...outcome, cost: product["isParent"] === true ? PARENT_COST : 1 };
}

function enrichProduct(context: ItemContext, item: SandboxRecord): ItemOutcome {
  const { records, nowMs } = context;
  return onProduct(context, item, (product, enrichedData) => ({
    item: { status: "completed", enrichedData },
    keep() {
      const enrichedAt = toTime(nowMs);
      const attributes = { ...(product["attributes"] as object), ...enrichedData };
      records("product").put({ ...product, attributes, enrichedAt, updatedAt: enrichedAt });
      const entry = { id: randomUUID(), productId: product.id, enrichedAt, attributes: enrichedData };
      records("enrichment-history").put(entry, { parent: product.id });
    },
  }));
}

function validateProduct(context: ItemContext, item: SandboxRecord): ItemOutcome {
  const { records, nowMs } = context;
  return onProduct(context, item, (product, fresh) => {
    const stored = Object.entries((product["attributes"] ?? {}) as AttributeMap);
    if (stored.length === 0) return undefined;
    const results = stored.map(([slug, { value: existingValue, ...named }]) => {
      const isValid =
        fresh[slug] !== undefined && JSON.stringify(fresh[slug].value) === JSON.stringify(existingValue);
      const confidence = isValid ? 90 : 20 + (toDigest(slug) % 30);
      const explanation = isValid ? "Same as the sandbox's source" : "Not what the sandbox's source says";
      return [slug, { ...named, existingValue, isValid, confidence, explanation }] as const;
    });
    const valid = results.filter(([, { isValid }]) => isValid).length;
    const overallScore = Math.round((100 * valid) / results.length);
    return {
      item: { status: "completed", validationResults: Object.fromEntries(results), overallScore },
      keep() {
        const entry = { id: randomUUID(), productId: product.id, validatedAt: toTime(nowMs), overallScore };
        records("validation-history").put(entry, { parent: product.id });
      },
    };
  });
}

function extract({ records, job }: ItemContext, item: SandboxRecord): ItemOutcome {
  const found = extractItems(String(item["fileName"]), String(item["content"]));
  if (found.length === 0) return fail("Unable to fetch source data");
  return {
    item: { status: "completed", content: null },
    cost: 1,
    extracted: found.length,
    keep() {
      for (const one of found) {
        records("import-item").put(one, { parent: job.id, state: "pending" });
      }
    },
  };
}

const FIELDS = ["name", "sku", "brand", "category", "manufacturer", "mpn"] as const;
type Row = Readonly<Record<string, string>>;

/**
 * The products in a file. In a CSV, every row with a name is a product. Rows of the same `family` are its variants, and
 * the other columns are their options. Any other file contains one product, named after the file.
 */
function extractItems(fileName: string, content: string): readonly SandboxRecord[] {
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

/** Empty if the text can't be read. */
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
