import { TEXTS } from "../texts/en/findings.ts";
import type { PlaceholdersIn } from "../texts/placeholders.ts";

type Key = keyof typeof TEXTS;
/** What the check of an installation can find. Closed: each has a text in every language of the console. */
export type FindingCode = Exclude<Key, `${string}.advice`>;
type NamesOf<Code extends FindingCode> = PlaceholdersIn<(typeof TEXTS)[Code]>[0];
type Params<Code extends FindingCode> = [NamesOf<Code>] extends [never]
  ? []
  : [{ readonly [Name in NamesOf<Code>]: string | number }];

/** Names and numbers of a finding. */
export type FindingParams = Readonly<Record<string, string | number>>;

/** A finding's texts in English, with the code for other languages. */
export function describeFinding<Code extends FindingCode>(code: Code, ...[given]: Params<Code>) {
  const params: FindingParams = given ?? {};
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  const advice = `${code}.advice`;
  return {
    found: fill(TEXTS[code]),
    advice: Object.hasOwn(TEXTS, advice) ? fill(TEXTS[advice as Key]) : null,
    code,
    params,
  };
}
