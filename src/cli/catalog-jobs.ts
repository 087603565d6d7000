import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { text } from "node:stream/consumers";
import { explainSystemError, toConfigError } from "../base/errors.ts";
import { JOB_KINDS } from "../catalog/operations/catalog-operations.ts";
import { withCatalog } from "./catalog.ts";
import type { ServiceContext } from "./command.ts";
import { printRecord, throwFaults, toTerminalText as clean } from "./output.ts";

/** Kinds whose results can be downloaded. */
const DOWNLOADABLE = ["brand", "category"] as const;

/** `holdfast catalog stop JOB`. What it finished stays. */
export async function stopJob(jobId: string, context: ServiceContext): Promise<void> {
  await withCatalog(context.config, async (client) => {
    const { kind } = await client.job(jobId);
    printRecord(context, { kind, ...(await client[JOB_KINDS[kind]].stop(jobId)) });
  });
}

/** `holdfast catalog download JOB`: the results of a brand or category job as CSV on standard output. */
export async function downloadJob(jobId: string, { config, terminal }: ServiceContext): Promise<void> {
  await withCatalog(config, async (client) => {
    const { kind } = await client.job(jobId);
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
