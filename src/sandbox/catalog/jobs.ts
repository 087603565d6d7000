import { randomUUID } from "node:crypto";
import { BRAND_KEYS, CATEGORY_KEYS, readRowName } from "../../catalog/operations/jobs.ts";
import {
  cutPage,
  WithMessage,
  type BodyOf,
  type CatalogCall,
  type CatalogHandlers,
  type PageQuery,
} from "./catalog-call.ts";
import { isOpen, type SandboxJobKind } from "./job-engine.ts";
import { Refusal, refuseBody } from "../http.ts";
import { pick, toTime, type SandboxRecord } from "./records.ts";

/** A job of one kind. A job of another kind isn't found. */
export function readJob({ records, id }: CatalogCall, kind: SandboxJobKind): SandboxRecord {
  const job = records("job").get(id);
  if (job === undefined || job["kind"] !== kind) throw new Refusal(404, "Job not found");
  return job;
}

/** The fields that every job starts with. */
export function toNewJob(kind: SandboxJobKind, nowMs: number, fields: object): SandboxRecord {
  return {
    processedCount: 0,
    successCount: 0,
    failedCount: 0,
    totalExtracted: 0,
    errorSummary: null,
    startedAt: null,
    completedAt: null,
    createdBy: { name: "Sandbox", email: "sandbox@example.com" },
    ...fields,
    id: randomUUID(),
    kind,
    status: "pending",
    createdAt: toTime(nowMs),
  };
}

export function stopJob(call: CatalogCall, kind: SandboxJobKind): SandboxRecord {
  const job = readJob(call, kind);
  if (!isOpen(job)) {
    throw new Refusal(call.choices.stopErrorStatus, "Job cannot be stopped because it is not in progress");
  }
  return call.jobs.stop(job);
}

const stopHandler =
  (kind: SandboxJobKind, message: string) =>
  (call: CatalogCall): WithMessage =>
    new WithMessage(message, { jobId: stopJob(call, kind).id, status: "stopped" });

/** Jobs of a kind, newest first, in pages. */
export function listJobs(
  { records, body }: CatalogCall<PageQuery>,
  kind: SandboxJobKind,
  { usual, fields }: { readonly usual: number; readonly fields: readonly string[] },
): object {
  const newestFirst = records("job").list({ parent: kind }).toReversed();
  const { entries, pagination } = cutPage(newestFirst, body, usual);
  return { jobs: entries.map((job) => pick(job, ...fields)), pagination };
}

function pageItems({ records, body, id }: CatalogCall<PageQuery>, usual: number, fields: readonly string[]) {
  const { entries, pagination } = cutPage(records("item").list({ parent: id }), body, usual);
  const base = ["id", "jobId", "status", "startedAt", "completedAt"];
  return {
    items: entries.map((item) => ({ ...pick(item, ...base), ...pickPresent(item, fields) })),
    pagination,
  };
}

/** Fields that an item may not have yet, e.g. its result. */
function pickPresent(item: SandboxRecord, fields: readonly string[]): object {
  return Object.fromEntries(fields.flatMap((name) => (name in item ? [[name, item[name]]] : [])));
}

const COUNTERS = ["processedCount", "successCount", "failedCount"];

/** What distinguishes brand from category jobs. */
const LIST_JOBS = {
  brandJobs: { subject: "brand", keys: BRAND_KEYS, total: "totalBrands", websearch: true },
  categoryJobs: { subject: "category", keys: CATEGORY_KEYS, total: "totalCategories", websearch: false },
} as const;

