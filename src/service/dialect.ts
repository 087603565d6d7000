import type { ErrorCode, FieldProblem, Metered } from "../base/errors.ts";

/** The ways in which a call can end without an answer, whichever service was called. */
export type FailureKind =
  | "rateLimited"
  | "failed"
  | "malformed"
  | "unreachable"
  | "timeout"
  | "interrupted"
  | "aborted";

/** What a status other than 2xx stands for. */
export interface StatusMeaning {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly metered: Metered;
  readonly hint: string;
}

/** What is different from one service to the next for the one HTTP core: its name, its error codes, its statuses. */
export interface Dialect {
  /** Stands behind "the" in messages, e.g. `verification service`. */
  readonly name: string;
  /** What a caller cancels, e.g. `check`. */
  readonly work: string;
  readonly codes: Readonly<Record<FailureKind, ErrorCode>>;
  /** The message is the service's own, where there is one. */
  readonly toMeaning: (status: number, message?: string) => StatusMeaning;
  /** The part of a service's own message that may be repeated; anything else may hold what was sent. */
  readonly toSafeMessage: (message: string) => string | undefined;
  /** Request fields that a refusal names. */
  readonly findFields: (message: string) => readonly FieldProblem[];
  /** Largest response that is read, in bytes. */
  readonly maxResponseBytes: number;
  /** What the option that holds the key is called. @default apiKey */
  readonly keyOption?: string | undefined;
  /** Names of the settings that hold an option, for its error; empty where there are none. */
  readonly settings: Readonly<Partial<Record<"url" | "apiKey" | "organization" | "timeoutMs", string>>>;
}

/** The name of an option for a message: in backticks, with the setting that holds it. */
export function toOptionName(option: keyof Dialect["settings"], { settings, keyOption }: Dialect): string {
  const name = option === "apiKey" ? (keyOption ?? option) : option;
  const setting = settings[option];
  return setting === undefined ? `\`${name}\`` : `\`${name}\` (${setting})`;
}
