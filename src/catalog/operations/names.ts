import { z } from "zod";
import {
  attributes,
  call,
  EMPTY,
  fields,
  filled,
  id,
  JOB_STATUSES,
  list,
  maybe,
  maybeFlag,
  maybeNumber,
  maybeText,
  named,
  open,
  readable,
} from "./operation.ts";

const byName = { name: filled() };
const check = z.strictObject(byName);
const newName = z.strictObject({ ...byName, slug: z.string().optional() });
const exists = fields({ exists: z.boolean() });
const created = z.boolean();
const record = fields({ id, name: z.string(), slug: z.string() });
/** A brand. */
export interface Brand extends z.output<typeof record> {}
/** A product category. */
export interface Category extends z.output<typeof record> {}

const historyEntry = {
  id,
  referenceData: maybe(z.record(z.string(), z.unknown())),
  completedAt: maybeText,
  createdAt: maybeText,
  modelType: maybeText,
  status: maybe(open(JOB_STATUSES)),
  errorMessage: maybeText,
};

const brandEnrichment = fields({ ...historyEntry, brandName: maybeText, enrichedAttributes: attributes });
const categoryEnrichment = fields({ ...historyEntry, categoryName: maybeText });
/** One enrichment of a brand, by its name. */
export interface BrandEnrichment extends z.output<typeof brandEnrichment> {}
/** One enrichment of a category, by its name. */
export interface CategoryEnrichment extends z.output<typeof categoryEnrichment> {}

const attribute = fields({
  id,
  name: maybeText,
  slug: maybeText,
  type: maybeText,
  prompt: maybeText,
  categoryPrompt: maybeText,
  isActive: maybeFlag,
});
/** An attribute that jobs fill. */
export interface Attribute extends z.output<typeof attribute> {}
const attributeSet = fields({
  id,
  name: maybeText,
  organizationId: maybeText,
  attributeSetAttributes: readable(fields({ order: maybeNumber, attribute: named<Attribute>(attribute) })),
});
/** A set of attributes, in their order. */
export interface AttributeSet extends z.output<typeof attributeSet> {}
const attributeSets = fields({
  attributeSets: readable(named<AttributeSet>(attributeSet)),
});

export const NAME_OPERATIONS = {
  brands: {
    check: call("/brands/check", check, exists, "read"),
    create: call("/brands/create", newName, fields({ brand: named<Brand>(record), created }), "idempotent"),
    enrichmentHistory: list(
      "/brands/enrichment-history",
      "history",
      named<BrandEnrichment>(brandEnrichment),
      { max: 50, query: byName },
    ),
  },
  categories: {
    check: call("/product-categories/check", check, exists, "read"),
    create: call(
      "/product-categories/create",
      newName,
      fields({ category: named<Category>(record), created }),
      "idempotent",
    ),
    enrichmentHistory: list(
      "/product-categories/enrichment-history",
      "history",
      named<CategoryEnrichment>(categoryEnrichment),
      { query: byName },
    ),
  },
  attributeSets: {
    products: call("/attribute-sets", EMPTY, attributeSets, "read"),
    brands: call("/brand-attribute-sets", EMPTY, attributeSets, "read"),
    categories: call("/product-category-attribute-sets", EMPTY, attributeSets, "read"),
  },
} as const;
