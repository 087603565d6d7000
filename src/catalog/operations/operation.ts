import { z } from "zod";

/**
 * How an operation may be sent. A `read` or `idempotent` operation is repeated after any temporary failure. A `once`
 * operation is repeated only if nothing was sent.
 */
export type SendClass = "read" | "idempotent" | "once";

/** One operation of the catalog service. The client, the sandbox and the tests are built on these. */
export interface Operation<
  Kind extends "call" | "list" | "form" | "download" = "call" | "list" | "form" | "download",
  Path extends string = string,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
> {
  /** A JSON call; a list in pages; a multipart form; or a file to download. */
  readonly kind: Kind;
  readonly method: "GET" | "POST";
  /** Below `/api/{organization}`. `:id` is the only parameter. */
  readonly path: Path;
  readonly body: Body;
  /** Schema of the answer's `data`; of the whole answer where `bare` is true. */
  readonly data: Data;
  readonly send: SendClass;
  /** How many products, brands or categories a call pays for. Undefined: the operation spends no credits. */
  spends?(body: z.output<Body>): number;
  /** Fields that the client adds to the body, e.g. the action of a webhook operation. */
  readonly fixed?: Readonly<Record<string, string>> | undefined;
  /** Where a list has its entries. */
  readonly items?: string | undefined;
  /** The answer has no `data`. */
  readonly bare?: boolean | undefined;
  /** The interface doesn't show the answer, or it may be empty: whatever a success contains, it isn't an error. */
  readonly unshown?: boolean | undefined;
}

/** The input type, which also accepts readonly lists. */
export type Given<T> = T extends Blob
  ? T
  : T extends readonly (infer Entry)[]
    ? readonly Given<Entry>[]
    : T extends object
      ? { readonly [K in keyof T]: Given<T[K]> }
      : T;

/** An id of an answer. One that is a number is read as text. */
export const id = z.union([z.string(), z.number().transform(String)]);

export type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * The schema of an object in an answer. The service may send more fields, which are kept; the type has only these, so
 * that a misspelled one doesn't compile.
 */
export const fields = <S extends Shape>(shape: S) =>
  z.looseObject(shape) as unknown as z.ZodObject<{ -readonly [Name in keyof S]: S[Name] }>;

/**
 * A schema whose output has a named type, which callers can import: declarations then say `Product` instead of listing fields. The
 * name isn't in zod's registry, which the shop's own zod may share, and where it may refuse a name that is there twice.
 */
export const named = <Output, Input = unknown>(schema: z.ZodType<Output, Input>) => schema;

type Extra<Body> = Pick<Operation, "fixed" | "bare" | "unshown"> & {
  readonly spends?: (body: Body) => number;
};

export function call<P extends string, Output, Input, Data>(
  path: P,
  body: z.ZodType<Output, Input>,
  data: z.ZodType<Data>,
  send: SendClass,
  extra: Extra<Output> = {},
) {
  return { kind: "call", method: "POST", path, body, data, send, ...extra } as const;
}

export function form<P extends string, Output, Input, Data>(
  path: P,
  body: z.ZodType<Output, Input>,
  data: z.ZodType<Data>,
  extra: Extra<Output> = {},
) {
  return { ...call(path, body, data, "once", extra), kind: "form" } as const;
}

/** The fields of a page; `max` is the largest `limit` that the interface allows. */
const pageFields = (max: number) => ({
  page: z.int().min(1, "expected 1 or more").optional(),
  limit: z.int().min(1, `expected 1 to ${max}`).max(max, `expected 1 to ${max}`).optional(),
});
/** A number, or a text that is one. */
const numeric = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d{1,15}(?:\.\d{1,15})?$/)
    .transform(Number),
]);
const count = numeric.nullable().catch(null);
const counts = z.object({ page: count, limit: count, total: count, totalPages: count });
/** Where a page is in its list. A count is null if the service doesn't say. */
export interface Pagination extends z.output<typeof counts> {}
const pagination = named<Pagination>(counts);
const readPagination = pagination.catch(counts.parse({}));

/** Stands for an entry of a list that can't be read. */
export const UNREADABLE = Object.freeze({});

