import type { FieldProblem } from "./field-codes.ts";

/** Every code Holdfast throws on purpose. `docs/reference/errors.md` lists the same set. */
export const ERROR_CODES = [
  "CONFIG_INVALID",
  "ORDER_INVALID",
  "POLICY_INVALID",
  "VERIFICATION_REFUSED",
  "VERIFICATION_UNAUTHORIZED",
  "VERIFICATION_FORBIDDEN",
  "VERIFICATION_NO_CREDITS",
  "VERIFICATION_RATE_LIMITED",
  "VERIFICATION_FAILED",
  "VERIFICATION_MALFORMED",
  "VERIFICATION_UNREACHABLE",
  "VERIFICATION_TIMEOUT",
  "VERIFICATION_INTERRUPTED",
  "VERIFICATION_ABORTED",
  "INPUT_INVALID",
  "SERVICE_REFUSED",
  "SERVICE_UNAUTHORIZED",
  "SERVICE_FORBIDDEN",
  "SERVICE_NO_CREDITS",
  "SERVICE_NOT_FOUND",
  "SERVICE_CONFLICT",
  "SERVICE_RATE_LIMITED",
  "SERVICE_FAILED",
  "SERVICE_MALFORMED",
  "SERVICE_UNREACHABLE",
  "SERVICE_TIMEOUT",
  "SERVICE_INTERRUPTED",
  "SERVICE_ABORTED",
  "BUDGET_SPENT",
  "BURST_BRAKED",
  "ATTEMPTS_SPENT",
  "STORE_UNAVAILABLE",
  "STORE_SCHEMA_NEWER",
  "DATA_UNREADABLE",
  "PLATFORM_UNAUTHORIZED",
  "PLATFORM_REFUSED",
  "PLATFORM_CALL_INVALID",
  "PLATFORM_THROTTLED",
  "PLATFORM_UNAVAILABLE",
  "SHUTTING_DOWN",
  "INTERNAL",
] as const;

/** Stable, machine-readable reason of a {@link HoldfastError}. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * Codes of a set-up that can't work until a person changes it: the key, the address, the certificates, the dispatcher or the
 * runtime. An outage has other codes, and passes by itself.
 */
export const SET_UP_CODES: ReadonlySet<ErrorCode | undefined> = new Set<ErrorCode>([
  "CONFIG_INVALID",
  "VERIFICATION_UNAUTHORIZED",
  "VERIFICATION_FORBIDDEN",
]);

/** Whether a failed verification call was billed. `unknown` counts as `yes` wherever credits are counted. */
export type Metered = "yes" | "no" | "unknown";

/** What a service answered to a refused call. */
export interface ServiceAnswer {
  readonly status: number;
  /** In the service's own words, at most 500 characters. Undefined if it gave none, or if they may quote an order. */
  readonly message?: string | undefined;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** SKUs and external ids that are taken already, of a refused product. */
  readonly skus?: readonly string[] | undefined;
}

/** Options of {@link HoldfastError}. */
export interface HoldfastErrorOptions {
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** Whether the same call can be made again without doing or costing anything twice. Default: unless it may be billed. */
  readonly safeToRepeat?: boolean | undefined;
  /** Calls of a service only: its answer, if one arrived. */
  readonly answer?: ServiceAnswer | undefined;
  /** The error underneath, for the log's stack. Never shown to a caller over HTTP. */
  readonly cause?: unknown;
  /** Verification calls only: was a credit spent? */
  readonly metered?: Metered | undefined;
  /** Documents only: every field at fault. */
  readonly fields?: readonly FieldProblem[] | undefined;
  /** Earliest time to try again, in milliseconds since the epoch. */
  readonly retryAtMs?: number | undefined;
}

