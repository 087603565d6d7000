import { ok } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import {
  expectInvalidBody,
  readData,
  type Fields,
  type ServiceCaller,
  type ServiceRequest,
} from "./service-caller.ts";

/** Calls the catalog under test. Paths are relative to the organization. */
export type CatalogCaller = ReturnType<typeof createCatalogCaller>;

/** An id that no record has. */
export const NO_SUCH_ID = "holdfast-contract-no-such-id";

/** Create the {@link CatalogCaller} over a service's. */
export function createCatalogCaller(caller: ServiceCaller) {
  const created: string[] = [];
  const call = async (path: string, request?: ServiceRequest) =>
    caller.call(`api/${encodeURIComponent((await caller.organization()).slug)}/${path}`, request);
  const post = (path: string, body: unknown) => call(path, { method: "POST", body });
  const data = async (path: string, body: unknown = {}) => readData(await post(path, body));
  return {
    post,
    get: (path: string) => call(path),
    /** `data` of a call that has to succeed. */
    data,
    /** Each of the bodies has to be refused. */
    async refuses(path: string, ...bodies: readonly unknown[]) {
      for (const body of bodies) expectInvalidBody(await post(path, body));
    },
    /** A multipart form. */
    async form(path: string, fields: Readonly<Record<string, string>>, files: readonly File[]) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      for (const file of files) form.append("files", file);
      // The platform's own encoder; a caller sends text, and the suite's files are text or zeros.
      const encoded = new Response(form);
      const type = encoded.headers.get("content-type") ?? "";
      const body = await encoded.text();
      return call(path, { method: "POST", body, headers: { "content-type": type } });
    },
    /** Create a product of the suite, which `deleteCreated` deletes. */
    async createProduct(fields: Fields) {
      const body = { sku: randomUUID(), name: "Contract product", ...fields };
      const product = await data("products/create", body);
      created.push(String(product["id"]));
      return product;
    },
    /** Delete the products that were created since the last call. */
    async deleteCreated() {
      // A case may have deleted its product already.
      for (const id of created.splice(0)) await post(`products/${id}/delete`, {});
    },
    async deleteBySku(sku: string) {
      const { products } = await data("products/get", { search: sku });
      const [found] = products as readonly Fields[];
      ok(found !== undefined, "expected the product in the list");
      await post(`products/${String(found["id"])}/delete`, {});
    },
  };
}
