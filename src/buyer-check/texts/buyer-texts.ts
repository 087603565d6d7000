import { BUYER_LANGUAGES, type BuyerLanguage } from "../../order/buyer-check.ts";
import { TEXTS as de } from "./de.ts";
import { TEXTS as en, type BuyerTexts } from "./en.ts";
import { TEXTS as es } from "./es.ts";
import { TEXTS as fr } from "./fr.ts";
import { TEXTS as ja } from "./ja.ts";
import { TEXTS as ptBr } from "./pt-br.ts";
import { TEXTS as zhCn } from "./zh-cn.ts";

const LANGUAGES: Readonly<Record<BuyerLanguage, BuyerTexts>> = {
  en,
  de,
  fr,
  es,
  "pt-BR": ptBr,
  ja,
  "zh-CN": zhCn,
};

export function toTexts(language: BuyerLanguage): BuyerTexts {
  return LANGUAGES[language];
}

/** The first language that we have, of an order's locale, then of what a browser asks for, then the shop's own. */
export function chooseLanguage(
  locale: string | undefined,
  acceptLanguage: string | undefined,
  fallback: BuyerLanguage,
): BuyerLanguage {
  const wanted = [...(locale === undefined ? [] : [locale]), ...toWanted(acceptLanguage)];
  for (const tag of wanted) {
    const [base] = tag.toLowerCase().split(/[-_]/, 1);
    const found = BUYER_LANGUAGES.find((language) => language.toLowerCase().split("-", 1)[0] === base);
    if (found !== undefined) return found;
  }
  return fallback;
}

/** A browser sends a handful. */
const MOST_WANTED = 20;
const LONGEST_HEADER = 1_000;

/** The languages of an `Accept-Language` header, most wanted first. */
function toWanted(header = ""): readonly string[] {
  return header
    .slice(0, LONGEST_HEADER)
    .split(",", MOST_WANTED)
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().split(/\s*;\s*/);
      const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return { tag, weight: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ tag, weight }) => tag !== "*" && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}

/** A text with its placeholders filled in. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
