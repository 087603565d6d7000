import { isBlank, PLACEHOLDER } from "../../order/complete-order.ts";
import type { OrderDocument } from "./order-format.ts";

/** How the fields of a platform's order are used. Paths are dotted, and `[]` means every position of a list. Without values. */
export interface MappingExplanation {
  readonly mapped: readonly MappedField[];
  readonly dropped: readonly DroppedField[];
}

/** A field of the verification request. */
export interface MappedField {
  readonly field: string;
  /** Fields of the platform's order that decide its value. Empty: a rule does. */
  readonly from: readonly string[];
  /** The rule that fills it if no field does. */
  readonly rule?: string;
}

/** A field of the platform's order that has no effect. */
export interface DroppedField {
  readonly field: string;
  readonly why: string;
}

type Path = readonly string[];
type Mapping = (document: OrderDocument) => unknown;

/** Deeper objects are treated as a whole, because a hostile file may be nested without end. */
const MAX_DEPTH = 16;
/** Lines of an order are alike, so the first ones are enough: an order may have hundreds. */
const MAX_MEMBERS = 20;
const DAYS_MS = 3 * 86_400_000;
const WHY = {
  unread: "not read for this order",
  outranked: "another field or a rule comes first",
  required: "read, but no other value was accepted to try it with",
};

/**
 * Find out how a mapping uses each field, by changing one field at a time and mapping again. The result always matches
 * the code, and mappings don't have to describe themselves.
 *
 * @param map - Reads the platform's fields.
 * @param complete - How a check completes the mapped order.
 * @throws whatever `map` throws for the document itself.
 */
export function explainMapping(
  document: OrderDocument,
  map: Mapping,
  complete: Mapping = (order) => order,
): MappingExplanation {
  const read = listRead(document, map);
  const run = (changed: OrderDocument): ReadonlyMap<string, unknown> =>
    new Map(
      listLeaves(complete(map(changed) as OrderDocument)).map(({ path, value }) => [toText(path), value]),
    );
  const base = run(document);
  const from = new Map([...base.keys()].map((field) => [field, new Set<string>()]));
  const dropped = new Map<string, string>();
  for (const { path, value } of listLeaves(document)) {
    // A mapping that reads nothing returns the order unchanged.
    if (read.size > 0 && !read.has(toText(path))) {
      dropped.set(toText(path), WHY.unread);
      continue;
    }
    const { changed, why } = tryField(document, { path, value }, base, run);
    for (const field of changed) from.get(field)?.add(toGeneral(path));
    if (changed.length > 0) continue;
    dropped.set(toText(path), why ?? (read.has(toText(path)) ? WHY.outranked : WHY.unread));
  }
  const mapped = toMapped(from, base);
  const used = new Set(mapped.flatMap((field) => field.from));
  // One of several lines may be free, so its name isn't listed separately.
  const isOwn = ({ field, why }: DroppedField): boolean => why !== WHY.outranked || !used.has(field);
  return { mapped, dropped: summarize(document, dropped).filter(isOwn) };
}

/** The fields of the request that change if the platform's field changes, or why there are none. */
function tryField(
  document: OrderDocument,
  { path, value }: Leaf,
  base: ReadonlyMap<string, unknown>,
  run: (changed: OrderDocument) => ReadonlyMap<string, unknown>,
): { readonly changed: readonly string[]; readonly why?: string | undefined } {
  let why: string | undefined;
  let accepted = false;
  for (const other of listOtherValues(value)) {
    const result = attempt(() => run(withValue(document, path, other) as OrderDocument));
    if (result === undefined) continue;
    accepted = true;
    const changed = [...base].filter(([field, was]) => result.get(field) !== was).map(([field]) => field);
    if (changed.length > 0) return { changed };
    const added = [...result.keys()].filter((field) => !base.has(field));
    if (added.length > 0) why ??= `with this value there is no ${toGeneralText(added[0] ?? "")}`;
  }
  return { changed: [], why: accepted ? why : WHY.required };
}

/** Values similar to the given one. The first one that the mapping accepts and that changes something is enough. */
function listOtherValues(value: unknown): readonly unknown[] {
  if (typeof value === "boolean") return [!value, undefined];
  if (typeof value === "number") return [value + 1, undefined];
  if (typeof value !== "string") return [undefined];
  const time = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return [new Date(time + DAYS_MS).toISOString(), undefined];
  return [value.replace(/[a-z\d](?=[^a-z\d]*$)/i, toNext), `x${value}`, undefined];
}