// oxlint-disable-next-line typescript/no-generated-empty-object-type, typescript/no-empty-object-type -- a body without fields
export type NoFields = {};

/** The whole answer of a list: the entries under the list's name, and where this page is. */
export type ListData<Items extends string, Entry, Also = NoFields> = Also &
  Readonly<Record<Items, readonly Entry[]>> & { readonly pagination: Pagination };

interface ListParts<Query extends Shape, Also extends Shape> {
  /** Largest number of entries in a page. Default 100. */
  readonly max?: number;
  /** Fields of the body besides those of a page. */
  readonly query?: Query;
  /** Fields of the answer besides the entries and their pagination. */
  readonly also?: Also;
}

/** A list in pages; its entries are in `data[items]`. */
export function list<
  P extends string,
  const Items extends string,
  Entry,
  Query extends Shape = NoFields,
  Also extends Shape = NoFields,
>(path: P, items: Items, entry: z.ZodType<Entry>, { max = 100, query, also }: ListParts<Query, Also> = {}) {
  const body = z.strictObject({ ...pageFields(max), ...(query as Query) });
  const entries = z.array(entry.catch(UNREADABLE as never));
  const data = fields({ ...also, [items]: entries, pagination: readPagination }) as unknown as z.ZodType<
    ListData<Items, Entry, keyof Also extends never ? NoFields : z.output<z.ZodObject<Also>>>
  >;
  return { kind: "list", method: "POST", path, body, data, send: "read", items } as const;
}

export const filled = (max?: number) => {
  const text = max === undefined ? z.string() : z.string().max(max, `expected at most ${max} characters`);
  return text.refine((value) => value.trim() !== "", "expected text that is not blank");
};

/** Optional text of at most `max` code points: the larger reading of the interface, so that nothing valid is refused. */
export const text = (max: number) => z.string().max(max, `expected at most ${max} characters`).optional();
export const flag = z.boolean().optional();

export const EMPTY = z.strictObject({});

/** Every status of a job, of all kinds. */
export const JOB_STATUSES = [
  "pending",
  "processing",
  "completed",
  "completed_with_errors",
  "failed",
  "stopped",
] as const;
export const ENDED_STATUSES: ReadonlySet<string> = new Set(JOB_STATUSES.slice(2));
export const MODEL_TYPES = ["budget-v1", "pro-v1"] as const;
export const modelType = z.enum(MODEL_TYPES);

/** A string of an answer that is usually one of these; new values pass through. */
export type Open<T extends string> = T | (string & {});
export const open = <const T extends readonly string[]>(
  _known: T,
): z.ZodType<Open<T[number]>, Open<T[number]>> => z.string();

/** Parts of an answer that may be missing or invalid. They are read as null or as an empty list, and the rest stays usable. */
export const maybe = <T extends z.ZodType>(schema: T) => schema.nullable().catch(null);
export const maybeText = maybe(z.string());
export const maybeNumber = maybe(numeric);
export const maybeFlag = maybe(z.boolean());
/** A value of any type. JSON leaves out what is undefined: it reads as null. */
export const anyValue = z.unknown().default(null);
/** The readable entries of a list. Invalid entries are left out, and the others stay usable. */
export const readable = <T extends z.ZodType>(entry: T) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((values) =>
      values.flatMap((value) => {
        const parsed = entry.safeParse(value);
        return parsed.success ? [parsed.data] : [];
      }),
    );
export const strings = readable(z.string());

export const ATTRIBUTE_TYPES = [
  "text",
  "html",
  "number",
  "date",
  "boolean",
  "select",
  "multiselect",
] as const;

const attributeFields = fields({
  attributeId: maybeText,
  attributeName: maybeText,
  attributeType: maybe(open(ATTRIBUTE_TYPES)),
  value: anyValue,
});
/** An attribute of a product, a brand or a category. Its value is null if an enrichment found none. */
export interface AttributeValue extends z.output<typeof attributeFields> {}
const attribute = named<AttributeValue>(attributeFields);

/** Attributes as the service returns them, by slug. An attribute without a description is only a value. */
export const attributes = z
  .record(
    z.string(),
    attribute.catch(({ value }) => attribute.parse({ value })),
  )
  .catch({});
