import type { ErrorCode, Metered } from "../base/errors.ts";
import type { FieldProblem } from "../base/field-codes.ts";

/** Messages that every service uses. They never quote the request. */
export const COMMON_MESSAGES = [
  "Missing API Key",
  "Invalid API Key",
  "Rate limit exceeded",
  "Internal Server Error",
] as const;

/** How a call can end without an answer, for any service. */
type FailureKind =
  | "rateLimited"
  | "failed"
  | "malformed"
  | "unreachable"
  | "timeout"
  | "interrupted"
  | "aborted";

/** The meaning of a status other than 2xx. */
export interface StatusMeaning {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly metered: Metered;
  readonly hint: string;
}

export function meaning(code: ErrorCode, retryable: boolean, metered: Metered, hint: string): StatusMeaning {
  return { code, retryable, metered, hint };
}

/** Meanings by status; those of a whole class by its first digit, e.g. 5; and of all others by 0. */
type Meanings = Readonly<Record<number, StatusMeaning>> & { readonly 0: StatusMeaning };

export function findMeaning(meanings: Meanings, status: number): StatusMeaning {
  return meanings[status] ?? meanings[Math.floor(status / 100)] ?? meanings[0];
}

/** The differences between services for the shared HTTP core: name, error codes, statuses. */
export interface Dialect {
  /** Follows "the" in messages, e.g. `verification service`. */
  readonly name: string;
  /** The name of what a caller cancels, e.g. `check`. */
  readonly work: string;
  readonly codes: Readonly<Record<FailureKind, ErrorCode>>;
  /** The service's own message is passed in, if there is one. */
  readonly toMeaning: (status: number, message?: string) => StatusMeaning;
  /** The part of a service's own message that errors may repeat. The rest may quote a person's data. */
  readonly toSafeMessage: (message: string) => string | undefined;
  /** What a refusal says is taken already: SKUs and external ids. */
  readonly findTaken?: ((message: string) => readonly string[] | undefined) | undefined;
  /** What a failure means that came with a successful status. Default: the answer can't be read. */
  readonly toFailure?: ((message?: string) => StatusMeaning) | undefined;
  /** Request fields that a refusal names. */
  readonly findFields: (message: string) => readonly FieldProblem[];
  readonly maxResponseBytes: number;
  /**
   * Find out with the free call whether a page or a redirect is another server's, until the service has answered. @default false
   */
  readonly findsElsewhere?: boolean | undefined;
  /** The name of the option for the key. @default apiKey */
  readonly keyOption?: string | undefined;
  /** Names of the settings behind the options, for error messages; empty if there are none. */
  readonly settings: Readonly<Partial<Record<"url" | "apiKey" | "organization" | "timeoutMs", string>>>;
}

/** The name of an option for a message: in backticks, with its setting. */
export function toOptionName(option: keyof Dialect["settings"], { settings, keyOption }: Dialect): string {
  const name = option === "apiKey" ? (keyOption ?? option) : option;
  const setting = settings[option];
  return setting === undefined ? `\`${name}\`` : `\`${name}\` (${setting})`;
}
