import type { FieldProblem } from "../../base/errors.ts";
import type { IncomingMessage } from "node:http";

/** The query of a request, without any notion of nesting. Never throws. */
export function toQuery(req: Pick<IncomingMessage, "url">): URLSearchParams {
  const url = req.url ?? "";
  const start = url.indexOf("?");
  return new URLSearchParams(start === -1 ? "" : url.slice(start + 1));
}

/** A query parameter that is a whole number. */
export interface NumberParameter {
  readonly min: number;
  readonly max: number;
  /** Null: there is none when it is left out. */
  readonly fallback: number | null;
}

/** What {@link parseNumberQuery} makes of a query string. */
export type NumberQuery<Name extends string> =
  | { readonly outcome: "valid"; readonly values: Readonly<Record<Name, number | null>> }
  | { readonly outcome: "invalid"; readonly errors: readonly FieldProblem[] };

const NAME_SHOWN_LENGTH = 64;

/** Read a query of whole numbers. A parameter that is unknown, repeated or out of range is refused by name. */
export function parseNumberQuery<Name extends string>(
  query: URLSearchParams,
  parameters: Readonly<Record<Name, NumberParameter>>,
): NumberQuery<Name> {
  const known = Object.entries<NumberParameter>(parameters);
  const errors: FieldProblem[] = [];
  for (const name of new Set(query.keys())) {
    if (Object.hasOwn(parameters, name)) {
      if (query.getAll(name).length > 1) errors.push({ path: name, message: "expected only once" });
    } else {
      const names = known.map(([key]) => key).join(", ");
      errors.push({ path: name.slice(0, NAME_SHOWN_LENGTH), message: `expected one of ${names}` });
    }
  }
  const values = known.map(([name, parameter]) => {
    const value = toNumber(query.get(name), parameter);
    if (value !== undefined) return [name, value] as const;
    const { min, max } = parameter;
    errors.push({ path: name, message: `expected a whole number from ${min} to ${max}` });
    return [name, null] as const;
  });
  if (errors.length > 0) return { outcome: "invalid", errors };
  return { outcome: "valid", values: Object.fromEntries(values) as Record<Name, number | null> };
}

function toNumber(text: string | null, { min, max, fallback }: NumberParameter): number | null | undefined {
  if (text === null) return fallback;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}
