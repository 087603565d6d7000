import { FILE_OPERATIONS } from "./files.ts";
import { JOB_OPERATIONS } from "./jobs.ts";
import { NAME_OPERATIONS } from "./names.ts";
import { PRODUCT_OPERATIONS } from "./products.ts";
import { WEBHOOK_OPERATIONS } from "./webhooks.ts";

/** Every organization-scoped operation of the catalog service, by the client's group and method. */
export const CATALOG_OPERATIONS = {
  ...PRODUCT_OPERATIONS,
  ...NAME_OPERATIONS,
  ...FILE_OPERATIONS,
  ...JOB_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
} as const;

/** Groups whose jobs can be waited for, by the kind of the job. */
export const JOB_KINDS = {
  brand: "brandJobs",
  category: "categoryJobs",
  enrichment: "enrichmentJobs",
  validation: "validationJobs",
  import: "importJobs",
} as const;

/** A kind of job. */
export type JobKind = keyof typeof JOB_KINDS;
