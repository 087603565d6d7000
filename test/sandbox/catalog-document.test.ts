import { describe, expect, it, onTestFinished } from "vitest";
import type { CatalogClient } from "../../src/catalog.ts";
import { createSandboxService, type SandboxKey } from "../../src/sandbox/sandbox-service.ts";
import { startCatalog, type CatalogStage } from "../catalog/catalog-stage.ts";

/** What the interface's document says of answers and limits, checked where the sandbox once deviated. */

async function finish({ clock, service }: CatalogStage): Promise<void> {
  for (let step = 0; step < 20; step += 1) {
    clock.pass(1_000);
    service.advanceJobs();
  }
}

/** A brand or category job, and its items once it has ended. */
async function runNames(stage: CatalogStage, kind: "brandJobs" | "categoryJobs", names: readonly string[]) {
  const rows = names.map((name) => ({ name }));
  const jobs = stage.client[kind];
  const { jobId } = await jobs.create({ rows, inputColumns: ["name"], useWebsearch: true });
  await finish(stage);
  return { jobId, items: await jobs.items(jobId).all() };
}

async function readText(client: CatalogClient, jobId: string, kind: "brandJobs" | "categoryJobs") {
  const { body, fileName } = await client[kind].download(jobId);
  let text = "";
  for await (const part of body) text += String(part);
  return { text, fileName };
}

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");

describe("the default category attributes", () => {
  it.each([
    "Trail Running Shoes",
    "schuhe",
    "Женская обувь",
    "A > B & <C> 3/4",
    "Outdoor > Camping and Hiking > Tents, Tarpaulins and Shelters for Extreme Alpine Expeditions of All Seasons",
  ])("obey their own rules for %s", async (name) => {
    const { items } = await runNames(await startCatalog(), "categoryJobs", [name]);
    const values = Object.fromEntries(
      Object.entries(items[0]?.enrichedAttributes ?? {}).map(([slug, { value }]) => [slug, String(value)]),
    );
    const keyword = values["focus_keywords"] ?? "";

    expect(Object.keys(values)).toHaveLength(6);
    expect(keyword).toBe(keyword.toLowerCase());
    expect(words(keyword).length).toBeGreaterThanOrEqual(1);
    expect(words(keyword).length).toBeLessThanOrEqual(3);
    const title = values["page_title"] ?? "";
    expect(title.length).toBeLessThanOrEqual(60);
    expect(title.toLowerCase().indexOf(keyword)).toBe(0);
    for (const word of words(title)) expect(word.charAt(0)).toBe(word.charAt(0).toUpperCase());
    const description = values["meta_description"] ?? "";
    expect(description.length).toBeLessThanOrEqual(160);
    expect(description.toLowerCase()).toContain(keyword);
    const keywords = (values["meta_keywords"] ?? "").split(", ");
    expect(keywords.length).toBeGreaterThanOrEqual(5);
    expect(keywords.length).toBeLessThanOrEqual(10);
    expect(new Set(keywords).size).toBe(keywords.length);
    for (const one of keywords) expect(one).toMatch(/^[^\s,A-Z][^,A-Z]*$/u);
    const html = values["description"] ?? "";
    expect(html).toMatch(/^<div>[\s\S]*<h2>[\s\S]*<ul>[\s\S]*<\/div>$/);
    const count = words(html.replaceAll(/<[^>]+>/g, " ")).length;
    expect(count).toBeGreaterThanOrEqual(150);
    expect(count).toBeLessThanOrEqual(350);
    const slug = values["slug"] ?? "";
    expect(slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+){2,4}$/);
    expect(slug.length).toBeLessThanOrEqual(75);
  });

  it("are the only ones with `default_` ids, and no id names two attributes", async () => {
    const { client } = await startCatalog();
    const sets = await Promise.all(
      (["products", "brands", "categories"] as const).map((kind) => client.attributeSets[kind]()),
    );
    const ids = sets.map(({ attributeSets }) =>
      attributeSets.flatMap((set) => set.attributeSetAttributes.map(({ attribute }) => attribute.id)),
    );

    expect(new Set(ids.flat()).size).toBe(ids.flat().length);
    expect(ids.map((all) => all.filter((id) => id.startsWith("default_")).length)).toEqual([0, 0, 6]);
  });
});

