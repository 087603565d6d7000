import { randomUUID } from "node:crypto";
import { cutPage, type BodyOf, type CatalogCall, type CatalogHandlers } from "./catalog-call.ts";
import { Refusal, refuseBody } from "../http.ts";
import { hasText, pick, sortRecords, toText, toTime, type SandboxRecord } from "./records.ts";

function readProduct({ records, id }: CatalogCall): SandboxRecord {
  const product = records("product").get(id);
  if (product === undefined) throw new Refusal(404, "Product not found");
  return product;
}

/** What no two products may share. An empty external id is none. */
function toKeys({ sku, externalId }: Readonly<Record<string, unknown>>): readonly string[] {
  const id = toText(externalId);
  return [`sku:${toText(sku)}`, ...(id === "" ? [] : [`externalId:${id}`])];
}

/** Refuse SKUs and external ids that already exist in the catalog or appear twice in the call. */
function refuseTaken(
  { records, choices }: CatalogCall,
  products: readonly Readonly<Record<string, unknown>>[],
  own?: string,
): void {
  const taken = new Set<string>();
  for (const product of records("product").list()) {
    if (product.id !== own) for (const key of toKeys(product)) taken.add(key);
  }
  const found: string[] = [];
  for (const product of products) {
    const keys = toKeys(product);
    const clash = keys.find((key) => taken.has(key));
    if (clash !== undefined) found.push(clash.slice(clash.indexOf(":") + 1));
    for (const key of keys) taken.add(key);
  }
  if (found.length === 0) return;
  const message = `Products with these SKUs/externalIds already exist: ${found.join(", ")}`;
  throw new Refusal(choices.duplicateStatus, message);
}

/** A variant's parent must exist, and must not be a variant itself. */
function checkParent({ records }: CatalogCall, { parentId }: Readonly<Record<string, unknown>>): void {
  if (parentId == null) return;
  const parent = records("product").get(toText(parentId));
  if (parent === undefined) throw refuseBody("parentId: expected a product of this organization");
  if (parent["parentId"] != null) throw refuseBody("parentId: a parent can't be a variant");
}

/** Add all of the products, or none. */
export function addProducts(call: CatalogCall, given: readonly Readonly<Record<string, unknown>>[]) {
  refuseTaken(call, given);
  for (const product of given) checkParent(call, product);
  const createdAt = toTime(call.nowMs);
  return given.map((product) => {
    const record = {
      isParent: false,
      attributes: {},
      ...product,
      id: randomUUID(),
      createdAt,
      updatedAt: createdAt,
    };
    call.records("product").put(record);
    return record;
  });
}

const LISTED = ["id", "sku", "name", "manufacturer", "brand", "category", "parentId"] as const;

function list(call: CatalogCall<BodyOf<"products", "list">>): unknown {
  const { search = "", sortBy = "createdAt", sortOrder = "desc" } = call.body;
  const { parentFilter = "all", enrichedFilter = "all" } = call.body;
  const all = call.records("product").list();
  const names = new Map(all.map((product) => [product.id, product["name"]]));
  const isWanted = (product: SandboxRecord) =>
    hasText(product, ["sku", "name", "brand", "manufacturer", "mpn"], search) &&
    (parentFilter === "all" || (product["isParent"] === true) === (parentFilter === "parent")) &&
    (enrichedFilter === "all" || (product["enrichedAt"] !== undefined) === (enrichedFilter === "enriched"));
  const found = all.filter((product) => isWanted(product));
  const sorted = sortRecords(found, (product) => toText(product[sortBy]), sortOrder);
  const { entries, pagination } = cutPage(sorted, call.body, 10);
  const products = entries.map((product) => ({
    ...pick(product, ...LISTED, "createdAt"),
    isParent: product["isParent"] === true,
    parentName: names.get(toText(product["parentId"])) ?? null,
  }));
  return { products, pagination };
}

function change(call: CatalogCall, product: SandboxRecord, changes: object): SandboxRecord {
  const changed = { ...product, ...changes, id: product.id, updatedAt: toTime(call.nowMs) };
  call.records("product").put(changed);
  return changed;
}

function update(call: CatalogCall<BodyOf<"products", "update">>): unknown {
  const product = readProduct(call);
  refuseTaken(call, [call.body], product.id);
  checkParent(call, call.body);
  if (call.body.parentId != null) {
    const products = call.records("product").list();
    const hasVariants = products.some((one) => one["parentId"] === product.id);
    if (call.body.parentId === product.id || hasVariants) {
      throw refuseBody("parentId: a parent can't be a variant");
    }
  }
  const changes = { ...product, ...call.body };
  if (changes["isParent"] === true && changes["parentId"] != null) {
    throw refuseBody("parentId: expected no parentId where isParent is true");
  }
  return pick(change(call, product, call.body), "id", "sku", "name", "brand", "updatedAt");
}

function updateAttributes(call: CatalogCall<BodyOf<"products", "updateAttributes">>): unknown {
  const { records, id, body } = call;
  const products = records("product");
  const product =
    products.get(id) ?? products.list().find((one) => one["externalId"] === id) ?? readProduct(call);
  const attributes = { ...(product["attributes"] as object), ...body.attributes };
  return pick(change(call, product, { attributes }), "id", "sku", "name", "attributes", "updatedAt");
}

const history =
  (kind: "enrichment-history" | "validation-history") =>
  (call: CatalogCall<BodyOf<"products", "enrichmentHistory">>): unknown => {
    readProduct(call);
    const newestFirst = call.records(kind).list({ parent: call.id }).toReversed();
    const { entries, pagination } = cutPage(newestFirst, call.body, 10);
    return { history: entries, pagination };
  };

export const PRODUCT_HANDLERS: CatalogHandlers<"products"> = {
  products: {
    create: (call) => {
      const [product] = addProducts(call, [call.body]);
      const fields = ["id", "sku", "name", "manufacturer", "brand", "mpn", "category", "createdAt"];
      return product && pick(product, ...fields);
    },
    bulkCreate: (call) => {
      addProducts(call, call.body.products);
      return { created: true };
    },
    list,
    get: (call) => {
      const product = readProduct(call);
      return {
        ...pick(product, ...LISTED, "mpn", "createdAt", "updatedAt"),
        isParent: product["isParent"] === true,
      };
    },
    update,
    delete: (call) => {
      const { id } = readProduct(call);
      call.records("product").remove(id);
      return { id, deleted: true };
    },
    updateAttributes,
    enrichmentHistory: history("enrichment-history"),
    validationHistory: history("validation-history"),
  },
};
