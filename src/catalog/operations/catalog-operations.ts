import type { Readable } from "node:stream";
import type { z } from "zod";
import type { Call, CallOptions } from "../../service/call.ts";
import type { Pages } from "../../service/pages.ts";
import { FILE_OPERATIONS } from "./files.ts";
import { JOB_OPERATIONS } from "./jobs.ts";
import { NAME_OPERATIONS } from "./names.ts";
import type { NoFields, Operation } from "./operation.ts";
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

/** A CSV file as it arrives. */
export interface CsvDownload {
  /** As the service named it, without folders; null when it named none. */
  readonly fileName: string | null;
  readonly body: Readable;
}

type Operations = typeof CATALOG_OPERATIONS;
type InputOf<O extends Operation> = z.input<O["body"]>;
type DataOf<O extends Operation> = z.output<O["data"]>;
type IdOf<O extends Operation> = O["path"] extends `${string}/:id/${string}` ? [id: string] : [];
type BodyOf<O extends Operation> = string extends keyof InputOf<O>
  ? [options?: CallOptions]
  : NoFields extends InputOf<O>
    ? [body?: InputOf<O>, options?: CallOptions]
    : [body: InputOf<O>, options?: CallOptions];
type EntryOf<O extends Operation> = O extends { readonly items: infer I extends string }
  ? DataOf<O> extends Record<I, readonly (infer Entry)[]>
    ? Entry
    : never
  : never;
type ResultOf<O extends Operation> = O["kind"] extends "list"
  ? Pages<EntryOf<O>, DataOf<O>>
  : O["kind"] extends "download"
    ? Call<CsvDownload>
    : Call<DataOf<O>>;

/** The methods of a client, made from the table of operations. */
export type CatalogMethods = {
  readonly [G in keyof Operations]: {
    readonly [M in keyof Operations[G]]: Operations[G][M] extends Operation
      ? (...args: [...IdOf<Operations[G][M]>, ...BodyOf<Operations[G][M]>]) => ResultOf<Operations[G][M]>
      : never;
  };
};
