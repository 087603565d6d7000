import { z } from "zod";
import { toCsvText } from "../../base/csv.ts";
import {
  anyValue,
  attributes,
  call,
  EMPTY,
  fields,
  filled,
  flag,
  id,
  JOB_STATUSES,
  list,
  maybe,
  maybeFlag,
  maybeNumber,
  maybeText,
  modelType,
  MODEL_TYPES,
  named,
  open,
  strings,
  text,
  type Given,
  type Operation,
} from "./operation.ts";

const status = open(JOB_STATUSES);
const model = maybe(open(MODEL_TYPES));
const counters = { processedCount: maybeNumber, successCount: maybeNumber, failedCount: maybeNumber };
const item = {
  id,
  jobId: maybeText,
  status: open(["pending", "processing", "completed", "failed"]),
  startedAt: maybeText,
  completedAt: maybeText,
  errorMessage: maybeText,
};
/** The answer of every stop. A service that wraps it in another `data` is accepted, too. */
const stoppedFields = fields({ jobId: z.string(), status });
/** What stopping a job answers. */
export interface StoppedJob extends z.output<typeof stoppedFields> {}
export const stopped = named<StoppedJob>(stoppedFields);
const nestedStop = z
  .union([z.object({ data: stopped }), stopped])
  .transform((answer) => ("data" in answer ? answer.data : answer));

/** Keys of a row that can contain its name, in order of preference. */
export const BRAND_KEYS = ["name", "brand", "brand_name", "brandName"] as const;
export const CATEGORY_KEYS = ["name", "category_name", "categoryName"] as const;

