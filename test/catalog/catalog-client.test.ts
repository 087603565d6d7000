import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { createCatalogClient, isHoldfastError, type HoldfastError } from "../../src/catalog.ts";
import { CATALOG_OPERATIONS } from "../../src/catalog/operations/catalog-operations.ts";
import { sendJson, startServer } from "../service/loopback.ts";
import { addProducts, brandRows, createTestClock, startCatalog } from "./catalog-stage.ts";

async function failureOf(work: Promise<unknown>): Promise<HoldfastError> {
  const error = await work.then(
    () => expect.fail("expected a failure"),
    (cause: unknown) => cause,
  );
  if (isHoldfastError(error)) return error;
  throw error;
}

describe("products", () => {
  it("are created, listed, read, updated and deleted", async () => {
    const { client } = await startCatalog();

    const created = await client.products.create({
      sku: "A-1",
      name: "Boot",
      brand: "Acme",
      category: "Shoes > Boots",
    });
    const listed = await client.products.list({ search: "a-1" }).all();
    const read = await client.products.get(created.id);
    const updated = await client.products.update(created.id, { sku: "A-1", name: "Boots" });
    const deleted = await client.products.delete(created.id);
    const gone = await failureOf(client.products.get(created.id));

    expect(listed).toMatchObject([{ id: created.id, category: "Shoes > Boots", parentName: null }]);
    expect(read).toMatchObject({ sku: "A-1", brand: "Acme", mpn: null, isParent: false });
    expect(updated).toMatchObject({ id: created.id, name: "Boots" });
    expect(deleted).toEqual({ id: created.id, deleted: true });
    expect(gone).toMatchObject({ code: "SERVICE_NOT_FOUND", retryable: false });
  });

  it("come page by page, or one by one", async () => {
    const { client } = await startCatalog();
    await addProducts(client, 25);

    const pages: number[] = [];
    for await (const page of client.products.list().pages()) pages.push(page.entries.length);
    const second = await client.products.list({ sortBy: "sku", sortOrder: "asc" }).page(2);

    expect(pages).toEqual([10, 10, 5]);
    expect(second).toMatchObject({ page: 2, totalPages: 3, total: 25 });
    expect(second.entries[0]?.sku).toBe("SKU-0010");
    expect(await client.products.list({ limit: 7 }).all({ max: 9 })).toHaveLength(9);
  });

  it("that already exist cause a conflict that names their SKUs, whatever the status", async () => {
    for (const duplicateStatus of [400, 409, 500]) {
      const { client } = await startCatalog({ catalog: { duplicateStatus } });
      await client.products.create({ sku: "A-1", name: "Boot" });

      const error = await failureOf(client.products.create({ sku: "A-1", name: "Boot" }));

      expect(error).toMatchObject({ code: "SERVICE_CONFLICT", retryable: false, metered: "no" });
      expect(error.message).toContain("already exist: A-1");
    }
  });
});

describe("a call that breaks a rule", () => {
  it.each([
    ["sku", { sku: "x".repeat(65), name: "n" }],
    ["name", { sku: "x", name: "n".repeat(257) }],
    ["manufacturer", { sku: "x", name: "n", manufacturer: "m".repeat(257) }],
    ["mpn", { sku: "x", name: "n", mpn: "m".repeat(129) }],
    ["parentId", { sku: "x", name: "n", isParent: true, parentId: "p" }],
    [
      "attributes.weight.value",
      {
        sku: "x",
        name: "n",
        attributes: {
          weight: { attributeId: "a", attributeName: "W", attributeType: "number", value: "heavy" },
        } as const,
      },
    ],
  ])("isn't sent, and the error names %s", async (path, body) => {
    const { client, service } = await startCatalog({ rateLimit: { limit: 1, windowMs: 1_000 } });

    const error = await failureOf(client.products.create(body));

    expect(error).toMatchObject({ code: "INPUT_INVALID", retryable: false, fields: [{ path }] });
    expect(error.message).not.toContain("heavy");
    // The key's only request is still available.
    await client.organizations();
    expect(service.calls).toHaveLength(0);
  });

  it("isn't sent without an id", async () => {
    const { client } = await startCatalog();
    const unsent = { code: "INPUT_INVALID", metered: "no", fields: [{ path: "id" }] };

    for (const id of ["", ".", ".."]) {
      expect(await failureOf(client.products.get(id))).toMatchObject(unsent);
    }
  });
});

