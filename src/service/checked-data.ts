import { z } from "zod";
import { HoldfastError, type Metered } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import { toFieldProblems } from "../order/request.ts";
import type { Dialect } from "./dialect.ts";

// JSON leaves out what is undefined, and zod wants the key of an `unknown`.
const data = z.unknown().optional();
// Created once, since zod compiles a schema on its first use.
const ENVELOPES = {
  success: z.object({ success: z.literal(true), data }),
  ok: z.object({ ok: z.literal(true), data }),
} as const;

/** A reader's information about the call. */
export interface EnvelopeContext {
  readonly dialect: Dialect;
  readonly metered: Metered;
  /** The name of the envelope's flag; null if the answer has no envelope. @default `success` */
  readonly flag?: keyof typeof ENVELOPES | null | undefined;
}

function malformed(what: string, { dialect, metered }: EnvelopeContext, error?: z.ZodError): HoldfastError {
  return new HoldfastError(dialect.codes.malformed, `the ${dialect.name} sent an invalid response: ${what}`, {
    retryable: true,
    metered,
    fields: error === undefined ? undefined : toFieldProblems(error),
  });
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
  const parsed = schema.safeParse(outer.data?.data);
  if (parsed.success) return parsed.data;
  throw malformed(flag === null ? "unexpected body" : "unexpected `data`", context, parsed.error);
}
