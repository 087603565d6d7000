import type { FieldProblem } from "../base/field-codes.ts";
import { isBlank, isCopy, isFields, markCopy } from "./complete-order.ts";
import { toFieldProblems } from "./field-problems.ts";
import { isBuyersIp, toGivenIp } from "./ip-address.ts";
import { createNormalizer, toLimited } from "./normalize-request.ts";
import { readLines } from "./order-lines.ts";
import { toOwnFields } from "./own-fields.ts";
import { verificationRequestSchema, type PartialVerificationRequest } from "./request.ts";
import { listUnread } from "./unread-fields.ts";
import { isDate, toFlag, toId, toIsoTime, toNumber, toText } from "./written-values.ts";

/** What the service takes of an order, whatever else the order contains. */
export interface UsableOrder {
  /** The order as it was given, with fields of its own: see {@link toOwnFields}. */
  readonly given: unknown;
  /** Every field that can be read. An amount of 0 is kept. */
  readonly known: PartialVerificationRequest;
  /** Fields that can't be read, and so are left out. IP addresses aren't listed. */
  readonly unusable: readonly FieldProblem[];
  /** Fields of another type or form than the service takes, which were converted. */
  readonly changed: readonly FieldProblem[];
}

type Fields = Readonly<Record<string, unknown>>;

/** A hostile order could have as many problems as lines. */
const MOST_LINE_PROBLEMS = 5;

const { shape } = verificationRequestSchema;
const usableSchema = verificationRequestSchema
  .extend({
    shippingAddress: shape.shippingAddress.partial(),
    billingAddress: shape.billingAddress.partial(),
  })
  .partial();
const FIELDS = Object.keys(shape);
const PARTS: Readonly<Record<string, readonly string[]>> = {
  shippingAddress: Object.keys(shape.shippingAddress.shape),
  billingAddress: Object.keys(shape.billingAddress.shape),
  paymentInfo: Object.keys(shape.paymentInfo.unwrap().shape),
};

const normalizeLoosely = createNormalizer({
  text: (value) => (isBlank(value) ? undefined : (toText(value) ?? value)),
  limited: toLimited,
  number: (value) => toNumber(value) ?? value,
  flag: (value) => (isBlank(value) ? undefined : (toFlag(value) ?? value)),
  time: (value) => toIsoTime(value) ?? value,
  // A private address is a proxy's.
  ip: (value) => {
    const ip = toGivenIp(value);
    return ip !== undefined && isBuyersIp(ip) ? ip : undefined;
  },
  // A text is probably the whole address. As its street, it is sent, and a change of it is noticed.
  address: (value) => (isBlank(value) ? undefined : typeof value === "string" ? { street: value } : value),
  id: (value) => (isBlank(value) ? undefined : (toId(value) ?? value)),
});

/**
 * Read an order, whatever it contains. Numbers and texts may stand for each other, texts are cut to the service's limits,
 * and a field that can't be read is left out. Never throws.
 */
export function keepUsable(order: unknown): UsableOrder {
  const given = toOwnFields(order);
  const normalized = normalizeLoosely(given);
  if (!isFields(given) || !isFields(normalized)) {
    return { given, known: {}, unusable: [{ path: "", message: "expected an order" }], changed: [] };
  }
  const { orderAmount, ...others } = normalized;
  const lines = Array.isArray(others["items"]) ? readLines(others["items"], MOST_LINE_PROBLEMS) : undefined;
  const isFree = orderAmount === 0;
  const read = { ...(isFree ? others : normalized), ...(lines && { items: lines.items }) };
  const { usable, problems } = withoutProblems(read);
  const known = { ...usable, ...(isFree && { orderAmount }), ...keepCopies(given, usable) };
  const { lost, changed } = compareFields(given, known, FIELDS);
  const isKnown = ({ path }: FieldProblem) => !problems.some((problem) => path === problem.path);
  return {
    given,
    known,
    unusable: [...problems, ...lost.filter(isKnown), ...(lines?.unusable ?? []), ...listUnread(given)],
    changed: [...changed, ...(lines?.changed ?? [])],
  };
}

/** The fields that match the schema, and what is wrong with the others. Nothing is wrong with a field that isn't given. */
function withoutProblems(order: Fields): {
  readonly usable: PartialVerificationRequest;
  readonly problems: readonly FieldProblem[];
} {
  const parsed = usableSchema.safeParse(order);
  // The normalizer leaves out what isn't given, so no part of an address is undefined.
  if (parsed.success) return { usable: parsed.data as PartialVerificationRequest, problems: [] };
  const faulty = new Set(parsed.error.issues.map(({ path: [name, part] }) => toPath(name, part)));
  const withoutFaulty = (fields: Fields, of?: string): Fields =>
    Object.fromEntries(
      Object.entries(fields).filter(([name]) => !faulty.has(toPath(of ?? name, of && name))),
    );
  const usable = Object.entries(withoutFaulty(order)).map(
    ([name, value]) => [name, isFields(value) ? withoutFaulty(value, name) : value] as const,
  );
  const isGiven = ({ path }: FieldProblem) => !isBlank(order[path]) || path.includes(".");
  return {
    // Without its faulty parts, an address or a card may be empty.
    usable: Object.fromEntries(
      usable.filter(([, value]) => !isFields(value) || Object.keys(value).length > 0),
    ),
    problems: toFieldProblems(parsed.error).filter(isGiven),
  };
}

function toPath(name: PropertyKey | undefined, part: PropertyKey | undefined): string {
  return typeof part === "string" ? `${String(name)}.${part}` : String(name);
}

/** The addresses that are only copies of the other one. */
function keepCopies(given: Fields, { shippingAddress, billingAddress }: PartialVerificationRequest) {
  return {
    ...(isCopy(given["shippingAddress"]) && { shippingAddress: markCopy(shippingAddress) }),
    ...(isCopy(given["billingAddress"]) && { billingAddress: markCopy(billingAddress) }),
  };
}

/** The given fields that are lost, and those that were converted. */
function compareFields(given: Fields, known: Fields, names: readonly string[], prefix = "") {
  const lost: FieldProblem[] = [];
  const changed: FieldProblem[] = [];
  for (const name of names) {
    const [value, read, parts] = [given[name], known[name], PARTS[name]];
    const path = prefix + name;
    // Lines have their own problems, and IP addresses their own warnings.
    if (isBlank(value) || path === "items" || path === "ipAddress") continue;
    if (parts !== undefined && isFields(value)) {
      const inside = compareFields(value, isFields(read) ? read : {}, parts, `${name}.`);
      lost.push(...inside.lost);
      changed.push(...inside.changed);
    } else if (read === undefined) lost.push({ path, message: "it isn't usable" });
    else {
      const expected = findConversion(value, read);
      if (expected !== undefined) changed.push({ path, message: expected });
    }
  }
  return { lost, changed };
}

/** What was expected instead of a value that was converted. */
function findConversion(value: unknown, read: unknown): string | undefined {
  if (isFields(read) && typeof value === "string") return "expected an address with its parts";
  if (typeof read === "boolean" && typeof value !== "boolean") return "expected true or false";
  const isText = typeof value === "string" || isDate(value);
  return typeof read === "string" && !isText ? "expected text" : undefined;
}
