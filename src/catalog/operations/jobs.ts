import { z } from "zod";
import { toCsvText } from "../../base/csv.ts";
import {
  anyValue,
  attributes,
  call,
  EMPTY,
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
  open,
  strings,
  text,
  type Operation,
  type Shape,
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
const stopped = z.looseObject({ jobId: z.string(), status });
const nestedStop = z
  .union([z.looseObject({ data: stopped }), stopped])
  .transform((answer) => ("data" in answer ? (answer.data as z.output<typeof stopped>) : answer));

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

function toCsvBytes(rows: readonly Readonly<Record<string, unknown>>[], columns: readonly string[]): number {
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
  createdBy: maybe(z.looseObject({ name: maybeText, email: maybeText })),
};
const listItemShape = {
  ...item,
  rowIndex: maybeNumber,
  inputData: z.record(z.string(), z.unknown()).catch({}),
  enrichedAttributes: attributes,
  referenceData: maybe(
    z.looseObject({ mode: maybe(open(["products", "websearch"])), productIds: strings, urls: strings }),
  ),
  cost: maybeNumber,
};
const download = <P extends string>(path: P): Operation<"download", P> => ({
  kind: "download",
  method: "GET",
  path,
  body: EMPTY,
  data: z.unknown(),
  send: "read",
});

/** The operations of brand and of category jobs, which differ only in their names. */
function listJobs<const P extends string, J extends Shape, I extends Shape>(
  prefix: P,
  { keys, job, entry }: { readonly keys: readonly string[]; readonly job: J; readonly entry: I },
) {
  const whole = { ...listJobShape, ...job };
  const created = { jobId: z.string(), message: maybeText };
  return {
    create: call(`${prefix}/create`, newListJob(keys), created, "once", {
      spends: ({ rows }) => rows.length,
    }),
    list: list(`${prefix}/get`, "jobs", whole),
    items: list(
      `${prefix}/:id/items/get`,
      "items",
      { ...listItemShape, ...entry },
      { also: { job: z.looseObject(whole) } },
    ),
    stop: call(`${prefix}/:id/stop`, EMPTY, nestedStop, "once"),
    download: download(`${prefix}/:id/download`),
  } as const;
}

const productIds = z
  .array(filled())
  .min(1, "expected 1 to 5000 products")
  .max(5000, "expected 1 to 5000 products");
const productJobShape = {
  status,
  modelType: model,
  totalProducts: maybeNumber,
  createdAt: maybeText,
};
const productJob = {
  id,
  ...productJobShape,
  websearch: maybeFlag,
  extractImages: maybeFlag,
  ...counters,
  completedAt: maybeText,
};

const validationResult = z.looseObject({
  attributeId: maybeText,
  attributeName: maybeText,
  attributeType: maybeText,
  existingValue: anyValue,
  isValid: maybeFlag,
  confidence: maybeNumber,
  explanation: maybeText,
});
const validationResults = z.record(
  z.string(),
  validationResult.catch(() => validationResult.parse({})),
);

/** The operations of product enrichment and of validation jobs, which differ in options and results. */
function productJobs<const P extends string, B extends Shape, I extends Shape>(
  prefix: P,
  { options, result }: { readonly options: B; readonly result: I },
) {
  const body = { productIds, modelType, extractImages: flag, ...options };
  return {
    create: call(`${prefix}/create`, body, { jobId: z.string(), ...productJobShape }, "once", {
      spends: (given) => (given as { readonly productIds: readonly string[] }).productIds.length,
    }),
    list: list(`${prefix}/get`, "jobs", productJob),
    items: list(`${prefix}/:id/items/get`, "items", { ...item, productId: maybeText, ...result }),
    stop: call(`${prefix}/:id/stop`, EMPTY, nestedStop, "once"),
  } as const;
}

export const JOB_OPERATIONS = {
  brandJobs: listJobs("/brand-enrichment-jobs", {
    keys: BRAND_KEYS,
    job: { totalBrands: maybeNumber },
    entry: { brandName: maybeText },
  }),
  categoryJobs: listJobs("/product-category-jobs", {
    keys: CATEGORY_KEYS,
    job: { totalCategories: maybeNumber },
    entry: { categoryName: maybeText },
  }),
  enrichmentJobs: productJobs("/product-enrichment-jobs", {
    options: { websearch: flag, includeExistingAttributes: flag },
    result: { enrichedData: attributes },
  }),
  validationJobs: productJobs("/product-validation-jobs", {
    options: {},
    result: {
      validationResults: validationResults.catch({}),
      overallScore: maybeNumber,
    },
  }),
} as const;
