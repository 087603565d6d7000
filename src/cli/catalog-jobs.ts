import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { text } from "node:stream/consumers";
import { explainSystemError, HoldfastError, toConfigError } from "../base/errors.ts";
import { JOB_KINDS, type JobKind } from "../catalog/operations/catalog-operations.ts";
import type { CatalogClient } from "../catalog/catalog-client.ts";
import { withCatalog } from "./catalog.ts";
import type { ServiceContext } from "./command.ts";
import { printRecord, throwFaults, toTerminalText as clean } from "./output.ts";

/** Kinds whose results can be downloaded. */
const DOWNLOADABLE = ["brand", "category"] as const;

/** The lists of jobs don't say where an id belongs, so each kind is asked. */
async function findKind(client: CatalogClient, jobId: string): Promise<JobKind> {
  for (const kind of Object.keys(JOB_KINDS) as JobKind[]) {
    if ((await client.findJobs([jobId], { kind })).size > 0) return kind;
  }
  throw new HoldfastError("SERVICE_NOT_FOUND", "the catalog has no job with this id", { retryable: false });
}

/** `holdfast catalog stop JOB`. What it finished stays. */
export async function stopJob(jobId: string, context: ServiceContext): Promise<void> {
  await withCatalog(context.config, async (client) => {
    const kind = await findKind(client, jobId);
    printRecord(context, { kind, ...(await client[JOB_KINDS[kind]].stop(jobId)) });
  });
}

/** `holdfast catalog download JOB`: the results of a brand or category job as CSV on standard output. */
export async function downloadJob(jobId: string, { config, terminal }: ServiceContext): Promise<void> {
  await withCatalog(config, async (client) => {
    const kind = await findKind(client, jobId);
    const downloadable = DOWNLOADABLE.find((one) => one === kind);
    if (downloadable === undefined) {
      throw toConfigError(
        `this is ${kind === "enrichment" || kind === "import" ? "an" : "a"} ${kind} job; only brand and category jobs have a file`,
      );
    }
    const { body, fileName } = await client[JOB_KINDS[downloadable]].download(jobId);
    terminal.line((await text(body)).replace(/\r?\n$/, ""));
    if (fileName !== null) terminal.problem(`the service names it ${clean(fileName)}`);
  });
}

/** `holdfast catalog upload FILE`: a file that jobs can refer to. */
export async function uploadFile(file: string, context: ServiceContext): Promise<boolean> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw toConfigError(`${file}: can't be read: ${explainSystemError(error)}`);
  });
  const content = new Blob([bytes]);
  return withCatalog(context.config, async (client) => {
    const given = { files: [{ name: basename(file), content }] };
    const { uploadedFileIds, errors } = await client.files.upload(given).catch(throwFaults(file));
    for (const { error } of errors) context.terminal.problem(`${file}: ${clean(error ?? "wasn't accepted")}`);
    for (const id of uploadedFileIds) printRecord(context, { id });
    return errors.length === 0;
  });
}
