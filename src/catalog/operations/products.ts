import { z } from "zod";
import {
  ATTRIBUTE_TYPES,
  attributes,
  call,
  EMPTY,
  filled,
  list,
  maybeFlag,
  maybeNumber,
  maybeText,
  pageFields,
  pagination,
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

const attributeValue = z
  .strictObject({
    attributeId: z.string(),
    attributeName: z.string(),
    attributeType: z.enum(ATTRIBUTE_TYPES),
    value: z.unknown(),
  })
  .superRefine(({ attributeType, value }, context) => {
    if (ATTRIBUTE_VALUES[attributeType].safeParse(value).success) return;
    const message = `expected ${EXPECTED_VALUES[attributeType] ?? "text"}`;
    context.addIssue({ code: "custom", path: ["value"], message });
  });
const attributeMap = z.record(z.string(), attributeValue);

const productFields = {
  sku: filled(64),
  name: filled(256),
  manufacturer: text(256),
  mpn: text(128),
  brand: text(128),
  category: z.string().optional(),
  externalId: z.string().optional(),
  parentId: z.string().nullable().optional(),
  isParent: z.boolean().optional(),
  userProvidedRawDataSources: z.array(z.string()).optional(),
};

interface Family {
  readonly isParent?: boolean | undefined;
  readonly parentId?: string | null | undefined;
}
const isOneOf = ({ isParent, parentId }: Family) => isParent !== true || parentId == null;
const ONE_OF = { path: ["parentId"], message: "expected no parentId where isParent is true" };

const newProduct = z
  .strictObject({ ...productFields, uom: text(128), attributes: attributeMap.optional() })
  .refine(isOneOf, ONE_OF);
const changedProduct = z.strictObject(productFields).refine(isOneOf, ONE_OF);

const listed = {
  id: z.string(),
  sku: z.string(),
  name: z.string(),
  manufacturer: maybeText,
  brand: maybeText,
  category: maybeText,
};
const createdProduct = z.looseObject({ ...listed, mpn: maybeText, createdAt: maybeText });
const family = { parentId: maybeText, isParent: maybeFlag };

const productQuery = z.strictObject({
  ...pageFields(100),
  search: z.string().optional(),
  sortBy: z.enum(["sku", "name", "manufacturer", "brand", "createdAt"]).optional(),
  sortOrder: z.enum(["asc", "desc"]).optional(),
  parentFilter: z.enum(["all", "parent", "non-parent"]).optional(),
  enrichedFilter: z.enum(["all", "enriched", "not-enriched"]).optional(),
});

const history = <T extends z.ZodType>(entry: T) => z.looseObject({ history: z.array(entry), pagination });

export const PRODUCT_OPERATIONS = {
  products: {
    create: call("/products/create", newProduct, createdProduct, "once"),
    bulkCreate: call(
      "/products/bulk-create",
      z.strictObject({ products: z.array(newProduct).max(1000, "expected at most 1000 products") }),
      z.looseObject({ created: z.boolean() }),
      "once",
    ),
    list: list(
      "/products/get",
      productQuery,
      z.looseObject({
        products: z.array(
          z.looseObject({ ...listed, ...family, parentName: maybeText, createdAt: maybeText }),
        ),
        pagination,
      }),
      "products",
    ),
    get: call(
      "/products/:id/get",
      EMPTY,
      z.looseObject({ ...listed, ...family, mpn: maybeText, createdAt: maybeText, updatedAt: maybeText }),
      "read",
    ),
    update: call(
      "/products/:id/update",
      changedProduct,
      z.looseObject({
        id: z.string(),
        sku: z.string(),
        name: z.string(),
        brand: maybeText,
        updatedAt: maybeText,
      }),
      "once",
    ),
    delete: call(
      "/products/:id/delete",
      EMPTY,
      z.looseObject({ id: z.string(), deleted: z.boolean() }),
      "once",
    ),
    updateAttributes: call(
      "/products/:id/update-attributes",
      z.strictObject({ attributes: attributeMap }),
      z.looseObject({
        id: z.string(),
        sku: z.string(),
        name: z.string(),
        attributes,
        updatedAt: maybeText,
      }),
      "once",
    ),
    enrichmentHistory: list(
      "/products/:id/enrichment-history",
      z.strictObject(pageFields(100)),
      history(z.looseObject({ id: z.string(), productId: z.string(), enrichedAt: maybeText, attributes })),
      "history",
    ),
    validationHistory: list(
      "/products/:id/validation-history",
      z.strictObject(pageFields(100)),
      history(
        z.looseObject({
          id: z.string(),
          productId: z.string(),
          validatedAt: maybeText,
          overallScore: maybeNumber,
        }),
      ),
      "history",
    ),
  },
} as const;
