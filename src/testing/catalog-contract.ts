import { deepEqual, equal, ok } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { checkOptions } from "../base/options.ts";
import { NO_SUCH_ID, type CatalogCaller, createCatalogCaller } from "./catalog-caller.ts";
import { toCatalogJobCases } from "./catalog-job-cases.ts";
import { free, type ContractCase } from "./contract-case.ts";
import {
  KEY_RULE,
  createServiceCaller,
  expectInvalidBody,
  readData,
  readFailure,
  readOrganizations,
  SERVICE_RULES,
  type ServiceUnderTest,
} from "./service-caller.ts";

/** Options of {@link catalogServiceContract}. */
export interface CatalogServiceContractOptions extends ServiceUnderTest {
  /** A key of an organization that the suite may fill with products; the cases' `credits` add up to what it can cost. */
  readonly apiKey: string;
  /** Slug or id of the organization to work in. @default the first that the key reaches */
  readonly organization?: string | undefined;
}

/**
 * What the catalog service's interface promises, as cases for any test runner. A case's name begins with the operation that
 * it checks. The suite adds products, brands and categories with names of their own, and deletes the products.
 */
export function catalogServiceContract(given: CatalogServiceContractOptions): readonly ContractCase[] {
  const rules = { ...SERVICE_RULES, apiKey: KEY_RULE, organization: true } as const;
  const options = checkOptions("catalogServiceContract", given, rules);
  const caller = createServiceCaller(options, options.organization);
  const catalog = createCatalogCaller(caller);
  const cases = [
    free("organizations: lists what the key reaches", async () => {
      ok(readOrganizations(await caller.organizations()).length > 0, "expected an organization");
    }),
    ...toProductCases(catalog),
    ...toOneProductCases(catalog),
    ...toNameCases(catalog),
    ...toFileCases(catalog),
    ...toWebhookCases(catalog),
    ...toCatalogJobCases(catalog),
  ];
  return cases.map(({ run, ...one }) => ({
    ...one,
    run: () => run().finally(() => catalog.deleteCreated()),
  }));
}

function toProductCases(catalog: CatalogCaller): readonly ContractCase[] {
  return [
    free("products.create: answers the new product, and refuses what breaks a limit", async () => {
      const sku = randomUUID();
      const made = await catalog.createProduct({ sku, brand: "Contract", category: "Shoes > Boots" });
      equal(made["sku"], sku);
      ok(typeof made["createdAt"] === "string", "expected createdAt to be text");
      await catalog.refuses(
        "products/create",
        { name: "n" },
        { sku: "x".repeat(65), name: "n" },
        { sku, name: "x".repeat(257) },
        { sku, name: "n", brand: "x".repeat(129) },
        { sku, name: "n", isParent: true, parentId: String(made["id"]) },
      );
    }),
    free("products.create: says which SKU is taken", async () => {
      const { sku } = await catalog.createProduct({});
      const answer = await catalog.post("products/create", { sku, name: "n" });
      ok(answer.status >= 400, "expected a failure");
      const message = readFailure(answer, answer.status);
      equal(message, `Products with these SKUs/externalIds already exist: ${String(sku)}`);
    }),
    // 1000 would have to be deleted one by one.
    free("products.bulkCreate: adds products, and refuses more than 1000", async () => {
      const products = [{ sku: randomUUID(), name: "n" }];
      deepEqual(await catalog.data("products/bulk-create", { products }), { created: true });
      await catalog.deleteBySku(products[0]?.sku ?? "");
      const many = Array.from({ length: 1001 }, () => ({ sku: randomUUID(), name: "n" }));
      await catalog.refuses("products/bulk-create", { products: many });
    }),
    free("products.list: finds by SKU, in pages of at most 100", async () => {
      const { sku, id } = await catalog.createProduct({});
      const { products, pagination } = await catalog.data("products/get", { search: sku, limit: 100 });
      const found = (products as readonly Record<string, unknown>[]).find((one) => one["id"] === id);
      ok(found !== undefined, "expected the product among the found ones");
      equal(found["parentName"] ?? null, null);
      const { page, limit, total } = pagination as Record<string, unknown>;
      deepEqual([page, limit, typeof total], [1, 100, "number"]);
      await catalog.refuses("products/get", { page: 0 });
      // A larger page is refused or cut: the interface doesn't say which.
      const larger = await catalog.post("products/get", { limit: 101 });
      if (larger.status !== 200) return expectInvalidBody(larger);
      const { limit: cut } = (readData(larger)["pagination"] ?? {}) as { readonly limit?: unknown };
      ok(Number(cut) <= 100, "expected a limit of at most 100");
    }),
  ];
}

