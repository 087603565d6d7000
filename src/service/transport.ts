import { HoldfastError, type ErrorCode, type Metered } from "../base/errors.ts";
import type { Dialect } from "./dialect.ts";
import type { SendFailure } from "./send-once.ts";

/** What the caller knows of the call that failed. */
export interface TransportContext {
  readonly dialect: Dialect;
  /** Limit of the attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Whatever happens, the call spends no credit. */
  readonly free: boolean;
}

const TIMEOUT_CODES: ReadonlySet<string> = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

/** An error code such as `ECONNREFUSED`; undefined for anything that is not shaped like one. */
export function readCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" && /^[A-Z0-9_]{1,64}$/.test(error.code) ? error.code : undefined;
}

/**
 * The part of a foreign error that is safe to keep: its name, its code and where it was made. Its message and its
 * other properties stay behind, since a parser quotes the response it choked on and a mock the headers it was given.
 */
function toSafeCause(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = readCode(error);
  const name = /^\w{1,64}$/.test(error.name) ? error.name : "Error";
  const safe = new Error(code ?? name);
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  safe.name = name;
  safe.stack = [`${name}: ${safe.message}`, ...frames].join("\n");
  return code === undefined ? safe : Object.assign(safe, { code });
}

interface Meaning {
  readonly code: ErrorCode;
  readonly metered: Metered;
  readonly message: string;
}

function explainUnsent(failure: SendFailure, { dialect, timeoutMs }: TransportContext): Meaning {
  const { codes, name, work } = dialect;
  if (failure.reason === "aborted") {
    return {
      code: codes.aborted,
      metered: "no",
      message: `the ${work} was canceled before anything was sent`,
    };
  }
  const why =
    failure.reason === "timeout"
      ? `no connection within ${Math.round(timeoutMs)} ms`
      : (readCode(failure.cause) ?? "no connection");
  const message = `the ${name} can't be reached, and nothing was sent: ${why}`;
  return { code: codes.unreachable, metered: "no", message };
}

function explainSent(failure: SendFailure, { dialect, timeoutMs, free }: TransportContext): Meaning {
  const { codes, name, work } = dialect;
  const code = readCode(failure.cause);
  if (failure.reason === "aborted") {
    return {
      code: codes.aborted,
      metered: "unknown",
      message: `the ${work} was canceled after the request was sent${free ? "" : "; it may have been billed"}`,
    };
  }
  if (failure.reason === "timeout" || (code !== undefined && TIMEOUT_CODES.has(code))) {
    const message = `the ${name} didn't send a complete response within ${Math.round(timeoutMs)} ms`;
    return { code: codes.timeout, metered: "unknown", message };
  }
  if (failure.reason === "oversized") {
    const message = `the ${name}'s response is larger than ${dialect.maxResponseBytes / 1_048_576} MiB`;
    return { code: codes.malformed, metered: "yes", message };
  }
  const message = `the connection to the ${name} broke after the request was sent: ${code ?? "closed"}`;
  return { code: codes.interrupted, metered: "unknown", message };
}

/**
 * Turn an attempt without a whole response into the error it stands for. All of them are retryable; what they differ
 * in is whether a credit can have been spent: never before the first byte was sent, possibly from then on.
 */
export function toTransportError(failure: SendFailure, context: TransportContext): HoldfastError {
  const explain = failure.sent ? explainSent : explainUnsent;
  const { code, metered, message } = explain(failure, context);
  return new HoldfastError(code, message, {
    retryable: true,
    metered: context.free ? "no" : metered,
    cause: toSafeCause(failure.cause),
  });
}