describe("brands and categories", () => {
  it("are checked and created once, whatever their case", async () => {
    const { client } = await startCatalog();

    const first = await client.brands.create({ name: "Acme Inc." });
    const second = await client.brands.create({ name: "ACME INC." });
    const category = await client.categories.create({ name: "Boots" });

    expect(first).toMatchObject({ created: true, brand: { slug: "acme-inc-" } });
    expect(second).toMatchObject({ created: false, brand: { id: first.brand.id, name: "Acme Inc." } });
    expect(category.category.name).toBe("Boots");
    expect(await client.brands.check({ name: "acme inc." })).toEqual({ exists: true });
    expect(await client.categories.check({ name: "Hats" })).toEqual({ exists: false });
    expect(await client.brands.enrichmentHistory({ name: "nobody" }).page()).toMatchObject({ total: 0 });
  });

  it("have attribute sets, and a category prompt for products only", async () => {
    const { client } = await startCatalog();

    const [products, categories] = [
      await client.attributeSets.products(),
      await client.attributeSets.categories(),
    ];

    const first = (sets: typeof products) => sets.attributeSets[0]?.attributeSetAttributes[0]?.attribute;
    expect(first(products)).toHaveProperty("slug", "description");
    expect(first(categories)).toMatchObject({ id: "default_page_title", isActive: true });
  });
});

describe("brand jobs", () => {
  it("are polled to their end, listed, and downloaded as CSV", async () => {
    const { client } = await startCatalog();
    const rows = [
      { name: "Acme", note: 'a "quoted", note' },
      { name: "sandbox-fail Ltd", note: "" },
    ];
    const { jobId } = await client.brandJobs.create({
      rows,
      inputColumns: ["name", "note"],
      fileName: "my brands.csv",
    });
    const seen: (number | null)[] = [];

    const end = await client.waitForJob(jobId, { onProgress: (job) => seen.push(job.processedCount) });
    const items = await client.brandJobs.items(jobId).all();
    const { fileName, body } = await client.brandJobs.download(jobId);
    const csv = (await text(body)).split("\r\n");

    expect(end).toMatchObject({
      kind: "brand",
      outcome: "partial",
      job: { successCount: 1, failedCount: 1, total: 2 },
    });
    expect(seen.at(-1)).toBe(2);
    expect(items.map(({ brandName, status }) => [brandName, status])).toEqual([
      ["Acme", "completed"],
      ["sandbox-fail Ltd", "failed"],
    ]);
    expect(items[0]?.referenceData).toMatchObject({ mode: "websearch" });
    expect(fileName).toMatch(/^my brands_enriched_\d{4}-\d\d-\d\d\.csv$/);
    expect(csv[0]).toBe(
      "name,note,Enrichment Status,Enrichment Error,Summary,Story,Founded,Sells Direct,Markets",
    );
    expect(csv[1]).toMatch(/^Acme,"a ""quoted"", note",completed,,Summary of Acme/);
    expect(csv[2]).toBe("sandbox-fail Ltd,,failed,Unable to fetch source data,,,,,");
  });

  it("run one at a time, and can be stopped while they run", async () => {
    const { client } = await startCatalog();
    const body = { rows: brandRows(12), inputColumns: ["name"] };
    const { jobId } = await client.brandJobs.create(body);

    const second = await failureOf(client.brandJobs.create(body));
    const stopped = await client.brandJobs.stop(jobId);
    const again = await failureOf(client.brandJobs.stop(jobId));
    const unknown = await failureOf(client.categoryJobs.stop("nobody"));
    const end = await client.waitForJob(jobId);

    expect(second).toMatchObject({ code: "SERVICE_CONFLICT", metered: "no" });
    expect(stopped).toMatchObject({ jobId, status: "stopped" });
    expect(again.message).toContain("Job cannot be stopped because it is not in progress");
    expect(again.code).toBe("SERVICE_CONFLICT");
    expect(unknown.code).toBe("SERVICE_NOT_FOUND");
    expect(end.outcome).toBe("stopped");
    const [item] = await client.brandJobs.items(jobId, { limit: 1 }).all({ max: 1 });
    expect(item?.errorMessage).toBe("Job was stopped by user");
  });

  it("aren't waited for by a client that was closed", async () => {
    const { client } = await startCatalog();
    const { jobId } = await client.brandJobs.create({ rows: brandRows(500), inputColumns: ["name"] });

    const end = await failureOf(
      client.waitForJob(jobId, { kind: "brand", onProgress: () => void client.close() }),
    );

    expect(end.code).toBe("SHUTTING_DOWN");
  });

  it("are refused without credits", async () => {
    const { client } = await startCatalog({ credits: 0 });

    const error = await failureOf(client.brandJobs.create({ rows: brandRows(1), inputColumns: ["name"] }));

    expect(error).toMatchObject({ code: "SERVICE_NO_CREDITS", metered: "no" });
  });
});

