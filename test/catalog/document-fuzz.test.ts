import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHoldfastError } from "../../src/catalog.ts";
import { SANDBOX_API_KEY, SANDBOX_ORGANIZATION } from "../../src/sandbox/sandbox-service.ts";
import { sendJson, startServer } from "../service/loopback.ts";
import { startCatalog } from "./catalog-stage.ts";

/**
 * The interface's bodies, written from its document and from none of our code: for each call the valid bodies and, in
 * `broken`, the ways to make them invalid. Client and sandbox share one table, so that a wrong limit there would be
 * wrong in both. Here it shows.
 */
interface Described {
  readonly method: readonly [group: string, name: string];
  readonly path: string;
  readonly valid: fc.Arbitrary<Record<string, unknown>>;
  readonly broken: readonly (readonly [field: string, value: unknown])[];
}

const word = (min: number, max: number) =>
  fc
    .string({ minLength: min, maxLength: max, unit: fc.constantFrom(..."abcXYZ019-_ äß".split("")) })
    .map((text) => (min > 0 && text.trim() === "" ? "a".repeat(Math.max(min, 1)) : text));
const optional = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Record<string, unknown>>;
const both = (
  required: fc.Arbitrary<Record<string, unknown>>,
  rest: fc.Arbitrary<Record<string, unknown>>,
): fc.Arbitrary<Record<string, unknown>> => fc.tuple(required, rest).map(([a, b]) => ({ ...a, ...b }));
const long = (length: number) => "x".repeat(length);
const many = (length: number, entry: (index: number) => unknown) =>
  Array.from({ length }, (_, index) => entry(index));
const page = (max: number) =>
  optional({ page: fc.integer({ min: 1, max: 50 }), limit: fc.constantFrom(1, 2, max - 1, max) });
const brokenPage = (max: number): readonly (readonly [string, unknown])[] => [
  ["page", 0],
  ["page", "1"],
  ["limit", 0],
  ["limit", max + 1],
  ["limit", "10"],
];

const attribute = fc.oneof(
  ...["text", "html", "select"].map((attributeType) =>
    fc.record({ attributeType: fc.constant(attributeType), value: word(0, 30) }),
  ),
  fc.record({
    attributeType: fc.constant("number"),
    value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  }),
  fc.record({ attributeType: fc.constant("boolean"), value: fc.boolean() }),
  fc.record({
    attributeType: fc.constant("date"),
    value: fc.constantFrom("2026-11-23", "2026-11-23T10:00:00Z"),
  }),
  fc.record({ attributeType: fc.constant("multiselect"), value: fc.array(word(0, 10), { maxLength: 3 }) }),
);
const attributes = fc.dictionary(
  fc.constantFrom("weight", "color", "made_in"),
  attribute.map((value) => ({ attributeId: "a1", attributeName: "A", ...value })),
);

const productRest = {
  manufacturer: word(0, 256),
  mpn: word(0, 128),
  brand: word(0, 128),
  category: fc.constantFrom("Shoes", "Shoes > Boots"),
  userProvidedRawDataSources: fc.array(fc.webUrl(), { maxLength: 2 }),
};
// Each run has its own SKU: duplicates are another rule.
let serial = 0;
const sku = fc.constantFrom(12, 63, 64).map((length) => {
  serial += 1;
  return `${serial}-`.padEnd(length, "s");
});
const required = fc.record({ sku, name: fc.oneof(word(1, 256), fc.constant(long(256))) }) as fc.Arbitrary<
  Record<string, unknown>
>;
const product = both(
  required,
  optional({ ...productRest, uom: word(0, 128), attributes, isParent: fc.boolean() }),
);
const brokenProduct: readonly (readonly [string, unknown])[] = [
  ["sku", undefined],
  ["sku", long(65)],
  ["sku", 7],
  ["name", undefined],
  ["name", long(257)],
  ["manufacturer", long(257)],
  ["mpn", long(129)],
  ["uom", long(129)],
  ["brand", long(129)],
  ["isParent", "yes"],
  ["userProvidedRawDataSources", "https://example.com"],
  ["attributes", { weight: { attributeId: "a", attributeName: "W", attributeType: "number", value: "1" } }],
  ["attributes", { weight: { attributeId: "a", attributeName: "W", attributeType: "select", value: null } }],
];

const rows = (keys: readonly string[]) =>
  fc.tuple(fc.constantFrom(...keys), fc.constantFrom(1, 2, 1999, 2000)).map(([key, count]) => ({
    rows: many(count, (index) => ({ [key]: `Name ${index}`, note: index })),
    inputColumns: [key, "note"],
  })) as fc.Arbitrary<Record<string, unknown>>;
