import { describe, expect, it } from "vitest";
import { downloadJob, stopJob, uploadFile } from "../../src/cli/catalog-jobs.ts";
import { startProductJob } from "../../src/cli/catalog-enrich.ts";
import { importProducts } from "../../src/cli/catalog.ts";
import { callCatalog, callManagement } from "../../src/cli/service-call.ts";
import { startCatalog } from "./catalog-terminal.ts";

const ALL = { budget: "10", yes: true };
const BRANDS = JSON.stringify({
  rows: [{ brand: "Acme" }, { brand: "Umbrella" }],
  inputColumns: ["brand"],
  fileName: "brands.csv",
});

/** The id of the job that a call printed. */
const jobOf = (lines: readonly string[]) => (JSON.parse(lines.at(-1) ?? "") as { jobId: string }).jobId;

describe("holdfast catalog validate", () => {
  it("validates what was enriched, and says when nothing was", async () => {
    const { context, told, write } = await startCatalog();
    await importProducts(write("sku,name\nA-1,Boot\nA-2,Hat\n"), context);

    expect(await startProductJob("validation", ALL, context)).toBe(true);
    await startProductJob("enrichment", ALL, context);
    expect(await startProductJob("validation", { ...ALL, yes: false }, context)).toBe(true);

    expect(told.lines[1]).toBe("nothing to validate: no product was enriched yet");
    expect(told.questions).toEqual(["Validate 2 products? This spends credits of sandbox."]);
    expect(told.lines.at(-1)).toMatch(/^completed: 2 validated, 0 failed \(job /);
  });
});

describe("holdfast catalog stop, download and upload", () => {
  it("stops a job of any kind by its id", async () => {
    const { context, told } = await startCatalog({ json: true, itemMs: 3_600_000 });
    await callCatalog({ body: BRANDS, yes: true }, "brandJobs.create", context);
    const jobId = jobOf(told.lines);
    await stopJob(jobId, context);

    expect(JSON.parse(told.lines.at(-1) ?? "")).toMatchObject({ kind: "brand", jobId });
    await expect(stopJob("nothing", context)).rejects.toMatchObject({ code: "SERVICE_NOT_FOUND" });
  });

  it("prints the results of a brand job as CSV, and refuses a job without a file", async () => {
    const { context, told, write } = await startCatalog({ json: true });
    await callCatalog({ body: BRANDS, yes: true }, "brandJobs.create", context);
    await downloadJob(jobOf(told.lines), context);
    expect(told.lines.at(-1)).toMatch(/^brand,[^]*\nAcme,[^]*\nUmbrella,/);

    await importProducts(write("sku,name\nA-1,Boot\n"), context);
    await startProductJob("enrichment", ALL, context);
    await expect(downloadJob(jobOf(told.lines), context)).rejects.toThrow(
      "this is an enrichment job; only brand and category jobs have a file",
    );
  });

  it("uploads a file and prints its id", async () => {
    const { context, told, write } = await startCatalog({ json: true });

    expect(await uploadFile(write("a,b\n", "sizes.csv"), context)).toBe(true);
    expect(JSON.parse(told.lines.at(-1) ?? "")).toEqual({ id: expect.any(String) as string });
    await expect(uploadFile(write("a", "sizes.exe"), context)).rejects.toThrow(
      /sizes\.exe: files\[0\]: expected a PDF, CSV/,
    );
    await expect(uploadFile("missing.csv", context)).rejects.toThrow("missing.csv: can't be read");
  });
});

describe("holdfast catalog call", () => {
  it("calls an operation by its name, with its id and its body as JSON or from a file", async () => {
    const { context, told, write } = await startCatalog({ json: true });
    const body = write('{ "products": [{ "sku": "A-1", "name": "Boot" }] }', "new.json");
    await callCatalog({ body: `@${body}`, yes: false }, "products.bulkCreate", context);
    await callCatalog({ body: undefined, yes: false }, "products.list", context);
    const { id } = JSON.parse(told.lines.at(-1) ?? "") as { id: string };
    await callCatalog({ body: undefined, yes: false }, `products.enrichmentHistory/${id}`, context);
    await callCatalog({ body: '{ "name": "Acme" }', yes: false }, "brands.check", context);

    expect(JSON.parse(told.lines.at(-1) ?? "")).toEqual({ exists: false });
  });

  it("asks before it spends credits, and does nothing without an answer", async () => {
    const { context, told } = await startCatalog({ answer: false });

    expect(await callCatalog({ body: BRANDS, yes: false }, "brandJobs.create", context)).toBe(false);
    expect(told.questions).toEqual(["Call brandJobs.create? This spends credits."]);
    expect(told.problems).toEqual([
      "Call brandJobs.create? This spends credits. Nothing was done; confirm with --yes.",
    ]);
    await callCatalog({ body: undefined, yes: false }, "brandJobs.list", context);
    expect(told.lines).toEqual([]);
  });

  it.each([
    ["shoes.list", undefined, "no operation shoes.list; the groups are products, "],
    ["constructor.name", undefined, "no operation constructor.name; the groups are"],
    ["brands.burn", undefined, "no operation brands.burn; expected brands.check, brands.create,"],
    ["validationJobs.stop", undefined, "expected validationJobs.stop/id, got validationJobs.stop"],
    ["brands.check/7", undefined, "expected brands.check, got brands.check/7"],
    ["brands.check", "[1]", "--body: expected a JSON object, or @ and a file with one"],
    ["brands.check", "@missing.json", "--body: missing.json: can't be read"],
    ["files.upload", undefined, "files.upload is about files: use holdfast catalog upload FILE"],
    ["brandJobs.download/7", undefined, "use holdfast catalog download JOB"],
  ])("refuses %s with the body %s", async (name, body, message) => {
    const { context } = await startCatalog();

    await expect(callCatalog({ body, yes: true }, name, context)).rejects.toThrow(message);
  });

  it("says which field of the body is wrong", async () => {
    const { context } = await startCatalog();

    const blank = callCatalog({ body: '{ "name": " " }', yes: true }, "brands.check", context);
    await expect(blank).rejects.toThrow(/^--body: name: expected /);
  });
});

describe("holdfast management call", () => {
  it("calls any route, with the ids of its path in their order", async () => {
    const { context, told } = await startCatalog({ json: true });
    await callManagement({ body: undefined }, "sites.list", context);
    const { id } = JSON.parse(told.lines.at(-1) ?? "") as { id: string };
    await callManagement({ body: undefined }, `sites.get/${id}`, context);

    expect(JSON.parse(told.lines.at(-1) ?? "")).toMatchObject({ id });
    await expect(callManagement({ body: undefined }, "forms.get/1", context)).rejects.toThrow(
      "expected forms.get/siteId/formId, got forms.get/1",
    );
  });
});
