/** What a shop's own package does with each client: wrap it, and export what it returns. By file name. */
export const CONSUMER: Readonly<Record<string, string>> = {
  "catalog.ts": `
import { openAsBlob } from "node:fs";
import {
  catalogWebhook, createCatalogClient, createOrderEnricher, openFileInbox, parseEvent,
  type AttributeValue, type Brand, type CatalogEvent, type EnrichmentJob, type NewProduct, type Product,
} from "holdfast/catalog";

export const catalog = createCatalogClient({ url: "https://api.example.com", apiKey: "key" });
export const { products, brands, categories, attributeSets, files, importJobs } = catalog;
export const { brandJobs, categoryJobs, enrichmentJobs, validationJobs, webhooks, rateLimit, spent } = catalog;
export const readProduct = (id: string) => catalog.products.get(id);
export const addProduct = (product: NewProduct) => catalog.products.create(product);
export const addProducts = (all: readonly NewProduct[]) => catalog.products.bulkCreate({ products: all });
export const listProducts = () => catalog.products.list({ limit: 100 });
export const readPage = async () => (await catalog.products.list().page()).data;
export const addBrand = async (name: string) => (await catalog.brands.create({ name })).brand;
export const findSets = () => catalog.attributeSets.products();
export const findJobs = () => catalog.enrichmentJobs.list();
export const findItems = (id: string) => catalog.brandJobs.items(id);
export const findResults = (id: string) => catalog.validationJobs.items(id).all();
export const findImported = (id: string) => catalog.importJobs.items(id);
export const findHooks = () => catalog.webhooks.list();
export const upload = async (path: string) =>
  catalog.files.upload({ files: [{ name: "sizes.csv", content: await openAsBlob(path) }] });
export const download = (id: string) => catalog.brandJobs.download(id);
export const wait = (id: string) => catalog.waitForJob(id);
export const receiver = catalogWebhook({ client: catalog, onEvent: (event) => event.job?.status });
export const parsed = parseEvent({});
export const enricher = createOrderEnricher({ catalog });
export const inbox = openFileInbox("events.db");
export const findOrganizations = () => catalog.organizations();
export class Wrapped {
  readonly products = catalog.products;
  list(search: string) {
    return this.products.list({ search });
  }
  first = async (id: string) => (await catalog.importJobs.items(id).all())[0];
}

export async function useTypes(id: string): Promise<readonly [Product, Brand, EnrichmentJob | undefined]> {
  const product: Product = await catalog.products.get(id);
  const [job] = await catalog.enrichmentJobs.list().all();
  const [entry] = await catalog.products.enrichmentHistory(id).all();
  const color: AttributeValue | undefined = entry?.attributes["color"];
  const onEvent = (event: CatalogEvent) => event.job?.status;
  void [color?.attributeName, onEvent];
  return [product, await addBrand("Acme"), job];
}

export async function misspell(id: string) {
  // @ts-expect-error
  void (await catalog.products.get(id)).categroy;
  // @ts-expect-error
  void (await catalog.products.list().page()).data.prodcts;
  // @ts-expect-error
  void (await catalog.enrichmentJobs.list().all())[0]?.statsu;
  // @ts-expect-error
  void (await catalog.brandJobs.items(id).page()).data.job.fileNmae;
  // @ts-expect-error
  void (await catalog.webhooks.list())[0]?.eventTypes;
  // @ts-expect-error
  void (await catalog.importJobs.items(id).all())[0]?.data.barnd;
  // @ts-expect-error
  void catalog.products.create({ sku: "A", name: "A", manufacturr: "B" });
  // @ts-expect-error
  void catalog.enrichmentJobs.create({ productIds: [], modelType: "pro-v2" });
}
`,
  "management.ts": `
import { createManagementClient, type ManagementRecord, type Workspace } from "holdfast/management";

export const management = createManagementClient({ url: "https://manage.example.com", token: "token" });
export const { me, workspaces, sites, pages, forms, collections, blog, webhooks, rateLimit } = management;
export const findWorkspaces = () => management.workspaces.list();
export const readWorkspace = (id: string) => management.workspaces.get(id);
export const findSubmissions = (site: string, form: string) => management.forms.submissions(site, form);
export const addWebhook = (given: Parameters<typeof webhooks.create>[0]) => management.webhooks.create(given);

export async function useTypes(id: string): Promise<readonly [Workspace, ManagementRecord | undefined]> {
  const [site] = await management.sites.list().all();
  return [await management.workspaces.get(id), site];
}

export async function misspell(id: string) {
  // @ts-expect-error
  void (await management.workspaces.get(id)).plna;
  // @ts-expect-error
  void management.webhooks.create({ workspaceId: id, name: "a", url: "https://a.example", evnets: [] });
}
`,
  "verification.ts": `
import { createScreener, type OrderCheck, type VerificationRequest } from "holdfast";

export const screener = createScreener({ service: { url: "https://verify.example.com", apiKey: "key" } });
export const { check } = screener;
export const checkOrder = (order: VerificationRequest) => screener.check(order);
export const readLevel = async (order: VerificationRequest) => (await screener.check(order)).result?.riskLevel;
export const readAction = ({ action }: OrderCheck) => action;

export async function misspell(order: VerificationRequest) {
  // @ts-expect-error
  void (await screener.check(order)).acton;
}
`,
};