const listJob = (keys: readonly string[]) =>
  both(
    rows(keys),
    optional({
      fileName: fc.constantFrom("a.csv", long(255)),
      modelType: fc.constantFrom("budget-v1", "pro-v1"),
      attributeSetId: fc.constant("set"),
      useWebsearch: fc.boolean(),
      includeExistingAttributes: fc.boolean(),
    }),
  );
const brokenListJob: readonly (readonly [string, unknown])[] = [
  ["rows", undefined],
  ["rows", []],
  ["rows", many(2001, (index) => ({ name: `N${index}` }))],
  ["rows", [{ name: " ", note: 1 }]],
  ["rows", [{ title: "Acme", name: undefined, note: 1 }]],
  ["inputColumns", undefined],
  ["inputColumns", ["nowhere"]],
  ["fileName", long(256)],
  ["modelType", "budget-v2"],
  ["useWebsearch", "yes"],
];
const productJob = (more: Record<string, fc.Arbitrary<unknown>>) =>
  both(
    fc.record({
      productIds: fc.constantFrom(1, 2, 4999, 5000).map((count) => many(count, (index) => `p${index}`)),
      modelType: fc.constantFrom("budget-v1", "pro-v1"),
    }),
    optional(more),
  );
const brokenProductJob: readonly (readonly [string, unknown])[] = [
  ["productIds", []],
  ["productIds", many(5001, (index) => `p${index}`)],
  ["productIds", undefined],
  ["modelType", undefined],
  ["modelType", "free"],
  ["extractImages", 1],
];
const EVENTS = ["product_enrichment.start", "product_market_analysis.stopped", "ai_import.failed"];
const hook = {
  url: fc.webUrl({ validSchemes: ["https"] }),
  eventType: fc.subarray(EVENTS, { minLength: 1 }),
};
const hookRest = { method: fc.constantFrom("post", "put", "patch"), enabled: fc.boolean() };
const brokenHook: readonly (readonly [string, unknown])[] = [
  ["url", "not an address"],
  ["url", "ftp://example.com"],
  ["eventType", []],
  ["eventType", "ai_import.start"],
  ["method", "get"],
  ["enabled", "true"],
];

const describe1 = (
  method: Described["method"],
  path: string,
  valid: Described["valid"],
  broken: Described["broken"],
): Described => ({ method, path, valid, broken });

const DOCUMENT: readonly Described[] = [
  describe1(["products", "create"], "products/create", product, brokenProduct),
  describe1(
    ["products", "bulkCreate"],
    "products/bulk-create",
    fc.constantFrom(1, 1000).map((count) => {
      serial += 1;
      const call = serial;
      return { products: many(count, (index) => ({ sku: `b${call}-${index}`, name: "n" })) };
    }),
    [
      ["products", many(1001, (index) => ({ sku: `s${index}`, name: "n" }))],
      ["products", undefined],
    ],
  ),
  describe1(
    ["products", "list"],
    "products/get",
    both(
      page(100),
      optional({
        search: word(0, 20),
        sortBy: fc.constantFrom("sku", "name", "manufacturer", "brand", "createdAt"),
        sortOrder: fc.constantFrom("asc", "desc"),
        parentFilter: fc.constantFrom("all", "parent", "non-parent"),
        enrichedFilter: fc.constantFrom("all", "enriched", "not-enriched"),
      }),
    ),
    [
      ...brokenPage(100),
      ["sortBy", "price"],
      ["sortOrder", "down"],
      ["parentFilter", "none"],
      ["enrichedFilter", "no"],
    ],
  ),
  describe1(["brands", "check"], "brands/check", fc.record({ name: word(1, 300) }), [
    ["name", undefined],
    ["name", 7],
  ]),
  describe1(
    ["brands", "create"],
    "brands/create",
    both(fc.record({ name: word(1, 60) }), optional({ slug: fc.constant("slug") })),
    [
      ["name", undefined],
      ["name", {}],
    ],
  ),
  describe1(
    ["brands", "enrichmentHistory"],
    "brands/enrichment-history",
    both(fc.record({ name: word(1, 60) }), page(50)),
    [...brokenPage(50), ["name", undefined]],
  ),
  describe1(
    ["categories", "enrichmentHistory"],
    "product-categories/enrichment-history",
    both(fc.record({ name: word(1, 60) }), page(100)),
    brokenPage(100),
  ),
  describe1(
    ["brandJobs", "create"],
    "brand-enrichment-jobs/create",
    listJob(["name", "brand", "brand_name", "brandName"]),
    brokenListJob,
  ),
  describe1(
    ["categoryJobs", "create"],
    "product-category-jobs/create",
    listJob(["name", "category_name", "categoryName"]),
    [...brokenListJob, ["rows", [{ brand: "Acme", note: 1 }]]],
  ),
  ...(["brandJobs", "categoryJobs", "enrichmentJobs", "validationJobs", "importJobs"] as const).map((group) =>
    describe1(
      [group, "list"],
      {
        brandJobs: "brand-enrichment-jobs/get",
        categoryJobs: "product-category-jobs/get",
        enrichmentJobs: "product-enrichment-jobs/get",
        validationJobs: "product-validation-jobs/get",
        importJobs: "ai-import-jobs/get",
      }[group],
      page(100),
      brokenPage(100),
    ),
  ),
  describe1(
    ["enrichmentJobs", "create"],
    "product-enrichment-jobs/create",
    productJob({
      websearch: fc.boolean(),
      extractImages: fc.boolean(),
      includeExistingAttributes: fc.boolean(),
    }),
    brokenProductJob,
  ),
  describe1(
    ["validationJobs", "create"],
    "product-validation-jobs/create",
    productJob({ extractImages: fc.boolean() }),
    brokenProductJob,
  ),
  describe1(["webhooks", "create"], "webhooks", both(fc.record(hook), optional(hookRest)), [
    ...brokenHook,
    ["url", undefined],
    ["eventType", undefined],
  ]),
  describe1(
    ["webhooks", "update"],
    "webhooks",
    both(fc.constant({ id: "w1" }), optional({ ...hook, ...hookRest })),
    [...brokenHook, ["id", undefined]],
  ),
];

