import { deepEqual, equal, match, ok } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { JOB_STATUSES } from "../catalog/operations/operation.ts";
import { NO_SUCH_ID, type CatalogCaller } from "./catalog-caller.ts";
import { paid, type ContractCase } from "./contract-case.ts";
import { expectInvalidBody, readData, readFailure, type Fields } from "./service-caller.ts";

const STATUSES: ReadonlySet<string> = new Set(JOB_STATUSES);
const NOT_IN_PROGRESS = "Job cannot be stopped because it is not in progress";

/** Jobs are stopped right after they start, so at most their first items are paid for. */
export function toCatalogJobCases(catalog: CatalogCaller): readonly ContractCase[] {
  return [
    ...toListJobCases(catalog, { group: "brandJobs", path: "brand-enrichment-jobs", total: "totalBrands" }),
    ...toListJobCases(catalog, {
      group: "categoryJobs",
      path: "product-category-jobs",
      total: "totalCategories",
    }),
    ...toProductJobCases(catalog, "enrichmentJobs", "product-enrichment-jobs"),
    ...toProductJobCases(catalog, "validationJobs", "product-validation-jobs"),
    ...toImportCases(catalog),
  ];
}

type Start = () => Promise<Fields>;
type Look = (jobId: string) => Promise<void>;

/** Cases that each check their own job. */
function onJobs(catalog: CatalogCaller, path: string, start: Start, credits = 1) {
  return (name: string, look: Look) => paid(name, credits, () => withJob(catalog, path, start, look));
}

/** Start a job, check it, and stop it whatever the result. */
async function withJob(catalog: CatalogCaller, path: string, start: Start, look: Look): Promise<void> {
  const { jobId } = await start();
  ok(typeof jobId === "string" && jobId !== "", "expected data.jobId to be text");
  try {
    await look(jobId);
  } finally {
    await catalog.post(`${path}/${jobId}/stop`, {});
  }
}

async function findListed(catalog: CatalogCaller, path: string, jobId: string): Promise<Fields> {
  const { jobs, pagination } = await catalog.data(`${path}/get`, { limit: 100 });
  ok(typeof (pagination as Fields | undefined)?.["total"] === "number", "expected a pagination");
  const job = (jobs as readonly Fields[]).find(({ id }) => id === jobId);
  ok(
    job !== undefined && STATUSES.has(String(job["status"])),
    "expected the job in the list, with its status",
  );
  return job;
}

async function expectStop(catalog: CatalogCaller, path: string, jobId: string): Promise<void> {
  const first = await catalog.post(`${path}/${jobId}/stop`, {});
  if (first.status === 200) {
    const { jobId: stopped, status } = readData(first);
    deepEqual([stopped, status], [jobId, "stopped"]);
  } else {
    ok(first.text.includes(NOT_IN_PROGRESS), "expected the job to stop, or to have ended");
  }
  const second = await catalog.post(`${path}/${jobId}/stop`, {});
  ok(second.status >= 400, "expected a second stop to fail");
  equal(readFailure(second, second.status), NOT_IN_PROGRESS);
}

