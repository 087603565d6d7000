import { z } from "zod";
import type { FieldProblem } from "../../base/errors.ts";
import { ACTIONS } from "../../order/decision.ts";
import { ORDER_STATES, type OrderFilter } from "../../store/store.ts";
import { RISK_LEVELS } from "../../order/result.ts";

const VIEWS = ["queue"] as const;

/** The query of `GET /api/orders`, for its description; {@link parseOrderQuery} reads it. */
export const orderQuery = z.object({
  level: z.enum(RISK_LEVELS).optional(),
  action: z.enum(ACTIONS).optional(),
  state: z.enum(ORDER_STATES).optional(),
  view: z.enum(VIEWS).optional().describe("`queue`: orders that need a decision, nearest deadline first"),
  q: z
    .string()
    .optional()
    .describe("an order name with or without #, an order ID, or an exact email address"),
  limit: z.string().optional().describe("1 to 100, default 50"),
  cursor: z.string().optional().describe("`nextCursor` from the previous page"),
});

/** What {@link parseOrderQuery} makes of a query string. */
export type OrderQuery =
  | { readonly outcome: "valid"; readonly filter: OrderFilter }
  | { readonly outcome: "invalid"; readonly errors: readonly FieldProblem[] };

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
/** Longer than any cursor a store gives out. */
const MAX_CURSOR_LENGTH = 1_000;
const NAME_SHOWN_LENGTH = 64;

/** Longer than any email address or order name. */
const MAX_SEARCH_LENGTH = 320;

const NAMES = ["level", "action", "state", "view", "q", "limit", "cursor"] as const;
type Name = (typeof NAMES)[number];

/**
 * Read the query of `GET /api/orders`. A parameter that is unknown, repeated or out of range is refused by name: a
 * filter with a typing error must not answer with everything.
 */
export function parseOrderQuery(query: URLSearchParams): OrderQuery {
  const errors: FieldProblem[] = [];
  const given = new Map<Name, string>();
  for (const [name, value] of query) {
    if (!isName(name)) {
      errors.push({ path: name.slice(0, NAME_SHOWN_LENGTH), message: `expected one of ${NAMES.join(", ")}` });
    } else if (given.has(name)) {
      errors.push({ path: name, message: "expected only once" });
    } else {
      given.set(name, value);
    }
  }

  function pick<T extends string>(name: Name, values: readonly T[]): T | undefined {
    const value = given.get(name);
    if (value === undefined) return undefined;
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) errors.push({ path: name, message: `expected one of ${values.join(", ")}` });
    return found;
  }

  const level = pick("level", RISK_LEVELS);
  const action = pick("action", ACTIONS);
  const state = pick("state", ORDER_STATES);
  const view = pick("view", VIEWS);
  const search = given.get("q")?.trim();
  if (search !== undefined && !isBetween(search, MAX_SEARCH_LENGTH))
    errors.push({ path: "q", message: `expected 1 to ${MAX_SEARCH_LENGTH} characters` });
  const limit = toLimit(given.get("limit"));
  if (limit === undefined)
    errors.push({ path: "limit", message: `expected a number from 1 to ${MAX_LIMIT}` });
  const cursor = given.get("cursor");
  if (cursor !== undefined && !isBetween(cursor, MAX_CURSOR_LENGTH)) errors.push(CURSOR_PROBLEM);

  if (errors.length > 0 || limit === undefined) return { outcome: "invalid", errors };
  return { outcome: "valid", filter: { level, action, state, view, search, limit, cursor } };
}

/** What is said of a cursor that was not given out. */
export const CURSOR_PROBLEM: FieldProblem = {
  path: "cursor",
  message: "expected a cursor from an earlier page",
};

function isBetween(text: string, maxLength: number): boolean {
  return text !== "" && text.length <= maxLength;
}

function isName(name: string): name is Name {
  return NAMES.some((known) => known === name);
}

function toLimit(text: string | undefined): number | undefined {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= MAX_LIMIT ? limit : undefined;
}