it("a brand job of more than 8 MB isn't sent, but a category job is", async () => {
  const { client } = await startCatalog();
  const rows = Array.from({ length: 9 }, (_, index) => ({
    name: `Brand ${index}`,
    text: "é".repeat(500_000),
  }));
  const body = { rows, inputColumns: ["name", "text"] };

  expect(await failureOf(client.brandJobs.create(body))).toMatchObject({
    fields: [{ path: "rows", message: "expected at most 8 MB as CSV" }],
  });
  // The long column isn't named as input, so it isn't part of the job.
  expect(CATALOG_OPERATIONS.brandJobs.create.body.safeParse({ rows, inputColumns: ["name"] }).success).toBe(
    true,
  );
  expect(CATALOG_OPERATIONS.categoryJobs.create.body.safeParse(body).success).toBe(true);
});

describe("the sandbox's catalog", () => {
  it("records failures in a name's history, too", async () => {
    const { client, service } = await startCatalog({ credits: 1 });
    const rows = [{ name: "Acme" }, { name: "sandbox-fail" }, { name: "Late" }];
    const { jobId } = await client.brandJobs.create({ rows, inputColumns: ["name"] });
    await client.waitForJob(jobId);
    const entriesOf = (name: string) => client.brands.enrichmentHistory({ name }).all();

    expect(await entriesOf("acme")).toMatchObject([{ status: "completed", errorMessage: null }]);
    expect(await entriesOf("sandbox-fail")).toMatchObject([
      { status: "failed", errorMessage: "Unable to fetch source data", referenceData: null },
    ]);
    expect(await entriesOf("Late")).toMatchObject([
      { status: "failed", errorMessage: "Credit balance limit has been reached." },
    ]);
    expect(service.credits).toBe(0);
  });

  it("allows no product as its own parent, and no parent with variants as a variant", async () => {
    const { client } = await startCatalog();
    const parent = await client.products.create({ sku: "P", name: "Parent" });
    const other = await client.products.create({ sku: "O", name: "Other" });
    await client.products.create({ sku: "V", name: "Variant", parentId: parent.id });
    const update = (parentId: string) => client.products.update(parent.id, { sku: "P", name: "P", parentId });

    expect((await failureOf(update(other.id))).message).toContain("answered 400");
    expect((await failureOf(update(parent.id))).message).toContain("answered 400");
    const moved = client.products.update(other.id, { sku: "O", name: "O", parentId: other.id });
    expect((await failureOf(moved)).message).toContain("answered 400");
  });

  it("changes a derived slug that is already used, and never a given one", async () => {
    const { client } = await startCatalog();
    await client.brands.create({ name: "Acme Inc" });

    const derived = await client.brands.create({ name: "Acme-Inc" });
    const given = await client.brands.create({ name: "Another", slug: "acme-inc" });

    expect(derived.brand.slug).toMatch(/^acme-inc-\d+$/);
    expect(given.brand.slug).toBe("acme-inc");
  });
});