describe("a CSV download", () => {
  it("has booleans as Yes and No and lists with semicolons in the input's columns, and keeps `<` in a text", async () => {
    const { client, ...stage } = await startCatalog();
    const rows = [
      { name: "Acme", sells: true, closed: false, markets: ["de", "fr"], note: "3 < 5 > 2", size: 4 },
    ];
    const inputColumns = Object.keys(rows[0] ?? {});
    const { jobId } = await client.brandJobs.create({ rows, inputColumns, useWebsearch: true });
    await finish({ client, ...stage });

    const { text } = await readText(client, jobId, "brandJobs");

    expect(text.split("\r\n")[1]).toMatch(/^Acme,Yes,No,de;fr,3 < 5 > 2,4,completed,/);
  });

  it("strips tags from a text that isn't HTML, and nothing else", async () => {
    const stage = await startCatalog();
    const { jobId } = await runNames(stage, "brandJobs", ["3 < 5 > 2", "<b>Bold</b>"]);

    const { text } = await readText(stage.client, jobId, "brandJobs");
    const [, first = "", second = ""] = text.split("\r\n");

    expect(first).toContain("Summary of 3 < 5 > 2 (made up");
    expect(second).toContain("Summary of Bold (made up");
  });

  it("is named like the job's file, also where that isn't ASCII", async () => {
    const stage = await startCatalog();
    const names = { rows: [{ name: "Acme" }], inputColumns: ["name"], fileName: 'Märken "2026".csv' };
    const { jobId } = await stage.client.brandJobs.create(names);
    await finish(stage);

    const { fileName } = await readText(stage.client, jobId, "brandJobs");

    expect(fileName).toMatch(/^Märken "2026"_enriched_\d{4}-\d\d-\d\d\.csv$/);
  });
});

describe("products and names", () => {
  it("without an external id don't clash, even if it's empty", async () => {
    const { client } = await startCatalog();
    await client.products.create({ sku: "A", name: "A" });
    await client.products.create({ sku: "B", name: "B", externalId: "" });

    await expect(client.products.create({ sku: "C", name: "C", externalId: "" })).resolves.toMatchObject({
      sku: "C",
    });
  });

  it("of the same derived slug get different slugs, even in one millisecond", async () => {
    const { client } = await startCatalog();
    const names = ["A B", "A-B", "A.B", "A/B"];
    const created = [];
    for (const name of names) created.push((await client.brands.create({ name })).brand.slug);

    expect(new Set(created).size).toBe(names.length);
  });

  it("keep a boolean and a list that their variants disagree on, as such", async () => {
    const stage = await startCatalog();
    const { client } = stage;
    const { id: parentId } = await client.products.create({ sku: "P", name: "Parent", isParent: true });
    const variants = Array.from({ length: 6 }, (_, index) => index);
    for (const index of variants) {
      await client.products.create({ sku: `V${index}`, name: `Variant ${index}`, parentId });
    }
    const listed = await client.products.list({ parentFilter: "non-parent", limit: 100 }).all();
    const modelType = "budget-v1";
    await client.enrichmentJobs.create({ productIds: listed.map(({ id }) => id), modelType });
    await finish(stage);
    const { jobId } = await client.enrichmentJobs.create({ productIds: [parentId], modelType });
    await finish(stage);

    const [item] = await client.enrichmentJobs.items(jobId).all();

    const waterproof = new Set<unknown>();
    for (const { id } of listed) {
      const [entry] = await client.products.enrichmentHistory(id).all();
      waterproof.add(entry?.attributes["waterproof"]?.value);
    }
    expect(waterproof.size, "the variants agree, so this shows nothing").toBe(2);
    expect(item?.enrichedData["waterproof"]?.value).toBeTypeOf("boolean");
    expect(item?.enrichedData["colors"]?.value).toBeInstanceOf(Array);
    expect(item?.enrichedData["weight_grams"]?.value).toMatch(/^\d+ - \d+$/);
  });
});

describe("an AI import", () => {
  it("gives variants their parent when their family is finalized after them", async () => {
    const stage = await startCatalog();
    const { client } = stage;
    const content = new Blob(["name,sku,family\nRed,R-1,Shirt\nBlue,B-1,Shirt\n"], { type: "text/csv" });
    const { jobId } = await client.importJobs.create({ files: [{ name: "shirts.csv", content }] });
    await finish(stage);
    const items = await client.importJobs.items(jobId).all();
    const idsOf = (type: string) => items.filter((item) => item.type === type).map(({ id }) => id);

    await client.importJobs.finalize(jobId, { itemIds: idsOf("product") });
    await client.importJobs.finalize(jobId, { itemIds: idsOf("family") });

    const products = await client.products.list({ limit: 100 }).all();
    const family = products.find(({ isParent }) => isParent === true);
    expect(family).toMatchObject({ name: "Shirt" });
    expect(products.filter(({ parentId }) => parentId === family?.id)).toHaveLength(2);
  });

  it("that is stopped midway keeps what it has found", async () => {
    const stage = await startCatalog();
    const { client, clock } = stage;
    const content = new Blob(["name,sku\nRed,R-1\n"], { type: "text/csv" });
    const files = ["a.csv", "b.csv", "c.csv"].map((name) => ({ name, content }));
    const { jobId } = await client.importJobs.create({ files });
    clock.pass(2_500);
    await client.importJobs.stop(jobId);

    const end = await client.waitForJob(jobId);
    expect(end).toMatchObject({ outcome: "partial", job: { status: "stopped" } });
    expect(await client.importJobs.items(jobId).all()).toHaveLength(1);
  });
});