function toOneProductCases(catalog: CatalogCaller): readonly ContractCase[] {
  return [
    free("products.get: answers one product, and 404 for an unknown one", async () => {
      const { id, sku } = await catalog.createProduct({ mpn: "M-1" });
      const product = await catalog.data(`products/${String(id)}/get`);
      deepEqual([product["id"], product["sku"], product["mpn"]], [id, sku, "M-1"]);
      equal(readFailure(await catalog.post(`products/${NO_SUCH_ID}/get`, {}), 404), "Product not found");
    }),
    free("products.update: changes a product, and asks for sku and name", async () => {
      const { id, sku } = await catalog.createProduct({});
      const changed = await catalog.data(`products/${String(id)}/update`, { sku, name: "Changed" });
      deepEqual([changed["id"], changed["name"]], [id, "Changed"]);
      await catalog.refuses(`products/${String(id)}/update`, { sku });
    }),
    free("products.delete: deletes for good", async () => {
      const { id } = await catalog.createProduct({});
      deepEqual(await catalog.data(`products/${String(id)}/delete`), { id, deleted: true });
      readFailure(await catalog.post(`products/${String(id)}/get`, {}), 404);
    }),
    free("products.updateAttributes: finds a product by its id and by its external id", async () => {
      const externalId = randomUUID();
      const { id } = await catalog.createProduct({ externalId });
      const value = { attributeId: "a", attributeName: "Color", attributeType: "text", value: "red" };
      for (const key of [String(id), externalId]) {
        const path = `products/${key}/update-attributes`;
        const { attributes } = await catalog.data(path, { attributes: { color: value } });
        deepEqual((attributes as Record<string, unknown>)["color"], value);
      }
      await catalog.refuses(`products/${String(id)}/update-attributes`, {});
    }),
    ...(["enrichment", "validation"] as const).map((kind) =>
      free(`products.${kind}History: is empty for a new product`, async () => {
        const { id } = await catalog.createProduct({});
        const { history, pagination } = await catalog.data(`products/${String(id)}/${kind}-history`);
        deepEqual(history, []);
        equal((pagination as Record<string, unknown>)["total"], 0);
      }),
    ),
  ];
}

function toNameCases(catalog: CatalogCaller): readonly ContractCase[] {
  const groups = [
    { group: "brands", path: "brands", record: "brand", most: 50, sets: "brand-attribute-sets" },
    {
      group: "categories",
      path: "product-categories",
      record: "category",
      most: 100,
      sets: "product-category-attribute-sets",
    },
  ] as const;
  return [
    ...groups.flatMap(({ group, path, record, most, sets }) => [
      free(`${group}.check: says whether a name exists`, async () => {
        deepEqual(await catalog.data(`${path}/check`, { name: randomUUID() }), { exists: false });
        await catalog.refuses(`${path}/check`, {});
      }),
      free(`${group}.create: is idempotent, whatever the case`, async () => {
        const name = `Contract ${randomUUID()}`;
        const first = await catalog.data(`${path}/create`, { name });
        const second = await catalog.data(`${path}/create`, { name: name.toUpperCase() });
        deepEqual([first["created"], second["created"]], [true, false]);
        deepEqual(second[record], first[record]);
        equal((first[record] as Record<string, unknown>)["slug"], name.toLowerCase().replaceAll(" ", "-"));
        deepEqual(await catalog.data(`${path}/check`, { name: name.toLowerCase() }), { exists: true });
      }),
      free(
        `${group}.enrichmentHistory: is empty for an unknown name, with at most ${most} a page`,
        async () => {
          const name = randomUUID();
          const { history, pagination } = await catalog.data(`${path}/enrichment-history`, {
            name,
            limit: most,
          });
          deepEqual([history, (pagination as Record<string, unknown>)["total"]], [[], 0]);
          readFailure(await catalog.post(`${path}/enrichment-history`, { name, limit: most + 1 }), 400);
          readFailure(await catalog.post(`${path}/enrichment-history`, { name, page: 0 }), 400);
        },
      ),
      free(`attributeSets.${group}: are listed with their attributes`, () => expectSets(catalog, sets)),
    ]),
    free("attributeSets.products: are listed with their attributes", () =>
      expectSets(catalog, "attribute-sets"),
    ),
  ];
}

