import type { FieldProblem } from "../base/field-codes.ts";
import { cutText } from "../order/text.ts";
import { findMeaning, meaning, type Dialect, type StatusMeaning } from "./dialect.ts";

/** Largest answer of the catalog and of the management interface that is read: 200 import items with all their data. */
const MAX_RESPONSE_BYTES = 32 * 1_048_576;
/** Longest part of a message that errors repeat. */
const REPEATED_CHARACTERS = 500;

const MEANINGS = {
  400: meaning("SERVICE_REFUSED", false, "no", "the request was refused"),
  401: meaning("SERVICE_UNAUTHORIZED", false, "no", "the key is missing, expired or disabled"),
  402: meaning("SERVICE_NO_CREDITS", true, "no", "no credits are left"),
  403: meaning("SERVICE_FORBIDDEN", false, "no", "the key is invalid or has no access"),
  404: meaning("SERVICE_NOT_FOUND", false, "no", "not found"),
  408: meaning("SERVICE_FAILED", true, "unknown", "the service timed out"),
  409: meaning("SERVICE_CONFLICT", false, "no", "it conflicts with what is there"),
  413: meaning("SERVICE_REFUSED", false, "no", "the request is too large"),
  422: meaning("SERVICE_REFUSED", false, "no", "the request was refused"),
  429: meaning("SERVICE_RATE_LIMITED", true, "no", "the key's rate limit is exceeded"),
  3: meaning("SERVICE_MALFORMED", false, "no", "redirects are not followed; check the address"),
  4: meaning("SERVICE_REFUSED", false, "no", "the request was refused before it reached the service"),
  5: meaning("SERVICE_FAILED", true, "unknown", "the service failed"),
  0: meaning("SERVICE_MALFORMED", true, "unknown", "unexpected status"),
};

/** Lists SKUs of the catalog, which aren't personal data. */
const DUPLICATE = /^Products with these SKUs\/externalIds already exist: /;
/** Messages for which the interface documents no status. */
const WORDED: Readonly<Record<string, StatusMeaning>> = {
  "Job cannot be stopped because it is not in progress": meaning(
    "SERVICE_CONFLICT",
    false,
    "no",
    "the job has ended",
  ),
  "Job not found": MEANINGS[404],
  "Product not found": MEANINGS[404],
};

function toWordedMeaning(message: string): StatusMeaning | undefined {
  if (DUPLICATE.test(message)) return meaning("SERVICE_CONFLICT", false, "no", "use other SKUs, or update");
  return Object.hasOwn(WORDED, message) ? WORDED[message] : undefined;
}

function toMeaning(status: number, message = ""): StatusMeaning {
  return (status >= 400 ? toWordedMeaning(message) : undefined) ?? findMeaning(MEANINGS, status);
}

/** Requests hold products and no customer's data, so errors may say what the service said. */
function toSafeMessage(message: string): string | undefined {
  return (
    cutText(message.toWellFormed().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " "), REPEATED_CHARACTERS).trim() ||
    undefined
  );
}

function findTaken(message: string): readonly string[] | undefined {
  if (!DUPLICATE.test(message)) return undefined;
  return message
    .replace(DUPLICATE, "")
    .split(",")
    .map((sku) => sku.trim())
    .filter((sku) => sku !== "");
}

/** The field that a refusal begins with: one path, as in `products[3].sku: …`. */
function findFields(message: string): readonly FieldProblem[] {
  const detail = message.slice(0, 2_000).replace(/^Invalid request body: /, "");
  return detail.split("; ").flatMap((part) => {
    const path = /^([A-Za-z]\w{0,40}(?:\[\d{1,5}\]|\.[A-Za-z]\w{0,40}){0,6}): /.exec(part)?.[1];
    return path === undefined ? [] : [{ path, message: "refused by the service" }];
  });
}

/** The errors of the catalog and the management interface. */
export function createPlatformDialect(name: string): Dialect {
  return {
    name,
    work: "call",
    codes: {
      rateLimited: "SERVICE_RATE_LIMITED",
      failed: "SERVICE_FAILED",
      malformed: "SERVICE_MALFORMED",
      unreachable: "SERVICE_UNREACHABLE",
      timeout: "SERVICE_TIMEOUT",
      interrupted: "SERVICE_INTERRUPTED",
      aborted: "SERVICE_ABORTED",
    },
    toMeaning,
    toSafeMessage,
    toFailure: (message) => toMeaning(400, message),
    findTaken,
    findFields,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    settings: {},
  };
}
