import { z } from "zod";

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
  skipChannels: 20,
  channelLength: 100,
  /** The most factors of the local engine's points: more than it has signals. */
  localWeights: 200,
} as const;

export function filledText(maxLength: number) {
  const expected = `expected 1 to ${maxLength} characters, not only white space`;
  return z
    .string(expected)
    .max(maxLength, expected)
    .refine((value) => value.trim() !== "", expected);
}

export function limitedList<T extends z.ZodType>(entry: T, most: number, what: string) {
  const expected = `expected a list of at most ${most} ${what}`;
  return z.array(entry, expected).max(most, expected);
}

/** An object that refuses keys it does not know, naming those it does. */
export function strict<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `not a setting; expected one of ${Object.keys(shape).join(", ")}`
        : "expected an object",
  });
}

export const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, `expected one of ${values.join(", ")}`);
export const flag = () => z.boolean("expected true or false");

export function wholeNumber(min: number, max: number) {
  const expected = `expected a whole number from ${min} to ${max}`;
  return z.int(expected).min(min, expected).max(max, expected);
}
