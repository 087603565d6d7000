import { z } from "zod";
import { HoldfastError, type Metered } from "../base/errors.ts";
import type { FieldProblem } from "../base/field-codes.ts";
import { parseJson } from "../base/json.ts";
import { isFields } from "../order/complete-order.ts";
import { toExpectation, toFieldProblems } from "../order/field-problems.ts";
import type { Dialect } from "./dialect.ts";
import { withoutMailAddresses } from "./http-errors.ts";
import { toPathSegment } from "./organization.ts";

// JSON leaves out what is undefined, and zod wants the key of an `unknown`.
const data = z.unknown().optional();
// Created once, since zod compiles a schema on its first use.
const ENVELOPES = {
  success: z.object({ success: z.literal(true), data }),
  ok: z.object({ ok: z.literal(true), data }),
} as const;

export interface EnvelopeContext {
  readonly dialect: Dialect;
  readonly metered: Metered;
  /** The interface doesn't show the answer: it may be empty, or JSON without an envelope. @default false */
  readonly unshown?: boolean | undefined;
  /** Making the call again changes nothing. */
  readonly repeatable: boolean;
  /** The name of the envelope's flag; null if the answer has no envelope. @default `success` */
  readonly flag?: keyof typeof ENVELOPES | null | undefined;
}

function malformed(
  what: string,
  { dialect, metered, repeatable }: EnvelopeContext,
  error?: z.ZodError,
): HoldfastError {
  const message = `the ${dialect.name} sent an invalid response: ${what}`;
  const fields = error && toFieldProblems(error);
  const details = { retryable: true, safeToRepeat: repeatable, metered, fields } as const;
  return new HoldfastError(dialect.codes.malformed, message, details);
}

/** A failure that came with a successful status: the message of an envelope, or of the `data` in it, that says no. */
function refuseFailure(whole: unknown, context: EnvelopeContext): void {
  const { dialect, metered, repeatable, flag = "success" } = context;
  if (dialect.toFailure === undefined || flag === null || !isFields(whole)) return;
  const failed = [whole, whole["data"]].find((part) => isFields(part) && part[flag] === false);
  if (!isFields(failed)) return;
  const text = typeof failed["message"] === "string" ? dialect.toSafeMessage(failed["message"]) : undefined;
  const { code, hint } = dialect.toFailure(text);
  const said = text === undefined ? "" : ` (${withoutMailAddresses(text)})`;
  throw new HoldfastError(code, `the ${dialect.name} answered that the call failed${said}: ${hint}`, {
    retryable: false,
    safeToRepeat: repeatable,
    metered,
    answer: { status: 200, headers: {}, message: text },
  });
}

/**
 * Read the `data` of a success envelope, or a whole answer without one.
 *
 * @throws {HoldfastError} the dialect's code for a malformed answer when the body is not JSON, not a success envelope, or
 * fails `schema`; with the fields at fault, never with their values.
 */
export function parseEnvelope<T>(body: string, schema: z.ZodType<T>, context: EnvelopeContext): T {
  const whole = parseJson(body);
  refuseFailure(whole, context);
  // A page in place of an answer says nothing about what was done.
  if (whole === undefined && !(context.unshown === true && body.trim() === ""))
    throw malformed("not JSON", context);
  const parsed = schema.safeParse(unwrap(whole, context), { error: toExpectation });
  if (parsed.success) return parsed.data;
  throw malformed(context.flag === null ? "unexpected body" : "unexpected `data`", context, parsed.error);
}

function unwrap(whole: unknown, context: EnvelopeContext): unknown {
  const { flag = "success", unshown = false } = context;
  if (flag === null) return whole;
  const outer = ENVELOPES[flag].safeParse(whole);
  if (!outer.success && !unshown) throw malformed(`no ${flag} envelope`, context);
  return outer.success ? outer.data.data : whole;
}

/** The most fields that a message names. */
const NAMED_FIELDS = 10;

/** A call breaks a rule of the interface, so that nothing was sent. */
export function toInputError(fields: readonly FieldProblem[]): HoldfastError {
  const names = [...new Set(fields.map(({ path }) => path || "body"))].slice(0, NAMED_FIELDS).join(", ");
  const details = { retryable: false, metered: "no", fields } as const;
  return new HoldfastError("INPUT_INVALID", `the call can't be sent: ${names}`, details);
}

/**
 * Check the body of a call against the interface.
 *
 * @throws {HoldfastError} `INPUT_INVALID` with one entry in `fields` per wrong field. Nothing was sent.
 */
export function parseInput(schema: z.ZodType, given: unknown): Readonly<Record<string, unknown>> {
  const parsed = schema.safeParse(given, { error: toExpectation });
  if (parsed.success) return parsed.data as Readonly<Record<string, unknown>>;
  throw toInputError(toFieldProblems(parsed.error));
}

/**
 * A path with IDs in place of its parameters (`:id`), in order.
 *
 * @throws {HoldfastError} `INPUT_INVALID` naming the parameter that has no usable id.
 */
export function fillPath(path: string, ids: readonly unknown[]): string {
  let index = 0;
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const id = ids[index++];
    const segment = typeof id === "string" ? toPathSegment(id) : undefined;
    if (segment === undefined) throw toInputError([{ path: name, message: "expected an id" }]);
    return segment;
  });
}
