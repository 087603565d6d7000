import { z } from "zod";
import {
  attributes,
  call,
  EMPTY,
  filled,
  id,
  JOB_STATUSES,
  list,
  maybe,
  maybeFlag,
  maybeNumber,
  maybeText,
  open,
  readable,
} from "./operation.ts";

const named = { name: filled() };
const newName = { ...named, slug: z.string().optional() };
const exists = { exists: z.boolean() };
const created = z.boolean();
const record = z.looseObject({ id, name: z.string(), slug: z.string() });

const historyEntry = {
  id,
  referenceData: maybe(z.record(z.string(), z.unknown())),
  completedAt: maybeText,
  createdAt: maybeText,
  modelType: maybeText,
  status: maybe(open(JOB_STATUSES)),
  errorMessage: maybeText,
};

const attribute = z.looseObject({
  id,
  name: maybeText,
  slug: maybeText,
  type: maybeText,
  prompt: maybeText,
  categoryPrompt: maybeText,
  isActive: maybeFlag,
});
const attributeSet = z.looseObject({
  id,
  name: maybeText,
  organizationId: maybeText,
  attributeSetAttributes: readable(z.looseObject({ order: maybeNumber, attribute })),
});
const attributeSets = { attributeSets: readable(attributeSet) };

export const NAME_OPERATIONS = {
  brands: {
    check: call("/brands/check", named, exists, "read"),
    create: call("/brands/create", newName, { brand: record, created }, "idempotent"),
    enrichmentHistory: list(
      "/brands/enrichment-history",
      "history",
      { ...historyEntry, brandName: maybeText, enrichedAttributes: attributes },
      { max: 50, query: named },
    ),
  },
  categories: {
    check: call("/product-categories/check", named, exists, "read"),
    create: call("/product-categories/create", newName, { category: record, created }, "idempotent"),
    enrichmentHistory: list(
      "/product-categories/enrichment-history",
      "history",
      { ...historyEntry, categoryName: maybeText },
      { query: named },
    ),
  },
  attributeSets: {
    products: call("/attribute-sets", EMPTY, attributeSets, "read"),
    brands: call("/brand-attribute-sets", EMPTY, attributeSets, "read"),
    categories: call("/product-category-attribute-sets", EMPTY, attributeSets, "read"),
  },
} as const;