describe("a job that can't run", () => {
  it.each(["enrichmentJobs", "validationJobs"] as const)("fails, and its event says so: %s", async (kind) => {
    const stage = await startCatalog();
    const { client, service } = stage;
    const eventType = ["product_enrichment", "product_validation"].flatMap((name) => [
      `${name}.start` as "product_enrichment.start",
      `${name}.completed` as "product_enrichment.completed",
    ]);
    await client.webhooks.create({ url: "http://127.0.0.1:9/events", eventType });
    const { id } = await client.products.create({ sku: "sandbox-fail-job", name: "A" });
    const { jobId } = await client[kind].create({ productIds: [id], modelType: "budget-v1" });
    await finish(stage);

    await expect(client.waitForJob(jobId)).resolves.toMatchObject({
      outcome: "failed",
      job: { status: "failed" },
    });
    await service.delivered();
    expect(service.deliveries.map(({ event }) => event.split(".")[1])).toEqual(["completed"]);
  });

  it.each(["brandJobs", "categoryJobs"] as const)("fails before any item is processed: %s", async (kind) => {
    const { jobId, items } = await runNames(await startCatalog(), kind, ["sandbox-fail-job"]);

    expect(jobId).not.toBe("");
    expect(items).toMatchObject([{ status: "failed", startedAt: null }]);
  });
});

describe("limits in the narrow reading of the document", () => {
  const emoji = "😀".repeat(64);

  it.each([
    ["64 emoji in a SKU", (client: CatalogClient) => client.products.create({ sku: emoji, name: "A" })],
    [
      "20,000,001 bytes in a file",
      (client: CatalogClient) => {
        const content = new Blob([new Uint8Array(20_000_001)], { type: "application/pdf" });
        return client.files.upload({ files: [{ name: "a.pdf", content }] });
      },
    ],
  ])("are the sandbox's: %s", async (_, call) => {
    const { client } = await startCatalog();

    await expect(call(client)).rejects.toMatchObject({ code: "SERVICE_REFUSED", status: 400 });
  });
});

it("takes an upload of more than 100 MB, because only each file has a limit", async () => {
  const { client } = await startCatalog();
  const content = new Blob([new Uint8Array(20_000_000)], { type: "application/pdf" });
  const files = Array.from({ length: 6 }, (_, index) => ({ name: `${index}.pdf`, content }));

  await expect(client.files.upload({ files })).resolves.toMatchObject({ success: true });
});

describe("the management interface", () => {
  const organization = (id: string): SandboxKey => ({
    organizations: [{ id, slug: id, name: id, role: "owner" }],
  });
  const ask = async (url: URL, headers: Record<string, string>, init: RequestInit = {}) => {
    const answer = await fetch(new URL("/api/v1/webhooks", url), {
      ...init,
      headers: { "content-type": "application/json", ...headers },
    });
    return { status: answer.status, body: (await answer.json()) as { data: readonly object[] } };
  };

  it("shows a token only its own webhooks, and takes the bearer beside another key's header", async () => {
    const service = createSandboxService({ apiKeys: { one: organization("a"), two: organization("b") } });
    const url = await service.listen();
    onTestFinished(() => service.close());
    const body = JSON.stringify({
      workspaceId: "w",
      name: "n",
      url: "https://shop.example",
      events: ["test"],
    });
    await ask(url, { authorization: "Bearer one" }, { method: "POST", body });

    expect((await ask(url, { authorization: "Bearer one" })).body.data).toHaveLength(1);
    expect((await ask(url, { authorization: "Bearer two" })).body.data).toHaveLength(0);
    const both = await ask(url, { authorization: "Bearer one", "x-api-key": "two" });
    expect(both.status).toBe(200);
    expect(both.body.data).toHaveLength(1);
    expect((await ask(url, { "x-api-key": "one" })).status).toBe(401);
  });
});
