import type { FieldProblem } from "../base/field-codes.ts";
import { verificationRequestSchema } from "../order/request.ts";
import { COMMON_MESSAGES, findMeaning, meaning, type Dialect } from "./dialect.ts";
import { MAX_RESPONSE_BYTES } from "./send-once.ts";

const { shape } = verificationRequestSchema;

/** Fields inside the request's object fields, by the object's name. */
const NESTED: Readonly<Record<string, readonly string[]>> = {
  items: Object.keys(shape.items.unwrap().element.shape),
  shippingAddress: Object.keys(shape.shippingAddress.shape),
  billingAddress: Object.keys(shape.billingAddress.shape),
  paymentInfo: Object.keys(shape.paymentInfo.unwrap().shape),
};

/** The separators in a path such as `a.b`, `a[0].b`, `a/b` or a printed `["a", 0, "b"]`, but not in prose. */
const SEPARATOR = `(?=[^\\w]{0,32}?[.[\\]"'/])[.[\\]"',/\\s]{1,32}`;
const TOP_LEVEL = Object.keys(shape).join("|");
const INNER = [...new Set(Object.values(NESTED).flat())].join("|");
const PATH = new RegExp(`\\b(${TOP_LEVEL})\\b(?:(?:${SEPARATOR}(\\d{1,3}))?${SEPARATOR}(${INNER})\\b)?`, "g");

/** Enough characters of a message to name every field of a request; the rest isn't searched. */
const SEARCHED_CHARACTERS = 16_384;

function toPath(name: string, position: string | undefined, inner: string | undefined): string {
  if (inner === undefined || !NESTED[name]?.includes(inner)) return name;
  return name === "items" && position !== undefined
    ? `items[${Number(position)}].${inner}`
    : `${name}.${inner}`;
}

/** Only names from our own schema: the rest of a refusal's message may repeat the customer's data. */
export function findRefusedFields(message: string): readonly FieldProblem[] {
  const matches = message.slice(0, SEARCHED_CHARACTERS).matchAll(PATH);
  const paths = new Set([...matches].map(([, name = "", position, inner]) => toPath(name, position, inner)));
  return [...paths].map((path) => ({ path, message: "refused by the verification service" }));
}

const MEANINGS = {
  400: meaning("VERIFICATION_REFUSED", false, "yes", "the request was refused"),
  401: meaning("VERIFICATION_UNAUTHORIZED", false, "no", "the API key is missing, expired or disabled"),
  402: meaning("VERIFICATION_NO_CREDITS", true, "no", "no credits are left"),
  403: meaning(
    "VERIFICATION_FORBIDDEN",
    false,
    "no",
    "the API key is invalid or has no access to the organization",
  ),
  // The configuration is wrong, not the order: every other order would fail too.
  404: meaning("CONFIG_INVALID", false, "yes", "VERIFY_ORGANIZATION or VERIFY_URL is wrong"),
  413: meaning("VERIFICATION_REFUSED", false, "yes", "the request is too large"),
  422: meaning("VERIFICATION_REFUSED", false, "yes", "the request was refused"),
  408: meaning("VERIFICATION_FAILED", true, "yes", "the service timed out"),
  429: meaning("VERIFICATION_RATE_LIMITED", true, "no", "the key's rate limit is exceeded"),
  // A failed request is a metered call (the service's interface, "Order verification service"). The interface has no
  // other 4xx status, so it comes from a proxy or the like, and isn't about the order.
  4: meaning("VERIFICATION_FAILED", true, "yes", "the request was refused before it reached the service"),
  5: meaning("VERIFICATION_FAILED", true, "yes", "the service failed"),
  3: meaning("VERIFICATION_MALFORMED", true, "unknown", "redirects are not followed; check VERIFY_URL"),
  0: meaning("VERIFICATION_MALFORMED", true, "unknown", "unexpected status"),
};

/** The service's constant messages. Any other text may repeat what was sent, so our errors leave it out. */
const KNOWN_MESSAGES: ReadonlySet<string> = new Set(COMMON_MESSAGES);

export const VERIFICATION: Dialect = {
  name: "verification service",
  work: "check",
  codes: {
    rateLimited: "VERIFICATION_RATE_LIMITED",
    failed: "VERIFICATION_FAILED",
    malformed: "VERIFICATION_MALFORMED",
    unreachable: "VERIFICATION_UNREACHABLE",
    timeout: "VERIFICATION_TIMEOUT",
    interrupted: "VERIFICATION_INTERRUPTED",
    aborted: "VERIFICATION_ABORTED",
  },
  toMeaning: (status) => findMeaning(MEANINGS, status),
  toSafeMessage: (message) => (KNOWN_MESSAGES.has(message) ? message : undefined),
  findFields: findRefusedFields,
  maxResponseBytes: MAX_RESPONSE_BYTES,
  findsElsewhere: true,
  settings: {
    url: "VERIFY_URL",
    apiKey: "VERIFY_API_KEY",
    organization: "VERIFY_ORGANIZATION",
    timeoutMs: "VERIFY_TIMEOUT_MS",
  },
};