async function expectSets(catalog: CatalogCaller, path: string): Promise<void> {
  const { attributeSets } = await catalog.data(path);
  ok(Array.isArray(attributeSets), "expected attributeSets to be a list");
  for (const set of attributeSets as readonly Record<string, unknown>[]) {
    ok(typeof set["id"] === "string" && Array.isArray(set["attributeSetAttributes"]), "expected a set");
  }
}

function toFileCases(catalog: CatalogCaller): readonly ContractCase[] {
  const upload = (type: string, size: number) =>
    catalog.form("enrichment-files/upload", {}, [new File([new Uint8Array(size)], "contract.csv", { type })]);
  return [
    free("files.upload: answers ids outside of data, and refuses other types", async () => {
      const answer = await upload("text/csv", 10);
      equal(answer.status, 200);
      const { success, uploadedFileIds } = JSON.parse(answer.text) as Record<string, unknown>;
      equal(success, true);
      equal((uploadedFileIds as readonly unknown[]).length, 1);
      equal((await upload("application/zip", 10)).status, 400);
      equal((await upload("text/csv", 20 * 1024 * 1024 + 1)).status, 400);
    }),
  ];
}

function toWebhookCases(catalog: CatalogCaller): readonly ContractCase[] {
  const url = "https://example.com/holdfast-contract";
  const listed = async () => {
    const data = await catalog.data("webhooks", { action: "list" });
    const list = Array.isArray(data) ? data : (data as Record<string, unknown>)["webhooks"];
    ok(Array.isArray(list), "expected a list of webhooks");
    return list as readonly Record<string, unknown>[];
  };
  /** A webhook for one case; its id is looked up, since the interface doesn't show the answer. */
  const withWebhook = async (work: (id: string) => Promise<void>) => {
    const own = `${url}/${randomUUID()}`;
    await catalog.data("webhooks", { action: "create", url: own, eventType: ["ai_import.start"] });
    const id = (await listed()).find((one) => one["url"] === own)?.["id"];
    ok(typeof id === "string", "expected the webhook in the list");
    try {
      await work(id);
    } finally {
      await catalog.post("webhooks", { action: "delete", id });
    }
  };
  return [
    free("webhooks.list: has the new webhook", () => withWebhook(async () => {})),
    free("webhooks.create: refuses a bad address and an empty list of events", async () => {
      await catalog.refuses("webhooks", { action: "create", url, eventType: [] });
      const bad = { action: "create", url: "nowhere", eventType: ["ai_import.start"] };
      await catalog.refuses("webhooks", bad);
    }),
    free("webhooks.update: changes only what is sent", () =>
      withWebhook(async (id) => {
        await catalog.data("webhooks", { action: "update", id, enabled: false });
        const changed = (await listed()).find((one) => one["id"] === id);
        deepEqual([changed?.["enabled"], changed?.["eventType"]], [false, ["ai_import.start"]]);
        const unknown = { action: "update", id: randomUUID(), enabled: true };
        equal((await catalog.post("webhooks", unknown)).status, 404);
      }),
    ),
    free("webhooks.delete: deletes, and answers 404 for an unknown id", () =>
      withWebhook(async (id) => {
        deepEqual(await catalog.data("webhooks", { action: "delete", id }), { deleted: true });
        equal((await catalog.post("webhooks", { action: "delete", id })).status, 404);
      }),
    ),
  ];
}
