import { IntlMessageFormat } from "intl-messageformat";
import type { Language } from "./languages.ts";
import type { ValuesIn } from "./placeholders.ts";
import { TEXTS as alertsDe } from "./de/alerts.ts";
import { TEXTS as messagesDe } from "./de/messages.ts";
import { TEXTS as alerts } from "./en/alerts.ts";
import { TEXTS as messages } from "./en/messages.ts";
import { TEXTS as alertsEs } from "./es/alerts.ts";
import { TEXTS as messagesEs } from "./es/messages.ts";
import { TEXTS as alertsFr } from "./fr/alerts.ts";
import { TEXTS as messagesFr } from "./fr/messages.ts";
import { TEXTS as alertsJa } from "./ja/alerts.ts";
import { TEXTS as messagesJa } from "./ja/messages.ts";
import { TEXTS as alertsPt } from "./pt-BR/alerts.ts";
import { TEXTS as messagesPt } from "./pt-BR/messages.ts";
import { TEXTS as alertsZh } from "./zh-CN/alerts.ts";
import { TEXTS as messagesZh } from "./zh-CN/messages.ts";

type Alerts = Readonly<Record<keyof typeof alerts, string>>;
type Messages = Readonly<Record<keyof typeof messages, string>>;

/** What the server writes to people. A text that a language lacks is a type error here. */
const TEXTS: Readonly<Record<Language, { readonly alerts: Alerts; readonly messages: Messages }>> = {
  en: { alerts, messages },
  de: { alerts: alertsDe, messages: messagesDe },
  es: { alerts: alertsEs, messages: messagesEs },
  fr: { alerts: alertsFr, messages: messagesFr },
  ja: { alerts: alertsJa, messages: messagesJa },
  "pt-BR": { alerts: alertsPt, messages: messagesPt },
  "zh-CN": { alerts: alertsZh, messages: messagesZh },
};

type MessageKey = keyof typeof messages;
type MessageValues<Key extends MessageKey> = ValuesIn<
  (typeof messages)[Key],
  { text: string; number: number; tag: never }
>;

/** Says a message of the server: `say("shop", { shop })`. */
export type Say = <Key extends MessageKey>(key: Key, ...values: MessageValues<Key>) => string;

export function createSay(language: Language): Say {
  const texts: Messages = TEXTS[language].messages;
  return (key, ...[values]) => String(new IntlMessageFormat(texts[key], language).format(values as never));
}

/** A key of {@link Say} that is made of a code from outside; undefined if there is no text for it. */
export function findKey<Start extends string>(start: Start, code: string) {
  const key = `${start}-${code}`;
  return Object.hasOwn(messages, key) ? (key as Extract<MessageKey, `${Start}-${string}`>) : undefined;
}

/** The text of an alert; undefined for an alert of another adapter. */
export function findAlertText(name: string, language: Language): string | undefined {
  const { alerts: texts } = TEXTS[language];
  return Object.hasOwn(texts, name) ? texts[name as keyof Alerts] : undefined;
}
