import { z } from "zod";
import {
  attributes,
  call,
  EMPTY,
  filled,
  list,
  maybe,
  maybeFlag,
  maybeNumber,
  maybeText,
  open,
  pageFields,
  pagination,
  readable,
} from "./operation.ts";
import { JOB_STATUSES } from "./statuses.ts";

const named = z.strictObject({ name: filled() });
const newName = z.strictObject({ name: filled(), slug: z.string().optional() });
const exists = z.looseObject({ exists: z.boolean() });
const record = z.looseObject({ id: z.string(), name: z.string(), slug: z.string() });

const historyEntry = {
  id: z.string(),
  referenceData: maybe(z.record(z.string(), z.unknown())),
  completedAt: maybeText,
  createdAt: maybeText,
  modelType: maybeText,
  status: maybe(open(JOB_STATUSES)),
  errorMessage: maybeText,
};

const attributeSets = z.looseObject({
  attributeSets: z.array(
    z.looseObject({
      id: z.string(),
      name: maybeText,
      organizationId: maybeText,
      attributeSetAttributes: readable(
        z.looseObject({
          order: maybeNumber,
          attribute: z.looseObject({
            id: z.string(),
            name: maybeText,
            slug: maybeText,
            type: maybeText,
            prompt: maybeText,
            categoryPrompt: maybeText,
            isActive: maybeFlag,
          }),
        }),
      ),
    }),
  ),
});

export const NAME_OPERATIONS = {
  brands: {
    check: call("/brands/check", named, exists, "read"),
    create: call(
      "/brands/create",
      newName,
      z.looseObject({ brand: record, created: z.boolean() }),
      "idempotent",
    ),
    enrichmentHistory: list(
      "/brands/enrichment-history",
      z.strictObject({ name: filled(), ...pageFields(50) }),
      z.looseObject({
        history: z.array(
          z.looseObject({ ...historyEntry, brandName: maybeText, enrichedAttributes: attributes }),
        ),
        pagination,
      }),
      "history",
    ),
  },
  categories: {
    check: call("/product-categories/check", named, exists, "read"),
    create: call(
      "/product-categories/create",
      newName,
      z.looseObject({ category: record, created: z.boolean() }),
      "idempotent",
    ),
    enrichmentHistory: list(
      "/product-categories/enrichment-history",
      z.strictObject({ name: filled(), ...pageFields(100) }),
      z.looseObject({
        history: z.array(z.looseObject({ ...historyEntry, categoryName: maybeText })),
        pagination,
      }),
      "history",
    ),
  },
  attributeSets: {
    products: call("/attribute-sets", EMPTY, attributeSets, "read"),
    brands: call("/brand-attribute-sets", EMPTY, attributeSets, "read"),
    categories: call("/product-category-attribute-sets", EMPTY, attributeSets, "read"),
  },
} as const;
