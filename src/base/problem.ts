import type { ErrorCode, HoldfastError } from "./errors.ts";
import type { FieldProblem } from "./field-codes.ts";
import type { RefusalCode, RefusalParams } from "./refusals.ts";

/** Codes of answers that refuse a change because of an earlier change. No error is thrown with them. */
export const CONFLICT_CODES = [
  "ALREADY_DECIDED",
  "UNDO_TOO_LATE",
  "NOTHING_TO_UNDO",
  "RECHECK_LIMITED",
] as const;
export type ConflictCode = (typeof CONFLICT_CODES)[number];

/**
 * Codes of a 401 about the shop that a request of the console is for. `SHOP_REQUIRED`: the browser is signed in to several, and
 * the request names none. `SHOP_NOT_SIGNED_IN`: it isn't signed in to the one that the request names.
 */
export const SHOP_CODES = ["SHOP_REQUIRED", "SHOP_NOT_SIGNED_IN"] as const;
export type ShopCode = (typeof SHOP_CODES)[number];

/** Media type of every error answered over HTTP (RFC 9457). */
export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** An error as answered over HTTP (RFC 9457). */
export interface Problem extends ProblemDetails {
  /** `about:blank`: the status says what kind of problem it is. */
  readonly type: string;
  readonly title: string;
  /** The same as the response's status. */
  readonly status: number;
}

/** Optional fields of a {@link Problem}. */
export interface ProblemDetails {
  /** A sentence for the reader of this one answer, in English. */
  readonly detail?: string;
  /** The same for programs, which may translate it. */
  readonly refusal?: RefusalCode;
  /** What is filled into the text of `refusal`. */
  readonly params?: RefusalParams;
  readonly code?: ErrorCode | ConflictCode | ShopCode;
  /** With `ALREADY_DECIDED` and `UNDO_TOO_LATE`: the decision that stands. `by`: `person:ID`; `at`: ISO, in UTC. */
  readonly decision?: {
    readonly act: "approve" | "decline" | "handle" | "recheck";
    readonly by: string;
    readonly at: string;
  };
  /** Every field at fault, without the values. */
  readonly errors?: readonly FieldProblem[];
}

/** Make the body of a problem answer. */
export function toProblem(status: number, title: string, details: ProblemDetails = {}): Problem {
  return { type: "about:blank", title, status, ...details };
}

/**
 * The 403 for an order that isn't accepted. It is the same for every order, so that somebody who tests stolen cards
 * can't learn what gave them away.
 */
export function toRefusalProblem(): Problem {
  return toProblem(403, "Forbidden", { detail: "This order cannot be accepted." });
}

/** The 422 for an order that can't be checked, or the 400 for a body that isn't JSON, with the fields of an `ORDER_INVALID` error. */
export function toInvalidOrderProblem({ code, fields: errors, cause }: HoldfastError): Problem {
  return cause instanceof SyntaxError
    ? toProblem(400, "Bad Request", { detail: "The body isn't valid JSON.", code, errors })
    : toProblem(422, "Unprocessable Content", {
        detail: "This order cannot be checked as it is.",
        code,
        errors,
      });
}

/** A problem as a Web-standard response. */
export function toProblemResponse(problem: Problem): Response {
  const headers = { "Content-Type": PROBLEM_MEDIA_TYPE, "Cache-Control": "no-store" };
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}
