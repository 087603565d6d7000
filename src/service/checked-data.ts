import { z } from "zod";
import { HoldfastError, type FieldProblem, type Metered } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import { toExpectation, toFieldProblems } from "../order/field-problems.ts";
import type { Dialect } from "./dialect.ts";
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
  /** The name of the envelope's flag; null if the answer has no envelope. @default `success` */
  readonly flag?: keyof typeof ENVELOPES | null | undefined;
}

function malformed(what: string, { dialect, metered }: EnvelopeContext, error?: z.ZodError): HoldfastError {
  const message = `the ${dialect.name} sent an invalid response: ${what}`;
  const fields = error && toFieldProblems(error);
  return new HoldfastError(dialect.codes.malformed, message, { retryable: true, metered, fields });
}

/**
 * Read the `data` of a success envelope, or a whole answer without one.
 *
 * @throws {HoldfastError} the dialect's code for a malformed answer when the body is not JSON, not a success envelope, or
 * fails `schema`; with the fields at fault, never with their values.
 */
export function parseEnvelope<T>(body: string, schema: z.ZodType<T>, context: EnvelopeContext): T {
  const { flag = "success" } = context;
  const whole = parseJson(body);
  if (whole === undefined) throw malformed("not JSON", context);
  const outer = flag === null ? { success: true, data: { data: whole } } : ENVELOPES[flag].safeParse(whole);
  if (!outer.success) throw malformed(`no ${flag === null ? "" : flag} envelope`, context);
  const parsed = schema.safeParse(outer.data?.data, { error: toExpectation });
  if (parsed.success) return parsed.data;
  throw malformed(flag === null ? "unexpected body" : "unexpected `data`", context, parsed.error);
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
