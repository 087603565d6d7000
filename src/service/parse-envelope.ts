import { z } from "zod";
import { HoldfastError, type Metered } from "../base/errors.ts";
import { toFieldProblems } from "../order/request.ts";

// Made once: zod compiles a schema on its first use.
const successSchema = z.object({ success: z.literal(true), data: z.unknown() });

function malformed(what: string, metered: Metered, error?: z.ZodError): HoldfastError {
  return new HoldfastError(
    "VERIFICATION_MALFORMED",
    `the verification service sent an invalid response: ${what}`,
    {
      retryable: true,
      metered,
      fields: error === undefined ? undefined : toFieldProblems(error),
    },
  );
}

function parseJson(body: string, metered: Metered): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // The parser's own message quotes the text, which may be about a customer.
    throw malformed("not JSON", metered);
  }
}

/**
 * Read the `data` of a success envelope.
 *
 * @throws {HoldfastError} `VERIFICATION_MALFORMED` when the body is not JSON, not a success envelope, or fails
 * `schema`; with the fields at fault, never with their values.
 */
export function parseEnvelope<T>(body: string, schema: z.ZodType<T>, metered: Metered): T {
  const envelope = parseJson(body, metered);
  const outer = successSchema.safeParse(envelope);
  if (!outer.success) throw malformed("no success envelope", metered);
  const parsed = schema.safeParse(outer.data.data);
  if (parsed.success) return parsed.data;
  throw malformed("unexpected `data`", metered, parsed.error);
}
