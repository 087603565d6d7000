import type { Frame, Response } from "playwright-core";
import type { ConsolePage } from "./console-stage.ts";

/** Fields of the API whose sentences are in English for every reader: what services wrote. */
const AS_WRITTEN = new Set(["reasoning", "factor", "description", "recommendations", "detail", "title"]);
/** Fields that the page says in its own language, if there is a code beside them. */
const HAS_CODE = new Set(["found", "advice", "detail", "message"]);

/**
 * What the page gets from the API, from now on: names, notes, codes, what a service wrote. It's shown as it is. And the
 * names of countries, which the browser has in English for a language that it doesn't know.
 */
export async function collectData(opened: ConsolePage): Promise<ReadonlySet<string>> {
  const data = new Set(await opened.app.evaluate(listCountries));
  const add = (value: unknown, name: string): void => {
    if (typeof value === "string") data.add(value);
    else if (Array.isArray(value)) for (const one of value) add(one, name);
    else if (typeof value === "object" && value !== null)
      for (const [key, one] of Object.entries(value)) {
        data.add(key);
        if (!isForPage(value, key, one, name)) add(one, key);
      }
  };
  opened.page.on("response", (response: Response) => {
    if (!new URL(response.url()).pathname.startsWith("/api/")) return;
    void response.json().then(
      (body: unknown) => add(body, ""),
      () => undefined,
    );
  });
  return data;
}

function listCountries(): string[] {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  return letters.flatMap((one) => letters.flatMap((other) => names.of(one + other) ?? []));
}

/** Whether the page says it in its own words: it has a code, or it's a sentence that nobody wrote. */
function isForPage(within: object, key: string, one: unknown, name: string): boolean {
  if (HAS_CODE.has(key) && "code" in within && within.code !== undefined) return true;
  return typeof one === "string" && !AS_WRITTEN.has(key) && isSentence(one) && !isNamed(name, key);
}

function isSentence(text: string): boolean {
  return /^[A-Z][^.]* [^.]* [^.]*\.(?: |$)/.test(text);
}

/** A name that somebody gave may look like a sentence. */
function isNamed(within: string, key: string): boolean {
  return key === "name" || key === "note" || within === "sent" || within === "contents";
}

/** Texts and labels of the page, as a person reads or hears them. */
export function listTexts(app: Frame): Promise<readonly string[]> {
  return app.evaluate(() => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { parentElement: around } = node;
      // Code is for machines, a key's name is on the key, the foot and the menu are the server's.
      if (
        around?.closest(
          "script, style, noscript, code, pre, .mono, kbd, [dir='auto'], .page-foot, s-app-nav",
        ) === null
      )
        texts.push(node.textContent ?? "");
    }
    for (const one of document.querySelectorAll("[title], [aria-label], [placeholder], [alt]"))
      for (const name of ["title", "aria-label", "placeholder", "alt"])
        texts.push(one.getAttribute(name) ?? "");
    texts.push(document.title);
    return texts;
  });
}

/** Words in plain letters that are left of the texts without data, names of places and dates: nobody translated them. */
export function findPlain(texts: readonly string[], data: ReadonlySet<string>): readonly string[] {
  const known = [...data, ...NAMES]
    // The local engine's code is shown apart from its text.
    .flatMap((one) => [
      one,
      one.replace(/ \[[A-Z\d_]+\]$/, ""),
      one.replaceAll("_", " "),
      one.charAt(0).toUpperCase() + one.slice(1),
    ])
    .filter((one) => /[a-z]{2}/i.test(one))
    .toSorted((one, other) => other.length - one.length);
  return texts.filter((text) => {
    if (!/[a-z]{2}/i.test(text)) return false;
    let rest = text;
    for (const one of known) if (rest.includes(one)) rest = rest.replaceAll(one, " ");
    return /[a-z]{2}/i.test(rest.replaceAll(FORMATTED, " "));
  });
}

/** Proper names that no message says: the product's, currencies, languages. */
const NAMES = [
  "Holdfast",
  "Shopify",
  "USD",
  "UTC",
  "https://",
  "English",
  "Deutsch",
  "Español",
  "Français",
  "Português (Brasil)",
  "français",
  "español",
  "português (Brasil)",
];
/** Dates and times, as the pseudo-language formats them: in English. */
const FORMATTED = /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d+|\d [AP]M\b/g;