type AnyMethod = (body: unknown) => unknown;

/** Waits for whatever a method returns: a promise, or pages, of which it requests the first. */
async function settle(returned: unknown): Promise<unknown> {
  const isPages = typeof returned === "object" && returned !== null && "page" in returned;
  return isPages ? (returned as { page(): Promise<unknown> }).page() : returned;
}

describe("bodies written from the document", () => {
  it.each(DOCUMENT.map((one) => [one.method.join("."), one] as const))(
    "%s: nothing valid is refused, and nothing invalid is sent or accepted",
    async (_name, { method: [group, name], path, valid, broken }) => {
      const echo = await startServer((response) => sendJson(response, 500, { success: false, message: "" }));
      const { connect, url } = await startCatalog({ rateLimit: { limit: 10_000_000, windowMs: 60_000 } });
      const client = connect({ url: echo.url, retries: 0 });
      const call = ((client as unknown as Record<string, Record<string, AnyMethod>>)[group] ?? {})[name];
      if (call === undefined) return expect.fail("no such method");
      const action = path === "webhooks" ? { action: name } : {};
      const post = async (body: unknown) => {
        const response = await fetch(new URL(`/api/${SANDBOX_ORGANIZATION}/${path}`, url), {
          method: "POST",
          headers: { "x-api-key": SANDBOX_API_KEY, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        return { status: response.status, text: await response.text() };
      };
      const isRefused = async (body: unknown) => {
        const sentBefore = echo.seen.length;
        const error = await (async () => settle(call(body)))().catch((cause: unknown) => cause);
        const refusedHere = isHoldfastError(error, "INPUT_INVALID");
        expect(echo.seen.length - sentBefore, "sent although refused, or the reverse").toBe(
          refusedHere ? 0 : 1,
        );
        return refusedHere;
      };

      await fc.assert(
        fc.asyncProperty(valid, async (body) => {
          expect(await isRefused(body), JSON.stringify(body).slice(0, 300)).toBe(false);
          // Every field arrives unchanged.
          expect(JSON.parse(echo.seen.at(-1)?.body ?? "")).toMatchObject(body);
          const { status, text } = await post({ ...body, ...action });
          // Rules about existing data (unknown products, a running job, ten webhooks) aren't rules about a body.
          const isAboutBody =
            status === 400 && !/expected a product of this organization|limit reached/.test(text);
          expect(isAboutBody, text.slice(0, 300)).toBe(false);
          expect(status).toBeLessThan(500);
        }),
        { numRuns: 15 },
      );
      const [sample] = fc.sample(valid, { numRuns: 1, seed: 1 });
      for (const [field, value] of broken) {
        const body = { ...sample, [field]: value };
        expect(await isRefused(body), `${field} is sent`).toBe(true);
        const { status, text } = await post({ ...body, ...action });
        expect(status, `${field} is taken: ${text.slice(0, 200)}`).toBe(400);
        expect(text).toContain("Invalid request body: ");
      }
    },
  );

  it("cover every call that has its own limits", () => {
    expect(DOCUMENT.length).toBeGreaterThanOrEqual(17);
  });
});
