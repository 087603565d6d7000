import { z } from "zod";
import {
  call,
  EMPTY,
  list,
  maybe,
  maybeNumber,
  maybeText,
  modelType,
  MODEL_TYPES,
  open,
  pageFields,
  pagination,
  type Operation,
} from "./operation.ts";
import { JOB_STATUSES } from "./statuses.ts";

/** A file to upload. Its content is read while it is sent: `openAsBlob` of `node:fs` gives one for a file on disk. */
export interface CatalogFile {
  readonly name: string;
  readonly content: Blob;
  /** MIME type. Default: the content's own, else by the ending of the name. */
  readonly type?: string | undefined;
}

const MEGABYTE = 1024 * 1024;
/** Largest uploaded file, in bytes. The interface says 20 MB; the larger reading is taken, so that nothing valid is refused. */
export const MAX_FILE_BYTES = 20 * MEGABYTE;
const MAX_IMPORT_BYTES = 100 * MEGABYTE;

/** MIME types that an upload takes, by the ending of a file's name. */
export const UPLOAD_TYPES: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xls: "application/vnd.ms-excel",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
};

/** The MIME type that a file is sent with. */
export function toMimeType({ name, content, type }: CatalogFile): string {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return type || content.type || UPLOAD_TYPES[ending] || "application/octet-stream";
}

const file = z
  .custom<CatalogFile>(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      typeof (value as CatalogFile).name === "string" &&
      (value as CatalogFile).name !== "" &&
      (value as CatalogFile).content instanceof Blob,
    "expected { name, content } with a Blob",
  )
  .refine((value) => value.content.size <= MAX_FILE_BYTES, "expected at most 20 MB");
const typedFile = file.refine(
  (value) => Object.values(UPLOAD_TYPES).includes(toMimeType(value)),
  "expected a PDF, CSV, XLSX, XLS, PNG, JPEG or WebP file",
);

/** A multipart form. */
function form<P extends string, B extends z.ZodType, D extends z.ZodType>(
  path: P,
  body: B,
  data: D,
  extra: Pick<Operation, "bare"> & { readonly spends?: (body: z.output<B>) => number } = {},
): Operation<"form", P, B, D> {
  return { kind: "form", method: "POST", path, body, data, send: "once", ...extra };
}

const importStatus = {
  status: open(JOB_STATUSES),
  modelType: maybe(open(MODEL_TYPES)),
  createdAt: maybeText,
};

export const FILE_OPERATIONS = {
  files: {
    upload: form(
      "/enrichment-files/upload",
      z.strictObject({ files: z.array(typedFile).min(1, "expected one file or more") }),
      z.looseObject({
        success: z.boolean(),
        uploadedFileIds: z.array(z.string()),
        // As many as failed, also where one says nothing.
        errors: z
          .array(
            z.looseObject({ fileName: maybeText, error: maybeText }).catch({ fileName: null, error: null }),
          )
          .catch([]),
      }),
      { bare: true },
    ),
  },
  importJobs: {
    create: form(
      "/ai-import-jobs/create",
      z.strictObject({
        files: z
          .array(file)
          .min(1, "expected 1 to 5 files")
          .max(5, "expected 1 to 5 files")
          .refine(
            (files) => files.reduce((sum, { content }) => sum + content.size, 0) <= MAX_IMPORT_BYTES,
            "expected at most 100 MB in all",
          ),
        modelType: modelType.optional(),
        prompt: z.string().min(10, "expected at least 10 characters").optional(),
        autoEnrich: z.boolean().optional(),
        enrichmentConfig: z
          .strictObject({
            modelType: modelType.optional(),
            websearch: z.boolean().optional(),
            extractImages: z.boolean().optional(),
            includeExistingAttributes: z.boolean().optional(),
            attributeSetId: z.string().nullable().optional(),
          })
          .optional(),
      }),
      z.looseObject({ jobId: z.string(), ...importStatus, totalFiles: maybeNumber }),
      // How many products are in the files is not known before.
      { spends: () => 0 },
    ),
    list: list(
      "/ai-import-jobs/get",
      z.strictObject(pageFields(100)),
      z.looseObject({
        jobs: z.array(
          z.looseObject({
            id: z.string(),
            ...importStatus,
            totalFiles: maybeNumber,
            totalExtracted: maybeNumber,
            completedAt: maybeText,
          }),
        ),
        pagination,
      }),
      "jobs",
    ),
    items: list(
      "/ai-import-jobs/:id/items/get",
      z.strictObject({
        ...pageFields(200),
        searchQuery: z.string().optional(),
        sort: z.enum(["name-asc", "name-desc", "type-asc", "type-desc"]).optional(),
      }),
      z.looseObject({
        items: z.array(
          z.looseObject({
            id: z.string(),
            type: open(["family", "product", "standalone"]),
            status: open(["pending", "completed", "failed"]),
            parentItemId: maybeText,
            data: z
              .looseObject({
                name: maybeText,
                sku: maybeText,
                brand: maybeText,
                category: maybeText,
                manufacturer: maybeText,
                mpn: maybeText,
                variantOptions: z.record(z.string(), z.unknown()).catch({}),
              })
              .catch({
                name: null,
                sku: null,
                brand: null,
                category: null,
                manufacturer: null,
                mpn: null,
                variantOptions: {},
              }),
            errorMessage: maybeText,
            childCount: maybeNumber,
          }),
        ),
        pagination,
      }),
      "items",
    ),
    finalize: call(
      "/ai-import-jobs/:id/finalize",
      z
        .strictObject({
          all: z.boolean().optional(),
          itemIds: z.array(z.string()).optional(),
          excludedIds: z.array(z.string()).optional(),
        })
        .refine(({ all, excludedIds }) => all === true || excludedIds === undefined, {
          path: ["excludedIds"],
          message: "expected together with all: true",
        }),
      z.looseObject({ jobId: z.string(), imported: z.number(), failed: z.number() }),
      "once",
    ),
    stop: call(
      "/ai-import-jobs/:id/stop",
      EMPTY,
      z.looseObject({ jobId: z.string(), status: open(JOB_STATUSES) }),
      "once",
    ),
  },
} as const;
