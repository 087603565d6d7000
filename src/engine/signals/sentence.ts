/** What fills a sentence: counts, countries, masked values, titles of goods. Never personal data. */
export type SentenceValues = Readonly<Record<string, string | number>>;

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/**
 * What was seen of an order, for a reviewer. Each number of this order in `text` stands for one of `values`, so that a test can compare it
 * with the order, and the console can say it in another language.
 */
export interface Sentence {
  /** With `{name}` for each of `values`. */
  readonly text: string;
  readonly values: SentenceValues;
}

/** A sentence with its values. A placeholder without a value is a type error. */
export function say<const Text extends string>(
  text: Text,
  ...[values]: [NamesIn<Text>] extends [never] ? [] : [Readonly<Record<NamesIn<Text>, string | number>>]
): Sentence {
  return { text, values: values ?? {} };
}

export function fill({ text, values }: Sentence): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
