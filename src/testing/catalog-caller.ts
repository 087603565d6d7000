import { ok } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readData, type ServiceAnswer, type ServiceCaller } from "./service-caller.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Calls the catalog under test. Paths are relative to the organization. */
export interface CatalogCaller {
  post(path: string, body: unknown): Promise<ServiceAnswer>;
  get(path: string): Promise<ServiceAnswer>;
  /** `data` of a call that has to succeed. */
  data(path: string, body?: unknown): Promise<Fields>;
  /** A multipart form. */
  form(
    path: string,
    fields: Readonly<Record<string, string>>,
    files: readonly File[],
  ): Promise<ServiceAnswer>;
  /** A product of the suite; {@link deleteCreated} deletes it. */
  createProduct(fields: Fields): Promise<Fields>;
  /** Delete the products that were created since the last call. */
  deleteCreated(): Promise<void>;
  deleteBySku(sku: string): Promise<void>;
}

/** Values beyond the interface's limits. */
export const CATALOG_CONTRACT_LIMITS = {
  long: (length: number) => "x".repeat(length),
  missing: "holdfast-contract-no-such-id",
} as const;

/** Create the {@link CatalogCaller} over a service's. */
export function createCatalogCaller(caller: ServiceCaller): CatalogCaller {
  const toPath = async (path: string) =>
    `api/${encodeURIComponent((await caller.organization()).slug)}/${path}`;
  const created: string[] = [];
  const catalog: CatalogCaller = {
    post: async (path, body) => caller.call(await toPath(path), { method: "POST", body }),
    get: async (path) => caller.call(await toPath(path)),
    data: async (path, body = {}) => readData(await catalog.post(path, body)) as Fields,
    async form(path, fields, files) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      for (const file of files) form.append("files", file);
      // The platform's own encoder; a caller sends text, and the suite's files are text or zeros.
      const encoded = new Response(form);
      const type = encoded.headers.get("content-type") ?? "";
      const body = await encoded.text();
      return caller.call(await toPath(path), { method: "POST", body, headers: { "content-type": type } });
    },
    async createProduct(fields) {
      const body = { sku: randomUUID(), name: "Contract product", ...fields };
      const product = await catalog.data("products/create", body);
      created.push(String(product["id"]));
      return product;
    },
    async deleteCreated() {
      // A case may have deleted its product already.
      for (const id of created.splice(0)) await catalog.post(`products/${id}/delete`, {});
    },
    async deleteBySku(sku) {
      const { products } = await catalog.data("products/get", { search: sku });
      const [found] = products as readonly Fields[];
      ok(found !== undefined, "expected the product in the list");
      await catalog.post(`products/${String(found["id"])}/delete`, {});
    },
  };
  return catalog;
}