describe("the budget", () => {
  it("refuses a job before it is sent, and counts only what may have been started", async () => {
    const { client, connect } = await startCatalog({ credits: 0 });
    const guarded = connect({ budget: { maxJobs: 2, maxProducts: 10 } });
    const jobOf = (count: number) =>
      guarded.brandJobs.create({ rows: brandRows(count), inputColumns: ["name"] });

    const tooLarge = await failureOf(jobOf(11));
    const refused = await failureOf(jobOf(10));
    const ids = await addProducts(client, 6);
    await guarded.enrichmentJobs.create({ productIds: ids, modelType: "budget-v1" });
    const tooMany = await failureOf(
      guarded.validationJobs.create({ productIds: ids, modelType: "budget-v1" }),
    );

    expect(tooLarge).toMatchObject({ code: "BUDGET_SPENT", fields: [{ path: "budget.maxProducts" }] });
    expect(refused.code).toBe("SERVICE_NO_CREDITS");
    expect(tooMany.code).toBe("BUDGET_SPENT");
    expect(guarded.spent).toEqual({ jobs: 1, products: 6 });
  });
});

describe("product jobs", () => {
  it("enrich, validate, and aggregate the variants of a parent", async () => {
    const { client } = await startCatalog();
    const parent = await client.products.create({ sku: "P", name: "Shirt", isParent: true });
    const children = await Promise.all(
      ["S", "M"].map((size) =>
        client.products.create({ sku: `P-${size}`, name: `Shirt ${size}`, parentId: parent.id }),
      ),
    );
    const productIds = children.map(({ id }) => id);
    const tooEarly = await client.enrichmentJobs.create({ productIds: [parent.id], modelType: "pro-v1" });
    const early = await client.waitForJob(tooEarly.jobId);

    const first = await client.enrichmentJobs.create({ productIds, modelType: "pro-v1" });
    await client.waitForJob(first.jobId);
    const second = await client.enrichmentJobs.create({ productIds: [parent.id], modelType: "pro-v1" });
    const end = await client.waitForJob(second.jobId);
    const [aggregated] = await client.enrichmentJobs.items(second.jobId).all();
    const third = await client.validationJobs.create({ productIds, modelType: "pro-v1" });
    await client.waitForJob(third.jobId);
    const [validated] = await client.validationJobs.items(third.jobId).all();
    const history = await client.products.validationHistory(productIds[0] ?? "").all();

    expect(early.outcome).toBe("failed");
    expect(end.outcome).toBe("completed");
    expect(String(aggregated?.enrichedData["weight_grams"]?.value)).toMatch(/^\d+( - \d+)?$/);
    expect(validated).toMatchObject({ status: "completed", overallScore: 100 });
    expect(history).toMatchObject([{ productId: productIds[0], overallScore: 100 }]);
    expect(await client.products.list({ enrichedFilter: "enriched" }).all()).toHaveLength(3);
  });
});

describe("files", () => {
  it("are uploaded, and a partial failure keeps the accepted ones", async () => {
    const { client } = await startCatalog();
    const content = new Blob(["name\nBoot\n"], { type: "text/csv" });

    const whole = await client.files.upload({ files: [{ name: "a.csv", content }] });
    const partial = await client.files.upload({
      files: [
        { name: "b.csv", content },
        { name: "sandbox-fail.csv", content },
      ],
    });

    expect(whole).toMatchObject({ success: true, errors: [] });
    expect(partial.success).toBe(false);
    expect(partial.uploadedFileIds).toHaveLength(1);
    expect(partial.errors).toMatchObject([{ fileName: "sandbox-fail.csv" }]);
  });

  it("of another type or beyond 20 MB aren't sent", async () => {
    const { client } = await startCatalog();
    const large = new Blob([new Uint8Array(20 * 1024 * 1024 + 1)], { type: "text/csv" });
    const strange = new Blob(["x"], { type: "application/zip" });

    expect(
      await failureOf(client.files.upload({ files: [{ name: "a.csv", content: large }] })),
    ).toMatchObject({
      fields: [{ path: "files[0]", message: "expected at most 20 MB" }],
    });
    expect(
      await failureOf(client.files.upload({ files: [{ name: "a.csv", content: strange }] })),
    ).toMatchObject({
      fields: [{ path: "files[0]" }],
    });
  });

  it("become products in an AI import, in two batches, with their families", async () => {
    for (const formObjects of ["json", "fields"] as const) {
      const { client } = await startCatalog({}, { formObjects });
      const csv = "family,name,sku,size\nShirt,Shirt S,S-1,S\nShirt,Shirt M,S-2,M\n,Hat,H-1,\n";
      const { jobId } = await client.importJobs.create({
        files: [{ name: "list.csv", content: new Blob([csv]) }],
        autoEnrich: true,
        enrichmentConfig: { websearch: true, modelType: "budget-v1" },
      });

      const end = await client.waitForJob(jobId);
      const items = await client.importJobs.items(jobId, { sort: "name-asc" }).all();
      const hat = items.find(({ data }) => data.sku === "H-1");
      const first = await client.importJobs.finalize(jobId, { all: true, excludedIds: [hat?.id ?? ""] });
      const second = await client.importJobs.finalize(jobId, { itemIds: [hat?.id ?? ""] });

      expect(end).toMatchObject({ kind: "import", outcome: "completed" });
      expect(items.map(({ type, data }) => [type, data.name])).toEqual([
        ["standalone", "Hat"],
        ["family", "Shirt"],
        ["product", "Shirt M"],
        ["product", "Shirt S"],
      ]);
      expect([first, second]).toMatchObject([{ imported: 3, failed: 0 }, { imported: 1 }]);
      expect(await client.products.list({ parentFilter: "parent" }).all()).toHaveLength(1);
      expect((await client.enrichmentJobs.list().all()).length).toBe(2);
    }
  });
});

