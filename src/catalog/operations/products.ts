import { z } from "zod";
import {
  ATTRIBUTE_TYPES,
  attributes,
  call,
  EMPTY,
  filled,
  flag,
  id,
  list,
  maybeFlag,
  maybeNumber,
  maybeText,
  text,
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

const listed = {
  id,
  sku: z.string(),
  name: z.string(),
  manufacturer: maybeText,
  brand: maybeText,
  category: maybeText,
};
const family = { parentId: maybeText, isParent: maybeFlag };
const changed = { id, sku: z.string(), name: z.string(), updatedAt: maybeText };

export const PRODUCT_OPERATIONS = {
  products: {
    create: call("/products/create", newProduct, { ...listed, mpn: maybeText, createdAt: maybeText }, "once"),
    bulkCreate: call(
      "/products/bulk-create",
      { products: z.array(newProduct).max(1000, "expected at most 1000 products") },
      { created: z.boolean() },
      "once",
    ),
    list: list(
      "/products/get",
      "products",
      { ...listed, ...family, parentName: maybeText, createdAt: maybeText },
      {
        query: {
          search: z.string().optional(),
          sortBy: z.enum(["sku", "name", "manufacturer", "brand", "createdAt"]).optional(),
          sortOrder: z.enum(["asc", "desc"]).optional(),
          parentFilter: z.enum(["all", "parent", "non-parent"]).optional(),
          enrichedFilter: z.enum(["all", "enriched", "not-enriched"]).optional(),
        },
      },
    ),
    get: call(
      "/products/:id/get",
      EMPTY,
      { ...listed, ...family, mpn: maybeText, createdAt: maybeText, updatedAt: maybeText },
      "read",
    ),
    update: call("/products/:id/update", changedProduct, { ...changed, brand: maybeText }, "once"),
    delete: call(
      "/products/:id/delete",
      EMPTY,
      z.looseObject({ id: maybeText, deleted: z.boolean().catch(true) }).catch({ id: null, deleted: true }),
      "once",
      { unshown: true },
    ),
    updateAttributes: call(
      "/products/:id/update-attributes",
      // An enrichment may have found no value. What the service returned can be sent back.
      { attributes: toAttributeMap({ maybeNull: true }) },
      { ...changed, attributes },
      "once",
    ),
    enrichmentHistory: list("/products/:id/enrichment-history", "history", {
      id,
      productId: maybeText,
      enrichedAt: maybeText,
      attributes,
    }),
    validationHistory: list("/products/:id/validation-history", "history", {
      id,
      productId: maybeText,
      validatedAt: maybeText,
      overallScore: maybeNumber,
    }),
  },
} as const;
