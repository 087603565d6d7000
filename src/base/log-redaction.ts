import { isHoldfastError } from "./errors.ts";

/** Replaces a value whose key says that it is secret or personal. */
export const REDACTED = "[redacted]";

/** Parts of a key, lower case without separators, that mark its value as secret or personal. */
const MARKED_PARTS = [
  "accesskey",
  "address",
  "apikey",
  "authorization",
  "bearer",
  "birth",
  "cookie",
  "credential",
  "customer",
  "datakey",
  "email",
  "firstname",
  "fullname",
  "hmac",
  "holdername",
  "lastname",
  "password",
  "phone",
  "postal",
  "secret",
  "session",
  "signature",
  "token",
  "useragent",
] as const;

/** Whole keys, lower case without separators: words too common to look for inside others. */
const MARKED_KEYS = new Set([
  "answer",
  "body",
  "city",
  "company",
  "companyname",
  "expiry",
  "ip",
  "known",
  "lastfourdigits",
  "mapped",
  "name",
  "note",
  "payload",
  "rawbody",
  "reasoning",
  "recipient",
  "request",
  "result",
  "street",
  "username",
  "xforwardedfor",
  "xrealip",
  "zip",
]);

const MAX_DEPTH = 6;
const MAX_ENTRIES = 50;
const MAX_TEXT_LENGTH = 2_000;
const MAX_FRAMES = 20;

/**
 * The fields of a log line without the data that must not be logged: values of secret and personal keys at any depth,
 * bytes, names of rules among the reasons of a decision, and the messages of errors that are not ours, which may quote
 * the data they failed on. Never throws and changes nothing it is given.
 */
export function toLogFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return toEntries(fields, 0, new Set());
}

function isMarked(key: string): boolean {
  const plain = key.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return MARKED_KEYS.has(plain) || MARKED_PARTS.some((part) => plain.includes(part));
}

function toEntries(value: object, depth: number, seen: ReadonlySet<object>): Record<string, unknown> {
  const within = new Set(seen).add(value);
  const entries: [string, unknown][] = [];
  for (const key of Object.keys(value).slice(0, MAX_ENTRIES)) {
    const field = key === "reasons" ? withoutRuleNames(read(value, key)) : read(value, key);
    // Whether a secret is set is often what the reader needs to know.
    const hasValue = typeof field !== "boolean" && field !== undefined && field !== null;
    entries.push([key, isMarked(key) && hasValue ? REDACTED : toLogged(field, depth + 1, within)]);
  }
  return Object.fromEntries(entries);
}

/** Reasons are safe except for what the merchant wrote. A caller that forgets this must not leak it. */
function withoutRuleNames(reasons: unknown): unknown {
  return isTextList(reasons) ? toLoggedReasons(reasons) : reasons;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function read(value: object, key: string): unknown {
  return readSafely(() => Reflect.get(value, key));
}

/** A getter or `toJSON` may throw, and a log line must not. */
function readSafely(get: () => unknown): unknown {
  try {
    return get();
  } catch {
    return "[unreadable]";
  }
}

function toLogged(value: unknown, depth: number, seen: ReadonlySet<object>): unknown {
  if (typeof value === "string") {
    return value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value;
  }
  if (typeof value === "bigint") return String(value);
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (seen.has(value)) return "[circular]";
  if (depth > MAX_DEPTH) return "[deep]";
  return toLoggedObject(value, depth, seen);
}

function toLoggedObject(value: object, depth: number, seen: ReadonlySet<object>): unknown {
  if (value instanceof Error) return toLoggedError(value, depth, seen);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  // Paths and queries can contain ids and tokens.
  if (value instanceof URL) return value.origin;
  const within = new Set(seen).add(value);
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ENTRIES).map((item: unknown) => toLogged(item, depth + 1, within));
  }
  const toJson = read(value, "toJSON");
  if (typeof toJson !== "function") return toEntries(value, depth, seen);
  const json = readSafely(() => Reflect.apply(toJson, value, []));
  return toLogged(json, depth + 1, within);
}

function toLoggedError(error: Error, depth: number, seen: ReadonlySet<object>): Record<string, unknown> {
  const within = new Set(seen).add(error);
  const cause = read(error, "cause");
  return {
    type: toWord(read(error, "name")) ?? "Error",
    code: toWord(read(error, "code")),
    ...toOwnDetails(error),
    stack: toFrames(error),
    cause: cause === undefined ? undefined : toCause(cause, depth, within),
  };
}

function toCause(cause: unknown, depth: number, seen: ReadonlySet<object>): unknown {
  // Anything can be thrown, even a string that contains a person's name.
  return cause instanceof Error ? toLogged(cause, depth + 1, seen) : `[${typeof cause}]`;
}

/** Our messages never repeat data (a rule of `errors.ts`); other libraries' messages may. */
function toOwnDetails(error: Error): Record<string, unknown> {
  if (!isHoldfastError(error)) return {};
  const { message, retryable, metered, fields } = error;
  return {
    message,
    retryable,
    metered,
    fields: fields.length === 0 ? undefined : fields.slice(0, MAX_ENTRIES).map((field) => field.path),
  };
}

/** A code or name as programs write them; a sentence is not one. */
function toWord(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && /^[\w.$-]{1,80}$/.test(value) ? value : undefined;
}

/** `at f (file:///a.ts:1:2)`, `at node:internal/x:1:2`, `at Array.map (<anonymous>)`, `at async Promise.all (index 0)`. */
const FRAME =
  /^ {4}at (?:[^()]*\()?(?:(?:file:|node:|\/|[A-Za-z]:\\)[^()]*:\d+:\d+|<anonymous>|index \d+|native)\)?$/;

/** Where it happened. V8 writes the message in front of the frames, and a message may look like a frame. */
function toFrames(error: Error): string | undefined {
  const { stack, message } = { stack: read(error, "stack"), message: read(error, "message") };
  if (typeof stack !== "string" || typeof message !== "string") return undefined;
  const start = stack.indexOf(message);
  const frames = stack
    .slice(start === -1 ? 0 : start + message.length)
    .split("\n")
    .filter((line) => FRAME.test(line));
  return frames.slice(0, MAX_FRAMES).join("\n");
}

const RULE = "rule:";

/**
 * A decision's reasons for a log line: the name of a rule is the merchant's own text, which may name a customer, so only
 * `rule` is left of `rule:NAME`. Everything else is a code of ours and stays.
 */
export function toLoggedReasons(reasons: readonly string[]): readonly string[] {
  return reasons.map((reason) => (reason.startsWith(RULE) ? "rule" : reason));
}
