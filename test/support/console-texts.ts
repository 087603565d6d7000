import { type MessageFormatElement, TYPE } from "@formatjs/icu-messageformat-parser";
import { IntlMessageFormat } from "intl-messageformat";
import { compileTexts, readSources } from "../../scripts/compile-texts.ts";
import type { Message, TextKey, Texts } from "../../web/texts/message.ts";

/** English with accents: text that isn't in a catalog stands out. The same as `PSEUDO_LANGUAGE` of the page. */
export const PSEUDO = "en-XA";

/** Letters that look like ASCII's, none of which any language of the console uses. */
const ACCENTED = "ȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑ";
const PLAIN = "abcdefghijklmnopqrstuvwxyz";

/** Text in the pseudo-language. */
export function toAccented(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const accented = ACCENTED.charAt(PLAIN.indexOf(letter.toLowerCase()));
    return letter === letter.toLowerCase() ? accented : accented.toUpperCase();
  });
}

function accentMessage(message: Message): Message {
  return typeof message === "string" ? toAccented(message) : message.map(accentElement);
}

function accentElement(element: MessageFormatElement): MessageFormatElement {
  switch (element.type) {
    case TYPE.literal:
      return { ...element, value: toAccented(element.value) };
    case TYPE.tag:
      return { ...element, children: element.children.map(accentElement) };
    case TYPE.plural:
    case TYPE.select: {
      const options = Object.entries(element.options).map(([name, option]) => [
        name,
        { ...option, value: option.value.map(accentElement) },
      ]);
      return { ...element, options: Object.fromEntries(options) };
    }
    default:
      return element;
  }
}

/** All texts of a language, as the page loads them. */
export function readTexts(language: string): Texts {
  if (language !== PSEUDO) return compileTexts(readSources(language));
  const rooms = Object.entries(compileTexts(readSources("en"))).map(([room, messages]) => [
    room,
    Object.fromEntries(Object.entries(messages).map(([name, message]) => [name, accentMessage(message)])),
  ]);
  return Object.fromEntries(rooms) as Texts;
}

/** Says what the console says in a language. */
export type Say = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

export function createSay(language: string): Say {
  const texts = readTexts(language);
  return (key, values = {}) => {
    const [room = "", name = ""] = key.split(".");
    const message = texts[room]?.[name];
    if (message === undefined) throw new Error(`${language} has no text ${key}`);
    if (typeof message === "string") return message;
    const plain = (children: readonly unknown[]) => children.join("");
    const tags = Object.fromEntries(["unseen", "b", "strong", "link", "soft"].map((tag) => [tag, plain]));
    return String(new IntlMessageFormat([...message], language).format({ ...tags, ...values } as never));
  };
}
