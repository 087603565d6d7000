import { IntlMessageFormat } from "intl-messageformat";
import type { ComponentChildren } from "preact";
import { EN } from "../../texts/en/index.ts";
import type { Message, TextKey, TextRoom, Texts, Values } from "../../texts/message.ts";
import { LANGUAGE, LOCALE } from "./language.ts";

/** The texts of the page's language. English has what it lacks. */
let texts: Texts = EN;
const formats = new Map<string, IntlMessageFormat>();

/** Load the texts of the page's language. Without them, the page is in English. */
export async function loadTexts(): Promise<void> {
  if (LANGUAGE === "en") return;
  try {
    const response = await fetch(`/assets/texts/${LANGUAGE}.json`);
    if (!response.ok) return;
    texts = (await response.json()) as Texts;
    document.documentElement.lang = LANGUAGE;
  } catch {
    // The network is away, or something between changed the file.
  }
}

/** A text of the catalogs: `t("orders.shown", { count: 12 })`. */
export function t<Key extends TextKey>(
  key: Key,
  ...[values]: Values<Key, { text: string; number: number; tag: never }>
): string {
  return String(fill(key, values));
}

/** A text with markup: `rich("orders.none", { link: (text) => <a href="/">{text}</a> })` for `See <link>all</link>`. */
export function rich<Key extends TextKey>(
  key: Key,
  ...[values]: Values<
    Key,
    { text: ComponentChildren; number: number; tag: (children: ComponentChildren) => ComponentChildren }
  >
): ComponentChildren {
  return fill(key, values) as ComponentChildren;
}

/** The text for a code that comes from outside the page; undefined for an unknown one. */
export function findText(room: TextRoom, code: string): string | undefined {
  const message = findMessage(texts, room, code) ?? findMessage(EN, room, code);
  return typeof message === "string" ? message : undefined;
}

/** Texts that only the other languages have, for codes of the server: in English, the server has said it already. */
type ServerRoom = "expected" | "findings" | "refusals";

/**
 * The text for a code of the server, filled with what the server sent; undefined for an unknown code, in English, and if a
 * value is missing.
 */
export function findFilled(room: ServerRoom, code: string, values: object): string | undefined {
  const message = findMessage(texts, room, code);
  if (message === undefined || typeof message === "string") return message;
  try {
    return String(new IntlMessageFormat([...message], LOCALE).format(values as never));
  } catch {
    return undefined;
  }
}

function fill(key: string, values: object | undefined): unknown {
  const [room = "", name = ""] = key.split(".");
  const own = findMessage(texts, room, name);
  const message = own ?? findMessage(EN, room, name) ?? key;
  if (typeof message === "string") return message;
  let format = formats.get(key);
  if (format === undefined) {
    format = new IntlMessageFormat([...message], own === undefined ? "en" : LOCALE);
    formats.set(key, format);
  }
  return format.format(values as never);
}

function findMessage(from: Texts, room: string, name: string): Message | undefined {
  const messages = Object.hasOwn(from, room) ? from[room] : undefined;
  return messages !== undefined && Object.hasOwn(messages, name) ? messages[name] : undefined;
}