describe("webhooks", () => {
  it("can be managed, at most ten of them", async () => {
    const { client } = await startCatalog();
    const body = { url: "https://shop.example/hook", eventType: ["ai_import.start" as const] };
    const made = await Promise.all(Array.from({ length: 10 }, () => client.webhooks.create(body)));

    const eleventh = await failureOf(client.webhooks.create(body));
    const changed = await client.webhooks.update({ id: made[0]?.id ?? "", enabled: false });
    const deleted = await client.webhooks.delete({ id: made[1]?.id ?? "" });
    const foreign = await failureOf(client.webhooks.delete({ id: "nobody" }));

    expect(eleventh.code).toBe("SERVICE_REFUSED");
    expect(changed).toMatchObject({ enabled: false, url: body.url, method: "post" });
    expect(deleted).toMatchObject({ deleted: true });
    expect(foreign.code).toBe("SERVICE_NOT_FOUND");
    expect(await client.webhooks.list()).toHaveLength(9);
  });
});

describe("temporary failures", () => {
  const list = { products: [], pagination: { page: 1, limit: 10, total: 0, totalPages: 0 } };

  it("are retried for reads and idempotent creates only", async () => {
    const server = await startServer((response, _seen, count) => {
      if (count % 2 === 1) return sendJson(response, 503, { success: false, message: "down" });
      return sendJson(response, 200, {
        success: true,
        data: { ...list, brand: { id: "1", name: "a", slug: "a" }, created: true },
      });
    });
    const { connect } = await startCatalog();
    const client = connect({ url: server.url });

    await client.products.list().page();
    await client.brands.create({ name: "a" });
    expect(server.seen).toHaveLength(4);
    const create = await failureOf(client.products.create({ sku: "a", name: "a" }));
    const job = await failureOf(
      connect({ url: server.url, retries: 0 })
        .products.list()
        .page()
        .then(() => client.products.delete("1")),
    );

    expect(create).toMatchObject({ code: "SERVICE_FAILED", retryable: true });
    expect(job.code).toMatch(/^SERVICE_/);
    expect(server.seen).toHaveLength(7);
  });

  it("of a write are retried if nothing was sent", async () => {
    const { client, service, url, clock } = await startCatalog();
    await service.close();
    let waits = 0;
    const late = createTestClock();
    const { connect } = await startCatalog();
    const patient = connect({
      url,
      now: clock.now,
      wait: async (ms) => {
        late.pass(ms);
        waits += 1;
        if (waits === 2) await service.listen(Number(url.port));
      },
    });

    const product = await patient.products.create({ sku: "a", name: "a" });

    expect(product.sku).toBe("a");
    expect(waits).toBe(2);
    expect(await client.products.list().all()).toHaveLength(1);
  });

  it("don't include a rate limit that ends in days: the call fails, and an hour later the next one works", async () => {
    const clock = createTestClock();
    const server = await startServer((response) => {
      response.setHeader("x-ratelimit-remaining", "0");
      response.setHeader("x-ratelimit-reset", String(Math.floor(clock.now() / 1_000) + 864_000));
      sendJson(response, 200, { success: true, data: { exists: true } });
    });
    const { connect } = await startCatalog();
    const client = connect({ url: server.url, now: clock.now, wait: clock.wait });

    await client.brands.check({ name: "a" });
    const error = await failureOf(client.brands.check({ name: "a" }));
    clock.pass(3_600_001);
    await client.brands.check({ name: "a" });

    expect(error).toMatchObject({ code: "SERVICE_RATE_LIMITED", retryAtMs: clock.now() - 1 });
    expect(server.seen).toHaveLength(2);
  });

  it("include a rate limit, which all calls of the client wait for", async () => {
    const { client, clock } = await startCatalog({ rateLimit: { limit: 3, windowMs: 30_000 } });
    const startMs = clock.now();

    for (let count = 0; count < 7; count += 1) await client.brands.check({ name: "a" });

    expect(clock.now() - startMs).toBeGreaterThanOrEqual(60_000);
  });
});

