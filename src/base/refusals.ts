import { TEXTS } from "../texts/en/refusals.ts";
import type { PlaceholdersIn } from "../texts/placeholders.ts";
import { ENGLISH_REFUSALS } from "./english-refusals.ts";

const ALL = { ...ENGLISH_REFUSALS, ...TEXTS };

/** Why the API refuses a request. Closed: `docs/reference/refusals.md` lists them. */
export type RefusalCode = keyof typeof ALL;
export const REFUSAL_CODES = Object.keys(ALL) as readonly RefusalCode[];

/** Numbers, times (ISO, in UTC) and words of a refusal. Never what somebody entered. */
export type RefusalParams = Readonly<Record<string, string | number>>;

type NamesOf<Code extends RefusalCode> = PlaceholdersIn<(typeof ALL)[Code]>[0];
type Params<Code extends RefusalCode> = [NamesOf<Code>] extends [never]
  ? []
  : [{ readonly [Name in NamesOf<Code>]: string | number }];

/** A refusal in English, with what other languages need. */
export interface Refusal {
  /** What went wrong and what to do about it, for a person. */
  readonly detail: string;
  readonly refusal: RefusalCode;
  /** What is filled into the text. Absent: nothing. */
  readonly params?: RefusalParams;
}

/** Say why a request is refused: `describeRefusal("sandbox-limit", { max: 30 })`. */
export function describeRefusal<Code extends RefusalCode>(refusal: Code, ...[params]: Params<Code>): Refusal {
  const given: RefusalParams = params ?? {};
  const detail = ALL[refusal].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(given[name]));
  return { detail, refusal, ...(params !== undefined && { params: given }) };
}

/** {@link describeRefusal} with the status of its answer. */
export function refusalOf<Code extends RefusalCode>(status: number, refusal: Code, ...params: Params<Code>) {
  return { status, ...describeRefusal(refusal, ...params) };
}