function listJobHandlers(kind: keyof typeof LIST_JOBS): CatalogHandlers<"brandJobs">["brandJobs"] {
  const { subject, keys, total, websearch } = LIST_JOBS[kind];
  const shown = ["id", "status", "modelType", "fileName", "inputColumns", total, ...COUNTERS, "errorSummary"];
  const listed = ["useWebsearch", "attributeSetId", "startedAt", "completedAt", "createdAt", "createdBy"];
  return {
    create(call) {
      const { records, body, credits, nowMs } = call;
      if (records("job").count({ parent: kind, state: "open" }) > 0) {
        throw new Refusal(409, `A ${subject} enrichment job is in progress. Wait for it to finish.`);
      }
      if (credits.credits <= 0) {
        throw new Refusal(402, "Credit limit reached. Top up to start a new enrichment job.");
      }
      const { rows, ...options } = body;
      const defaults = {
        modelType: "budget-v1",
        useWebsearch: websearch,
        attributeSetId: null,
        fileName: null,
      };
      const job = toNewJob(kind, nowMs, { ...defaults, ...options, [total]: rows.length });
      const items = rows.map((row, rowIndex) => ({
        id: randomUUID(),
        jobId: job.id,
        rowIndex,
        [`${subject}Name`]: readRowName(row, keys),
        inputData: row,
        referenceData: null,
        status: "pending",
      }));
      call.jobs.start(job, items);
      return { success: true, message: `The ${subject} enrichment job is queued.`, jobId: job.id };
    },
    list: (call) => ({
      success: true,
      ...listJobs(call, kind, { usual: 20, fields: [...shown, ...listed] }),
    }),
    items(call) {
      const job = readJob(call, kind);
      const fields = ["enrichedAttributes", "referenceData", "cost", "errorMessage"];
      const names = ["rowIndex", `${subject}Name`, "inputData", ...fields];
      return { success: true, job: pick(job, ...shown), ...pageItems(call, 50, names) };
    },
    stop: stopHandler(kind, "Job stopped successfully"),
  };
}

/** What distinguishes enrichment from validation jobs. */
const PRODUCT_JOBS = {
  enrichmentJobs: {
    defaults: { websearch: true },
    created: [],
    listed: ["websearch", "extractImages"],
    results: ["enrichedData"],
    stopMessage: "Job stopped successfully",
  },
  validationJobs: {
    defaults: {},
    created: ["extractImages"],
    listed: [],
    results: ["validationResults", "overallScore"],
    stopMessage: "Validation job stopped successfully",
  },
} as const;

/** Queue a job on products that all exist. */
export function startProductJob(
  call: CatalogCall,
  kind: keyof typeof PRODUCT_JOBS,
  { productIds, ...options }: BodyOf<"validationJobs" | "enrichmentJobs", "create">,
): SandboxRecord {
  const { records, nowMs } = call;
  const missing = productIds.findIndex((id) => records("product").get(id) === undefined);
  if (missing >= 0) throw refuseBody(`productIds[${missing}]: expected a product of this organization`);
  const defaults = {
    ...PRODUCT_JOBS[kind].defaults,
    extractImages: false,
    includeExistingAttributes: true,
  };
  const job = toNewJob(kind, nowMs, { ...defaults, ...options, totalProducts: productIds.length });
  const items = productIds.map((productId) => ({
    id: randomUUID(),
    jobId: job.id,
    productId,
    status: "pending",
    errorMessage: null,
  }));
  call.jobs.start(job, items);
  return job;
}

function productJobHandlers(
  kind: keyof typeof PRODUCT_JOBS,
): CatalogHandlers<"enrichmentJobs">["enrichmentJobs"] {
  const { created, listed, results, stopMessage } = PRODUCT_JOBS[kind];
  const own = ["status", "modelType", "totalProducts"];
  return {
    create(call) {
      const job = startProductJob(call, kind, call.body);
      return { jobId: job.id, ...pick(job, ...own, ...created, "createdAt") };
    },
    list: (call) =>
      listJobs(call, kind, {
        usual: 10,
        fields: ["id", ...own, ...listed, ...COUNTERS, "createdAt", "completedAt"],
      }),
    items(call) {
      readJob(call, kind);
      return pageItems(call, 20, ["productId", "errorMessage", ...results]);
    },
    stop: stopHandler(kind, stopMessage),
  };
}

export const JOB_HANDLERS: CatalogHandlers<
  "brandJobs" | "categoryJobs" | "enrichmentJobs" | "validationJobs"
> = {
  brandJobs: listJobHandlers("brandJobs"),
  categoryJobs: listJobHandlers("categoryJobs"),
  enrichmentJobs: productJobHandlers("enrichmentJobs"),
  validationJobs: productJobHandlers("validationJobs"),
};