export function readRowName(
  row: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): string | undefined {
  for (const key of keys) {
    const value = row[key];
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
}

const rowsOf = (keys: readonly string[]) =>
  z
    .array(
      z
        .record(z.string(), z.unknown())
        .refine(
          (row) => readRowName(row, keys) !== undefined,
          `expected a name in one of ${keys.join(", ")}`,
        ),
    )
    .min(1, "expected 1 to 2000 rows")
    .max(2000, "expected 1 to 2000 rows");

/** Largest input of a brand job as CSV, in bytes (the interface, Limits; the larger reading of 8 MB). */
const MAX_CSV_BYTES = 8 * 1024 * 1024;

const newListJob = (keys: readonly string[]) =>
  z
    .strictObject({
      rows: rowsOf(keys),
      inputColumns: z.array(z.string()),
      fileName: text(255),
      modelType: modelType.optional(),
      attributeSetId: z.string().optional(),
      useWebsearch: flag,
      includeExistingAttributes: flag,
    })
    .superRefine(({ rows, inputColumns }, context) => {
      if (keys === BRAND_KEYS && toCsvBytes(rows, inputColumns) > MAX_CSV_BYTES) {
        context.addIssue({ code: "custom", path: ["rows"], message: "expected at most 8 MB as CSV" });
      }
      for (const [index, column] of inputColumns.entries()) {
        if (rows.some((row) => Object.hasOwn(row, column))) continue;
        context.addIssue({
          code: "custom",
          path: ["inputColumns", index],
          message: "expected a column that is present in rows",
        });
      }
    });

const toCell = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

export function toCsvBytes(
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly string[],
): number {
  const cells = rows.map((row) => columns.map((column) => toCell(row[column])));
  return Buffer.byteLength(toCsvText([columns, ...cells]));
}

const listJobShape = {
  id,
  status,
  modelType: model,
  fileName: maybeText,
  useWebsearch: maybeFlag,
  attributeSetId: maybeText,
  inputColumns: strings,
  ...counters,
  errorSummary: maybeText,
  startedAt: maybeText,
  completedAt: maybeText,
  createdAt: maybeText,
  createdBy: maybe(fields({ name: maybeText, email: maybeText })),
};
const listItemShape = {
  ...item,
  rowIndex: maybeNumber,
  inputData: z.record(z.string(), z.unknown()).catch({}),
  enrichedAttributes: attributes,
  referenceData: maybe(
    fields({ mode: maybe(open(["products", "websearch"])), productIds: strings, urls: strings }),
  ),
  cost: maybeNumber,
};
const download = <P extends string>(path: P): Operation<"download", P, typeof EMPTY> => ({
  kind: "download",
  method: "GET",
  path,
  body: EMPTY,
  data: z.unknown(),
  send: "read",
});

const brandJob = fields({ ...listJobShape, totalBrands: maybeNumber });
const brandItem = fields({ ...listItemShape, brandName: maybeText });
const categoryJob = fields({ ...listJobShape, totalCategories: maybeNumber });
const categoryItem = fields({ ...listItemShape, categoryName: maybeText });
/** A job that enriches brands. */
export interface BrandJob extends z.output<typeof brandJob> {}
/** One brand of a job. */
export interface BrandJobItem extends z.output<typeof brandItem> {}
/** A job that enriches categories. */
export interface CategoryJob extends z.output<typeof categoryJob> {}
/** One category of a job. */
export interface CategoryJobItem extends z.output<typeof categoryItem> {}

const newBrandJob = newListJob(BRAND_KEYS);
/** A brand or category job to create: its rows are brands, or categories. */
export interface NewListJob extends Given<z.input<typeof newBrandJob>> {}
type CheckedListJob = z.output<typeof newBrandJob>;

interface ListJobParts<Job, Item> {
  readonly body: z.ZodType<CheckedListJob, NewListJob>;
  readonly job: z.ZodType<Job>;
  readonly item: z.ZodType<Item>;
}

/** The operations of brand and of category jobs, which differ only in their names. */
function listJobs<const P extends string, Job, Item>(
  prefix: P,
  { body, job, item }: ListJobParts<Job, Item>,
) {
  const created = fields({ jobId: z.string(), message: maybeText });
  return {
    create: call(`${prefix}/create`, body, created, "once", { spends: ({ rows }) => rows.length }),
    list: list(`${prefix}/get`, "jobs", job),
    items: list(`${prefix}/:id/items/get`, "items", item, { also: { job } }),
    stop: call(`${prefix}/:id/stop`, EMPTY, nestedStop, "once"),
    download: download(`${prefix}/:id/download`),
  } as const;
}

const productIds = z
  .array(filled())
  .min(1, "expected 1 to 5000 products")
  .max(5000, "expected 1 to 5000 products");
const newJob = { status, modelType: model, totalProducts: maybeNumber, createdAt: maybeText };
const productJob = { id, ...newJob, ...counters, completedAt: maybeText };
const enrichmentJob = fields({ ...productJob, websearch: maybeFlag, extractImages: maybeFlag });
const validationJob = fields(productJob);
const created = fields({ jobId: z.string(), ...newJob });
/** A job that enriches products. */
export interface EnrichmentJob extends z.output<typeof enrichmentJob> {}
/** A job that validates products. */
export interface ValidationJob extends z.output<typeof validationJob> {}
/** An enrichment or validation job, as `create` answers it. */
export interface CreatedJob extends z.output<typeof created> {}

const resultFields = fields({
  attributeId: maybeText,
  attributeName: maybeText,
  attributeType: maybeText,
  existingValue: anyValue,
  isValid: maybeFlag,
  confidence: maybeNumber,
  explanation: maybeText,
});
/** What a validation says about one attribute. */
export interface ValidationResult extends z.output<typeof resultFields> {}
const validationResult = named<ValidationResult>(resultFields);
const productItem = { ...item, productId: maybeText };
const enrichmentItem = fields({ ...productItem, enrichedData: attributes });
const validationItem = fields({
  ...productItem,
  validationResults: z
    .record(
      z.string(),
      validationResult.catch(() => validationResult.parse({})),
    )
    .catch({}),
  overallScore: maybeNumber,
});
/** One product of an enrichment job. */
export interface EnrichmentJobItem extends z.output<typeof enrichmentItem> {}
/** One product of a validation job. */
export interface ValidationJobItem extends z.output<typeof validationItem> {}

const newValidationJob = z.strictObject({ productIds, modelType, extractImages: flag });
const newEnrichmentJob = newValidationJob.extend({ websearch: flag, includeExistingAttributes: flag });
/** A validation job to create. */
export interface NewValidationJob extends Given<z.input<typeof newValidationJob>> {}
/** An enrichment job to create. */
export interface NewEnrichmentJob extends Given<z.input<typeof newEnrichmentJob>> {}

interface ProductJobParts<Body, Input, Job, Item> {
  readonly body: z.ZodType<Body, Input>;
  readonly job: z.ZodType<Job>;
  readonly item: z.ZodType<Item>;
}

/** The operations of product enrichment and of validation jobs, which differ in options and results. */
function productJobs<
  const P extends string,
  Body extends { readonly productIds: readonly string[] },
  Input,
  Job,
  Item,
>(prefix: P, { body, job, item }: ProductJobParts<Body, Input, Job, Item>) {
  return {
    create: call(`${prefix}/create`, body, named<CreatedJob>(created), "once", {
      spends: (given) => given.productIds.length,
    }),
    list: list(`${prefix}/get`, "jobs", job),
    items: list(`${prefix}/:id/items/get`, "items", item),
    stop: call(`${prefix}/:id/stop`, EMPTY, nestedStop, "once"),
  } as const;
}

export const JOB_OPERATIONS = {
  brandJobs: listJobs("/brand-enrichment-jobs", {
    body: newBrandJob,
    job: named<BrandJob>(brandJob),
    item: named<BrandJobItem>(brandItem),
  }),
  categoryJobs: listJobs("/product-category-jobs", {
    body: newListJob(CATEGORY_KEYS),
    job: named<CategoryJob>(categoryJob),
    item: named<CategoryJobItem>(categoryItem),
  }),
  enrichmentJobs: productJobs("/product-enrichment-jobs", {
    body: named<z.output<typeof newEnrichmentJob>, NewEnrichmentJob>(newEnrichmentJob),
    job: named<EnrichmentJob>(enrichmentJob),
    item: named<EnrichmentJobItem>(enrichmentItem),
  }),
  validationJobs: productJobs("/product-validation-jobs", {
    body: named<z.output<typeof newValidationJob>, NewValidationJob>(newValidationJob),
    job: named<ValidationJob>(validationJob),
    item: named<ValidationJobItem>(validationItem),
  }),
} as const;
