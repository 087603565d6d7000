import { LANGUAGES, LANGUAGE_TAGS as TAGS, type Language } from "../../../src/texts/languages.ts";
import { readStored, reloadWith } from "./storage.ts";

/** English with accents, for tests: text that isn't in a catalog stands out. */
export const PSEUDO_LANGUAGE = "en-XA";

const KEY = "holdfast.language";
/** How a platform says it. */
const PARAMETER = "locale";

/** The languages to choose from, each named in itself. */
export const LANGUAGE_OPTIONS = Object.entries(LANGUAGES) as unknown as readonly (readonly [
  Language,
  string,
])[];

/** Chinese for readers of traditional characters, which simplified ones don't stand in for. */
const TRADITIONAL = /^zh\b.*\b(?:hant|tw|hk|mo)\b/i;

/** The console's language for a tag such as `de-AT` or `zh-Hans-CN`; undefined if there is none. */
export function findLanguage(tag: string): Language | undefined {
  if (TRADITIONAL.test(tag)) return undefined;
  const lower = tag.toLowerCase();
  const [wanted] = lower.split(/[-_]/);
  return (
    TAGS.find((one) => one.toLowerCase() === lower) ??
    TAGS.find((one) => one.toLowerCase().split("-")[0] === wanted)
  );
}

/** What may say which language a person reads, in this order. */
export interface LanguageHints {
  /** What the person chose in this browser. */
  readonly chosen: unknown;
  /** The platform's `locale` parameter. */
  readonly platform: string | null;
  /** The browser's languages, the preferred one first. */
  readonly browser: readonly string[];
}

export function chooseLanguage({ chosen, platform, browser }: LanguageHints): string {
  if (platform === PSEUDO_LANGUAGE) return PSEUDO_LANGUAGE;
  const tags = [typeof chosen === "string" ? chosen : "", platform ?? "", ...browser];
  return tags.map(findLanguage).find((one) => one !== undefined) ?? "en";
}

/** The browser's own locale for a language, because its numbers and dates can differ: `de-AT` for `de`. */
export function toLocale(language: string, browser: readonly string[]): string {
  return browser.find((tag) => findLanguage(tag) === language) ?? (language === "en" ? "en-US" : language);
}

const BROWSER = globalThis.navigator?.languages ?? [];

/** The language that the person chose in this browser; null if the page chooses. */
export function readChosenLanguage(): Language | null {
  const chosen = readStored(() => localStorage, KEY);
  return typeof chosen === "string" ? (findLanguage(chosen) ?? null) : null;
}

/** Load the page again in a language; null leaves the choice to the page. */
export function changeLanguage(language: Language | null): void {
  reloadWith({ key: KEY, parameter: PARAMETER }, language);
}

/** The page's language. It changes only with a reload, so that nothing that was written before has another one. */
export const LANGUAGE: string = chooseLanguage({
  chosen: readStored(() => localStorage, KEY),
  platform: new URLSearchParams(globalThis.location?.search ?? "").get(PARAMETER),
  browser: BROWSER,
});

/** How the page writes numbers, amounts and dates. */
export const LOCALE: string = toLocale(LANGUAGE, BROWSER);