/** The one error class of this package. Branch on `code`, never on `message`. */
export class HoldfastError extends Error {
  override readonly name: string = "HoldfastError";
  readonly code: ErrorCode;
  /** Whether the same call may succeed later. It says nothing about what this one did: see {@link safeToRepeat}. */
  readonly retryable: boolean;
  /** False if this call may have taken effect: repeating it could create, change or cost something twice. */
  readonly safeToRepeat: boolean;
  readonly metered: Metered | undefined;
  readonly fields: readonly FieldProblem[];
  readonly retryAtMs: number | undefined;
  /** HTTP status of a service's answer; undefined if none arrived. */
  readonly status: number | undefined;
  /** The service's own words, at most 500 characters; undefined if it gave none, or if they may quote an order. */
  declare readonly serviceMessage: string | undefined;
  /** Headers of a service's answer, by lower-case name; undefined if none arrived. Loggers don't list this property. */
  declare readonly responseHeaders: ServiceAnswer["headers"] | undefined;
  /** Catalog only: SKUs and external ids that are taken already. */
  declare readonly skus: readonly string[] | undefined;

  constructor(code: ErrorCode, message: string, options: HoldfastErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable;
    this.metered = options.metered;
    this.fields = options.fields ?? [];
    this.retryAtMs = options.retryAtMs;
    this.safeToRepeat = options.safeToRepeat ?? (options.metered === undefined || options.metered === "no");
    const { status, message: serviceMessage, headers: responseHeaders, skus } = options.answer ?? {};
    this.status = status;
    // Not enumerable, so that a logger that writes an error's properties leaves out what the service sent.
    for (const [name, value] of Object.entries({ serviceMessage, responseHeaders, skus })) {
      Object.defineProperty(this, name, { value });
    }
  }
}

/**
 * Whether `error` is one of ours, optionally with one of `codes`. Goes by the name, because a process can load this class
 * more than once: two versions, ESM and CommonJS, a bundle per route, hot reload.
 */
export function isHoldfastError(error: unknown, ...codes: readonly ErrorCode[]): error is HoldfastError {
  if (!(error instanceof Error) || error.name !== "HoldfastError" || !("code" in error)) return false;
  return codes.length === 0 || codes.includes(error.code as ErrorCode);
}

/** The error for a mistake that the operator or the caller has to correct: an option, a variable, a file. */
export function toConfigError(message: string, cause?: unknown): HoldfastError {
  return new HoldfastError("CONFIG_INVALID", message, { retryable: false, cause });
}

/** The error of a call that wasn't sent: it costs nothing, and the same call may succeed later. */
export function toUnsentError(code: ErrorCode, message: string, retryAtMs?: number): HoldfastError {
  return new HoldfastError(code, message, { retryable: true, metered: "no", retryAtMs });
}

export function toStoreUnavailable(message: string, cause?: unknown): HoldfastError {
  return new HoldfastError("STORE_UNAVAILABLE", message, { retryable: true, cause });
}

export function toFieldsError(
  code: ErrorCode,
  message: string,
  fields: readonly FieldProblem[],
  cause?: unknown,
): HoldfastError {
  return new HoldfastError(code, message, { retryable: false, fields, cause });
}

export function toOrderError(problem: string, fields: readonly FieldProblem[]): HoldfastError {
  const names = fields.map(({ path }) => path || "order").join(", ");
  return toFieldsError("ORDER_INVALID", `${problem}: ${names}`, fields);
}

/** A number that can't be used, for a message. Variables of the environment are texts, so a text is shown as one. */
export function quoteNumber(value: unknown): string {
  return typeof value === "string" ? `the text ${JSON.stringify(value)}: write Number(…)` : String(value);
}

/** The code that Node or a library gave an error, such as `ECONNREFUSED`; undefined for anything that is not shaped like one. */
export function readCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" && /^[A-Z0-9_]{1,64}$/.test(error.code) ? error.code : undefined;
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it doesn't exist",
  EACCES: "this user has no permission",
  EPERM: "this user has no permission",
  EISDIR: "it's a folder",
  EADDRINUSE: "another process uses this port",
  EADDRNOTAVAIL: "this machine doesn't have this address",
  ENOTFOUND: "this host isn't known",
};

/** Why a file can't be read or written, or a port opened, from the error that Node gave, for the end of a message. */
export function explainSystemError(error: unknown): string {
  const code = readCode(error) ?? "unknown reason";
  return SYSTEM_REASONS[code] ?? code;
}
