import type { HoldfastError } from "../../../src/index.ts";
import { refused, throttled, unavailable } from "../base/failures.ts";
import type { IsWithheld } from "../mapping/graphql-order.ts";
import { z } from "zod";

/** One top-level error of a GraphQL answer, without its message: messages can quote what was sent. */
interface AdminError {
  /** `ACCESS_DENIED`, `THROTTLED`…; `UNKNOWN` if the error has no code. */
  readonly code: string;
  /** The field at fault, dotted, e.g. `order.customer`; empty for the whole operation. */
  readonly path: string;
}

export interface AdminAnswer<T> {
  readonly data: T;
  readonly errors: readonly AdminError[];
}

const throttleSchema = z.object({
  maximumAvailable: z.number().positive(),
  currentlyAvailable: z.number(),
  /** Points per second. */
  restoreRate: z.number().nonnegative(),
});

/** A shop's leaky bucket as every answer reports it. */
export type ThrottleStatus = Readonly<z.infer<typeof throttleSchema>>;

const costSchema = z.object({
  requestedQueryCost: z.number().nonnegative(),
  throttleStatus: throttleSchema,
});

const errorSchema = z
  .object({
    path: z.array(z.union([z.string(), z.number()])).catch([]),
    extensions: z.object({ code: z.string().regex(/^\w{1,64}$/) }).catch({ code: "UNKNOWN" }),
  })
  .transform(({ path, extensions }): AdminError => ({ code: extensions.code, path: path.join(".") }));

const answerSchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish().catch(null),
  // Shopify's gateway answers `errors: "text"` with some statuses.
  errors: z
    .array(errorSchema)
    .optional()
    .catch([{ code: "UNKNOWN", path: "" }]),
  extensions: z
    .object({ cost: costSchema.optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** Codes of temporary failures on Shopify's side. */
const FAULTS: ReadonlySet<string> = new Set(["INTERNAL_SERVER_ERROR", "TIMEOUT", "SERVICE_UNAVAILABLE"]);
/** The wait if Shopify gives no hint. */
export const DEFAULT_PAUSE_MS = 2_000;

type ParsedAnswer = NonNullable<ReturnType<typeof parseAdminAnswer>>;

/** Read a GraphQL answer; undefined if `body` isn't one. */
export function parseAdminAnswer(body: unknown) {
  const parsed = answerSchema.safeParse(body);
  if (!parsed.success) return undefined;
  const { data = null, errors = [], extensions } = parsed.data;
  if (data === null && errors.length === 0) return undefined;
  return { data, errors, cost: extensions?.cost };
}

/** The error for an answer without data. Names codes, never messages. */
export function toFailure({ errors, cost }: ParsedAnswer, nowMs: number): HoldfastError {
  const codes = [...new Set(errors.map((error) => error.code))];
  if (codes.includes("THROTTLED")) {
    return throttled("Shopify rate limit reached for this shop (THROTTLED)", nowMs + toThrottleMs(cost));
  }
  if (codes.some((code) => FAULTS.has(code))) return unavailable(`Shopify failed: ${codes.join(", ")}`);
  return refused(`Shopify refused the operation: ${codes.join(", ")}`);
}

/** Whether an error is temporary, so that the fields it set to null are unknown, not withheld. */
export function isPassing({ code }: AdminError): boolean {
  return code === "THROTTLED" || FAULTS.has(code);
}

/**
 * A temporary failure can null a field, which must not be read as empty or missing.
 *
 * @throws {HoldfastError} `PLATFORM_UNAVAILABLE` if one did.
 */
export function requireWhole<T>(answer: AdminAnswer<T>): AdminAnswer<T> {
  if (answer.errors.some(isPassing)) throw unavailable("Shopify returned an incomplete answer");
  return answer;
}

/** How long until the bucket has the requested points, in milliseconds. */
function toThrottleMs(cost: ParsedAnswer["cost"]): number {
  if (cost === undefined || cost.throttleStatus.restoreRate <= 0) return DEFAULT_PAUSE_MS;
  const missing = cost.requestedQueryCost - cost.throttleStatus.currentlyAvailable;
  return Math.max(0, (missing / cost.throttleStatus.restoreRate) * 1000);
}

/**
 * Find out why a field is null: the buyer left it empty, or the app isn't approved to see it. Shopify names each
 * withheld field in an error beside the data. If that field can't be null, the fields around it become null too and
 * count as withheld. If an error names no field, every null counts as withheld.
 */
export function toWithheld(errors: readonly AdminError[]): IsWithheld {
  const paths = new Set<string>();
  for (const { path } of errors) {
    for (let end = path.length; end > 0; end = path.lastIndexOf(".", end - 1)) paths.add(path.slice(0, end));
  }
  const unnamed = errors.some(({ path }) => path === "");
  return (path) => unnamed || paths.has(path);
}
