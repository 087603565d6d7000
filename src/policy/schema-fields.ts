import { z } from "zod";
import { expected } from "../base/field-codes.ts";

export const POLICY_LIMITS = {
  /** Tags of one level or rule. */
  tags: 10,
  /** The longest order tag that Shopify takes. */
  tagLength: 40,
  rules: 200,
  ruleNameLength: 100,
  /** Entries of one list in a rule's conditions. */
  listEntries: 1_000,
  entryLength: 500,
  /** Sets of conditions in one group of a rule. */
  groupEntries: 20,
  /** With the most entries of the lists, what Shopify hands to a function: 10,000 bytes. */
  hiddenPayments: 12,
  paymentNameLength: 40,
  skipChannels: 20,
  agentChannels: 20,
  channelLength: 100,
  shopNameLength: 80,
} as const;

export function filledText(maxLength: number) {
  const problem = expected("filled-text", { max: maxLength });
  return z
    .string(problem)
    .max(maxLength, problem)
    .refine((value) => value.trim() !== "", problem);
}

type ListName = "channels" | "entries" | "rules" | "tags";

export function limitedList<T extends z.ZodType>(entry: T, most: number, what: ListName) {
  const problem = expected(`list-of-${what}`, { max: most });
  return z.array(entry, problem).max(most, problem);
}

/**
 * An object that refuses keys it does not know, naming those it does.
 *
 * @param explain - What is expected instead of such keys, if that is something else.
 */
export function strict<T extends z.ZodRawShape>(
  shape: T,
  explain: (keys: readonly string[]) => string | undefined = () => undefined,
) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? (explain(issue.keys) ?? expected("setting", { allowed: Object.keys(shape).join(", ") }))
        : expected("object"),
  });
}

export const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, expected("one-of", { allowed: values.join(", ") }));
export const flag = () => z.boolean(expected("boolean"));

export function wholeNumber(min: number, max: number) {
  const problem = expected("whole-number-between", { min, max });
  return z.int(problem).min(min, problem).max(max, problem);
}