describe("a download", () => {
  it("reports why it isn't available, whatever the size of the answer", async () => {
    const server = await startServer((response, _seen, count) => {
      if (count === 1) return sendJson(response, 404, { success: false, message: "Job not found" });
      return response.writeHead(403).end("x".repeat(1_000_000));
    });
    const stage = await startCatalog();
    const client = stage.connect({ url: server.url });
    await stage.service.close();

    const missing = await failureOf(client.brandJobs.download("j"));
    const forbidden = await failureOf(client.brandJobs.download("j"));
    const unreachable = await failureOf(stage.client.brandJobs.download("j"));

    expect([missing.code, forbidden.code]).toEqual(["SERVICE_NOT_FOUND", "SERVICE_FORBIDDEN"]);
    expect(unreachable).toMatchObject({ code: "SERVICE_UNREACHABLE", metered: "no" });
  });
});

it("a free read that is canceled mentions no cost", async () => {
  const { connect } = await startCatalog();
  const given = new AbortController();
  const server = await startServer(() => given.abort());

  const error = await failureOf(connect({ url: server.url }).products.get("id", { signal: given.signal }));

  expect(error).toMatchObject({ code: "SERVICE_ABORTED", metered: "no" });
  expect(error.message).toMatch(/was canceled after the request was sent$/);
});

describe("invalid options", () => {
  it.each([
    ["retries", Number.NaN],
    ["retries", 1.5],
    ["maxWaitMs", -1],
    ["maxWaitMs", Number.POSITIVE_INFINITY],
    ["uploadTimeoutMs", 0],
    ["timeoutMs", 0],
  ])("are refused: %s %d", (name, value) => {
    const options = { url: "https://catalog.example", apiKey: "key", [name]: value };

    expect(() => createCatalogClient(options)).toThrow(`\`${name}\``);
  });

  it("are refused: a budget below 0", () => {
    const options = { url: "https://catalog.example", apiKey: "key", budget: { maxJobs: -1 } };

    expect(() => createCatalogClient(options)).toThrow("`budget.maxJobs`");
  });
});

describe("answers of a later version", () => {
  it("are passed through: unknown values, missing and odd parts", async () => {
    const server = await startServer((response) =>
      sendJson(response, 200, {
        success: true,
        data: {
          jobs: [{ id: "j", status: "paused", modelType: "ultra-v2", totalProducts: "many", news: [1] }],
          pagination: { page: 1, limit: 10, total: 1, totalPages: 1 },
        },
      }),
    );
    const { connect } = await startCatalog();

    const [job] = await connect({ url: server.url }).enrichmentJobs.list().all();

    expect(job).toMatchObject({ status: "paused", modelType: "ultra-v2", totalProducts: null, news: [1] });
  });

  it("without required fields are malformed", async () => {
    const server = await startServer((response) =>
      sendJson(response, 200, { success: true, data: { jobs: 7 } }),
    );
    const { connect } = await startCatalog();

    const error = await failureOf(connect({ url: server.url }).enrichmentJobs.list().page());

    expect(error).toMatchObject({ code: "SERVICE_MALFORMED" });
    expect(error.fields.map(({ path }) => path)).toContain("jobs");
  });
});
