import { randomUUID } from "node:crypto";
import { cutPage, type BodyOf, type CatalogCall, type CatalogHandlers } from "./catalog-call.ts";
import { ATTRIBUTE_SETS } from "./attribute-sets.ts";
import { sortRecords, toSlug, type SandboxRecord } from "./records.ts";

type NameKind = "brand" | "category";

function find({ records, body }: CatalogCall<BodyOf<"brands", "check">>, kind: NameKind) {
  const wanted = body.name.toLowerCase();
  return records(kind)
    .list()
    .find(({ name }) => String(name).toLowerCase() === wanted);
}

function create(call: CatalogCall<BodyOf<"brands", "create">>, kind: NameKind): unknown {
  const existing = find(call, kind);
  if (existing !== undefined) return { [kind]: existing, created: false };
  const { name, slug } = call.body;
  const derived = toSlug(name);
  const taken = new Set(
    call
      .records(kind)
      .list()
      .map((one) => one["slug"]),
  );
  let free = derived;
  // The timestamp of the first moment that no other record has.
  for (let atMs = call.nowMs; taken.has(free); atMs += 1) free = `${derived}-${atMs}`;
  const record = { id: randomUUID(), name, slug: slug ?? free };
  call.records(kind).put(record);
  return { [kind]: record, created: true };
}

/** Newest first, by completion, else by creation. */
function history(call: CatalogCall<BodyOf<"brands", "enrichmentHistory">>, kind: NameKind): unknown {
  const { records, body } = call;
  const parent = body.name.toLowerCase();
  const all = records(`${kind}-history`).list({ parent });
  const at = (entry: SandboxRecord) => String(entry["completedAt"] ?? entry["createdAt"]);
  const { entries, pagination } = cutPage(sortRecords(all, at, "desc"), body, 10);
  return { history: entries, pagination };
}

const handlers = (kind: NameKind): CatalogHandlers<"brands">["brands"] => ({
  check: (call) => ({ exists: find(call, kind) !== undefined }),
  create: (call) => create(call, kind),
  enrichmentHistory: (call) => history(call, kind),
});

const sets =
  (kind: keyof typeof ATTRIBUTE_SETS) =>
  ({ organization }: CatalogCall): unknown => ({
    attributeSets: [{ ...ATTRIBUTE_SETS[kind], organizationId: organization }],
  });

export const NAME_HANDLERS: CatalogHandlers<"brands" | "categories" | "attributeSets"> = {
  brands: handlers("brand"),
  categories: handlers("category"),
  attributeSets: { products: sets("products"), brands: sets("brands"), categories: sets("categories") },
};
