import { z } from "zod";
import {
  call,
  EMPTY,
  fields,
  flag,
  form,
  id,
  JOB_STATUSES,
  list,
  maybe,
  maybeNumber,
  maybeText,
  modelType,
  MODEL_TYPES,
  named,
  open,
  type Given,
} from "./operation.ts";
import { stopped } from "./jobs.ts";

/** A file to upload. Its content is read while it is sent: `openAsBlob` of `node:fs` gives one for a file on disk. */
export interface CatalogFile {
  readonly name: string;
  readonly content: Blob;
  /** MIME type. Default: the content's own, else by the ending of the name. */
  readonly type?: string | undefined;
}

const MEGABYTE = 1024 * 1024;
/** The interface says 20 MB. This is the larger reading, so that nothing valid is refused. */
const MAX_FILE_BYTES = 20 * MEGABYTE;
const MAX_IMPORT_BYTES = 100 * MEGABYTE;

/** MIME types that an upload accepts, by file name extension. */
const UPLOAD_TYPES: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xls: "application/vnd.ms-excel",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
};

export function toMimeType({ name, content, type }: CatalogFile): string {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return type || content.type || UPLOAD_TYPES[ending] || "application/octet-stream";
}

/** Without parameters: `text/csv` of `text/csv; charset=utf-8`. */
function toMediaType(type: string): string {
  return type.replace(/;.*$/s, "").trim().toLowerCase();
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
  (value) => Object.values(UPLOAD_TYPES).includes(toMediaType(toMimeType(value))),
  "expected a PDF, CSV, XLSX, XLS, PNG, JPEG or WebP file",
);
const uploads: z.ZodType<readonly CatalogFile[], readonly CatalogFile[]> = z
  .array(typedFile)
  .min(1, "expected one file or more");

const importStatus = {
  status: open(JOB_STATUSES),
  modelType: maybe(open(MODEL_TYPES)),
  createdAt: maybeText,
};
const imported = fields({
  name: maybeText,
  sku: maybeText,
  brand: maybeText,
  category: maybeText,
  manufacturer: maybeText,
  mpn: maybeText,
  variantOptions: z.record(z.string(), z.unknown()).catch({}),
});

const importJob = fields({
  id,
  ...importStatus,
  totalFiles: maybeNumber,
  totalExtracted: maybeNumber,
  completedAt: maybeText,
});
const createdImport = fields({ jobId: z.string(), ...importStatus, totalFiles: maybeNumber });
const importItem = fields({
  id,
  type: open(["family", "product", "standalone"]),
  status: open(["pending", "completed", "failed"]),
  parentItemId: maybeText,
  data: imported.catch(() => imported.parse({})),
  errorMessage: maybeText,
  childCount: maybeNumber,
});
const finalized = fields({ jobId: maybeText, imported: maybeNumber, failed: maybeNumber });
const uploaded = fields({
  success: z.boolean(),
  uploadedFileIds: z.array(z.string()),
  // One entry for each failed file, even if an entry can't be read.
  errors: z
    .array(fields({ fileName: maybeText, error: maybeText }).catch({ fileName: null, error: null }))
    .catch([]),
});
/** An AI import. */
export interface ImportJob extends z.output<typeof importJob> {}
/** An AI import, as `create` answers it. */
export interface CreatedImport extends z.output<typeof createdImport> {}
/** A product or family that an import found. */
export interface ImportItem extends z.output<typeof importItem> {}
/** How many items were imported. */
export interface FinalizedImport extends z.output<typeof finalized> {}
/** The accepted files, and why others weren't. */
export interface UploadedFiles extends z.output<typeof uploaded> {}

const newImport = z.strictObject({
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
  autoEnrich: flag,
  enrichmentConfig: z
    .strictObject({
      modelType: modelType.optional(),
      websearch: flag,
      extractImages: flag,
      includeExistingAttributes: flag,
      attributeSetId: z.string().nullable().optional(),
    })
    .optional(),
});
/** An AI import to create. */
export interface NewImport extends Given<z.input<typeof newImport>> {}

const chosenItems = z
  .strictObject({
    all: flag,
    itemIds: z.array(z.string()).optional(),
    excludedIds: z.array(z.string()).optional(),
  })
  .refine(({ all, excludedIds }) => all === true || excludedIds === undefined, {
    path: ["excludedIds"],
    message: "expected together with all: true",
  })
  // Neither of them would import everything, which nobody asked for.
  .refine(({ all, itemIds }) => all === true || itemIds !== undefined, {
    path: ["itemIds"],
    message: "expected item ids, or all: true",
  });
/** Which items of an import to add to the catalog: these, or all except some. */
export interface ChosenItems extends Given<z.input<typeof chosenItems>> {}

export const FILE_OPERATIONS = {
  files: {
    upload: form(
      "/enrichment-files/upload",
      z.strictObject({
        files: uploads,
      }),
      named<UploadedFiles>(uploaded),
      { bare: true },
    ),
  },
  importJobs: {
    create: form(
      "/ai-import-jobs/create",
      named<z.output<typeof newImport>, NewImport>(newImport),
      named<CreatedImport>(createdImport),
      // The number of products in the files isn't known in advance.
      { spends: () => 0 },
    ),
    list: list("/ai-import-jobs/get", "jobs", named<ImportJob>(importJob)),
    items: list("/ai-import-jobs/:id/items/get", "items", named<ImportItem>(importItem), {
      max: 200,
      query: {
        searchQuery: z.string().optional(),
        sort: z.enum(["name-asc", "name-desc", "type-asc", "type-desc"]).optional(),
      },
    }),
    finalize: call(
      "/ai-import-jobs/:id/finalize",
      named<z.output<typeof chosenItems>, ChosenItems>(chosenItems),
      named<FinalizedImport>(finalized),
      "once",
    ),
    stop: call("/ai-import-jobs/:id/stop", EMPTY, stopped, "once"),
  },
} as const;