const toNext = (character: string): string => {
  if (character === "9") return "8";
  if (/z/i.test(character)) return character === "z" ? "y" : "Y";
  return String.fromCharCode(character.charCodeAt(0) + 1);
};

/** Fields that the mapping reads, also if its first choices are blank. */
function listRead(document: OrderDocument, map: Mapping): ReadonlySet<string> {
  const read = new Set<string>();
  attempt(() => map(watch(document, [], read, (value) => value) as OrderDocument));
  attempt(() => map(watch(document, [], read, () => "") as OrderDocument));
  return read;
}

function watch(source: object, path: Path, read: Set<string>, toSeen: (value: unknown) => unknown): object {
  return new Proxy(source, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof key !== "string" || !Object.hasOwn(target, key)) return value;
      if (typeof value === "object" && value !== null) return watch(value, [...path, key], read, toSeen);
      if (Array.isArray(target)) return value;
      read.add(toText([...path, key]));
      return toSeen(value);
    },
  });
}

interface Leaf {
  readonly path: Path;
  readonly value: unknown;
}

/** Values that aren't absent: missing, null or blank. */
function listLeaves(value: unknown, path: Path = []): readonly Leaf[] {
  if (isBlank(value)) return [];
  if (typeof value !== "object" || value === null || path.length >= MAX_DEPTH) return [{ path, value }];
  return listMembers(value).flatMap(([key, member]) => listLeaves(member, [...path, key]));
}

function listMembers(value: object): readonly (readonly [string, unknown])[] {
  const members = Object.entries(value);
  return Array.isArray(value) ? members.slice(0, MAX_MEMBERS) : members;
}

/** A copy with another value in one place. Undefined removes it. */
function withValue(source: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(source)) {
    return source.map((member: unknown, index) =>
      String(index) === key ? withValue(member, rest, value) : member,
    );
  }
  const fields = source as OrderDocument;
  return { ...fields, [key]: withValue(fields[key], rest, value) };
}

/** `items[0].price` */
const toText = (path: Path): string =>
  path.map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : index === 0 ? key : `.${key}`)).join("");
const toGeneralText = (text: string): string => text.replaceAll(/\[\d+\]/g, "[]");
const toGeneral = (path: Path): string => toGeneralText(toText(path));

function toMapped(
  from: ReadonlyMap<string, ReadonlySet<string>>,
  base: ReadonlyMap<string, unknown>,
): readonly MappedField[] {
  const fields = Map.groupBy(from, ([field]) => toGeneralText(field));
  return [...fields].map(([field, found]) => {
    const sources = new Set(found.flatMap(([, some]) => [...some]));
    if (sources.size > 0) return { field, from: [...sources] };
    const isPlaceholder = base.get(found[0]?.[0] ?? "") === PLACEHOLDER;
    return {
      field,
      from: [],
      rule: isPlaceholder ? `${PLACEHOLDER}: the order has none` : "set by the mapping",
    };
  });
}

/** An object whose fields are all unused for the same reason counts as one field. */
function summarize(document: OrderDocument, dropped: ReadonlyMap<string, string>): readonly DroppedField[] {
  const found = new Map<string, DroppedField>();

  /** The common reason of everything inside. Null if there are several, undefined if there is none. */
  function visit(value: unknown, path: Path): string | null | undefined {
    const why = dropped.get(toText(path));
    if (why !== undefined) return why;
    if (isBlank(value)) return undefined;
    if (typeof value !== "object" || value === null || path.length >= MAX_DEPTH) return null;
    const members = listMembers(value).map(([key, member]) => ({
      path: [...path, key],
      why: visit(member, [...path, key]),
    }));
    const reasons = new Set(members.map((member) => member.why).filter((reason) => reason !== undefined));
    if (reasons.size === 0) return undefined;
    const [only] = reasons;
    if (reasons.size === 1 && path.length > 0) return only;
    for (const member of members) if (typeof member.why === "string") note(member.path, member.why);
    return null;
  }

  function note(path: Path, why: string): void {
    const field = toGeneral(path);
    found.set(`${field} ${why}`, { field, why });
  }

  visit(document, []);
  return [...found.values()];
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    // The mapping doesn't accept this value, so another one is tried.
    return undefined;
  }
}