function toListJobCases(
  catalog: CatalogCaller,
  { group, path, total }: Readonly<Record<"group" | "path" | "total", string>>,
): readonly ContractCase[] {
  const rows = (count: number) => Array.from({ length: count }, () => ({ name: `Contract ${randomUUID()}` }));
  const create = () =>
    catalog.data(`${path}/create`, { rows: rows(3), inputColumns: ["name"], fileName: "contract.csv" });
  const run = onJobs(catalog, path, create, 3);
  return [
    run(`${group}.create: runs one job at a time, of 1 to 2000 named rows`, async (jobId) => {
      const again = await catalog.post(`${path}/create`, { rows: rows(1), inputColumns: ["name"] });
      if (again.status === 200) {
        const start = async () => readData(again);
        await withJob(catalog, path, start, async () => {
          const { status } = await findListed(catalog, path, jobId);
          ok(status !== "pending" && status !== "processing", "expected a conflict while the job runs");
        });
      } else {
        readFailure(again, 409);
      }
      const wrong = [[], rows(2001), [{ name: " " }]];
      await catalog.refuses(`${path}/create`, ...wrong.map((rows) => ({ rows, inputColumns: [] })));
    }),
    run(`${group}.list: has the job, with its counters`, async (jobId) => {
      const job = await findListed(catalog, path, jobId);
      equal(job[total], 3);
      equal(job["fileName"], "contract.csv");
    }),
    run(`${group}.items: has a row for each input, with its job`, async (jobId) => {
      const { job, items } = await catalog.data(`${path}/${jobId}/items/get`, { limit: 100 });
      equal((job as Fields)["id"], jobId);
      equal((items as readonly Fields[]).length, 3);
    }),
    run(`${group}.stop: ends the job once`, async (jobId) => {
      await expectStop(catalog, path, jobId);
      const unknown = await catalog.post(`${path}/${NO_SUCH_ID}/stop`, {});
      equal(readFailure(unknown, unknown.status), "Job not found");
    }),
    run(`${group}.download: is a CSV file with the input's columns first`, async (jobId) => {
      await catalog.post(`${path}/${jobId}/stop`, {});
      const { status, headers, text } = await catalog.get(`${path}/${jobId}/download`);
      equal(status, 200);
      match(headers.get("content-type") ?? "", /^text\/csv/);
      match(headers.get("content-disposition") ?? "", /attachment.*contract_enriched_\d{4}-\d\d-\d\d\.csv/);
      match(text, /^\uFEFF?name,Enrichment Status,Enrichment Error/);
    }),
  ];
}

function toProductJobCases(catalog: CatalogCaller, group: string, path: string): readonly ContractCase[] {
  const start = async () => {
    const { id } = await catalog.createProduct({});
    return catalog.data(`${path}/create`, { productIds: [id], modelType: "budget-v1" });
  };
  const run = onJobs(catalog, path, start);
  return [
    run(`${group}.create: takes 1 to 5000 products, with a model`, async () => {
      const many = Array.from({ length: 5001 }, () => randomUUID());
      await catalog.refuses(
        `${path}/create`,
        { productIds: [], modelType: "budget-v1" },
        { productIds: many, modelType: "budget-v1" },
        { productIds: ["a"] },
        { productIds: ["a"], modelType: "none" },
      );
    }),
    run(`${group}.list: has the job, with its counters`, async (jobId) => {
      equal((await findListed(catalog, path, jobId))["totalProducts"], 1);
    }),
    run(`${group}.items: has an item for each product`, async (jobId) => {
      const { items } = await catalog.data(`${path}/${jobId}/items/get`);
      equal((items as readonly Fields[]).length, 1);
    }),
    run(`${group}.stop: ends the job once`, (jobId) => expectStop(catalog, path, jobId)),
  ];
}

function toImportCases(catalog: CatalogCaller): readonly ContractCase[] {
  const path = "ai-import-jobs";
  const file = () => new File([`name,sku\nContract,${randomUUID()}\n`], "contract.csv", { type: "text/csv" });
  const send = (fields: Readonly<Record<string, string>>, count = 1) =>
    catalog.form(`${path}/create`, fields, Array.from({ length: count }, file));
  const start = async () => {
    const answer = await send({ modelType: "budget-v1" });
    equal(answer.status, 200);
    return (JSON.parse(answer.text) as { readonly data: Fields }).data;
  };
  const run = onJobs(catalog, path, start);
  return [
    run("importJobs.create: takes at most 5 files, and a prompt of at least 10 characters", async () => {
      expectInvalidBody(await send({}, 6));
      expectInvalidBody(await send({ prompt: "too short" }));
    }),
    run("importJobs.list: has the job, with its number of files", async (jobId) => {
      equal((await findListed(catalog, path, jobId))["totalFiles"], 1);
    }),
    run("importJobs.items: are listed, up to 200 a page", async (jobId) => {
      const { items } = await catalog.data(`${path}/${jobId}/items/get`, { limit: 200, sort: "type-desc" });
      ok(Array.isArray(items), "expected items to be a list");
    }),
    run("importJobs.finalize: says what was imported", async (jobId) => {
      const done = await catalog.data(`${path}/${jobId}/finalize`, { itemIds: [] });
      equal(done["imported"], 0);
      equal(done["failed"], 0);
    }),
    run("importJobs.stop: ends the job once", (jobId) => expectStop(catalog, path, jobId)),
  ];
}
