import { verificationRequestSchema } from "../order/request.ts";
import type { FieldProblem } from "../base/errors.ts";

const { shape } = verificationRequestSchema;

/** Fields inside the request's object fields, by the object's name. */
const NESTED: Readonly<Record<string, readonly string[]>> = {
  items: Object.keys(shape.items.unwrap().element.shape),
  shippingAddress: Object.keys(shape.shippingAddress.shape),
  billingAddress: Object.keys(shape.billingAddress.shape),
  paymentInfo: Object.keys(shape.paymentInfo.unwrap().shape),
};

/** Between the parts of a path, as `a.b`, `a[0].b`, `a/b` or a printed `["a", 0, "b"]`, but not as plain prose. */
const SEPARATOR = `(?=[^\\w]{0,32}?[.[\\]"'/])[.[\\]"',/\\s]{1,32}`;
const TOP_LEVEL = Object.keys(shape).join("|");
const INNER = [...new Set(Object.values(NESTED).flat())].join("|");
const PATH = new RegExp(`\\b(${TOP_LEVEL})\\b(?:(?:${SEPARATOR}(\\d{1,3}))?${SEPARATOR}(${INNER})\\b)?`, "g");

/** Enough of a message for every field of a request; the rest is not worth the search. */
const SEARCHED_CHARACTERS = 16_384;

function toPath(name: string, position: string | undefined, inner: string | undefined): string {
  if (inner === undefined || !NESTED[name]?.includes(inner)) return name;
  return name === "items" && position !== undefined
    ? `items[${Number(position)}].${inner}`
    : `${name}.${inner}`;
}

/**
 * Request fields that a refusal of the service names. Only names of our own schema are taken over: the rest of the
 * message may repeat the customer's data.
 */
export function findRefusedFields(message: string): readonly FieldProblem[] {
  const matches = message.slice(0, SEARCHED_CHARACTERS).matchAll(PATH);
  const paths = new Set([...matches].map(([, name = "", position, inner]) => toPath(name, position, inner)));
  return [...paths].map((path) => ({ path, message: "refused by the verification service" }));
}
