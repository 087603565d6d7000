import type { z } from "zod";
import { HoldfastError, type FieldProblem } from "../base/errors.ts";
import { toFieldProblems } from "../order/request.ts";
import { toPathSegment } from "./organization.ts";

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
  const parsed = schema.safeParse(given);
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
