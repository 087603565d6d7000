import { z } from "zod";
import {
  ATTRIBUTE_TYPES,
  attributes,
  call,
  EMPTY,
  fields,
  filled,
  flag,
  id,
  list,
  maybeFlag,
  maybeNumber,
  maybeText,
  named,
  text,
  type Given,
} from "./operation.ts";

/** What a value of each attribute type looks like in a request. */
const ATTRIBUTE_VALUES: Readonly<Record<(typeof ATTRIBUTE_TYPES)[number], z.ZodType>> = {
  text: z.string(),
  html: z.string(),
  select: z.string(),
  number: z.number(),
  boolean: z.boolean(),
  date: z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]),
  multiselect: z.array(z.string()),
};
const EXPECTED_VALUES: Readonly<Record<string, string>> = {
  number: "a number",
  boolean: "true or false",
  date: "an ISO date",
  multiselect: "a list of texts",
};

function toAttributeMap({ maybeNull }: { readonly maybeNull: boolean }) {
  const attribute = z
    .strictObject({
      attributeId: z.string(),
      attributeName: z.string(),
      attributeType: z.enum(ATTRIBUTE_TYPES),
      value: z.unknown(),
    })
    .superRefine(({ attributeType, value }, context) => {
      if (maybeNull && value === null) return;
      if (ATTRIBUTE_VALUES[attributeType].safeParse(value).success) return;
      const message = `expected ${EXPECTED_VALUES[attributeType] ?? "text"}`;
      context.addIssue({ code: "custom", path: ["value"], message });
    });
  return z.record(z.string(), attribute);
}

const productFields = {
  sku: filled(64),
  name: filled(256),
  manufacturer: text(256),
  mpn: text(128),
  brand: text(128),
  category: z.string().optional(),
  externalId: z.string().optional(),
  parentId: z.string().nullable().optional(),
  isParent: flag,
  userProvidedRawDataSources: z.array(z.string()).optional(),
};

const changedProduct = z
  .strictObject(productFields)
  .refine(({ isParent, parentId }) => isParent !== true || parentId == null, {
    path: ["parentId"],
    message: "expected no parentId where isParent is true",
  });
const newProduct = changedProduct.safeExtend({
  uom: text(128),
  attributes: toAttributeMap({ maybeNull: false }).optional(),
});
/** A product to create. */
export interface NewProduct extends Given<z.input<typeof newProduct>> {}
/** A product's fields after an update. What is left out stays as it is. */
export interface ProductChanges extends Given<z.input<typeof changedProduct>> {}
const givenProduct = named<z.output<typeof newProduct>, NewProduct>(newProduct);
const givenProducts = z.array(givenProduct).max(1000, "expected at most 1000 products") as z.ZodType<
  z.output<typeof newProduct>[],
  readonly NewProduct[]
>;

const base = {
  id,
  sku: z.string(),
  name: z.string(),
  manufacturer: maybeText,
  brand: maybeText,
  category: maybeText,
};
const family = { parentId: maybeText, isParent: maybeFlag };
const changed = { id, sku: z.string(), name: z.string(), updatedAt: maybeText };

const product = fields({
  ...base,
  ...family,
  mpn: maybeText,
  createdAt: maybeText,
  updatedAt: maybeText,
});
const created = fields({ ...base, mpn: maybeText, createdAt: maybeText });
const listed = fields({ ...base, ...family, parentName: maybeText, createdAt: maybeText });
const updated = fields({ ...changed, brand: maybeText });
const updatedAttributes = fields({ ...changed, attributes });
const deleted = fields({ id: maybeText, deleted: z.boolean().catch(true) });
const enrichment = fields({ id, productId: maybeText, enrichedAt: maybeText, attributes });
const validation = fields({ id, productId: maybeText, validatedAt: maybeText, overallScore: maybeNumber });

/** A product, as `get` answers it. */
export interface Product extends z.output<typeof product> {}
/** A product, as `create` answers it. */
export interface CreatedProduct extends z.output<typeof created> {}
/** A product, as a list has it. */
export interface ListedProduct extends z.output<typeof listed> {}
/** What `update` answers. */
export interface UpdatedProduct extends z.output<typeof updated> {}
/** What `updateAttributes` answers, with all attributes of the product. */
export interface UpdatedAttributes extends z.output<typeof updatedAttributes> {}
/** What `delete` answers. */
export interface DeletedProduct extends z.output<typeof deleted> {}
/** One enrichment of a product. */
export interface ProductEnrichment extends z.output<typeof enrichment> {}
/** One validation of a product. */
export interface ProductValidation extends z.output<typeof validation> {}

export const PRODUCT_OPERATIONS = {
  products: {
    create: call("/products/create", givenProduct, named<CreatedProduct>(created), "once"),
    bulkCreate: call(
      "/products/bulk-create",
      z.strictObject({ products: givenProducts }),
      fields({ created: z.boolean() }),
      "once",
    ),
    list: list("/products/get", "products", named<ListedProduct>(listed), {
      query: {
        search: z.string().optional(),
        sortBy: z.enum(["sku", "name", "manufacturer", "brand", "createdAt"]).optional(),
        sortOrder: z.enum(["asc", "desc"]).optional(),
        parentFilter: z.enum(["all", "parent", "non-parent"]).optional(),
        enrichedFilter: z.enum(["all", "enriched", "not-enriched"]).optional(),
      },
    }),
    get: call("/products/:id/get", EMPTY, named<Product>(product), "read"),
    update: call(
      "/products/:id/update",
      named<z.output<typeof changedProduct>, ProductChanges>(changedProduct),
      named<UpdatedProduct>(updated),
      "once",
    ),
    delete: call(
      "/products/:id/delete",
      EMPTY,
      named<DeletedProduct>(deleted).catch({ id: null, deleted: true }),
      "once",
      { unshown: true },
    ),
    updateAttributes: call(
      "/products/:id/update-attributes",
      // An enrichment may have found no value. What the service returned can be sent back.
      z.strictObject({ attributes: toAttributeMap({ maybeNull: true }) }),
      named<UpdatedAttributes>(updatedAttributes),
      "once",
    ),
    enrichmentHistory: list(
      "/products/:id/enrichment-history",
      "history",
      named<ProductEnrichment>(enrichment),
    ),
    validationHistory: list(
      "/products/:id/validation-history",
      "history",
      named<ProductValidation>(validation),
    ),
  },
} as const;
